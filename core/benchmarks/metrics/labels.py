"""Labels given against gold labels: accuracy, precision, recall, F1, macro-F1, Cohen's kappa.

All are read from one table: how many items have which gold label and were given which. An item that was given none is
in the table too, and wrong: whoever fails gains nothing by it.

Macro-F1 is the metric of RoBBR's main task (its table 5); precision, recall, agreement and kappa are those by which
FaReBio rates judges of summaries (its table 2).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from core.benchmarks.bootstrap import Floats, Statistic, mean_of_defined, ratio
from core.bias.agreement import cohen_kappa

# Tables (..., labels + 1, labels + 1), gold by row, given by column, the last for none -> a value each; NaN: undefined.
Measure = Callable[[Floats], Floats]


@dataclass(frozen=True)
class Labelled:
    """Items with gold labels and what an engine gave instead: None where it gave none.

    Every gold label must be among `labels`, and so must every label that was given; raises `ValueError` otherwise.
    """

    gold: Sequence[str]
    given: Sequence[str | None]
    labels: Sequence[str]

    def __post_init__(self) -> None:
        if len(self.gold) != len(self.given):
            raise ValueError(f"{len(self.gold)} gold labels for {len(self.given)} answers")
        if strange := {*self.gold, *self.given} - {*self.labels, None}:
            raise ValueError(f"labels that are not on the scale: {sorted(map(str, strange))}")

    def value(self, measure: Measure) -> float | None:
        """A measure of these items; None where it is not defined."""
        found = float(self.statistic(measure)(np.ones((1, len(self.gold))))[0])
        return None if np.isnan(found) else found

    def statistic(self, measure: Measure) -> Statistic:
        """The measure as a statistic to resample."""
        size = len(self.labels) + 1
        place = {label: number for number, label in enumerate(self.labels)}
        given = [size - 1 if label is None else place[label] for label in self.given]
        cells = np.array([place[label] for label in self.gold], dtype=np.int64) * size + given
        in_cell = np.equal.outer(cells, np.arange(size * size)).astype(np.float64)
        return lambda weights: measure((weights @ in_cell).reshape(-1, size, size))


def accuracy(table: Floats) -> Floats:
    """The share of items that were given their gold label."""
    return ratio(np.trace(table, axis1=-2, axis2=-1), table.sum(axis=(-2, -1)))


def precision(label: int) -> Measure:
    """Of the items that were given this label (by its place on the scale), the share that have it."""
    return lambda table: ratio(table[..., label, label], table[..., :, label].sum(axis=-1))


def recall(label: int) -> Measure:
    """Of the items that have this label (by its place on the scale), the share that were given it."""
    return lambda table: ratio(table[..., label, label], table[..., label, :].sum(axis=-1))


def f1(label: int) -> Measure:
    """The harmonic mean of precision and recall; 0 where nothing is right, undefined where the label is nowhere."""

    def measure(table: Floats) -> Floats:
        either = table[..., :, label].sum(axis=-1) + table[..., label, :].sum(axis=-1)
        return ratio(2 * table[..., label, label], either)

    return measure


def macro_f1(table: Floats) -> Floats:
    """The mean of F1 over the labels that are the gold of some item or were given, as scikit-learn has it."""
    return mean_of_defined(np.stack([f1(label)(table) for label in range(table.shape[-1] - 1)], axis=-1))


def share_given(label: int) -> Measure:
    """The share of items that were given this label, such as FaReBio's "Pred. Non-faithful"."""
    return lambda table: ratio(table[..., :, label].sum(axis=-1), table.sum(axis=(-2, -1)))


def kappa(table: Floats) -> Floats:
    """Agreement beyond chance (Cohen 1960); undefined where gold and answers are one and the same label throughout."""
    return cohen_kappa(ratio(table, table.sum(axis=(-2, -1), keepdims=True)))
