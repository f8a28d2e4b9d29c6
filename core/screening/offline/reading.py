"""A paper prepared for screening (sentences by part, words, vectors, language), and what is found in it for a part of a criterion."""

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
# What was found for a part of a criterion, and how parts make a whole.

_LONGEST = 90  # characters of the paper that a reason quotes
_ORDER = (Fit.NOT_MET, Fit.UNCLEAR, Fit.MET)


@dataclass(frozen=True, slots=True)
class CriterionFinding:
    """A fit, a clause that says why, and the sentences that it rests on."""

    fit: Fit
    reason: str  # without a full stop: 'the title says “randomised”'
    sentences: tuple[int, ...] = ()

    def inverted(self) -> CriterionFinding:
        """The finding for a criterion that excludes: met and not met change places; unclear stays."""
        opposite = {Fit.MET: Fit.NOT_MET, Fit.NOT_MET: Fit.MET, Fit.UNCLEAR: Fit.UNCLEAR}
        return replace(self, fit=opposite[self.fit])


def all_of(findings: Sequence[CriterionFinding]) -> CriterionFinding:
    """Every part must be met. Those that decide are named: the parts not met, or else those unclear, or else all."""
    return _joined(findings, min(findings, key=lambda one: _ORDER.index(one.fit)).fit)


def any_of(findings: Sequence[CriterionFinding]) -> CriterionFinding:
    """One part is enough."""
    return _joined(findings, max(findings, key=lambda one: _ORDER.index(one.fit)).fit)


def _joined(findings: Sequence[CriterionFinding], fit: Fit) -> CriterionFinding:
    deciding = [one for one in findings if one.fit is fit]
    others = [one for one in findings if one.fit is not fit]
    reasons = dict.fromkeys(one.reason for one in deciding)
    sentences = dict.fromkeys(index for one in [*deciding, *others] for index in one.sentences)
    return CriterionFinding(fit, "; ".join(reasons), tuple(sentences))


def quoted(words: str) -> str:
    """Words of paper or criterion for a reason: one line, cut at a word, in quotation marks."""
    line = " ".join(words.split()).strip(" ,;:.")
    return f"“{line if len(line) <= _LONGEST else line[:_LONGEST].rsplit(' ', 1)[0] + ' …'}”"


def sentence_of(reason: str) -> str:
    """A clause as a sentence."""
    return f"{reason[:1].upper()}{reason[1:].rstrip('.')}."


# ---- reading ----
# A paper as a criterion is held against it: its sentences by place, their words, their vectors, its language.


class ScreenedPart(StrEnum):
    """The part of the paper in which a sentence stands, in words that can follow “in the”."""

    TITLE = "title"
    ABSTRACT = "abstract"
    METHODS = "methods"
    RESULTS = "results"
    BACKGROUND = "introduction"
    DISCUSSION = "discussion"
    TEXT = "text"  # a section that is none of these, or a text without sections

    def says(self, verb: str = "say") -> str:
        """The place and what it does: "the methods say"."""
        return f"the {self} {verb}" if self in (ScreenedPart.METHODS, ScreenedPart.RESULTS) else f"the {self} {verb}s"


class Language(StrEnum):
    """Whether the rules, which know English, can read the paper."""

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
_READ = 600  # words of a paper by which its language is told
_FEWEST = 25  # words: in fewer the language cannot be told
_SHARE = 0.12  # of English prose, 0.25 to 0.4 are the words above; of other European languages, below 0.06


@dataclass(frozen=True)
class ScreenedPaper:
    """All sentences of the paper that may be named, and what is known of them."""

    paper: Paper
    sentences: tuple[Sentence, ...]  # without headings
    vectors: Matrix | None  # (len(paper.pool), 384); None: no encoder

    @cached_property
    def places(self) -> dict[int, ScreenedPart]:
        """By sentence index."""
        return {one.index: _place(one, self.paper) for one in self.sentences}

    @cached_property
    def stems(self) -> dict[int, frozenset[str]]:
        """The stems of each sentence's words, by index; an abbreviation that the paper explains stands for its words."""
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
        """By the share of English function words."""
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
        """What the paper says of itself in title, abstract and methods: (place, sentence, clauses)."""
        return tuple(
            (self.places[one.index], one.index, passage)
            for one in self.at(*OWN_ACCOUNT)
            if one.kind is not Kind.TABLE
            for passage in clauses_on_this_study(one.text)
        )

    @property
    def title(self) -> str:
        """The title as printed; empty where the file has none."""
        return " ".join((self.paper.title or "").split())


def read_for_screening(paper: Paper, embedder: Embedder | None, *, progress: Progress = silent) -> ScreenedPaper:
    """The paper, its sentences encoded if they are not yet."""
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
