"""Metrics of labels and numbers against gold: accuracy, precision, recall, F1, kappa, correlation, AUROC."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from core.benchmarks.bootstrap import Floats, Statistic, mean_of_defined, ratio
from core.bias.agreement import cohen_kappa

# ---- labels ----
# Given labels against gold labels: accuracy, precision, recall, F1, macro-F1, Cohen's kappa.
#
# All are computed from one table of item counts by gold label and given label. An item without a given label is in the table
# too and counts as wrong, so that an engine gains nothing by failing.
#
# Macro-F1 is the metric of RoBBR's main task (its table 5). FaReBio rates judges of summaries by precision, recall,
# agreement and kappa (its table 2).

# Tables (..., labels + 1, labels + 1), gold by row, given by column, the last for none -> one value each; NaN: undefined.
Measure = Callable[[Floats], Floats]


@dataclass(frozen=True)
class Labelled:
    """Items with gold labels and an engine's labels, which are None if it gave none.

    Raises `ValueError` if a gold or given label is not in `labels`, or if their numbers differ.
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
        """A measure of these items; None if undefined."""
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
    """Of the items that were given this label (by its index on the scale), the share whose gold label it is."""
    return lambda table: ratio(table[..., label, label], table[..., :, label].sum(axis=-1))


def recall(label: int) -> Measure:
    """Of the items with this gold label (by its index on the scale), the share that were given it."""
    return lambda table: ratio(table[..., label, label], table[..., label, :].sum(axis=-1))


def f1(label: int) -> Measure:
    """The harmonic mean of precision and recall; 0 if nothing is right, undefined if the label does not occur."""

    def measure(table: Floats) -> Floats:
        either = table[..., :, label].sum(axis=-1) + table[..., label, :].sum(axis=-1)
        return ratio(2 * table[..., label, label], either)

    return measure


def macro_f1(table: Floats) -> Floats:
    """The mean of F1 over the labels that occur in gold or were given, as in scikit-learn."""
    return mean_of_defined(np.stack([f1(label)(table) for label in range(table.shape[-1] - 1)], axis=-1))


def share_given(label: int) -> Measure:
    """The share of items that were given this label, such as FaReBio's "Pred. Non-faithful"."""
    return lambda table: ratio(table[..., :, label].sum(axis=-1), table.sum(axis=(-2, -1)))


def kappa(table: Floats) -> Floats:
    """Agreement beyond chance (Cohen 1960); undefined if gold and answers have one and the same label throughout."""
    return cohen_kappa(ratio(table, table.sum(axis=(-2, -1), keepdims=True)))


# ---- correlation ----
# An engine's numbers against gold: correlation (FaReBio's table 9, EvidenceBench's table 2), and AUROC.


def pearson(gold: Sequence[float], given: Sequence[float]) -> Statistic:
    """Pearson's r (1895) of weighted items; undefined if one side has only one distinct value."""
    one, other = np.asarray(gold, dtype=np.float64), np.asarray(given, dtype=np.float64)
    return lambda weights: _correlation(
        np.broadcast_to(one, weights.shape), np.broadcast_to(other, weights.shape), weights
    )


def spearman(gold: Sequence[float], given: Sequence[float]) -> Statistic:
    """Spearman's rho (1904): Pearson's r of the ranks, where equal values share their mean rank."""
    one, other = np.asarray(gold, dtype=np.float64), np.asarray(given, dtype=np.float64)
    return lambda weights: _correlation(_ranks(one, weights), _ranks(other, weights), weights)


def auroc(positive: Sequence[bool], scores: Sequence[float]) -> Statistic:
    """The probability that a positive item scores above a negative one; ties count half (Hanley and McNeil 1982).

    Undefined if all items are of one kind. Scores may be infinite, but not NaN.
    """
    order = np.argsort(np.asarray(scores, dtype=np.float64), kind="stable")
    ordered, above = np.asarray(scores, dtype=np.float64)[order], np.asarray(positive, dtype=bool)[order]
    below, up_to = np.searchsorted(ordered, ordered, "left"), np.searchsorted(ordered, ordered, "right")

    def statistic(weights: Floats) -> Floats:
        drawn = weights[:, order]
        negative = np.pad(np.cumsum(drawn * ~above, axis=1), ((0, 0), (1, 0)))
        beaten = (negative[:, below] + negative[:, up_to]) / 2
        return ratio((drawn * above * beaten).sum(axis=1), (drawn * above).sum(axis=1) * negative[:, -1])

    return statistic


def _correlation(one: Floats, other: Floats, weights: Floats) -> Floats:
    """The correlation of values (draws, items) in each draw."""
    total = weights.sum(axis=1)
    one, other = (
        side - ratio((weights * side).sum(axis=1), total)[:, None] for side in (np.asarray(one), np.asarray(other))
    )
    spread = np.sqrt((weights * one**2).sum(axis=1) * (weights * other**2).sum(axis=1))
    spread = np.where(spread > 1e-12 * total, spread, 0.0)  # a smaller spread is only rounding error
    return ratio((weights * one * other).sum(axis=1), spread)


def _ranks(values: Floats, weights: Floats) -> Floats:
    """Mean ranks (draws, items), with each item repeated as often as its weight."""
    different, place = np.unique(values, return_inverse=True)
    member = np.equal.outer(place, np.arange(len(different))).astype(np.float64)
    copies = weights @ member  # of each value
    before = np.cumsum(copies, axis=1) - copies
    ranks: Floats = (before + (copies + 1) / 2)[:, place]
    return ranks
