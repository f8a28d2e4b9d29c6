"""Benchmark runs: order them, carry them out here or elsewhere, continue and save them.

Also leads from a result back to its question, and to where its sentences stand in the paper.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any

from core.benchmarks.model import BrokenRecord, CompleteRun, Item, ItemResult, Run, RunOrigin, RunSetup
from core.benchmarks.runner import OpenedEngine, here, in_processes, on_cluster, run_task
from core.benchmarks.selection_metrics import relative_positions
from core.benchmarks.task import AnyTask, Engine, EngineChoice
from core.benchmarks.tasks import gold_sentences, paper_of, task_named
from core.errors import DatasetError, NotStored, QueryError
from core.llm import Budget, known_speed, model_named
from core.llm.runner import AT_ONCE
from core.progress import Progress, silent
from core.store import BenchmarkRuns
from core.work.identity import (
    code_sha256,
    commit_now,
    file_sha256,
    has_changed,
    options,
    together,
    versions_now,
)
from core.work.progress import Report, no_report


@dataclass(frozen=True, slots=True)
class RunOrder:
    """A run to carry out. Raises `QueryError` for a number below 1, or a budget that several processes would share."""

    task: str
    engine: str
    data: Path  # the data set's file or folder
    seed: int = 0
    limit: int | None = None  # only the first so many records
    at_once: int = AT_ONCE  # papers processed at a time, if this process asks a language model
    workers: int | None = None  # processes on this machine, one processor each; None: this process with all processors
    cluster: str | None = None  # the address of a Dask scheduler, instead of processes
    budget: Budget | None = None
    key: str | None = field(default=None, repr=False)  # typed in for this session

    def __post_init__(self) -> None:
        for name, number in (("limit", self.limit), ("at-once", self.at_once), ("workers", self.workers)):
            if number is not None and number < 1:
                raise QueryError(f"--{name} is {number}: it must be at least 1.")
        if self.elsewhere and self.budget:
            raise QueryError("A budget is kept by one process. Leave out --workers and --cluster, or the budget.")
        if self.cluster and self.workers:
            raise QueryError("A cluster has workers of its own. Leave out --workers, or --cluster.")

    @property
    def elsewhere(self) -> bool:
        """Whether other processes do the work."""
        return self.workers is not None or self.cluster is not None


def check_order(order: RunOrder) -> None:
    """Raises as `carry_out` does before it begins: for a task, an engine or data that cannot be used."""
    task = task_named(order.task)
    task.source(order.data)
    task.open(_choice(order))


def carry_out(
    order: RunOrder,
    runs: BenchmarkRuns | None = None,
    *,
    retry: bool = False,
    anew: bool = False,
    report: Report = no_report,
) -> CompleteRun:
    """Carry out a run. With a store, each item is saved as soon as it is done, and saved items are not done again.

    `retry` repeats the items that failed; `anew` deletes what is saved first. Raising from `report` cancels the run and
    keeps what was saved. Raises `VouchError` if the task, the engine or the data cannot be used.
    """
    task = task_named(order.task)
    source = task.source(order.data)
    engine = task.open(_choice(order))
    setup, origin = _identity(order, task, engine.name, source)
    speed = known_speed(model_named(engine.name), key=order.key)
    if runs is None:
        answering = _answering(order, task, engine)
        run = run_task(task, task.items(source), answering, limit=order.limit, report=report, speed=speed)
        return CompleteRun(setup, origin, run)
    if anew:
        runs.remove(setup.id)
    saved = runs.begin(setup, origin)
    if saved.finished is None or (retry and saved.failed):
        done = {item.id: item for item in runs.items(setup.id) if not (retry and item.error)}
        run = run_task(
            task,
            task.items(source),
            _answering(order, task, engine),
            limit=order.limit,
            done=done,
            keep=_Keeper(runs, setup.id),
            report=report,
            speed=speed,
        )
        runs.finish(setup.id, run)
    return saved_run(setup.id, runs)


def saved_run(run: str, runs: BenchmarkRuns) -> CompleteRun:
    """A finished run from the store, with its items. Raises `NotStored` if it is not there, or was not finished."""
    saved = runs.one(run)
    if saved.finished is None:
        raise NotStored("This run was not finished. Go on with it by the same command as before.")
    items = runs.items(run)
    setup = saved.setup
    return CompleteRun(
        setup, saved.origin, Run(setup.task, setup.engine, items, saved.metrics, saved.seconds, saved.broken)
    )


def documented(run: Run, order: RunOrder) -> CompleteRun:
    """A run that was carried out by other means, with what is needed to repeat it."""
    task = task_named(order.task)
    setup, origin = _identity(order, task, run.engine, task.source(order.data))
    return CompleteRun(setup, origin, run)


def save_run(complete: CompleteRun, runs: BenchmarkRuns) -> None:
    """Save a whole run, in place of what the store holds of it."""
    run = complete.setup.id
    runs.remove(run)
    runs.begin(complete.setup, complete.origin)
    for place, item in enumerate(complete.run.items):
        runs.keep(run, place, item, seconds=item.response.seconds)
    runs.finish(run, complete.run)


def checksum(files: Sequence[Path]) -> str:
    """The SHA-256 of a file, or of the checksums and names of several. Raises `DatasetError` if one cannot be read."""
    try:
        sums = [file_sha256(file) for file in files]
    except OSError as error:
        raise DatasetError(f"“{error.filename}” cannot be read: {error.strerror}. Check the data set.") from None
    return sums[0] if len(sums) == 1 else together((file.name, each) for file, each in zip(files, sums, strict=True))


def _identity(order: RunOrder, task: AnyTask, engine: str, source: Path) -> tuple[RunSetup, RunOrigin]:
    file_sum, files = checksum([source]), list(task.files(source))
    data_sum = file_sum if files == [source] else checksum(files)  # do not read a large file twice
    code = code_sha256(task.kind)
    commit = commit_now()
    origin = RunOrigin(
        started=datetime.now(UTC),
        data=source.name,
        file_sha256=file_sum,
        commit=commit,
        changed=commit is not None and has_changed(),
        versions=versions_now(),
        notes=tuple(task.notes(engine, file_sum)),
    )
    return RunSetup(task.name, engine, order.seed, order.limit, data_sum, code, options(engine)), origin


@dataclass(slots=True)
class _Keeper:
    """Saves each result as it comes, with the seconds since the one before."""

    runs: BenchmarkRuns
    run: str
    last: float = field(default_factory=time.perf_counter)

    def __call__(self, place: int, result: ItemResult) -> None:
        now = time.perf_counter()
        self.runs.keep(self.run, place, result, seconds=now - self.last)
        self.last = now


def _choice(order: RunOrder) -> EngineChoice:
    return EngineChoice(order.engine, order.seed, order.budget, order.key)


def _answering(order: RunOrder, task: AnyTask, engine: Engine) -> OpenedEngine:
    """Choose where the engine works. One that computes uses the whole machine; one that waits can wait for many."""
    if order.cluster is not None:
        return on_cluster(task, engine, _choice(order), order.cluster)
    if order.workers is not None:
        return in_processes(task, engine, _choice(order), workers=order.workers)
    return here(task, engine, at_once=order.at_once if model_named(engine.name) else 1)


def item_of(setup: RunSetup, item: str, data: Path) -> Item[Any, Any]:
    """The item of a run by its id, with its question and gold, from the data set's file or folder.

    Raises `DatasetError` if the data are not those of the run, or hold no such item.
    """
    task = task_named(setup.task)
    source = task.source(data)
    if checksum(task.files(source)) != setup.data_sha256:
        raise DatasetError(f"“{source}” is not the data of this run: its checksum differs. Name the file of the run.")
    for entry in task.items(source):
        if not isinstance(entry, BrokenRecord) and entry.id == item:
            return entry
    raise DatasetError(f"“{source}” holds no item “{item}”.")


GOLD = "gold"


@dataclass(frozen=True, slots=True)
class Positions:
    """Where the sentences of `GOLD` and each engine stand, from 0 (a paper's first) to 1 (EvidenceBench, figure 4)."""

    of: Mapping[str, tuple[float, ...]]


def positions(runs: Sequence[CompleteRun], data: Path, *, progress: Progress = silent) -> Positions:
    """Find where the gold sentences and those of each run stand. All runs must be of one task.

    Raises `DatasetError` if the data are not those of the runs, or if the items name no sentences of papers.
    """
    setup = runs[0].setup
    task = task_named(setup.task)
    source = task.source(data)
    if any(checksum(task.files(source)) != run.setup.data_sha256 for run in runs):
        raise DatasetError(
            f"“{source}” is not the data of these runs: its checksum differs. Name the file of the runs."
        )
    chosen = {run.setup.id: {item.id: item.response.answer.sentences for item in run.run.items} for run in runs}
    found: dict[str, list[float]] = {}
    items = task.items(source)
    size = len(items) if setup.limit is None else min(setup.limit, len(items))
    for number, entry in enumerate(islice(items, size)):
        progress(number / size, "Reading the data")
        if isinstance(entry, BrokenRecord) or (paper := paper_of(entry)) is None:
            continue
        length = len(paper.sentences)
        gold = gold_sentences(entry)
        named = {GOLD: gold or (), **{run.run.engine: chosen[run.setup.id].get(entry.id, ()) for run in runs}}
        for name, indices in named.items():
            within = [index for index in indices if 0 <= index < length]  # a quotation may be in no sentence
            found.setdefault(name, []).extend(relative_positions(within, length))
    if not any(found.values()):
        raise DatasetError(f"The items of {setup.task} name no sentences of papers, so that there is no place to show.")
    return Positions({name: tuple(places) for name, places in found.items() if places})
