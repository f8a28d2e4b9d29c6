"""Questions answered by threads of this process or by other processes, and the loop that submits them."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, ThreadPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import cache, partial, wraps
from multiprocessing import get_context
from multiprocessing.synchronize import Event as ProcessEvent
from types import ModuleType
from typing import Generic, Self, TypeVar, TypeVarTuple

import psutil
from threadpoolctl import threadpool_limits

from core.errors import NoCluster, WorkersLost
from core.progress import Progress, silent

# What a worker does, in a process of this machine or of another: it answers one question after the other.

Q = TypeVar("Q")  # a question
A = TypeVar("A")  # its answer
T = TypeVar("T")
Ts = TypeVarTuple("Ts")

Do = Callable[[Q, Progress], A]  # answers a question and reports progress; an exception from a report cancels it
# The niceness of a background worker: 0 is that of the app, 19 the highest.
_BACKGROUND = 10
# How libraries that are loaded later are told how many threads to use.
_THREADS = ("RAYON_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


class Cancelled(Exception):
    """Ends a question that is being answered, after a cancel."""


def prepare(cancelled: ProcessEvent, in_background: bool) -> None:
    """Prepare a worker process of this machine: it computes in one thread, and ends with its parent.

    Once `cancelled` is set, questions end at their next report. `in_background`: run at a lower priority.
    """
    global _progress  # noqa: PLW0603  a process belongs to one pool
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent handles Ctrl-C, and closes the workers
    threading.Thread(target=_end_with_parent, daemon=True).start()
    if in_background:
        psutil.Process().nice(psutil.BELOW_NORMAL_PRIORITY_CLASS if psutil.WINDOWS else _BACKGROUND)
    os.environ.update(dict.fromkeys(_THREADS, "1"))
    threadpool_limits(1)  # for libraries that are loaded already
    _progress = partial(_stop_if, cancelled)


def answer(do: Do[Q, A], question: Q) -> A:
    """Answer a question in this process."""
    return do(question, _progress)


def answer_if_same_code(do: Do[Q, A], fingerprint: Callable[[], str], there: str, question: Q) -> A:
    """Answer a question on another machine. Raises `NoCluster` if results here could differ from the asker's."""
    if fingerprint() != there:
        raise NoCluster(
            "A worker has another version of Vouch, or other settings, than this machine. "
            "Bring all machines to the same version, and set VOUCH_RANKER or the model's address alike."
        )
    return answer(do, question)


def once_per_process(make: Callable[[*Ts], T]) -> Callable[[*Ts], T]:
    """Call a function once per process for the same arguments, and cache the result, such as an engine.

    Threads wait for the first call to return: a cluster's worker may have several.
    """
    making = threading.RLock()
    kept = cache(make)

    @wraps(make)
    def made(*arguments: *Ts) -> T:
        with making:
            return kept(*arguments)

    return made


_progress: Progress = silent


def _stop_if(cancelled: ProcessEvent, done: float, step: str) -> None:
    if cancelled.is_set():
        raise Cancelled


def _end_with_parent() -> None:
    """End this process when its parent ends: a killed parent cannot, and the worker would wait forever."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


# What answers questions: threads of this process, or other processes.


class WorkerPool(ABC, Generic[Q, A]):
    """Answers questions, several at a time. If its `with` block raises, work in hand is cancelled."""

    def __init__(self, width: int) -> None:
        self.width = width  # how many questions to submit at once, so that no worker waits; may change

    @abstractmethod
    def submit(self, question: Q) -> Future[A]:
        """Submit a question. Take its answer with `result`."""

    def look(self) -> None:
        """Called a few times a second during the work. Raises `RunError` if no answer will come any more."""

    def result(self, future: Future[A]) -> A:
        """The answer of a finished future. Raises what the question raised, and `RunError` if no answer will come."""
        return future.result()

    @abstractmethod
    def close(self, *, cancel: bool) -> None:
        """Close the pool; with `cancel` without waiting for the questions in hand."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self.close(cancel=kind is not None)


