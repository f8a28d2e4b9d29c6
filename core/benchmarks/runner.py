"""Run an engine on a task: every item counts, and a failed one counts as a failure."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass

from core.benchmarks.bootstrap import Interval, interval
from core.benchmarks.tasks import Item, Scores, Task
from core.errors import DatasetError, VouchError
from core.evidence.model import EvidenceEngine
from core.progress import Progress, silent


@dataclass(frozen=True, slots=True)
class ItemResult:
    """What became of one item. `error` says why it failed; its scores are then all 0."""

    id: str
    group: str
    chosen: tuple[int, ...]
    scores: Scores
    seconds: float
    cost_usd: float | None
    error: str | None = None


@dataclass(frozen=True, slots=True)
class Run:
    """An engine's results on a task, with 95% intervals from resampling papers."""

    task: str
    engine: str
    items: tuple[ItemResult, ...]
    metrics: dict[str, Interval]
    seconds: float

    @property
    def failed(self) -> int:
        """How many items failed. They are in every metric's denominator."""
        return sum(item.error is not None for item in self.items)

    @property
    def cost_usd(self) -> float | None:
        """What the run cost; None if that of any item is unknown."""
        costs = [item.cost_usd for item in self.items]
        return None if None in costs else sum(cost for cost in costs if cost is not None)


def run_task(task: Task, engine: EvidenceEngine, items: Iterable[Item], *, progress: Progress = silent) -> Run:
    """Put every item to the engine. Raises `DatasetError` if there is none."""
    started = time.perf_counter()
    questions = list(items)
    if not questions:
        raise DatasetError(f"The data holds no item for {task.name}.")
    results = []
    for number, item in enumerate(questions):
        progress(number / len(questions), f"{item.id} ({number + 1:,} of {len(questions):,})")
        results.append(_one(task, engine, item))
    groups = [result.group for result in results]
    metrics = {name: interval([result.scores[name] for result in results], groups) for name in task.metrics}
    progress(1.0, "Done")
    return Run(task.name, engine.name, tuple(results), metrics, time.perf_counter() - started)


def _one(task: Task, engine: EvidenceEngine, item: Item) -> ItemResult:
    started = time.perf_counter()
    try:
        evidence = engine.find(item.paper, item.query)
    except VouchError as error:
        nothing = dict.fromkeys(task.metrics, 0.0)
        return ItemResult(item.id, item.group, (), nothing, time.perf_counter() - started, None, str(error))
    return ItemResult(
        item.id, item.group, evidence.indices, item.score(evidence.indices), evidence.seconds, evidence.cost_usd
    )
