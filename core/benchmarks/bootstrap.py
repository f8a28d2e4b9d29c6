"""How sure a figure is: an interval from resampling papers, since questions on one paper stand or fall together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

_RESAMPLES = 2000
_SEED = 0
Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean with its 95% bootstrap interval (Efron 1979; percentiles)."""

    value: float
    low: float
    high: float


def interval(values: Sequence[float], papers: Sequence[str], strata: Sequence[str] | None = None) -> Interval:
    """The mean of the values and its interval, papers drawn with replacement. The same every time.

    With `strata`, the mean of the strata's means: each counts alike, however many values it has; a stratum that none
    of the papers drawn has a value of is left out of that draw. Raises `ValueError` if there is no value, for which no
    mean is defined.
    """
    if not values:
        raise ValueError("no value to take a mean of")
    paper_number = {paper: place for place, paper in enumerate(dict.fromkeys(papers))}
    strata = strata or [""] * len(values)
    stratum_number = {stratum: place for place, stratum in enumerate(dict.fromkeys(strata))}
    sums, counts = np.zeros((2, len(stratum_number), len(paper_number)))
    for value, paper, stratum in zip(values, papers, strata, strict=True):
        sums[stratum_number[stratum], paper_number[paper]] += value
        counts[stratum_number[stratum], paper_number[paper]] += 1
    drawn = np.random.default_rng(_SEED).integers(len(paper_number), size=(_RESAMPLES, len(paper_number)))
    drawn_sums, drawn_counts = sums[:, drawn].sum(axis=2), counts[:, drawn].sum(axis=2)
    present = drawn_counts > 0
    means = np.divide(drawn_sums, drawn_counts, out=np.zeros_like(drawn_sums), where=present)
    low, high = np.percentile(means.sum(axis=0) / present.sum(axis=0), [2.5, 97.5])
    return Interval(float((sums.sum(axis=1) / counts.sum(axis=1)).mean()), float(low), float(high))


def interval_of(metric: Callable[[Sequence[Item]], float], items: Sequence[Item]) -> Interval:
    """Any metric of a set of items and its interval, items drawn with replacement. The same every time."""
    drawn = np.random.default_rng(_SEED).integers(len(items), size=(_RESAMPLES // 4, len(items)))
    low, high = np.percentile([metric([items[place] for place in draw]) for draw in drawn], [2.5, 97.5])
    return Interval(metric(items), float(low), float(high))
