"""Summaries of one paper side by side: the figures of each, and what one changed of the other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import zip_longest

from core.evidence.llm.checking import letters
from core.summary.model import FaithfulnessReport, Inconsistency, Label, SentenceCheck


@dataclass(frozen=True, slots=True)
class Counts:
    """How many of a summary's sentences have each label, and what is wrong with those that are not supported."""

    supported: int
    not_supported: int
    not_judgeable: int
    contradicting: int
    not_in_paper: int


@dataclass(frozen=True, slots=True)
class Change:
    """A sentence of one summary and the one in its place in the other; None where there is none."""

    before: SentenceCheck | None
    after: SentenceCheck | None

    @property
    def kept(self) -> bool:
        """Whether the sentence stayed as it was."""
        return self.before is not None and self.after is not None and _same(self.before) == _same(self.after)


def counts(report: FaithfulnessReport) -> Counts:
    """The counts of a report."""
    kinds = [sentence.kind for sentence in report.labelled(Label.NOT_SUPPORTED)]
    return Counts(
        supported=len(report.labelled(Label.SUPPORTED)),
        not_supported=len(kinds),
        not_judgeable=len(report.labelled(Label.NOT_JUDGEABLE)),
        contradicting=kinds.count(Inconsistency.CONTRADICTS),
        not_in_paper=kinds.count(Inconsistency.NOT_IN_PAPER),
    )


def changes(before: FaithfulnessReport, after: FaithfulnessReport) -> tuple[Change, ...]:
    """The sentences of two summaries beside each other, in order; those that stayed the same face each other."""
    return tuple(_changes(before.sentences, after.sentences))


def _changes(before: tuple[SentenceCheck, ...], after: tuple[SentenceCheck, ...]) -> Iterator[Change]:
    alike = SequenceMatcher(None, [_same(one) for one in before], [_same(one) for one in after], autojunk=False)
    for _, first, last, start, end in alike.get_opcodes():
        for one, other in zip_longest(before[first:last], after[start:end]):
            yield Change(one, other)


def _same(sentence: SentenceCheck) -> str:
    return letters(sentence.text)
