"""Run an engine on a task: every item counts, and a failed one counts as a failure."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from threading import Event

from core.benchmarks.bootstrap import Interval, interval
from core.benchmarks.tasks import Item, Scores, Task
from core.errors import DatasetError, VouchError
from core.evidence.model import EvidenceEngine, NoAnswer
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


def run_task(
    task: Task, engine: EvidenceEngine, items: Iterable[Item], *, at_once: int = 1, progress: Progress = silent
) -> Run:
    """Put every item to the engine, `at_once` of them at a time: an engine that waits for a server can wait for many.

    Raises `DatasetError` if there is no item. Raising from `progress` cancels.
    """
    started = time.perf_counter()
    questions = list(items)
    if not questions:
        raise DatasetError(f"The data holds no item for {task.name}.")
    results = _results(task, engine, questions, at_once, progress)
    groups = [result.group for result in results]
    metrics = {name: interval([result.scores[name] for result in results], groups) for name in task.metrics}
    progress(1.0, "Done")
    return Run(task.name, engine.name, tuple(results), metrics, time.perf_counter() - started)


def _results(
    task: Task, engine: EvidenceEngine, items: Sequence[Item], at_once: int, progress: Progress
) -> list[ItemResult]:
    """The results in the items' order. A cancel reaches the items in hand at their next report."""
    cancelled = Event()

    def stop_if_cancelled(done: float, step: str) -> None:
        if cancelled.is_set():
            raise _Cancelled

    with ThreadPoolExecutor(at_once) as pool:
        tasks = [pool.submit(_one, task, engine, item, stop_if_cancelled) for item in items]
        try:
            for number, _ in enumerate(as_completed(tasks), 1):
                progress(number / len(items), f"{number:,} of {len(items):,} done")
        except BaseException:
            cancelled.set()
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return [each.result() for each in tasks]


class _Cancelled(Exception):
    """Ends an item in hand after a cancel."""


def _one(task: Task, engine: EvidenceEngine, item: Item, progress: Progress = silent) -> ItemResult:
    """One item's result. An answer from a paper of which parts were not read is a failure: it was not asked for."""
    started = time.perf_counter()
    try:
        evidence = engine.find(item.paper, item.query, progress=progress)
    except VouchError as error:
        cost = error.run.cost_usd if isinstance(error, NoAnswer) else None
        return _failure(task, item, time.perf_counter() - started, cost, str(error))
    if evidence.run and evidence.run.failed:
        unread = evidence.run.failed[0]
        return _failure(
            task, item, evidence.seconds, evidence.cost_usd, f"“{unread.label}” was not read: {unread.error}"
        )
    return ItemResult(
        item.id, item.group, evidence.indices, item.score(evidence.indices), evidence.seconds, evidence.cost_usd
    )


def _failure(task: Task, item: Item, seconds: float, cost: float | None, why: str) -> ItemResult:
    return ItemResult(item.id, item.group, (), dict.fromkeys(task.metrics, 0.0), seconds, cost, why)
