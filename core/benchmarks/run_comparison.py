"""Runs of several engines on the same items, pair by pair: which differences are more than chance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from core.benchmarks.bootstrap import Statistic, mean
from core.benchmarks.metrics.comparing import Difference, McNemar, holm, mcnemar, paired_bootstrap
from core.benchmarks.metrics.labels import Labelled, macro_f1
from core.benchmarks.model import ItemResult, Run
from core.errors import DatasetError

MACRO_F1 = "macro-F1 of all"


@dataclass(frozen=True, slots=True)
class Compared:
    """Two engines on one metric. `mcnemar`: where an item is right or wrong."""

    one: str
    other: str
    metric: str
    difference: Difference  # the other's figure minus the one's
    corrected_p: float  # for all pairs of the engines on this metric (Holm)
    mcnemar: McNemar | None


def compared(runs: Sequence[Run]) -> tuple[Compared, ...]:
    """Every pair of engines on every score of the items, and on macro-F1 where the answers are labels.

    The items' scores are compared in the mean over all items; papers are resampled. Raises `DatasetError` if the runs
    are of different tasks or items.
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
    """McNemar's test, where every score is 0 or 1."""
    if metric == MACRO_F1:
        return None
    scores = [[item.scores[metric] for item in items] for items in (one, other)]
    if any(score not in (0.0, 1.0) for row in scores for score in row):
        return None
    first, second = ([score == 1.0 for score in row] for row in scores)
    return mcnemar(first, second)
