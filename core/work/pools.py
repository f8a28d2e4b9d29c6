"""Questions answered by threads of this process or by processes of this machine, and the loop that hands them on."""

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

# What a worker does, in a process of this machine or on another: one question after the other.

Q = TypeVar("Q")  # a question
A = TypeVar("A")  # what becomes of it
T = TypeVar("T")
Ts = TypeVarTuple("Ts")

Do = Callable[[Q, Progress], A]  # answers a question, and reports on it a few times: raising from a report cancels
# The niceness of a worker that leaves the processors to the screens; 0 is that of the app, 19 the most.
_BACKGROUND = 10
# How the libraries that compute are told, where they are loaded later, how many threads to use.
_THREADS = ("RAYON_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


class Cancelled(Exception):
    """Ends a question in hand after a cancel."""


def prepare(cancelled: ProcessEvent, in_background: bool) -> None:
    """Make a process of this machine ready: one thread to compute with, an eye on its parent.

    Once `cancelled` is set, questions end at their next report. `in_background`: what people wait for goes first.
    """
    global _progress  # noqa: PLW0603  a process belongs to one pool
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's; it ends the workers in order
    threading.Thread(target=_end_with_parent, daemon=True).start()
    if in_background:
        psutil.Process().nice(psutil.BELOW_NORMAL_PRIORITY_CLASS if psutil.WINDOWS else _BACKGROUND)
    os.environ.update(dict.fromkeys(_THREADS, "1"))
    threadpool_limits(1)  # of what is loaded already
    _progress = partial(_stop_if, cancelled)


def answer(do: Do[Q, A], question: Q) -> A:
    """What becomes of a question here."""
    return do(question, _progress)


def answer_if_same_code(do: Do[Q, A], fingerprint: Callable[[], str], there: str, question: Q) -> A:
    """The same on another machine. Raises `NoCluster` if it would come to other results than the one that asks."""
    if fingerprint() != there:
        raise NoCluster(
            "A worker has another version of Vouch, or other settings, than this machine. "
            "Bring all machines to the same version, and set VOUCH_RANKER or the model's address alike."
        )
    return answer(do, question)


def once_per_process(make: Callable[[*Ts], T]) -> Callable[[*Ts], T]:
    """Makes a thing once a process for the same arguments, such as an engine by its choice, and keeps it.

    Threads that come first together wait for one another: a worker of a cluster may have several.
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
    """A killed parent cannot end its workers, and they would wait for questions for ever."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


# Who answers questions: threads of this process, or other processes.


class WorkerPool(ABC, Generic[Q, A]):
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


class ThreadWorkers(WorkerPool[Q, A]):
    """Threads of this process, `at_once` of them: for what waits for a server, which can wait for many."""

    def __init__(self, do: Do[Q, A], *, at_once: int = 1) -> None:
        super().__init__(at_once)
        self._do = do
        self._executor = ThreadPoolExecutor(at_once)
        self._cancelled = threading.Event()

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


class ProcessWorkers(WorkerPool[Q, A]):
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


# Work while it lasts: questions are handed on while there is room, and each answer is kept as soon as it is there.

J = TypeVar("J")


def work_through(
    jobs: Iterable[tuple[J, Q] | None],
    pool: WorkerPool[Q, A],
    *,
    keep: Callable[[J, A], None],
    report: Callable[[], None],
    tick_s: float = 0.2,
) -> None:
    """Put the question of every job to the pool, until the jobs are at an end and all are answered.

    The next job is drawn only when there is room for it, so that `jobs` may grow and change its order meanwhile. Where it
    brings None, there is nothing to hand on at present (a pause, or jobs that others in hand will lead to): it is asked
    again a moment later. `keep` gets a job and its answer, in the order of their arrival; `report` is called before every
    wait, at least every `tick_s` seconds, and raising from it cancels. Both are called in this thread, where
    `jobs` is drawn, too.

    What they, the jobs, a question or the pool raise comes out unchanged. The pool is to be left then: close it by `with`.
    """
    in_hand: dict[Future[A], J] = {}

    def wait_a_moment() -> None:
        report()
        pool.look()
        if not in_hand:
            time.sleep(tick_s)
            return
        ready, _ = wait(in_hand, timeout=tick_s, return_when=FIRST_COMPLETED)
        for future in sorted(ready, key=_failed):  # what is there is kept before another's error ends the work
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
