"""Background jobs: work in a thread of its own, asked for by a click, shown while it runs, cancelled, and taken once."""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from threading import Event, Lock, Thread
from typing import Any, Generic, Protocol, TypeVar

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.runtime import get_instance
from streamlit.runtime.scriptrunner import get_script_run_ctx

from core.grounding.questions import QuestionProgress, QuestionState
from core.llm import ModelRunner, Spending, together
from pages._ui.escape import plain
from pages._ui.model_choice import dollars, used

# ---- interpreter ----
# How the one Python interpreter of the server is shared by its windows and the queue.

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


# ---- running ----
# Work in a thread of its own, so that the page stays free; a script run looks at it now and then.

T = TypeVar("T")
_ALONE = 10.0  # seconds that work goes on unseen: a connection may break for a moment


class JobCancelled(Exception):
    """Raised from a report: nobody wants the work any more."""


class BackgroundJob(Generic[T]):
    """Work that has begun. It is its own work's `Progress`; the thread writes here and nowhere else.

    `watched`, called in that thread, tells whether anybody would see the result: work that nobody has watched for some
    seconds stops at its next report, so that no paid run goes on unseen.
    """

    def __init__(self, work: Callable[[BackgroundJob[T]], T], *, watched: Callable[[], bool] = lambda: True) -> None:
        self._watched = watched
        self._lock = Lock()
        self._stop, self._ended = Event(), Event()
        self._started = self._seen = time.monotonic()
        self._report: tuple[float, str] = (0.0, "Starting")
        self._rows: Sequence[QuestionProgress] = ()
        self._runners: list[ModelRunner] = []
        self._result: T | None = None
        self._error: BaseException | None = None
        Thread(target=self._carry_out, args=(work,), name="work", daemon=True).start()

    def _carry_out(self, work: Callable[[BackgroundJob[T]], T]) -> None:
        try:
            result = work(self)
        except JobCancelled:
            self._stop.set()
        except BaseException as error:  # noqa: BLE001  whoever takes the outcome raises it where it is seen
            with self._lock:
                self._error = error
        else:
            with self._lock:
                self._result = result
        self._ended.set()

    def __call__(self, done: float, step: str) -> None:
        """Report progress; see `Progress`. Raises `Stopped`."""
        now = time.monotonic()
        if self._watched():
            self._seen = now
        if self._stop.is_set() or now - self._seen > _ALONE:
            raise JobCancelled
        with self._lock:
            self._report = (min(1.0, max(0.0, done)), step)

    def show(self, rows: Sequence[QuestionProgress]) -> None:
        """Note how the questions to a language model stand."""
        with self._lock:
            self._rows = rows

    def count(self, runner: ModelRunner) -> None:
        """Show what this runner spends from now on, with what others have spent before it."""
        with self._lock:
            self._runners.append(runner)

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
    def report(self) -> tuple[float, str]:
        """The last report: the fraction done, and the present step."""
        with self._lock:
            return self._report

    @property
    def rows(self) -> Sequence[QuestionProgress]:
        """How the questions to a language model stand."""
        with self._lock:
            return self._rows

    @property
    def elapsed(self) -> float:
        """Seconds since the work began."""
        return time.monotonic() - self._started

    @property
    def spent(self) -> Spending:
        """What language models were paid so far."""
        with self._lock:
            runners = list(self._runners)
        return together(runner.spent for runner in runners)

    @property
    def result(self) -> T | None:
        """What the work brought; None before its end, and where it was stopped or failed."""
        with self._lock:
            return None if self.stopped else self._result

    @property
    def error(self) -> BaseException | None:
        """What the work failed with."""
        with self._lock:
            return self._error


# ---- underway ----
# Work of a session beside its page: asked for in one run of the page, begun in the next, taken once it has ended.

Result = TypeVar("Result")
W = TypeVar("W")


@dataclass(frozen=True, slots=True)
class RunningJob(Generic[W, Result]):
    """Work that runs, or has ended and is not taken yet."""

    wanted: W
    running: BackgroundJob[Result]


U = TypeVar("U", bound=RunningJob[Any, Any])


