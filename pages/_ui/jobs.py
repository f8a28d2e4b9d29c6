"""Background jobs in threads, at most one of each kind in a session; and how threads share the interpreter."""

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
_ALONE = 10.0  # seconds that a job goes on unwatched, as a connection may break briefly


class JobCancelled(Exception):
    """Raised by a progress report when the result is no longer wanted."""


class BackgroundJob(Generic[T]):
    """Work that runs in a thread of its own. The work reports to this object, its `Progress`.

    `watched`, called in that thread, tells whether anybody would see the result. Work that has been unwatched for some
    seconds stops at its next report, so that no paid run goes on unseen.
    """

    # No lock is needed: only the thread writes, and it replaces a whole value or appends to a list.

    def __init__(self, work: Callable[[BackgroundJob[T]], T], *, watched: Callable[[], bool] = lambda: True) -> None:
        self._watched = watched
        self._stop, self._ended = Event(), Event()
        self._started = self._seen = time.monotonic()
        self._pieces: list[Any] = []
        self._runners: list[ModelRunner] = []
        self._result: T | None = None
        self.report: tuple[float, str] = (0.0, "Starting")  # the fraction done, and the current step
        self.rows: Sequence[QuestionProgress] = ()  # the state of each question to a language model
        self.error: BaseException | None = None  # why the work failed
        Thread(target=self._carry_out, args=(work,), name="work", daemon=True).start()

    def _carry_out(self, work: Callable[[BackgroundJob[T]], T]) -> None:
        try:
            self._result = work(self)
        except JobCancelled:
            self._stop.set()
        except BaseException as error:  # noqa: BLE001 - whoever takes the result raises it
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
        """Hand over a part of the result early. It counts even if the job is cancelled afterwards."""
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
        """Open the engine called `name`. An engine that asks a model holds a key, and is only for this job."""
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
        """Open a language model whose questions and spending are shown. See `open_runner` and `ReportingRunner`."""
        with open_runner(model, key=keys.of(model.provider), budget=budget or Budget(), seed=seed) as runner:
            self._runners.append(runner)
            yield ReportingRunner(runner, self._show, to_come=to_come)

    def _show(self, rows: Sequence[QuestionProgress]) -> None:
        self.rows = rows

    def stop(self) -> None:
        """End the work at its next report, and discard its result."""
        self._stop.set()

    def wait(self, seconds: float) -> bool:
        """Wait at most this long for the work to end. Returns whether it has ended."""
        return self._ended.wait(seconds)

    @property
    def stopped(self) -> bool:
        """Whether the work was told to end without a result."""
        return self._stop.is_set()

    @property
    def ended(self) -> bool:
        """Whether the thread has ended, in whatever way."""
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
        """What was spent on language models so far."""
        return together(runner.spent for runner in list(self._runners))

    @property
    def result(self) -> T | None:
        """The result of the work; None before its end, or if it was stopped or failed."""
        return None if self.stopped else self._result


@runtime_checkable
class PaperRequest(Protocol):
    """A request about one paper."""

    @property
    def paper(self) -> str:
        """The paper's id."""
        ...


@dataclass(slots=True)
class RunningJob(Generic[R, T]):
    """A job that is running, or whose result was not taken yet."""

    request: R
    job: BackgroundJob[T]
    taken: int = 0  # how many of its pieces were taken


@dataclass(slots=True)
class JobSlot(Generic[R, T]):
    """The jobs of one kind in a session: at most one is running and one request is waiting. See page_jobs.py."""

    request: R | None = None
    running: RunningJob[R, T] | None = None

    def ask(self, request: R) -> None:
        """Request work, in place of the running job."""
        self.cancel()
        self.request = request

    def cancel(self) -> None:
        """Cancel everything: the running job ends at its next report, without a result."""
        self.request = None
        if self.running is not None:
            self.running.job.stop()

    @property
    def busy_with(self) -> R | None:
        """The waiting request, or else the one being worked on."""
        return self.request or (self.running.request if self.running else None)

    @property
    def paper(self) -> str | None:
        """The id of the paper that is worked on; None if idle, or if the work is not about one paper."""
        request = self.busy_with
        return request.paper if isinstance(request, PaperRequest) else None


@cache
def local_engine(task: TaskKind, name: str) -> Any:
    """An engine of this machine, shared by all sessions. Raises `EngineError`."""
    return open_engine(task, name)


def window_is_open() -> Callable[[], bool]:
    """A function that tells, in any thread, whether this session's window is still connected.

    It does not check for recent activity: browsers slow down the timers of windows in the background.
    """
    context = get_script_run_ctx()
    return partial(get_instance().is_active_session, context.session_id) if context else lambda: True


# ---- interpreter: shared by windows and queues ----

_TURN_S = 0.0005


def shorten_thread_switches() -> None:
    """Shorten the time after which a waiting thread gets the interpreter.

    A thread that reads from SQLite yields at every row, and must then wait for the other thread's whole interval. With
    Python's default of 5 ms, a table of 500 papers takes 3.5 s beside one busy thread; with this interval, 0.6 s.
    """
    sys.setswitchinterval(_TURN_S)


def freeze_libraries() -> None:
    """Exclude the objects that libraries have created from garbage collection. Called after a page is drawn.

    With all libraries loaded, a full collection stops everything for 0.15 s, often in the middle of a page.
    """
    _pass_over(len(sys.modules) // 100)


@st.cache_resource(show_spinner=False)
def _pass_over(hundreds: int) -> None:
    """Freeze once per server for every hundred loaded modules. `hundreds` is only the cache key."""
    gc.collect()
    gc.freeze()