class ThreadWorkers(WorkerPool[Q, A]):
    """Threads of this process, `at_once` of them, for questions to a server, which can answer many at a time."""

    def __init__(self, do: Do[Q, A], *, at_once: int = 1) -> None:
        super().__init__(at_once)
        self._do = do
        self._executor = ThreadPoolExecutor(at_once)
        self._cancelled = threading.Event()

    def submit(self, question: Q) -> Future[A]:
        return self._executor.submit(self._do, question, self._go_on)

    def close(self, *, cancel: bool) -> None:
        """Close the pool. A cancel takes effect on questions in hand at their next report."""
        if cancel:
            self._cancelled.set()
        self._executor.shutdown(wait=not cancel, cancel_futures=True)

    def _go_on(self, done: float, step: str) -> None:
        if self._cancelled.is_set():
            raise Cancelled


class ProcessWorkers(WorkerPool[Q, A]):
    """Processes of this machine, each of which computes on one processor. `do`, questions and answers are pickled.

    The processes are spawned and not forked, because a fork of a process with threads may hang. Each has one thread,
    because two processes that compute on all processors mostly wait for each other. They end with this process, even if
    it is killed. `in_background`: they run at a lower priority.
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
        """Close the pool. A cancel takes effect on questions in hand at their next report."""
        if cancel:
            self._cancelled.set()
        self._executor.shutdown(cancel_futures=cancel)


def _begin() -> None:
    """Do nothing: once this returns, `prepare` has run."""


@contextmanager
def _without_main() -> Iterator[None]:
    """Hide `__main__`, whose file a new process would run again; under Streamlit it is a page."""
    main, nothing = sys.modules["__main__"], ModuleType("__main__")
    sys.modules["__main__"] = nothing
    try:
        yield
    finally:
        if sys.modules["__main__"] is nothing:  # no page has started meanwhile
            sys.modules["__main__"] = main


@contextmanager
def _whole_pool() -> Iterator[None]:
    """Raises `WorkersLost` if a process ended unexpectedly."""
    try:
        yield
    except BrokenProcessPool:
        raise WorkersLost(
            "A worker process ended before its time, perhaps for want of memory. Go on with fewer workers: "
            "what is saved is kept."
        ) from None


# The work loop: questions are submitted while there is room, and each answer is kept as soon as it is there.

J = TypeVar("J")


def work_through(
    jobs: Iterable[tuple[J, Q] | None],
    pool: WorkerPool[Q, A],
    *,
    keep: Callable[[J, A], None],
    report: Callable[[], None],
    tick_s: float = 0.2,
) -> None:
    """Submit the question of every job to the pool, until there are no more jobs and all are answered.

    The next job is taken only when there is room for it, so that `jobs` may grow and change its order meanwhile. If it
    yields None, there is no job at present (because of a pause, or because later jobs depend on those in hand), and it
    is asked again a moment later. `keep` gets a job and its answer, in the order of arrival. `report` is called before
    every wait, at least every `tick_s` seconds, and raising from it cancels. Both are called in this thread, where
    `jobs` is iterated, too.

    Exceptions from them, the jobs, a question or the pool come out unchanged. Close the pool after one: use `with`.
    """
    in_hand: dict[Future[A], J] = {}

    def wait_a_moment() -> None:
        report()
        pool.look()
        if not in_hand:
            time.sleep(tick_s)
            return
        ready, _ = wait(in_hand, timeout=tick_s, return_when=FIRST_COMPLETED)
        for future in sorted(ready, key=_failed):  # keep the good answers before an error ends the work
            keep(in_hand.pop(future), pool.result(future))

    for job in jobs:
        if job is None:
            wait_a_moment()
            continue
        itself, question = job
        in_hand[pool.submit(question)] = itself
        while len(in_hand) >= pool.width:
            wait_a_moment()
    while in_hand:
        wait_a_moment()


def _failed(future: Future[A]) -> bool:
    return future.cancelled() or future.exception() is not None
