"""Whether a difference between two engines on the same items is more than chance.

The paired bootstrap is the one by which EvidenceBench tests annotators (table 2, and its authors' answers to reviewers):
both engines are measured on the same draws of papers. McNemar's test looks at the items that only one got right. Whoever
compares many pairs of engines corrects for it by Holm's method.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import comb

import numpy as np

from core.benchmarks.bootstrap import Floats, Statistic, resampled


@dataclass(frozen=True, slots=True)
class Difference:
    """The second engine's figure minus the first's, its 95% interval, and how likely chance alone makes it as large."""

    value: float
    low: float
    high: float
    p: float


def paired_bootstrap(one: Statistic, other: Statistic, papers: Sequence[str]) -> Difference | None:
    """Two engines' figures on the same items; None where one of them is not defined on the data.

    The p-value is two-sided: the share of draws whose difference lies as far from the one observed as that lies from 0.
    The data themselves count as one draw (Davison and Hinkley 1997, section 4.4), so that it is never 0.
    """

    def difference(weights: Floats) -> Floats:
        return other(weights) - one(weights)

    value = float(difference(np.ones((1, len(papers))))[0])
    if np.isnan(value):
        return None
    drawn = resampled(difference, papers)
    drawn = drawn[~np.isnan(drawn)]
    low, high = np.percentile(drawn, (2.5, 97.5)) if len(drawn) else (value, value)
    as_far = int((np.abs(drawn - value) >= abs(value) - 1e-12).sum())
    return Difference(value, float(low), float(high), (1 + as_far) / (1 + len(drawn)))


@dataclass(frozen=True, slots=True)
class McNemar:
    """How many items only one of two engines got right, and the p-value."""

    only_one: int
    only_other: int
    p: float


def mcnemar(one: Sequence[bool], other: Sequence[bool]) -> McNemar:
    """McNemar's exact test (1947) of right and wrong answers to the same items, two-sided.

    It takes items as independent; where many are of one paper, the paired bootstrap is the one to trust.
    Raises `ValueError` if the numbers of items differ.
    """
    pairs = list(zip(one, other, strict=True))
    only_one = sum(a and not b for a, b in pairs)
    only_other = sum(b and not a for a, b in pairs)
    n = only_one + only_other
    tail = sum(comb(n, i) for i in range(min(only_one, only_other) + 1))
    return McNemar(only_one, only_other, min(1.0, 2 * tail / 2**n))


def holm(p_values: Mapping[str, float]) -> dict[str, float]:
    """The p-values of several comparisons, corrected (Holm 1979): the family then errs no more often than one test."""
    corrected: dict[str, float] = {}
    largest = 0.0
    for place, name in enumerate(sorted(p_values, key=lambda name: p_values[name])):
        largest = max(largest, min(1.0, (len(p_values) - place) * p_values[name]))
        corrected[name] = largest
    return {name: corrected[name] for name in p_values}
