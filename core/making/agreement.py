"""Test whether a model labels like people: compare the agreement of two people with that of people and a model.

EvidenceBench (section 3.4, table 2, and its authors' answers to reviewers) and RoBBR (section 4.3.1, table 2) compare
the agreement of two people with the mean agreement of each person with the model. They use 10,000 paired resamples, of
items, and of papers and then items within them. Failing to find a difference does not show equivalence. Therefore Vouch
adds an equivalence test with a margin, the power, and the number of further items needed.

Labels are yes or no. The labels of two people and a model put an item into one of eight cells, so that resampling items
means drawing cells.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from core.benchmarks.bootstrap import Floats, Interval, ratio
from core.benchmarks.label_metrics import accuracy, f1, kappa
from core.benchmarks.run_comparison import Difference
from core.bias.agreement import FEWEST_FOR_INTERVAL
from core.errors import DatasetError

RESAMPLES = 10_000
_SEED = 20_260_101
_CELLS = 8  # a cell's number is 4 * one person's label + 2 * the other's + the model's
_LEVEL = 0.05  # significance level of every test here
_POWER = 0.8  # the power that further items should reach
_NORMAL = NormalDist()

Counts = NDArray[np.int64]
Measure = Callable[[Floats], Floats]  # tables of counts (..., 2, 2) -> values (...); NaN: not defined


def phi(table: Floats) -> Floats:
    """Spearman's rho, which for yes-or-no labels is Pearson's r (phi); NaN if one side is constant."""
    rows, columns = table.sum(axis=-1), table.sum(axis=-2)
    crossed = table[..., 1, 1] * table[..., 0, 0] - table[..., 0, 1] * table[..., 1, 0]
    return ratio(crossed, np.sqrt(np.prod(rows, axis=-1) * np.prod(columns, axis=-1)))


MEASURES: Mapping[str, Measure] = {"accuracy": accuracy, "F1": f1(1), "kappa": kappa, "Spearman": phi}
# Positive labels are rare, so a point of accuracy corresponds to several points of the other measures.
MARGINS: Mapping[str, float] = {"accuracy": 0.01, "F1": 0.05, "kappa": 0.05, "Spearman": 0.05}


@dataclass(frozen=True, slots=True)
class Judged:
    """Items that all have labelled: the paper of each, and the labels of two people and, if there is one, a model."""

    papers: Sequence[str]
    one: Sequence[bool]
    other: Sequence[bool]
    model: Sequence[bool] | None = None

    def __post_init__(self) -> None:
        sides = [self.one, self.other, *([self.model] if self.model is not None else [])]
        if any(len(side) != len(self.papers) for side in sides):
            raise ValueError("one side has more labels than another")

    @property
    def cells(self) -> Counts:
        """The number of items in each cell, for each paper in order of appearance. Shape: (papers, 8)."""
        places = {paper: place for place, paper in enumerate(dict.fromkeys(self.papers))}
        cells = np.zeros((len(places), _CELLS), dtype=np.int64)
        model = [False] * len(self.papers) if self.model is None else self.model
        for paper, one, other, third in zip(self.papers, self.one, self.other, model, strict=True):
            cells[places[paper], 4 * bool(one) + 2 * bool(other) + bool(third)] += 1
        return cells


@dataclass(frozen=True, slots=True)
class Equivalence:
    """The result of two one-sided tests (Schuirmann 1987) that the difference is within the margin on either side."""

    margin: float
    p: float
    standard_error: float
    units: int  # papers, or items if there are fewer than five papers


@dataclass(frozen=True, slots=True)
class Resampled:
    """The agreement of people, that with the model, and the latter minus the former, with 95% intervals."""

    people: Interval
    with_model: Interval | None
    difference: Difference | None


@dataclass(frozen=True, slots=True)
class MeasureAgreement:
    """The results of one measure. Values are None if they are not defined on the data or there is no model."""

    measure: str
    pairs: Mapping[str, float]  # "people", "one and model", "other and model"
    by_items: Resampled
    by_papers: Resampled | None  # None: fewer than five papers
    equivalence: Equivalence | None
    power: float | None  # of the test of difference, for a difference as large as the margin
    more_items: int | None  # needed to decide with 80% power, if the observed difference is true; 0: it is decided

    @property
    def surest(self) -> Resampled:
        """The result by papers if there are enough, because sentences of one paper are not independent."""
        return self.by_papers or self.by_items


def agreements(
    judged: Judged, margins: Mapping[str, float] = MARGINS, *, resamples: int = RESAMPLES
) -> tuple[MeasureAgreement, ...]:
    """The results of every measure that is defined on the items. Raises `DatasetError` if there is no item."""
    cells = judged.cells
    if not cells.sum():
        raise DatasetError("No item was labelled by all. Label some items twice, or name other columns.")
    has_model = judged.model is not None
    by_items = drawn_items(cells, resamples)
    by_papers = drawn_papers(cells, resamples) if len(cells) >= FEWEST_FOR_INTERVAL else None
    found = []
    for name, measure in MEASURES.items():
        of_items = _resampled(measure, cells, by_items, has_model=has_model)
        if of_items is None:
            continue
        of_papers = None if by_papers is None else _resampled(measure, cells, by_papers, has_model=has_model)
        surest = of_papers or of_items
        equivalence = equivalent(measure, cells, margins[name]) if has_model else None
        error = None if surest.difference is None else _standard_error(measure, by_papers, by_items)
        found.append(
            MeasureAgreement(
                name,
                _pairs(measure, cells, has_model=has_model),
                of_items,
                of_papers,
                equivalence,
                None if error is None else power(margins[name], error),
                _more_items(surest.difference, equivalence, error, int(cells.sum())),
            )
        )
    return tuple(found)


def drawn_items(cells: Counts, resamples: int) -> Counts:
    """Resamples of all items with replacement, regardless of their papers, as counts of cells.

    Shape: (resamples, 8).
    """
    total = cells.sum(axis=0)
    drawn: Counts = np.random.default_rng(_SEED).multinomial(total.sum(), total / total.sum(), size=resamples)
    return drawn


def drawn_papers(cells: Counts, resamples: int) -> Counts:
    """Resamples of papers, and then of items within each, with replacement, as counts of cells.

    Shape: (resamples, 8).
    """
    generator = np.random.default_rng(_SEED)
    sizes = cells.sum(axis=1)
    times = generator.multinomial(len(cells), np.full(len(cells), 1 / len(cells)), size=resamples)
    drawn = np.zeros((resamples, _CELLS), dtype=np.int64)
    for paper, size in enumerate(sizes):
        drawn += generator.multinomial(times[:, paper] * size, cells[paper] / size)
    return drawn


def difference_of(measure: Measure, cells: NDArray[np.int64] | Floats) -> Floats:
    """The mean agreement of both people with the model, minus that of the people. Shape of cells: (..., 8)."""
    people, one, other = _tables(cells)
    return (measure(one) + measure(other)) / 2 - measure(people)


def paired_p(measure: Measure, cells: Counts, drawn: Counts) -> float:
    """The two-sided p-value of a difference: the share of resamples at least as far from it as it is from 0.

    The data themselves count as one resample, so that the p-value is never 0 (as in `core.benchmarks.run_comparison`).
    NaN if the difference is not defined.
    """
    value = float(difference_of(measure, cells.sum(axis=0)))
    spread = difference_of(measure, drawn)
    spread = spread[~np.isnan(spread)]
    if np.isnan(value) or not len(spread):
        return float("nan")
    return float((1 + (np.abs(spread - value) >= abs(value) - 1e-12).sum()) / (1 + len(spread)))


def equivalent(measure: Measure, cells: Counts, margin: float) -> Equivalence | None:
    """Two one-sided t tests on jackknife pseudo-values of the difference (Tukey 1958), one for each paper.

    For the accuracy of papers of equal size, these values are the papers' own differences. With fewer than five papers,
    the units are items. None if the difference is undefined without one of the units, or if the values do not vary.
    """
    from statsmodels.stats.weightstats import DescrStatsW  # takes a second to load  # noqa: PLC0415

    if len(cells) >= FEWEST_FOR_INTERVAL:
        left_out, weights = cells, np.ones(len(cells))
    else:  # all items of a cell have the same pseudo-value
        total = cells.sum(axis=0)
        left_out, weights = np.eye(_CELLS, dtype=np.int64)[total > 0], total[total > 0].astype(np.float64)
    units = int(weights.sum())
    whole = difference_of(measure, cells.sum(axis=0))
    without = difference_of(measure, cells.sum(axis=0) - left_out)
    values = units * whole - (units - 1) * without
    if units < 2 or np.isnan(values).any() or np.ptp(values) == 0:  # without variance, t is undefined
        return None
    described = DescrStatsW(values, weights=weights)
    p, _, _ = described.ttost_mean(-margin, margin)
    return Equivalence(margin, float(p), float(described.std_mean), units)


def power(difference: float, standard_error: float) -> float:
    """The power of the test at 5% to find a difference of this size, by the normal approximation."""
    if standard_error == 0:
        return 1.0
    critical = _NORMAL.inv_cdf(1 - _LEVEL / 2)
    far = abs(difference) / standard_error
    return _NORMAL.cdf(far - critical) + _NORMAL.cdf(-far - critical)


def _tables(cells: NDArray[np.int64] | Floats) -> tuple[Floats, Floats, Floats]:
    """The tables (people, one and model, other and model), each of shape (..., 2, 2), from cells of shape (..., 8)."""
    cube = np.asarray(cells, dtype=np.float64).reshape(*cells.shape[:-1], 2, 2, 2)
    return cube.sum(axis=-1), cube.sum(axis=-2), cube.sum(axis=-3)


def _pairs(measure: Measure, cells: Counts, *, has_model: bool) -> dict[str, float]:
    names = ("people", "one and model", "other and model")[: 3 if has_model else 1]
    return {name: float(measure(table)) for name, table in zip(names, _tables(cells.sum(axis=0)), strict=False)}


def _resampled(measure: Measure, cells: Counts, drawn: Counts, *, has_model: bool) -> Resampled | None:
    """The figures with their intervals; None if the people's agreement is not defined."""
    people, one, other = _tables(cells.sum(axis=0))
    drawn_people, drawn_one, drawn_other = _tables(drawn)
    of_people = _interval(float(measure(people)), measure(drawn_people))
    if of_people is None or not has_model:
        return None if of_people is None else Resampled(of_people, None, None)
    mean = float((measure(one) + measure(other)) / 2)
    of_model = _interval(mean, (measure(drawn_one) + measure(drawn_other)) / 2)
    spread = difference_of(measure, drawn)
    found = _interval(float(difference_of(measure, cells.sum(axis=0))), spread)
    difference = (
        None if found is None else Difference(found.value, found.low, found.high, paired_p(measure, cells, drawn))
    )
    return Resampled(of_people, of_model, difference)


