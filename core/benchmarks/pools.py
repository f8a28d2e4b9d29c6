"""Who answers a run's questions: threads of this process."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Event
from typing import Any, Self

from core.benchmarks.model import Response
from core.benchmarks.task import AnyTask, Engine
from core.errors import VouchError
from core.evidence.model import NoAnswer
from core.progress import Progress


class Pool(ABC):
    """Answers questions, some at a time. Left with an error, it gives up what is in hand."""

    def __init__(self, engine: str, width: int) -> None:
        self.engine = engine  # its name, with the strategy
        self.width = width  # questions to have in hand, so that nobody waits for the next one

    @abstractmethod
    def submit(self, question: Any) -> Future[Response]:
        """The response to a question, later. What the engine cannot do is in the response."""

    @abstractmethod
    def close(self, *, cancel: bool) -> None:
        """Come to an end; with `cancel` without what is in hand."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self.close(cancel=kind is not None)


class Threads(Pool):
    """An engine in this process, `at_once` questions at a time: one that waits for a server can wait for many."""

    def __init__(self, task: AnyTask, engine: Engine, *, at_once: int = 1) -> None:
        super().__init__(engine.name, at_once)
        self._task, self._engine = task, engine
        self._executor = ThreadPoolExecutor(at_once)
        self._cancelled = Event()

    def submit(self, question: Any) -> Future[Response]:
        return self._executor.submit(respond, self._task, self._engine, question, self._go_on)

    def close(self, *, cancel: bool) -> None:
        """A cancel reaches the questions in hand at their next report."""
        if cancel:
            self._cancelled.set()
        self._executor.shutdown(wait=not cancel, cancel_futures=True)

    def _go_on(self, done: float, step: str) -> None:
        if self._cancelled.is_set():
            raise _Cancelled


class _Cancelled(Exception):
    """Ends a question in hand after a cancel."""


def respond(task: AnyTask, engine: Engine, question: Any, progress: Progress) -> Response:
    """An engine's response to a question of the task; its failure, too."""
    started = time.perf_counter()
    try:
        return task.ask(engine, question, progress)
    except NoAnswer as error:  # what a language model used in vain counts, too
        return Response(seconds=time.perf_counter() - started, error=str(error)).of_run(error.run)
    except VouchError as error:
        return Response(seconds=time.perf_counter() - started, cost_usd=None, error=str(error))
