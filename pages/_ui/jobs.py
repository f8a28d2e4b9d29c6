"""Work in threads of the server: background jobs, one of a kind in a session, and how threads share the interpreter."""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, partial
from threading import Event, Thread
from typing import Any, Generic, Protocol, TypeVar, runtime_checkable

import streamlit as st
from streamlit.runtime import get_instance
from streamlit.runtime.scriptrunner import get_script_run_ctx

from core.engines import TaskKind, engine_on, open_engine
from core.grounding.questions import QuestionProgress, ReportingRunner
from core.llm import Budget, ModelName, ModelRunner, Spending, model_named, open_runner, together
from pages._ui.model_choice import Keys

R = TypeVar("R")
T = TypeVar("T")
_ALONE = 10.0  # seconds that a job goes on unseen: a connection may break for a moment


class JobCancelled(Exception):
    """Raised from a report: nobody wants the work any more."""


class BackgroundJob(Generic[T]):
    """Work that has begun, in a thread of its own. It is its own work's `Progress`.

    `watched`, called in that thread, tells whether anybody would see the result: work that nobody has watched for some
    seconds stops at its next report, so that no paid run goes on unseen.
    """

    # No lock: the thread alone writes, and puts a whole value in the place of the last one, or adds one to a list.

    def __init__(self, work: Callable[[BackgroundJob[T]], T], *, watched: Callable[[], bool] = lambda: True) -> None:
        self._watched = watched
        self._stop, self._ended = Event(), Event()
        self._started = self._seen = time.monotonic()
        self._pieces: list[Any] = []
        self._runners: list[ModelRunner] = []
        self._result: T | None = None
        self.report: tuple[float, str] = (0.0, "Starting")  # the fraction done, and the present step
        self.rows: Sequence[QuestionProgress] = ()  # how the questions to a language model stand
        self.error: BaseException | None = None  # what the work failed with
        Thread(target=self._carry_out, args=(work,), name="work", daemon=True).start()

    def _carry_out(self, work: Callable[[BackgroundJob[T]], T]) -> None:
        try:
            self._result = work(self)
        except JobCancelled:
            self._stop.set()
        except BaseException as error:  # noqa: BLE001  whoever takes the outcome raises it where it is seen
            self.error = error
        self._ended.set()

    def __call__(self, done: float, step: str) -> None:
        """Report progress; see `Progress`. Raises `JobCancelled`."""
        now = time.monotonic()
        if self._watched():
            self._seen = now
        if self._stop.is_set() or now - self._seen > _ALONE:
            raise JobCancelled
        self.report = (min(1.0, max(0.0, done)), step)

    def put(self, piece: object) -> None:
        """Hand over a part of the result before the end; it counts even if the job is cancelled afterwards."""
        self._pieces.append(piece)

    @contextmanager
    def engine(
        self,
        task: TaskKind,
        name: str,
        keys: Keys,
        budget: Budget | None,
        *,
        to_come: Callable[[ModelName], Iterable[str]] = lambda _: (),
        seed: int = 0,
    ) -> Iterator[Any]:
        """The engine called `name`. One that asks a model knows a key, and is this job's alone."""
        model = model_named(name)
        if model is None:
            yield local_engine(task, name)
            return
        with self.asking(model, keys, budget, to_come=to_come(model), seed=seed) as asker:
            yield engine_on(task, model, asker)

    @contextmanager
    def asking(
        self, model: ModelName, keys: Keys, budget: Budget | None, *, to_come: Iterable[str] = (), seed: int = 0
    ) -> Iterator[ReportingRunner]:
        """A language model to ask, whose questions and spending are shown. See `open_runner` and `ReportingRunner`."""
        with open_runner(model, key=keys.of(model.provider), budget=budget or Budget(), seed=seed) as runner:
            self._runners.append(runner)
            yield ReportingRunner(runner, self._show, to_come=to_come)

    def _show(self, rows: Sequence[QuestionProgress]) -> None:
        self.rows = rows

    def stop(self) -> None:
        """End the work at its next report; its result is not wanted."""
        self._stop.set()

    def wait(self, seconds: float) -> bool:
        """Wait until the work has ended, at most so long; whether it has."""
        return self._ended.wait(seconds)

    @property
    def stopped(self) -> bool:
        """Whether the work is to end, or has ended, without a result."""
        return self._stop.is_set()

    @property
    def ended(self) -> bool:
        """Whether the thread is through, in one way or another."""
        return self._ended.is_set()

    @property
    def elapsed(self) -> float:
        """Seconds since the work began."""
        return time.monotonic() - self._started

    @property
    def pieces(self) -> list[Any]:
        """The parts handed over so far, in order."""
        return list(self._pieces)

    @property
    def spent(self) -> Spending:
        """What language models were paid so far."""
        return together(runner.spent for runner in list(self._runners))

    @property
    def result(self) -> T | None:
        """What the work brought; None before its end, and where it was stopped or failed."""
        return None if self.stopped else self._result


@runtime_checkable
class PaperRequest(Protocol):
    """What is asked about a paper."""

    @property
    def paper(self) -> str:
        """The paper's id."""
        ...


@dataclass(slots=True)
class RunningJob(Generic[R, T]):
    """A job that runs, or has ended and is not taken yet."""

    request: R
    job: BackgroundJob[T]
    taken: int = 0  # how many of its pieces


@dataclass(slots=True)
class JobSlot(Generic[R, T]):
    """The jobs of one kind in a session: at most one runs, and one request waits. See page_jobs.py."""

    request: R | None = None
    running: RunningJob[R, T] | None = None

    def ask(self, request: R) -> None:
        """Ask for work, in the place of what runs."""
        self.cancel()
        self.request = request

    def cancel(self) -> None:
        """Want nothing any more: what runs ends at its next report, and brings no result."""
        self.request = None
        if self.running is not None:
            self.running.job.stop()

    @property
    def busy_with(self) -> R | None:
        """What is asked for, or else worked on."""
        return self.request or (self.running.request if self.running else None)

    @property
    def paper(self) -> str | None:
        """The id of the paper that it is busy with; None where it is idle, or its work is not on one paper."""
        request = self.busy_with
        return request.paper if isinstance(request, PaperRequest) else None


@cache
def local_engine(task: TaskKind, name: str) -> Any:
    """An engine of this machine, shared by all sessions. Raises `EngineError`."""
    return open_engine(task, name)


def window_is_open() -> Callable[[], bool]:
    """Whether this session's window is still connected, to be asked from any thread.

    Not whether it has looked lately: browsers slow down the clocks of windows in the background.
    """
    context = get_script_run_ctx()
    return partial(get_instance().is_active_session, context.session_id) if context else lambda: True


# ---- interpreter: windows and queues share one ----

_TURN_S = 0.0005


def shorten_thread_switches() -> None:
    """Let a thread that waits for another one go on soon.

    A thread that reads from SQLite gives its turn away with every row, and gets it back only when the other thread's is
    over. With Python's own turns of 5 ms a table of 500 papers takes 3.5 s beside one busy thread; with these, 0.6 s.
    """
    sys.setswitchinterval(_TURN_S)


def freeze_libraries() -> None:
    """After a page was drawn: what its libraries left in memory is never looked through for garbage again.

    With all of them loaded a whole collection stops everything for 0.15 s, often in the middle of a page.
    """
    _pass_over(len(sys.modules) // 100)


@st.cache_resource(show_spinner=False)
def _pass_over(hundreds: int) -> None:
    """Once a server for every hundred modules that it has loaded."""
    gc.collect()
    gc.freeze()
