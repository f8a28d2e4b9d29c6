"""Saved runs of one task beside each other: all items together, one by one, and a single one laid over its paper."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from core.benchmarks.contents import gold_of, paper_of
from core.benchmarks.model import Item, ItemResult, Run
from core.benchmarks.side_by_side.asked import total_cost
from core.benchmarks.side_by_side.model import LETTERS, Comparison, Given, Side, Task, Topic
from core.benchmarks.side_by_side.overlay import Rated
from core.evidence.model import candidates

_NO_MERIT = ("best_possible", "gold")  # scores that are the same whatever an engine does


@dataclass(frozen=True, slots=True)
class Standing(Rated):
    """One item in every run. Right and wrong are known where its gold is a label, or every score is 0 or 1."""

    id: str
    results: tuple[ItemResult, ...]  # by run
    scores: tuple[float | None, ...]  # by run, of the task's first measure

    @property
    def disputed(self) -> bool:
        """Whether the engines answered differently: other labels, or other sentences."""
        return len({_answered(result) for result in self.results}) > 1

    @property
    def ahead(self) -> int | None:
        """The place of the one run with the highest score; None if there is none."""
        best = max((score for score in self.scores if score is not None), default=None)
        return self.scores.index(best) if best is not None and self.scores.count(best) == 1 else None


def standings(runs: Sequence[Run]) -> tuple[Standing, ...]:
    """Every item that all runs have, in the data's order. At least one run."""
    rows = [{item.id: item for item in run.items} for run in runs]
    return tuple(_standing(id, [row[id] for row in rows]) for id in rows[0] if all(id in row for row in rows))


def _standing(id: str, results: Sequence[ItemResult]) -> Standing:
    measure = next((name for name in results[0].scores if name not in _NO_MERIT), None)
    scores = tuple(result.scores.get(measure) if measure else None for result in results)
    wrong: tuple[bool, ...] = ()
    if results[0].labels:
        wrong = tuple(_label(result) not in results[0].labels for result in results)
    elif all(score in (0.0, 1.0) for score in scores):
        wrong = tuple(score == 0.0 for score in scores)
    return Standing(id, tuple(results), scores, wrong=wrong)


def _answered(result: ItemResult) -> object:
    answer = result.response.answer
    return _label(result) if result.labels else frozenset(answer.sentences)


def _label(result: ItemResult) -> str | None:
    return next(iter(result.response.answer.labels), None)


def comparison_of_runs(runs: Sequence[Run], task: Task) -> Comparison:
    """The items that all runs have as topics, for the figures of all together.

    Without the papers it is not known which sentences could be chosen: there is no kappa over them.
    """
    items = standings(runs)
    scale = dict.fromkeys(
        label for item in items for result in item.results if result.labels
        for label in (*result.labels, _label(result)) if label is not None
    )  # fmt: skip
    sides = tuple(
        Side(
            letter,
            run.engine,
            tuple(_given(item.results[place]) for item in items),
            sum(item.results[place].response.seconds for item in items),
            total_cost([item.results[place].response.cost_usd for item in items]),
        )
        for place, (letter, run) in enumerate(zip(LETTERS, runs, strict=False))
    )
    topics = tuple(Topic(item.id, gold_label=next(iter(item.results[0].labels), None)) for item in items)
    return Comparison(task, runs[0].task, topics, sides, tuple(scale))


def comparison_of_item(runs: Sequence[Run], item: Item[Any, Any], task: Task, question: str) -> Comparison:
    """What every run has on one item, to be laid over its paper."""
    paper = paper_of(item)
    pool = frozenset(sentence.index for sentence in candidates(paper)) if paper else frozenset[int]()
    sides = []
    for letter, run in zip(LETTERS, runs, strict=False):
        result = next(one for one in run.items if one.id == item.id)
        response = result.response
        sides.append(Side(letter, run.engine, (_given(result),), response.seconds, response.cost_usd, response.error))
    topic = Topic(question, gold_of(item), next(iter(item.labels), None))
    given = [one.label for side in sides for one in side.given if one]
    scale = dict.fromkeys(label for label in (*item.labels, *given) if label is not None) if item.labels else {}
    return Comparison(task, question, (topic,), tuple(sides), tuple(scale), pool)


def _given(result: ItemResult) -> Given | None:
    """What an engine gave. A quotation that stands nowhere in the paper is below 0, and no sentence of it."""
    if result.error is not None:
        return None
    answer = result.response.answer
    return Given(tuple(index for index in answer.sentences if index >= 0), _label(result))
