"""A paper prepared for screening (sentences by part, stems, vectors, language), and findings on a criterion."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property

from core.paper import Kind, Paper, SectionKind, Sentence
from core.progress import Progress, silent
from core.screening.model import Fit
from core.text.abbreviations import abbreviations
from core.text.clauses import clauses_on_this_study
from core.text.encoder import Matrix
from core.text.similarity import Embedder
from core.text.words import broad_stems

# ---- findings ----
# What was found for a part of a criterion, and how the findings on parts are combined.

_LONGEST = 90  # characters of the paper that a reason quotes
_ORDER = (Fit.NOT_MET, Fit.UNCLEAR, Fit.MET)


@dataclass(frozen=True, slots=True)
class CriterionFinding:
    """A fit, the reason as a clause, and the sentences that support it."""

    fit: Fit
    reason: str  # without a full stop: 'the title says “randomised”'
    sentences: tuple[int, ...] = ()

    def inverted(self) -> CriterionFinding:
        """The finding for a criterion that excludes: met and not met are swapped; unclear stays."""
        opposite = {Fit.MET: Fit.NOT_MET, Fit.NOT_MET: Fit.MET, Fit.UNCLEAR: Fit.UNCLEAR}
        return replace(self, fit=opposite[self.fit])


def all_of(findings: Sequence[CriterionFinding]) -> CriterionFinding:
    """All parts must be met. The reasons are those of the deciding parts: the not met, else the unclear, else all."""
    return _joined(findings, min(findings, key=lambda one: _ORDER.index(one.fit)).fit)


def any_of(findings: Sequence[CriterionFinding]) -> CriterionFinding:
    """One part is enough; the reasons are those of the deciding parts."""
    return _joined(findings, max(findings, key=lambda one: _ORDER.index(one.fit)).fit)


def _joined(findings: Sequence[CriterionFinding], fit: Fit) -> CriterionFinding:
    deciding = [one for one in findings if one.fit is fit]
    others = [one for one in findings if one.fit is not fit]
    reasons = dict.fromkeys(one.reason for one in deciding)
    sentences = dict.fromkeys(index for one in [*deciding, *others] for index in one.sentences)
    return CriterionFinding(fit, "; ".join(reasons), tuple(sentences))


def quoted(words: str) -> str:
    """Words of a paper or criterion, for a reason: on one line, cut between words, in quotation marks."""
    line = " ".join(words.split()).strip(" ,;:.")
    return f"“{line if len(line) <= _LONGEST else line[:_LONGEST].rsplit(' ', 1)[0] + ' …'}”"


def sentence_of(reason: str) -> str:
    """A reason as a sentence."""
    return f"{reason[:1].upper()}{reason[1:].rstrip('.')}."


# ---- reading ----
# A paper prepared for screening: its sentences by place, their words, their vectors, its language.


class ScreenedPart(StrEnum):
    """The part of the paper that a sentence is in, named so that it can follow “in the”."""

    TITLE = "title"
    ABSTRACT = "abstract"
    METHODS = "methods"
    RESULTS = "results"
    BACKGROUND = "introduction"
    DISCUSSION = "discussion"
    TEXT = "text"  # a section that is none of these, or a text without sections

    def says(self, verb: str = "say") -> str:
        """The place with a verb: "the methods say"."""
        return f"the {self} {verb}" if self in (ScreenedPart.METHODS, ScreenedPart.RESULTS) else f"the {self} {verb}s"


class Language(StrEnum):
    """Whether the paper is in English, the language that the rules can read."""

    ENGLISH = "English"
    OTHER = "another language"
    UNKNOWN = "unknown"  # too short to tell


_PLACES = {
    SectionKind.ABSTRACT: ScreenedPart.ABSTRACT,
    SectionKind.INTRODUCTION: ScreenedPart.BACKGROUND,
    SectionKind.METHODS: ScreenedPart.METHODS,
    SectionKind.RESULTS: ScreenedPart.RESULTS,
    SectionKind.DISCUSSION: ScreenedPart.DISCUSSION,
}
OWN_ACCOUNT = (
    ScreenedPart.TITLE,
    ScreenedPart.ABSTRACT,
    ScreenedPart.METHODS,
    ScreenedPart.TEXT,
)  # where a paper says what it did
_ENGLISH = frozenset("the of and to with was were for that by from or is are this an be which at on between".split())
_WORD = re.compile(r"[^\W\d_]+")
_READ = 600  # so many words of a paper decide on its language
_FEWEST = 25  # with fewer words the language cannot be told
_SHARE = 0.12  # `_ENGLISH` words are 0.25 to 0.4 of English prose, below 0.06 of other European languages


@dataclass(frozen=True)
class ScreenedPaper:
    """All sentences of the paper that may be cited, and what is known about them."""

    paper: Paper
    sentences: tuple[Sentence, ...]  # without headings
    vectors: Matrix | None  # (len(paper.pool), 384); None: no encoder

    @cached_property
    def places(self) -> dict[int, ScreenedPart]:
        """The part that each sentence is in, by its index."""
        return {one.index: _place(one, self.paper) for one in self.sentences}

    @cached_property
    def stems(self) -> dict[int, frozenset[str]]:
        """The stems of each sentence's words, by index. An abbreviation also counts as the words that it stands for."""
        long_forms = {
            short.lower(): broad_stems(long)
            for short, long in abbreviations(one.text for one in self.sentences).items()
        }
        short_of = {short: broad_stems(short) for short in long_forms}
        found = {}
        for one in self.sentences:
            own = broad_stems(one.text)
            added = [long_forms[short] for short, stemmed in short_of.items() if stemmed <= own]
            found[one.index] = own.union(*added)
        return found

    @cached_property
    def stems_anywhere(self) -> frozenset[str]:
        """The stems of all sentences together."""
        return frozenset[str]().union(*self.stems.values())

    @cached_property
    def language(self) -> Language:
        """The language, by the share of English function words."""
        words: list[str] = []
        for one in self.sentences:
            words += _WORD.findall(one.text.lower())
            if len(words) >= _READ:
                break
        if len(words) < _FEWEST:
            letters = [letter for word in words for letter in word]
            foreign = sum(not letter.isascii() for letter in letters) > 0.1 * len(letters)
            return Language.OTHER if foreign else Language.UNKNOWN
        share = sum(word in _ENGLISH for word in words) / len(words)
        return Language.ENGLISH if share >= _SHARE else Language.OTHER

    @cached_property
    def has_methods(self) -> bool:
        """Whether there is more than a title and an abstract."""
        return any(place in (ScreenedPart.METHODS, ScreenedPart.TEXT) for place in self.places.values())

    def at(self, *places: ScreenedPart) -> tuple[Sentence, ...]:
        """The sentences of these places, in the paper's order."""
        return tuple(one for one in self.sentences if self.places[one.index] in places)

    @cached_property
    def own_passages(self) -> tuple[tuple[ScreenedPart, int, str], ...]:
        """What the paper says about itself in title, abstract and methods: (place, sentence, clauses)."""
        return tuple(
            (self.places[one.index], one.index, passage)
            for one in self.at(*OWN_ACCOUNT)
            if one.kind is not Kind.TABLE
            for passage in clauses_on_this_study(one.text)
        )

    @property
    def title(self) -> str:
        """The title as printed; empty if the file has none."""
        return " ".join((self.paper.title or "").split())


def read_for_screening(paper: Paper, embedder: Embedder | None, *, progress: Progress = silent) -> ScreenedPaper:
    """Prepare a paper for screening. Encodes its sentences unless they are encoded already."""
    sentences = tuple(one for one in paper.pool if one.kind is not Kind.HEADING and one.text.strip())
    vectors = embedder.compare(paper, paper.name, progress=progress).vectors if embedder and sentences else None
    return ScreenedPaper(paper, sentences, vectors)


def _place(sentence: Sentence, paper: Paper) -> ScreenedPart:
    if sentence.kind is Kind.TITLE:
        return ScreenedPart.TITLE
    if sentence.kind is Kind.ABSTRACT:
        return ScreenedPart.ABSTRACT
    return _PLACES.get(paper.section_of(sentence).kind, ScreenedPart.TEXT)


def named(places: Iterable[ScreenedPart]) -> str:
    """Places in words: "title, abstract or methods"."""
    *most, last = places
    return f"{', '.join(most)} or {last}" if most else str(last)
