"""Selected sentences against gold sentences: hits, and precision, recall and F1 over all items."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from core.benchmarks.bootstrap import Statistic, ratio


def hit(chosen: Sequence[int], gold: frozenset[int], depth: int) -> float:
    """1 if one of the first `depth` sentences is a gold one, else 0 (success at depth)."""
    return float(not gold.isdisjoint(chosen[:depth]))


@dataclass(frozen=True, slots=True)
class Overlap:
    """How many sentences of one item were chosen, how many are gold, and how many are both."""

    chosen: int
    gold: int
    both: int


def overlap(chosen: Sequence[int], gold: frozenset[int]) -> Overlap:
    """The counts of one item."""
    return Overlap(len(frozenset(chosen)), len(gold), len(gold.intersection(chosen)))


# Precision, recall and F1 over the sentences of all items together, as FaReBio has them (tables 4 and 10: its 1,305
# items have 1,713 gold sentences, and one sentence each at a precision of .73 is a recall of .56).


def precision(items: Sequence[Overlap]) -> Statistic:
    """Of all sentences chosen, the share that are gold; undefined where none was chosen."""
    return _share(items, lambda item: item.both, lambda item: item.chosen)


def recall(items: Sequence[Overlap]) -> Statistic:
    """Of all gold sentences, the share that were chosen."""
    return _share(items, lambda item: item.both, lambda item: item.gold)


def f1(items: Sequence[Overlap]) -> Statistic:
    """The harmonic mean of both."""
    return _share(items, lambda item: 2 * item.both, lambda item: item.chosen + item.gold)


def _share(items: Sequence[Overlap], part: Callable[[Overlap], int], whole: Callable[[Overlap], int]) -> Statistic:
    parts = np.array([part(item) for item in items], dtype=np.float64)
    wholes = np.array([whole(item) for item in items], dtype=np.float64)
    return lambda weights: ratio(weights @ parts, weights @ wholes)
