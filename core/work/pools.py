"""Who answers questions: threads of this process, or other processes."""

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
from typing import Generic, Self

from core.errors import WorkersLost
from core.work.worker import A, Cancelled, Do, Q, answer, prepare


class Pool(ABC, Generic[Q, A]):
    """Answers questions, some at a time. Left with an error, it gives up what is in hand."""

    def __init__(self, width: int) -> None:
        self.width = width  # questions to have in hand, so that nobody waits for the next one; may change

    @abstractmethod
    def submit(self, question: Q) -> Future[A]:
        """The answer to a question, later. To be taken by `result`."""

    def look(self) -> None:
        """Called a few times a second while work lasts. Raises `RunError` where no answer will come any more."""

    def result(self, future: Future[A]) -> A:
        """The answer that is there. Raises what the question raised, and `RunError` where no answer will come."""
        return future.result()

    @abstractmethod
    def close(self, *, cancel: bool) -> None:
        """Come to an end; with `cancel` without what is in hand."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self.close(cancel=kind is not None)


class Threads(Pool[Q, A]):
    """Threads of this process, `at_once` of them: for what waits for a server, which can wait for many."""

    def __init__(self, do: Do[Q, A], *, at_once: int = 1) -> None:
        super().__init__(at_once)
        self._do = do
        self._executor = ThreadPoolExecutor(at_once)
        self._cancelled = Event()

    def submit(self, question: Q) -> Future[A]:
        return self._executor.submit(self._do, question, self._go_on)

    def close(self, *, cancel: bool) -> None:
        """A cancel reaches the questions in hand at their next report."""
        if cancel:
            self._cancelled.set()
        self._executor.shutdown(wait=not cancel, cancel_futures=True)

    def _go_on(self, done: float, step: str) -> None:
        if self._cancelled.is_set():
            raise Cancelled


class Processes(Pool[Q, A]):
    """Processes of this machine, each of which computes on one processor. `do`, questions and answers are pickled.

    New ones, not copies of this one: a copy of a process with threads may hang. One thread each, because two processes
    that compute on all processors wait for one another most of the time. They end with this process, also if it is killed.
    `in_background`: they leave the processors to whatever else this machine has to do.
    """

    def __init__(self, do: Do[Q, A], *, workers: int, in_background: bool = False) -> None:
        super().__init__(2 * workers)
        self._ask = partial(answer, do)
        context = get_context("spawn")
        self._cancelled = context.Event()
        self._executor = ProcessPoolExecutor(
            workers, mp_context=context, initializer=prepare, initargs=(self._cancelled, in_background)
        )
        with _without_main():
            self._executor.submit(_begin)  # the first call starts all of them

    def submit(self, question: Q) -> Future[A]:
        with _whole_pool():
            return self._executor.submit(self._ask, question)

    def result(self, future: Future[A]) -> A:
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
            "A worker process ended before its time, perhaps for want of memory. Go on with fewer workers: "
            "what is saved is kept."
        ) from None
