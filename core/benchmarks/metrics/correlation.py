"""Numbers that an engine gives against gold: correlation (FaReBio's table 9, EvidenceBench's table 2), and AUROC."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.benchmarks.bootstrap import Floats, Statistic, ratio


def pearson(gold: Sequence[float], given: Sequence[float]) -> Statistic:
    """Pearson's r (1895) of weighted items; undefined where one side has a single value."""
    one, other = np.asarray(gold, dtype=np.float64), np.asarray(given, dtype=np.float64)
    return lambda weights: _correlation(
        np.broadcast_to(one, weights.shape), np.broadcast_to(other, weights.shape), weights
    )


def spearman(gold: Sequence[float], given: Sequence[float]) -> Statistic:
    """Spearman's rho (1904): Pearson's r of the ranks, equal values sharing their mean rank."""
    one, other = np.asarray(gold, dtype=np.float64), np.asarray(given, dtype=np.float64)
    return lambda weights: _correlation(_ranks(one, weights), _ranks(other, weights), weights)


def auroc(positive: Sequence[bool], scores: Sequence[float]) -> Statistic:
    """The chance that a positive item scores above a negative one, equal scores counting half (Hanley and McNeil 1982).

    Undefined where all items are of one kind. Scores may be infinite, and are no NaN.
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
    """Of values (draws, items)."""
    total = weights.sum(axis=1)
    one, other = (
        side - ratio((weights * side).sum(axis=1), total)[:, None] for side in (np.asarray(one), np.asarray(other))
    )
    spread = np.sqrt((weights * one**2).sum(axis=1) * (weights * other**2).sum(axis=1))
    spread = np.where(spread > 1e-12 * total, spread, 0.0)  # nothing but rounding
    return ratio((weights * one * other).sum(axis=1), spread)


def _ranks(values: Floats, weights: Floats) -> Floats:
    """Mean ranks (draws, items) among as many copies of each item as its weight says."""
    different, place = np.unique(values, return_inverse=True)
    member = np.equal.outer(place, np.arange(len(different))).astype(np.float64)
    copies = weights @ member  # of each value
    before = np.cumsum(copies, axis=1) - copies
    ranks: Floats = (before + (copies + 1) / 2)[:, place]
    return ranks
