"""What a check sees, and what it finds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from core.paper import Paper, Sentence
from core.summary.model import Flag
from core.summary.numbers import Number, numbers_in
from core.summary.support import Candidate
from core.summary.words import stem, topic, words_of

_TELLS = 0.3  # of the topic words must be shared for a sentence to tell anything
_ALIKE = 0.85  # of the best share


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that speaks against a summary sentence: `weight`, 0 to 1, counts for the score under `measure`."""

    measure: str
    weight: float
    flag: Flag


@dataclass(frozen=True)
class Source:
    """The source as a whole: what stands anywhere in it."""

    paper: Paper
    sentences: tuple[Sentence, ...]
    is_common: Callable[[str], bool] = lambda word: False  # of a word: whether it is among the most frequent of English

    @cached_property
    def text(self) -> str:
        """All of it, lower-cased."""
        return " ".join(sentence.text for sentence in self.sentences).lower()

    @cached_property
    def topics(self) -> frozenset[str]:
        """The topic words that it names."""
        return frozenset(word for sentence in self.sentences for word in topic(sentence.text))

    @cached_property
    def words(self) -> frozenset[str]:
        """Every word, as written but lower-cased; the parts of hyphenated ones too."""
        words = {word.text for sentence in self.sentences for word in words_of(sentence.text)}
        return frozenset(words | {part for word in words for part in word.replace("‐", "-").split("-")})

    @cached_property
    def stems(self) -> frozenset[str]:
        """The stems of its words."""
        return frozenset(map(stem, self.words))

    @cached_property
    def numbers(self) -> tuple[Number, ...]:
        """Every number."""
        return tuple(number for sentence in self.sentences for number in numbers_in(sentence.text))


@dataclass(frozen=True)
class Claim:
    """A summary sentence beside the sentences of the source that come nearest, best first."""

    text: str
    nearest: Sequence[Candidate]
    source: Source

    @cached_property
    def telling(self) -> tuple[Candidate, ...]:
        """Of the nearest, those that share about as much with the sentence as the best does, that one first."""
        best = max((candidate.share for candidate in self.nearest), default=0.0)
        alike = [candidate for candidate in self.nearest if candidate.share >= max(_TELLS, _ALIKE * best)]
        return tuple(sorted(alike, key=lambda candidate: -candidate.share))