def _interval(value: float, drawn: Floats) -> Interval | None:
    defined = drawn[~np.isnan(drawn)]
    if np.isnan(value) or len(defined) < 2:
        return None
    low, high = np.percentile(defined, (2.5, 97.5))
    return Interval(value, float(low), float(high), float(defined.std(ddof=1)))


def _standard_error(measure: Measure, by_papers: Counts | None, by_items: Counts) -> float:
    spread = difference_of(measure, by_items if by_papers is None else by_papers)
    return float(np.nanstd(spread, ddof=1))


def _more_items(
    difference: Difference | None, equivalence: Equivalence | None, error: float | None, items: int
) -> int | None:
    """The number of further items at which one of the two tests decides with 80% power; errors shrink with the root.

    For a difference within the margin, that is the equivalence test; for a larger one, the test of difference.
    """
    if difference is None or equivalence is None or error is None:
        return None
    if difference.p < _LEVEL or equivalence.p < _LEVEL or error == 0:
        return 0
    apart = abs(difference.value)
    if apart < equivalence.margin:
        error, margin = equivalence.standard_error, equivalence.margin
        shrink = _shrink(lambda own: _power_of_equivalence(apart, margin, own), error)
    else:
        shrink = _shrink(lambda own: power(apart, own), error)
    wanted = ceil(items * shrink**2)
    # By the normal approximation there may be enough items already, although the tests did not decide.
    return max(1, wanted - items)


def _power_of_equivalence(difference: float, margin: float, error: float) -> float:
    """The power of both one-sided tests at 5% together, by the normal approximation."""
    critical = _NORMAL.inv_cdf(1 - _LEVEL)
    below, above = ((margin - side) / error - critical for side in (difference, -difference))
    return max(0.0, _NORMAL.cdf(below) + _NORMAL.cdf(above) - 1)


def _shrink(power_at: Callable[[float], float], error: float) -> float:
    """The factor by which the standard error must shrink to reach the wanted power."""
    low, high = 0.0, 1.0
    while power_at(error / high) < _POWER:
        low, high = high, 2 * high
    while high - low > 1e-6 * high:
        middle = (low + high) / 2
        low, high = (low, middle) if power_at(error / middle) >= _POWER else (middle, high)
    return high
