"""What a worker process does: opens the engine once, and answers questions."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from functools import cache, partial
from multiprocessing.synchronize import Event
from typing import Any

from threadpoolctl import threadpool_limits

from core.benchmarks.deciding import fingerprint
from core.benchmarks.model import Response
from core.benchmarks.task import Engine, EngineChoice, respond
from core.benchmarks.tasks import task_named
from core.errors import NoCluster
from core.progress import Progress, silent


def prepare(task: str, choice: EngineChoice, cancelled: Event) -> None:
    """Make a process of this machine ready: one thread to compute with, an eye on its parent, its engine.

    Once `cancelled` is set, questions end at their next report.
    """
    global _stop_if_cancelled  # noqa: PLW0603  a process belongs to one pool
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's; it ends the workers in order
    threading.Thread(target=_end_with_parent, daemon=True).start()
    os.environ["RAYON_NUM_THREADS"] = "1"  # the tokeniser's
    threadpool_limits(1)  # numpy's
    _stop_if_cancelled = partial(_stop_if, cancelled)
    _opened(task, choice)


def answer(task: str, choice: EngineChoice, question: Any) -> Response:
    """The engine's response to a question of the task of this name."""
    with _opening:  # a worker of a cluster may have several threads
        engine = _opened(task, choice)
    return respond(task_named(task), engine, question, _stop_if_cancelled)


def answer_alike(fingerprint_there: str, task: str, choice: EngineChoice, question: Any) -> Response:
    """The same on another machine. Raises `NoCluster` if it would come to other results than the one that asks."""
    if fingerprint(choice.name) != fingerprint_there:
        raise NoCluster(
            "A worker has another version of Vouch, or other settings, than this machine. "
            "Bring all machines to the same version, and set VOUCH_RANKER or the model's address alike."
        )
    return answer(task, choice, question)


_stop_if_cancelled: Progress = silent
_opening = threading.Lock()


@cache
def _opened(task: str, choice: EngineChoice) -> Engine:
    """Opened once a process."""
    engine: Engine = task_named(task).open(choice)
    return engine


class Cancelled(Exception):
    """Ends a question in hand after a cancel."""


def _stop_if(cancelled: Event, done: float, step: str) -> None:
    if cancelled.is_set():
        raise Cancelled


def _end_with_parent() -> None:
    """A killed parent cannot end its workers, and they would wait for questions for ever."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
