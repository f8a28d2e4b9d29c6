"""A task in batches: stage by stage through files, with the same result as live."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.benchmarks.answering import here
from core.benchmarks.model import BrokenRecord, Item, Run
from core.benchmarks.robbr_stages import TWO_STAGES
from core.benchmarks.runner import run_task
from core.benchmarks.task import AnyTask, Engine, Kind
from core.bias.llm import engine as bias
from core.errors import EngineError, VouchError
from core.evidence.llm import engine as evidence
from core.llm import ModelName, model_named, open_model
from core.llm.batch import POLL, BatchFolder, BatchRunner, Waiting, submit
from core.llm.server_model import ServerModel
from core.progress import Progress, silent
from core.summary.llm import engine as summary

# What opens each kind's engine on a runner, and what reads the strategy in its name.
_ENGINES: Mapping[Kind, tuple[Callable[[ModelName, BatchRunner], Engine], Callable[[ModelName], str]]] = {
    Kind.EVIDENCE: (evidence.ModelEngine, evidence.strategy_of),
    Kind.BIAS: (bias.ModelBiasEngine, bias.strategy_of),
    Kind.SUMMARY: (summary.ModelEngine, summary.strategy_of),
}


@dataclass(frozen=True, slots=True)
class Stage:
    """Requests that must be answered before the run can go on."""

    files: tuple[Path, ...]
    requests: int


@dataclass(frozen=True, slots=True)
class BatchedTask:
    """A task whose requests go through the files of a folder."""

    task: AnyTask
    engine: ModelName
    items: Sequence[Item[Any, Any] | BrokenRecord]
    folder: BatchFolder

    def advance(self, *, progress: Progress = silent) -> Run | Stage:
        """Go as far as the results in the folder allow: to the scores, or to the requests of the next stage.

        Nothing is sent, and no key is needed. Files of requests that are not answered yet are not written again.
        Raises `DatasetError` for a file of results that is none.
        """
        return self._advance(open_model(self.engine, sends=False), progress)

    def submit(self, *, poll: float = POLL, progress: Progress = silent) -> Run:
        """Hand every stage to the provider and wait for it, to the scores. Can be broken off and called again.

        Raises as `advance`, and `ModelError` where the provider cannot be asked.
        """
        model = open_model(self.engine)
        while isinstance(stage := self._advance(model, progress), Stage):
            for file in stage.files:
                submit(model, self.folder, file, progress=progress, poll=poll)
        return stage

    def _advance(self, model: ServerModel, progress: Progress) -> Run | Stage:
        runner = BatchRunner(model, self.folder.results())
        engine = _ENGINES[self.task.kind][0](self.engine, runner)
        for number, item in enumerate(self.items):
            if isinstance(item, BrokenRecord):
                continue
            progress(number / len(self.items), f"{item.id} ({number + 1:,} of {len(self.items):,})")
            with suppress(Waiting, VouchError):  # a failure is counted when the task is run
                self.task.ask(engine, item.question, silent)
        if not runner.pending:
            return run_task(self.task, self.items, here(self.task, engine))
        waiting = self.folder.waiting()
        known = self.folder.requested(waiting)
        new = [request for key, request in runner.pending.items() if key not in known]
        return Stage((*waiting, *self.folder.write(model, new)), len(runner.pending))


def batched(
    task: AnyTask, engine: str, items: Sequence[Item[Any, Any] | BrokenRecord], folder: BatchFolder
) -> BatchedTask:
    """The task in batches. Raises `EngineError` if the engine asks no language model, or not in batches for this task."""
    name = model_named(engine)
    if name is None:
        raise EngineError(f"Batches are for language models, and “{engine}” asks none. Name one as openai:MODEL.")
    if task is TWO_STAGES:  # two engines, one after the other
        raise EngineError(f"{task.name} cannot be run in batches yet: leave out the options of batches.")
    _ENGINES[task.kind][1](name)
    return BatchedTask(task, name, items, folder)
