"""Runs a task with an engine, in this process, in workers or in batches; failed items stay in the results as failures."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from core.benchmarks.model import BrokenRecord, Item, ItemResult, Response, Run
from core.benchmarks.robbr_tasks import TWO_STAGES, two_stages_on
from core.benchmarks.task import AnyTask, Engine, EngineChoice, Items, respond
from core.benchmarks.tasks import task_named
from core.engines import engine_on, models_among, stages, strategy_of
from core.errors import DatasetError, EngineError, VouchError
from core.llm import ModelName, Speed, model_named, open_model
from core.llm.batch import POLL, BatchFolder, BatchRunner, Waiting, submit
from core.llm.provider import ServerModel
from core.progress import Progress, silent
from core.work.identity import fingerprint
from core.work.pools import ProcessWorkers, ThreadWorkers, WorkerPool, once_per_process, work_through
from core.work.progress import ProgressCounter, Report, no_report

# ---- answering ----
# What answers a task's questions: an engine in this process, or engines that workers open by name.


@dataclass(frozen=True, slots=True)
class OpenedEngine:
    """An engine with a pool of workers. Failures are returned as responses."""

    engine: str  # its name, with the strategy
    pool: WorkerPool[Any, Response]


def here(task: AnyTask, engine: Engine, *, at_once: int = 1) -> OpenedEngine:
    """Answer in threads of this process, `at_once` questions at a time, which helps engines that wait for a server."""
    return OpenedEngine(engine.name, ThreadWorkers(partial(respond, task, engine), at_once=at_once))


def in_processes(task: AnyTask, engine: Engine, choice: EngineChoice, *, workers: int) -> OpenedEngine:
    """Answer in processes on this machine, each with its own engine that uses one processor."""
    return OpenedEngine(engine.name, ProcessWorkers(partial(ask_in_worker, task.name, choice), workers=workers))


def on_cluster(task: AnyTask, engine: Engine, choice: EngineChoice, address: str) -> OpenedEngine:
    """Answer with the workers of a Dask scheduler, each with its own keys. Raises `NoCluster` if it cannot be used."""
    from core.work.cluster import ClusterWorkers  # loads Dask  # noqa: PLC0415

    without_key = EngineChoice(choice.name, choice.seed)
    pool: ClusterWorkers[Any, Response] = ClusterWorkers(
        partial(ask_in_worker, task.name, without_key),
        address,
        fingerprint=partial(fingerprint, (task.kind,), choice.name),
        lost=_lost,
    )
    return OpenedEngine(engine.name, pool)


def ask_in_worker(task: str, choice: EngineChoice, question: Any, progress: Progress) -> Response:
    """The response to a question of the task with this name, in any process."""
    return respond(task_named(task), _opened(task, choice), question, progress)


@once_per_process
def _opened(task: str, choice: EngineChoice) -> Engine:
    engine: Engine = task_named(task).open(choice)
    return engine


def _lost(reason: str) -> Response:
    return Response(cost_usd=None, error=reason)


# ---- runner ----
# Ask an engine all questions of a task; failed items stay in the results as failures.

Keep = Callable[[int, ItemResult], None]  # called with an item's index in the data, and its result
Placed = tuple[int, Item[Any, Any]]


def not_kept(place: int, result: ItemResult) -> None:
    """Keep nothing, for a run that will not be continued later."""


def run_task(
    task: AnyTask,
    items: Items[Any, Any],
    answering: OpenedEngine,
    *,
    limit: int | None = None,
    done: Mapping[str, ItemResult] | None = None,
    keep: Keep = not_kept,
    report: Report = no_report,
    speed: Speed | None = None,
) -> Run:
    """Ask the engine about every item, or about the first `limit`. Its pool is closed at the end.

    `done` has earlier results by item id, which are not asked for again. `keep` is called with every new result as soon as
    it is ready. `report` is called a few times a second; raising from it cancels the run. `speed` is the model's, if known.

    Raises `DatasetError` if there is no item, or two have the same id.
    """
    size = len(items) if limit is None else min(limit, len(items))
    resumable = _ResumableRun(task, answering.engine, done or {}, keep, report, ProgressCounter(size, speed=speed))
    with answering.pool as pool:
        work_through(resumable.missing(islice(items, limit)), pool, keep=resumable.take, report=resumable.tell)
    return resumable.run()


@dataclass(slots=True)
class _ResumableRun:
    """The state of a run in progress."""

    task: AnyTask
    engine: str
    before: Mapping[str, ItemResult]
    keep: Keep
    report: Report
    clock: ProgressCounter
    results: dict[int, ItemResult] = field(default_factory=dict)  # by index in the data
    broken: list[str] = field(default_factory=list)
    ids: set[str] = field(default_factory=set)

    def missing(self, entries: Iterator[Item[Any, Any] | BrokenRecord]) -> Iterator[tuple[Placed, Any]]:
        """Yield the items still to be asked about, with their indices and questions."""
        for place, entry in enumerate(entries):
            if isinstance(entry, BrokenRecord):
                self.broken.append(str(entry))
                self.clock.of -= 1
                continue
            if entry.id in self.ids:
                raise DatasetError(f"Two items have the id “{entry.id}”, so that their results cannot be told apart.")
            self.ids.add(entry.id)
            if (known := self.before.get(entry.id)) is not None:
                self.results[place] = known
                self.clock.count_kept(failed=known.error is not None)
                continue
            if self.clock.wants_estimate:
                self.clock.expect(self.task.estimate(self.engine, entry.question))
            yield (place, entry), entry.question

    def take(self, placed: Placed, response: Response) -> None:
        """Score a response, and keep it."""
        place, item = placed
        scores = self.task.score(item, response.answer)
        result = ItemResult(item.id, item.group, response, scores, item.category, item.labels)
        self.keep(place, result)
        self.results[place] = result
        self.clock.count(failed=result.error is not None, cost_usd=response.cost_usd)

    def tell(self) -> None:
        """Report the progress."""
        self.report(self.clock.progress())

    def run(self) -> Run:
        """The finished run, with its metrics."""
        if not self.results:
            raise DatasetError(f"The data holds no item for {self.task.name}.")
        items = tuple(self.results[place] for place in sorted(self.results))
        self.tell()
        return Run(self.task.name, self.engine, items, self.task.metrics(items), self.clock.seconds, tuple(self.broken))


# ---- batches ----
# A task in batches: stage by stage through files, with the same result as a live run.


@dataclass(frozen=True, slots=True)
class BatchStage:
    """Requests that must be answered before the run can continue."""

    files: tuple[Path, ...]
    requests: int


@dataclass(frozen=True, slots=True)
class BatchedTask:
    """A task whose requests go through the files of a folder."""

    task: AnyTask
    engine: str
    model: ModelName  # the model that is asked
    items: Sequence[Item[Any, Any] | BrokenRecord]
    folder: BatchFolder

    def advance(self, *, progress: Progress = silent) -> Run | BatchStage:
        """Continue as far as the results in the folder allow. Returns the run, or the requests of the next stage.

        Nothing is sent, and no key is needed. Files of requests that are not answered yet are not written again.
        Raises `DatasetError` for an invalid file of results.
        """
        return self._advance(open_model(self.model, sends=False), progress)

    def submit(self, *, poll: float = POLL, progress: Progress = silent) -> Run:
        """Submit every stage to the provider and wait for it, until the run is complete. Can be interrupted and repeated.

        Raises what `advance` raises, and `ModelError` if the provider cannot be asked.
        """
        model = open_model(self.model)
        while isinstance(stage := self._advance(model, progress), BatchStage):
            for file in stage.files:
                submit(model, self.folder, file, progress=progress, poll=poll)
        return stage

    def _advance(self, model: ServerModel, progress: Progress) -> Run | BatchStage:
        runner = BatchRunner(model, self.folder.results())
        two = self.task is TWO_STAGES
        engine = two_stages_on(self.engine, runner) if two else engine_on(self.task.kind, self.model, runner)
        for number, item in enumerate(self.items):
            if isinstance(item, BrokenRecord):
                continue
            progress(number / len(self.items), f"{item.id} ({number + 1:,} of {len(self.items):,})")
            with suppress(Waiting, VouchError):  # a failure is counted when the task is run
                self.task.ask(engine, item.question, silent)
        if not runner.pending:
            return run_task(self.task, self.items, here(self.task, engine))
        return BatchStage(self.folder.ask(model, runner.pending), len(runner.pending))


def batched(
    task: AnyTask, engine: str, items: Sequence[Item[Any, Any] | BrokenRecord], folder: BatchFolder
) -> BatchedTask:
    """Prepare a task for batches. Raises `EngineError` if the engine asks no language model, or its stages ask two."""
    models = models_among(stages(engine) if task is TWO_STAGES else [engine])
    if not models:
        model_named(engine)  # raises for a wrong name
        raise EngineError(f"Batches are for language models, and “{engine}” asks none. Name one as openai:MODEL.")
    if len({(model.provider, model.model) for model in models}) > 1:
        raise EngineError(f"“{engine}” asks two models, and a file of requests is for one. Run it without batches.")
    for model in models:
        strategy_of(task.kind, model)
    return BatchedTask(task, engine, models[0], items, folder)
