"""Who answers a run's questions: threads of this process, or other processes."""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import partial
from multiprocessing import get_context
from threading import Event
from types import ModuleType
from typing import Any, Self

from core.benchmarks.model import Response
from core.benchmarks.task import AnyTask, Engine, EngineChoice, respond
from core.benchmarks.worker import Cancelled, answer, prepare
from core.errors import WorkersLost


class Pool(ABC):
    """Answers questions, some at a time. Left with an error, it gives up what is in hand."""

    def __init__(self, engine: str, width: int) -> None:
        self.engine = engine  # its name, with the strategy
        self.width = width  # questions to have in hand, so that nobody waits for the next one

    @abstractmethod
    def submit(self, question: Any) -> Future[Response]:
        """The response to a question, later. What the engine cannot do is in the response."""

    def look(self) -> None:  # noqa: B027  most pools need not
        """Called a few times a second while a run lasts. Raises `RunError` where no response will come any more."""

    def result(self, future: Future[Response]) -> Response:
        """The response that is there. Raises `RunError` where there will never be one."""
        return future.result()

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
            raise Cancelled


class Processes(Pool):
    """Processes of this machine, each with an engine of its own that computes on one processor.

    New ones, not copies of this one: a copy of a process with threads may hang. One thread each, because two processes
    that compute on all processors wait for one another most of the time.
    """

    def __init__(self, task: AnyTask, engine: Engine, choice: EngineChoice, *, workers: int) -> None:
        super().__init__(engine.name, 2 * workers)
        self._ask = partial(answer, task.name, choice)
        context = get_context("spawn")
        self._cancelled = context.Event()
        self._executor = ProcessPoolExecutor(
            workers, mp_context=context, initializer=prepare, initargs=(task.name, choice, self._cancelled)
        )
        with _without_main():
            self._executor.submit(_begin)  # the first call starts all of them

    def submit(self, question: Any) -> Future[Response]:
        with _whole_pool():
            return self._executor.submit(self._ask, question)

    def result(self, future: Future[Response]) -> Response:
        with _whole_pool():
            return future.result()

    def close(self, *, cancel: bool) -> None:
        """A cancel reaches the questions in hand at their next report."""
        if cancel:
            self._cancelled.set()
        self._executor.shutdown(cancel_futures=cancel)


def _begin() -> None:
    """Nothing: by the time of an answer, `prepare` is through."""


@contextmanager
def _without_main() -> Iterator[None]:
    """A new process begins by running the file of `__main__` again, which under Streamlit is a page."""
    main, nothing = sys.modules["__main__"], ModuleType("__main__")
    sys.modules["__main__"] = nothing
    try:
        yield
    finally:
        if sys.modules["__main__"] is nothing:  # no page has begun meanwhile
            sys.modules["__main__"] = main


@contextmanager
def _whole_pool() -> Iterator[None]:
    """Raises `WorkersLost` if a process ended before its time."""
    try:
        yield
    except BrokenProcessPool:
        raise WorkersLost(
            "A worker process ended before its time, perhaps for want of memory. Try again with fewer --workers; "
            "with --save, what is done is kept."
        ) from None
