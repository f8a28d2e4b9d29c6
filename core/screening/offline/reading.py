"""A paper as a criterion is held against it: its sentences by place, their words, their vectors, its language."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from core.bias.reading import passages
from core.evidence.embedding import Embedder
from core.evidence.embedding_model import Matrix
from core.paper import Kind, Paper, SectionKind, Sentence
from core.progress import Progress, silent
from core.screening.offline.stems import stems
from core.summary.abbreviations import abbreviations


class Place(StrEnum):
    """Where a sentence stands, as far as screening cares; goes on after "in the"."""

    TITLE = "title"
    ABSTRACT = "abstract"
    METHODS = "methods"
    RESULTS = "results"
    BACKGROUND = "introduction"
    DISCUSSION = "discussion"
    TEXT = "text"  # a section that is none of these, or a text without sections

    def says(self, verb: str = "say") -> str:
        """The place and what it does: "the methods say"."""
        return f"the {self} {verb}" if self in (Place.METHODS, Place.RESULTS) else f"the {self} {verb}s"


class Language(StrEnum):
    """Whether the rules, which know English, can read the paper."""

    ENGLISH = "English"
    OTHER = "another language"
    UNKNOWN = "unknown"  # too short to tell


_PLACES = {
    SectionKind.ABSTRACT: Place.ABSTRACT,
    SectionKind.INTRODUCTION: Place.BACKGROUND,
    SectionKind.METHODS: Place.METHODS,
    SectionKind.RESULTS: Place.RESULTS,
    SectionKind.DISCUSSION: Place.DISCUSSION,
}
OWN_ACCOUNT = (Place.TITLE, Place.ABSTRACT, Place.METHODS, Place.TEXT)  # where a paper says what it did
_ENGLISH = frozenset("the of and to with was were for that by from or is are this an be which at on between".split())
_WORD = re.compile(r"[^\W\d_]+")
_READ = 600  # words of a paper by which its language is told
_FEWEST = 25  # words: in fewer the language cannot be told
_SHARE = 0.12  # of English prose, 0.25 to 0.4 are the words above; of other European languages, below 0.06


@dataclass(frozen=True)
class Reading:
    """All sentences of the paper that may be named, and what is known of them."""

    paper: Paper
    sentences: tuple[Sentence, ...]  # without headings
    vectors: Matrix | None  # (len(paper.pool), 384); None: no encoder

    @cached_property
    def places(self) -> dict[int, Place]:
        """By sentence index."""
        return {one.index: _place(one, self.paper) for one in self.sentences}

    @cached_property
    def stems(self) -> dict[int, frozenset[str]]:
        """The stems of each sentence's words, by index; an abbreviation that the paper explains stands for its words."""
        long_forms = {
            short.lower(): stems(long) for short, long in abbreviations(one.text for one in self.sentences).items()
        }
        short_of = {short: stems(short) for short in long_forms}
        found = {}
        for one in self.sentences:
            own = stems(one.text)
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
        return any(place in (Place.METHODS, Place.TEXT) for place in self.places.values())

    def at(self, *places: Place) -> tuple[Sentence, ...]:
        """The sentences of these places, in the paper's order."""
        return tuple(one for one in self.sentences if self.places[one.index] in places)

    @cached_property
    def own_passages(self) -> tuple[tuple[Place, int, str], ...]:
        """What the paper says of itself in title, abstract and methods: (place, sentence, clauses)."""
        return tuple(
            (self.places[one.index], one.index, passage)
            for one in self.at(*OWN_ACCOUNT)
            if one.kind is not Kind.TABLE
            for passage in passages(one.text)
        )

    @property
    def title(self) -> str:
        """The title as printed; empty where the file has none."""
        return " ".join((self.paper.title or "").split())


def read(paper: Paper, embedder: Embedder | None, *, progress: Progress = silent) -> Reading:
    """The paper, its sentences encoded if they are not yet."""
    sentences = tuple(one for one in paper.pool if one.kind is not Kind.HEADING and one.text.strip())
    vectors = embedder.compare(paper, paper.name, progress=progress).vectors if embedder and sentences else None
    return Reading(paper, sentences, vectors)


def _place(sentence: Sentence, paper: Paper) -> Place:
    if sentence.kind is Kind.TITLE:
        return Place.TITLE
    if sentence.kind is Kind.ABSTRACT:
        return Place.ABSTRACT
    return _PLACES.get(paper.section_of(sentence).kind, Place.TEXT)


def named(places: Iterable[Place]) -> str:
    """Places in words: "title, abstract or methods"."""
    *most, last = places
    return f"{', '.join(most)} or {last}" if most else str(last)
