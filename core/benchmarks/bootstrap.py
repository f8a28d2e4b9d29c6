"""How sure a figure is: an interval from resampling papers, since questions on one paper stand or fall together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

_RESAMPLES = 2000
_SEED = 0


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean with its 95% bootstrap interval (Efron 1979; percentiles)."""

    value: float
    low: float
    high: float


def interval(values: Sequence[float], papers: Sequence[str]) -> Interval:
    """The mean of the values and its interval, papers drawn with replacement. The same every time.

    Raises `ValueError` if there is no value, for which no mean is defined.
    """
    if not values:
        raise ValueError("no value to take a mean of")
    number = {paper: place for place, paper in enumerate(dict.fromkeys(papers))}
    sums, counts = np.zeros(len(number)), np.zeros(len(number))
    for value, paper in zip(values, papers, strict=True):
        sums[number[paper]] += value
        counts[number[paper]] += 1
    drawn = np.random.default_rng(_SEED).integers(len(number), size=(_RESAMPLES, len(number)))
    means = sums[drawn].sum(axis=1) / counts[drawn].sum(axis=1)
    low, high = np.percentile(means, [2.5, 97.5])
    return Interval(float(sums.sum() / counts.sum()), float(low), float(high))
