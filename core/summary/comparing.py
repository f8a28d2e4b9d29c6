"""Summaries of one paper side by side: what one changed of the other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import zip_longest

from core.summary.model import FaithfulnessReport, SentenceCheck
from core.text.words import letters_and_digits


@dataclass(frozen=True, slots=True)
class SentenceChange:
    """A sentence of one summary and the one in its place in the other; None where there is none."""

    before: SentenceCheck | None
    after: SentenceCheck | None

    @property
    def kept(self) -> bool:
        """Whether the sentence stayed as it was."""
        return self.before is not None and self.after is not None and _same(self.before) == _same(self.after)


def changes(before: FaithfulnessReport, after: FaithfulnessReport) -> tuple[SentenceChange, ...]:
    """The sentences of two summaries beside each other, in order; those that stayed the same face each other."""
    return tuple(_changes(before.sentences, after.sentences))


def _changes(before: tuple[SentenceCheck, ...], after: tuple[SentenceCheck, ...]) -> Iterator[SentenceChange]:
    alike = SequenceMatcher(None, [_same(one) for one in before], [_same(one) for one in after], autojunk=False)
    for _, first, last, start, end in alike.get_opcodes():
        for one, other in zip_longest(before[first:last], after[start:end]):
            yield SentenceChange(one, other)


def _same(sentence: SentenceCheck) -> str:
    return letters_and_digits(sentence.text)
