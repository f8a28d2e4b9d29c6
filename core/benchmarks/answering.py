"""Who answers a task's questions: an engine in this process, or one that workers open by its name."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

from core.benchmarks.model import Response
from core.benchmarks.task import AnyTask, Engine, EngineChoice, respond
from core.benchmarks.tasks import task_named
from core.progress import Progress
from core.work.identity import fingerprint
from core.work.pools import Pool, Processes, Threads
from core.work.worker import once


@dataclass(frozen=True, slots=True)
class Answering:
    """An engine at work. What it cannot do is in its response."""

    engine: str  # its name, with the strategy
    pool: Pool[Any, Response]


def here(task: AnyTask, engine: Engine, *, at_once: int = 1) -> Answering:
    """In threads of this process, `at_once` questions at a time: one that waits for a server can wait for many."""
    return Answering(engine.name, Threads(partial(respond, task, engine), at_once=at_once))


def in_processes(task: AnyTask, engine: Engine, choice: EngineChoice, *, workers: int) -> Answering:
    """In processes of this machine, each with an engine of its own that computes on one processor."""
    return Answering(engine.name, Processes(partial(ask, task.name, choice), workers=workers))


def on_cluster(task: AnyTask, engine: Engine, choice: EngineChoice, address: str) -> Answering:
    """By the workers of a Dask scheduler, each with its own keys. Raises `NoCluster` if it cannot be used."""
    from core.work.cluster import Cluster  # loads Dask  # noqa: PLC0415

    without_key = EngineChoice(choice.name, choice.seed)
    pool: Cluster[Any, Response] = Cluster(
        partial(ask, task.name, without_key), address, fingerprint=partial(fingerprint, choice.name), lost=_lost
    )
    return Answering(engine.name, pool)


def ask(task: str, choice: EngineChoice, question: Any, progress: Progress) -> Response:
    """The response to a question of the task of this name, in any process."""
    return respond(task_named(task), _opened(task, choice), question, progress)


@once
def _opened(task: str, choice: EngineChoice) -> Engine:
    engine: Engine = task_named(task).open(choice)
    return engine


def _lost(reason: str) -> Response:
    return Response(cost_usd=None, error=reason)
