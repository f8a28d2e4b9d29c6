"""What a worker does, in a process of this machine or on another: one question after the other."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from functools import cache, partial, wraps
from multiprocessing.synchronize import Event
from typing import TypeVar, TypeVarTuple

import psutil
from threadpoolctl import threadpool_limits

from core.errors import NoCluster
from core.progress import Progress, silent

Q = TypeVar("Q")  # a question
A = TypeVar("A")  # what becomes of it
T = TypeVar("T")
Ts = TypeVarTuple("Ts")

Do = Callable[[Q, Progress], A]  # answers a question, and reports on it a few times: raising from a report cancels
_BACKGROUND = (
    10  # the niceness of a worker that leaves the processors to the screens; 0 is that of the app, 19 the most
)
# How the libraries that compute are told, where they are loaded later, how many threads to use.
_THREADS = ("RAYON_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


class Cancelled(Exception):
    """Ends a question in hand after a cancel."""


def prepare(cancelled: Event, in_background: bool) -> None:
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


def answer_alike(do: Do[Q, A], fingerprint: Callable[[], str], there: str, question: Q) -> A:
    """The same on another machine. Raises `NoCluster` if it would come to other results than the one that asks."""
    if fingerprint() != there:
        raise NoCluster(
            "A worker has another version of Vouch, or other settings, than this machine. "
            "Bring all machines to the same version, and set VOUCH_RANKER or the model's address alike."
        )
    return answer(do, question)


def once(make: Callable[[*Ts], T]) -> Callable[[*Ts], T]:
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


def _stop_if(cancelled: Event, done: float, step: str) -> None:
    if cancelled.is_set():
        raise Cancelled


def _end_with_parent() -> None:
    """A killed parent cannot end its workers, and they would wait for questions for ever."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
