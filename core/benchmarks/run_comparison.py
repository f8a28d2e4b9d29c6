"""Comparison of runs: which figures belong together, and which differences are more than chance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb

import numpy as np

from core.benchmarks.bootstrap import Floats, Interval, Statistic, mean, resampled
from core.benchmarks.label_metrics import Labelled, macro_f1
from core.benchmarks.model import ItemResult, Run
from core.errors import DatasetError

# ---- parts ----
# Which figures of a run belong together: one measure, overall and for parts of the items, such as categories.

OVERALL = "overall"
PartMetrics = Mapping[str, Interval]  # by the part's name


def parts_of(metrics: Mapping[str, Interval]) -> Mapping[str, PartMetrics]:
    """The figures by measure, then by part; the part for all items is `OVERALL`.

    The name of a part's metric is the measure followed by the part (`macro-F1 selection`). At a depth, the part comes first
    (`attrition hit@1`). A name whose first word no other metric shares is a measure of its own.
    """
    found: dict[str, dict[str, Interval]] = {}
    for name, figure in metrics.items():
        measure, part = _split(name, list(metrics))
        found.setdefault(measure, {})[part or OVERALL] = figure
    return found


def _split(name: str, names: Sequence[str]) -> tuple[str, str]:
    """(measure, part)."""
    if any(other.startswith(f"{name} ") for other in names):
        return name, ""
    stems = [other for other in names if name.startswith(f"{other} ")]
    if stems:
        stem = max(stems, key=len)
        return stem, name.removeprefix(f"{stem} ")
    first, _, rest = name.partition(" ")
    before, _, last = name.rpartition(" ")
    if "@" in last and before:
        return last, before
    fellows = sum(other.startswith(f"{first} ") for other in names)
    return (first, rest) if rest and fellows > 1 else (name, "")


# ---- comparing ----
# Whether a difference between two engines on the same items is more than chance.
#
# EvidenceBench tests annotators by the same paired bootstrap (table 2, and its authors' answers to reviewers): both engines
# are measured on the same draws of papers. McNemar's test uses the items that only one engine got right. Comparisons of many
# pairs of engines are corrected by Holm's method.


@dataclass(frozen=True, slots=True)
class Difference:
    """The second engine's figure minus the first's, with its 95% interval and p-value."""

    value: float
    low: float
    high: float
    p: float


def paired_bootstrap(one: Statistic, other: Statistic, papers: Sequence[str]) -> Difference | None:
    """The difference of two engines' figures on the same items; None if one of them is undefined on the data.

    The p-value is two-sided: the share of draws whose difference is at least as far from the observed one as that is from 0.
    The data count as one more draw (Davison and Hinkley 1997, section 4.4), so that it is never 0.
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
    """How many items each of two engines alone got right, and the p-value."""

    only_one: int
    only_other: int
    p: float


def mcnemar(one: Sequence[bool], other: Sequence[bool]) -> McNemar:
    """McNemar's exact test (1947) of right and wrong answers to the same items, two-sided.

    It assumes independent items; if many are of one paper, trust the paired bootstrap instead.
    Raises `ValueError` if the numbers of items differ.
    """
    pairs = list(zip(one, other, strict=True))
    only_one = sum(a and not b for a, b in pairs)
    only_other = sum(b and not a for a, b in pairs)
    n = only_one + only_other
    tail = sum(comb(n, i) for i in range(min(only_one, only_other) + 1))
    return McNemar(only_one, only_other, min(1.0, 2 * tail / 2**n))


def holm(p_values: Mapping[str, float]) -> dict[str, float]:
    """Correct the p-values of several comparisons, so that the family-wise error rate is that of one test (Holm 1979)."""
    corrected: dict[str, float] = {}
    largest = 0.0
    for place, name in enumerate(sorted(p_values, key=lambda name: p_values[name])):
        largest = max(largest, min(1.0, (len(p_values) - place) * p_values[name]))
        corrected[name] = largest
    return {name: corrected[name] for name in p_values}


# ---- run comparison ----
# Runs of several engines on the same items, pair by pair: which differences are more than chance.

MACRO_F1 = "macro-F1 of all"


@dataclass(frozen=True, slots=True)
class Compared:
    """Two engines on one metric. `mcnemar` is None unless every item is right or wrong."""

    one: str
    other: str
    metric: str
    difference: Difference  # the other's figure minus the one's
    corrected_p: float  # for all pairs of the engines on this metric (Holm)
    mcnemar: McNemar | None


def compared(runs: Sequence[Run]) -> tuple[Compared, ...]:
    """Compare every pair of engines on every score of the items, and on macro-F1 if the answers are labels.

    Scores are compared by their mean over all items, with papers resampled. Raises `DatasetError` if the runs are of
    different tasks or items.
    """
    if len({run.task for run in runs}) > 1:
        raise DatasetError("The runs are of different tasks. Compare runs of one task.")
    rows = [{item.id: item for item in run.items} for run in runs]
    if any(row.keys() != rows[0].keys() for row in rows):
        raise DatasetError("The runs are not of the same items. Run the engines on the same data and limit.")
    ids = list(rows[0]) if rows else []
    answers = [[row[id] for id in ids] for row in rows]
    return tuple(found for metric in _metrics(answers) for found in _on_metric(metric, runs, answers))


def _metrics(answers: Sequence[Sequence[ItemResult]]) -> list[str]:
    items = answers[0] if answers else []
    scores = list(dict.fromkeys(name for item in items for name in item.scores))
    return [*scores, MACRO_F1] if items and all(len(item.labels) == 1 for item in items) else scores


def _on_metric(metric: str, runs: Sequence[Run], answers: Sequence[Sequence[ItemResult]]) -> list[Compared]:
    """The pairs whose difference is defined, with p-values corrected for their number."""
    found: dict[str, tuple[int, int, Difference, McNemar | None]] = {}
    for one, other in combinations(range(len(runs)), 2):
        own = [place for place, item in enumerate(answers[one]) if metric == MACRO_F1 or metric in item.scores]
        first, second = ([answers[run][place] for place in own] for run in (one, other))
        difference = paired_bootstrap(_statistic(metric, first), _statistic(metric, second), [i.group for i in first])
        if difference is not None:
            found[f"{one} {other}"] = one, other, difference, _right_or_wrong(metric, first, second)
    corrected = holm({name: difference.p for name, (_, _, difference, _) in found.items()})
    return [
        Compared(runs[one].engine, runs[other].engine, metric, difference, corrected[name], test)
        for name, (one, other, difference, test) in found.items()
    ]


def _statistic(metric: str, items: Sequence[ItemResult]) -> Statistic:
    if metric != MACRO_F1:
        return mean([item.scores[metric] for item in items])
    gold = [item.labels[0] for item in items]
    given = [next(iter(item.response.answer.labels), None) for item in items]
    labels = dict.fromkeys([*gold, *(label for label in given if label is not None)])
    return Labelled(gold, given, tuple(labels)).statistic(macro_f1)


def _right_or_wrong(metric: str, one: Sequence[ItemResult], other: Sequence[ItemResult]) -> McNemar | None:
    """McNemar's test if every score is 0 or 1, else None."""
    if metric == MACRO_F1:
        return None
    scores = [[item.scores[metric] for item in items] for items in (one, other)]
    if any(score not in (0.0, 1.0) for row in scores for score in row):
        return None
    first, second = ([score == 1.0 for score in row] for row in scores)
    return mcnemar(first, second)
