"""Metrics of selected sentences against gold, and the position of evidence in a paper (EvidenceBench, section 6)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from core.benchmarks.bootstrap import Statistic, ratio
from core.benchmarks.gold import Gold, aspect_recall

# ---- selections ----
# Selected sentences against gold sentences: hits, and precision, recall and F1 over all items.


def hit(chosen: Sequence[int], gold: frozenset[int], depth: int) -> float:
    """1 if one of the first `depth` sentences is a gold one, else 0 (success at depth)."""
    return float(not gold.isdisjoint(chosen[:depth]))


@dataclass(frozen=True, slots=True)
class Overlap:
    """For one item, how many sentences were chosen, how many are gold, and how many are both."""

    chosen: int
    gold: int
    both: int


def overlap(chosen: Sequence[int], gold: frozenset[int]) -> Overlap:
    """The counts of one item."""
    return Overlap(len(frozenset(chosen)), len(gold), len(gold.intersection(chosen)))


# Precision, recall and F1 over the sentences of all items together, as in FaReBio (tables 4 and 10: its 1,305 items have
# 1,713 gold sentences, so choosing one sentence per item at a precision of .73 gives a recall of .56).


def precision(items: Sequence[Overlap]) -> Statistic:
    """Of all sentences chosen, the share that are gold; undefined if none was chosen."""
    return _share(items, lambda item: item.both, lambda item: item.chosen)


def recall(items: Sequence[Overlap]) -> Statistic:
    """Of all gold sentences, the share that were chosen."""
    return _share(items, lambda item: item.both, lambda item: item.gold)


def f1(items: Sequence[Overlap]) -> Statistic:
    """The harmonic mean of precision and recall."""
    return _share(items, lambda item: 2 * item.both, lambda item: item.chosen + item.gold)


def _share(items: Sequence[Overlap], part: Callable[[Overlap], int], whole: Callable[[Overlap], int]) -> Statistic:
    parts = np.array([part(item) for item in items], dtype=np.float64)
    wholes = np.array([whole(item) for item in items], dtype=np.float64)
    return lambda weights: ratio(weights @ parts, weights @ wholes)


# ---- position ----
# The position of the evidence, to see whether an engine gets "lost in the middle" (EvidenceBench, section 6).
#
# EvidenceBench compares papers whose first 10 and last 10 sentences cover over 80% of the aspects with papers in which they
# cover less than 20%. Models are far better on the former.

_EDGE = 10  # sentences at either end
_MOST, _FEW = 0.8, 0.2


class EvidencePosition(StrEnum):
    """Where in the paper the evidence for a hypothesis is."""

    EDGES = "edges"  # the first and last sentences cover over 80% of the aspects
    MIDDLE = "middle"  # they cover less than 20%
    BETWEEN = "between"  # the paper belongs to neither group


def evidence_position(gold: Gold, sentences: int) -> EvidencePosition:
    """The group of a task instance. `sentences` is the size of its candidate pool, including headings.

    Raises `DatasetError` if the gold has no aspect.
    """
    ends = {*range(min(_EDGE, sentences)), *range(max(0, sentences - _EDGE), sentences)}
    share = aspect_recall(ends, gold.aspects)
    if share > _MOST:
        return EvidencePosition.EDGES
    return EvidencePosition.MIDDLE if share < _FEW else EvidencePosition.BETWEEN


def relative_positions(indices: Iterable[int], sentences: int) -> tuple[float, ...]:
    """The positions of sentences, from 0 (the first of the pool) to 1 (the last), as in EvidenceBench's figure 4."""
    return tuple(index / max(1, sentences - 1) for index in indices)
