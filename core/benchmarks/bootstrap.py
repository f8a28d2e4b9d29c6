"""How sure a figure is: resampling papers, since the answers to questions on one paper are not independent (Efron 1979).

A draw is told by weights: how often each item was drawn. A statistic of weighted items gives its values for many draws
at once; of weights that are all 1 it gives its value on the data. The same seed every time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

RESAMPLES = 2000
_SEED = 0
_IN_HAND = 4_000_000  # weights at a time: 32 MB

Floats = NDArray[np.float64]
# Weights (draws, items) -> a value for each draw; NaN where it is not defined.
Statistic = Callable[[Floats], Floats]


@dataclass(frozen=True, slots=True)
class Interval:
    """A figure with its 95% bootstrap interval (percentiles) and its standard error, over the draws that define it."""

    value: float
    low: float
    high: float
    standard_error: float


def interval(values: Sequence[float], papers: Sequence[str], strata: Sequence[str] | None = None) -> Interval:
    """The mean of the values and its interval, papers drawn with replacement.

    With `strata`, the mean of the strata's means: each counts alike, however many values it has; a stratum that none
    of the papers drawn has a value of is left out of that draw. Raises `ValueError` if there is no value, for which no
    mean is defined.
    """
    if not values:
        raise ValueError("no value to take a mean of")
    statistic = mean(values) if strata is None else mean_of_means(values, strata)
    return _around(_on_data(statistic, papers), resampled(statistic, papers))


def estimate(statistic: Statistic, papers: Sequence[str]) -> Interval | None:
    """A statistic of items and its interval; `papers` are the items'. None where it is not defined on the data.

    Papers are drawn with replacement, each with all its items.
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
    """The statistic's value for each draw."""
    return np.concatenate([statistic(weights) for weights in whole_papers(papers)])


def whole_papers(papers: Sequence[str], in_hand: int = _IN_HAND) -> Iterator[Floats]:
    """The weights of all draws, in blocks: papers drawn with replacement, each with all its items."""
    generator, number, count = np.random.default_rng(_SEED), *_numbered(papers)
    for drawn in _drawn_papers(generator, count, in_hand // len(papers)):
        yield drawn[:, number]


def mean(values: Sequence[float]) -> Statistic:
    """The mean of the values."""
    column = np.asarray(values, dtype=np.float64)
    return lambda weights: ratio(weights @ column, weights.sum(axis=1))


def mean_of_means(values: Sequence[float], strata: Sequence[str]) -> Statistic:
    """The mean of the strata's means, over the strata of which some item was drawn."""
    return mean_of_parts([of_members(mean(values), [own == name for own in strata]) for name in dict.fromkeys(strata)])


def of_members(statistic: Statistic, members: Sequence[bool]) -> Statistic:
    """The statistic of some of the items alone."""
    only = np.asarray(members, dtype=np.float64)
    return lambda weights: statistic(weights * only)


def mean_of_parts(parts: Sequence[Statistic]) -> Statistic:
    """The mean of several statistics, of those that are defined: each counts alike."""
    return lambda weights: mean_of_defined(np.stack([part(weights) for part in parts], axis=-1))


def mean_of_defined(values: Floats) -> Floats:
    """The mean over the last axis of the values that are defined; NaN where none is."""
    defined = ~np.isnan(values)
    return ratio(np.where(defined, values, 0.0).sum(axis=-1), defined.sum(axis=-1).astype(np.float64))


def ratio(part: Floats, whole: Floats) -> Floats:
    """Part of whole; NaN where the whole is 0, for which no share is defined."""
    found: Floats = part / np.where(whole == 0, np.nan, whole)
    return found


def _numbered(papers: Sequence[str]) -> tuple[NDArray[np.int64], int]:
    """Each item's paper as a number, in order of appearance, and how many papers there are."""
    numbers = {paper: place for place, paper in enumerate(dict.fromkeys(papers))}
    return np.array([numbers[paper] for paper in papers], dtype=np.int64), len(numbers)


def _drawn_papers(generator: np.random.Generator, papers: int, at_once: int) -> Iterator[Floats]:
    """How often each paper was drawn (draws, papers), in blocks that fit in memory with their items."""
    at_once = max(1, at_once)
    for start in range(0, RESAMPLES, at_once):
        drawn = generator.integers(papers, size=(min(at_once, RESAMPLES - start), papers))
        offsets = np.arange(len(drawn))[:, None] * papers
        counts = np.bincount((drawn + offsets).ravel(), minlength=len(drawn) * papers)
        yield counts.reshape(len(drawn), papers).astype(np.float64)