@dataclass(slots=True)
class JobSlot(Generic[W, U]):
    """One piece of work at a time, and what is wanted next."""

    wanted: W | None = None
    underway: U | None = None

    def begin(self, wanted: W) -> None:
        """Ask for work, in the place of what runs."""
        self.stop()
        self.wanted = wanted

    def stop(self) -> None:
        """Want nothing any more: what runs ends at its next report, and brings no result."""
        self.wanted = None
        if self.underway is not None:
            self.underway.running.stop()

    def due(self) -> W | None:
        """What is to begin now, told once. None too while something runs: what was replaced has yet to end."""
        if self.underway is not None:
            return None
        wanted, self.wanted = self.wanted, None
        return wanted

    def start(self, underway: U, *, at_once: float = 0.3) -> None:
        """Keep what has begun. What comes within `at_once` seconds is drawn at once, without a board."""
        self.underway = underway
        underway.running.wait(at_once)

    def ended(self) -> U | None:
        """What has ended, handed out once."""
        if self.underway is None or not self.underway.running.ended:
            return None
        ended, self.underway = self.underway, None
        return ended


class AboutPaper(Protocol):
    """What is wanted of a paper."""

    @property
    def paper(self) -> str:
        """The paper's id."""
        ...


P = TypeVar("P", bound=AboutPaper)


@dataclass(slots=True)
class PaperJobSlot(JobSlot[P, U]):
    """Work on one paper of the session at a time."""

    @property
    def busy_with(self) -> str | None:
        """The id of the paper that work is asked for, or else is done on."""
        wanted = self.wanted or (self.underway.wanted if self.underway else None)
        return wanted.paper if wanted else None


# ---- live ----
# How work stands while it runs, in words: the time left, and for language models every question and the cost.

_EVERY = 0.1  # seconds between two reports: each one travels to the browser
_SIGNS = {
    QuestionState.WAITING: ":material/hourglass_empty:",
    QuestionState.ANSWERED: ":material/check:",
    QuestionState.AGAIN: ":material/replay:",
    QuestionState.FAILED: ":material/close:",
}


class ProgressBar:
    """Shows the progress of work within a script run, with the time left once it can be told. A `Progress`."""

    def __init__(self, bar: DeltaGenerator) -> None:
        self._bar = bar
        self._started = time.monotonic()
        self._shown = 0.0

    def __call__(self, done: float, step: str) -> None:
        """Report progress; see `Progress`."""
        now = time.monotonic()
        if now - self._shown < _EVERY and done < 1:
            return
        self._shown = now
        self._bar.progress(min(1.0, max(0.0, done)), text=plain(step) + time_left(now - self._started, done))


def spent_so_far(spent: Spending) -> str:
    """What a run has used up to now; nothing before its first call."""
    if not spent.calls:
        return ""
    cost = "cost unknown" if spent.usd is None else dollars(spent.usd)
    return f" · {used(spent.tokens)}, {cost} so far"


def row_in_words(row: QuestionProgress) -> str:
    """How one question stands, as Markdown that breaks into no lines."""
    words = "kept from before" if row.from_cache else row.standing.value
    together = f"{plain(row.label, limit=36)} :gray[{words}]".replace(" ", "\u00a0")  # a line breaks between questions
    return f"{_SIGNS[row.standing]}\u00a0{together}"


def time_left(elapsed: float, done: float) -> str:
    """How long the rest will take at the pace so far, in words; nothing while that is a guess."""
    if elapsed < 2 or not 0.002 < done < 1:
        return ""
    left = elapsed * (1 - done) / done
    return f" · about {left:.0f} s left" if left < 90 else f" · about {left / 60:.0f} min left"


# ---- board ----
# Work that runs in a thread, on the page: how far it is, what it has cost, and a way to stop it.

_LOOK = 0.5  # seconds between two looks at work that runs


@st.fragment(run_every=_LOOK)
def show_job(
    running: BackgroundJob[Any],
    *,
    key: str,
    stop: Callable[[], None],
    about: str = "",
    has_news: Callable[[], bool] = lambda: False,
    tells_time: bool = False,
) -> None:
    """Draw the board, and the whole page again once the work has ended, or has something new to show.

    `about`: what it is for, if not what is on show. `tells_time`: its own words say how much time is left.
    """
    if running.ended or has_news():
        st.rerun()
    done, step = running.report
    left = "" if tells_time else time_left(running.elapsed, done)
    text = "Stopping" if running.stopped else step + spent_so_far(running.spent) + left
    with st.container(key=key, gap="xxsmall"):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.progress(done, text=plain(f"{about}: {text}" if about else text))
            st.button(
                "Cancel",
                key=f"cancel-{key}",
                disabled=running.stopped,
                on_click=stop,
                help="What has been answered by then is kept",
            )
        if running.rows:
            st.caption("\u2003".join(map(row_in_words, running.rows)))


def window_is_open() -> Callable[[], bool]:
    """Whether this session's window is still connected, to be asked from any thread.

    Not whether it has looked lately: browsers slow down the clocks of windows in the background.
    """
    context = get_script_run_ctx()
    return partial(get_instance().is_active_session, context.session_id) if context else lambda: True
