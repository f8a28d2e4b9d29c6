"""Bootstrap intervals by resampling papers, because answers about one paper are not independent (Efron 1979).

A draw is represented by weights: how often each item was drawn. A statistic maps the weights of many draws to its values; if
all weights are 1, that is its value on the data. The seed is fixed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

RESAMPLES = 2000
_SEED = 0
_IN_HAND = 4_000_000  # weights in memory at a time: 32 MB

Floats = NDArray[np.float64]
# Weights (draws, items) -> one value per draw; NaN if undefined.
Statistic = Callable[[Floats], Floats]


@dataclass(frozen=True, slots=True)
class Interval:
    """A figure with its 95% bootstrap percentile interval and its standard error, over the draws in which it is defined."""

    value: float
    low: float
    high: float
    standard_error: float


def interval(values: Sequence[float], papers: Sequence[str], strata: Sequence[str] | None = None) -> Interval:
    """The mean of the values and its interval, from drawing papers with replacement.

    With `strata`, it is the mean of the strata's means, so each stratum counts equally. A draw leaves out a stratum of which
    it has no value. Raises `ValueError` if there are no values.
    """
    if not values:
        raise ValueError("no value to take a mean of")
    statistic = mean(values) if strata is None else mean_of_means(values, strata)
    return _around(_on_data(statistic, papers), resampled(statistic, papers))


def estimate(statistic: Statistic, papers: Sequence[str]) -> Interval | None:
    """A statistic of items and its interval; None if it is undefined on the data.

    `papers` has each item's paper. Papers are drawn with replacement, each with all its items.
    """
    value = _on_data(statistic, papers)
    return None if np.isnan(value) else _around(value, resampled(statistic, papers))


def _on_data(statistic: Statistic, papers: Sequence[str]) -> float:
    return float(statistic(np.ones((1, len(papers))))[0])


def _around(value: float, drawn: Floats) -> Interval:
    defined = drawn[~np.isnan(drawn)]
    if len(defined) < 2:
        return Interval(value, value, value, 0.0)
    low, high = np.percentile(defined, (2.5, 97.5))
    return Interval(value, float(low), float(high), float(defined.std(ddof=1)))


def resampled(statistic: Statistic, papers: Sequence[str]) -> Floats:
    """The statistic's value in each draw."""
    return np.concatenate([statistic(weights) for weights in whole_papers(papers)])


def whole_papers(papers: Sequence[str], in_hand: int = _IN_HAND) -> Iterator[Floats]:
    """Yield the weights of all draws in blocks; papers are drawn with replacement, each with all its items."""
    generator, number, count = np.random.default_rng(_SEED), *_numbered(papers)
    for drawn in _drawn_papers(generator, count, in_hand // len(papers)):
        yield drawn[:, number]


def mean(values: Sequence[float]) -> Statistic:
    """The mean of the values."""
    column = np.asarray(values, dtype=np.float64)
    return lambda weights: ratio(weights @ column, weights.sum(axis=1))


def mean_of_means(values: Sequence[float], strata: Sequence[str]) -> Statistic:
    """The mean of the strata's means, over the strata with at least one drawn item."""
    return mean_of_parts([of_members(mean(values), [own == name for own in strata]) for name in dict.fromkeys(strata)])


def of_members(statistic: Statistic, members: Sequence[bool]) -> Statistic:
    """The statistic on a subset of the items."""
    only = np.asarray(members, dtype=np.float64)
    return lambda weights: statistic(weights * only)


def mean_of_parts(parts: Sequence[Statistic]) -> Statistic:
    """The unweighted mean of those statistics that are defined."""
    return lambda weights: mean_of_defined(np.stack([part(weights) for part in parts], axis=-1))


def mean_of_defined(values: Floats) -> Floats:
    """The mean of the defined values over the last axis; NaN if none is defined."""
    defined = ~np.isnan(values)
    return ratio(np.where(defined, values, 0.0).sum(axis=-1), defined.sum(axis=-1).astype(np.float64))


def ratio(part: Floats, whole: Floats) -> Floats:
    """Part divided by whole; NaN if the whole is 0."""
    found: Floats = part / np.where(whole == 0, np.nan, whole)
    return found


def _numbered(papers: Sequence[str]) -> tuple[NDArray[np.int64], int]:
    """Each item's paper as a number, in order of appearance, and the number of papers."""
    numbers = {paper: place for place, paper in enumerate(dict.fromkeys(papers))}
    return np.array([numbers[paper] for paper in papers], dtype=np.int64), len(numbers)


def _drawn_papers(generator: np.random.Generator, papers: int, at_once: int) -> Iterator[Floats]:
    """Yield how often each paper was drawn (draws, papers), in blocks that fit in memory together with their items."""
    at_once = max(1, at_once)
    for start in range(0, RESAMPLES, at_once):
        drawn = generator.integers(papers, size=(min(at_once, RESAMPLES - start), papers))
        offsets = np.arange(len(drawn))[:, None] * papers
        counts = np.bincount((drawn + offsets).ravel(), minlength=len(drawn) * papers)
        yield counts.reshape(len(drawn), papers).astype(np.float64)
