"""What a page does in the background: asked for by a click, begun, shown while it runs, cancelled, and taken once.

1. A click's callback asks for it: `session.searches.ask(request)`. Callbacks run before the page is drawn.
2. The page's next run calls `go_on` at its top, which begins the request in a thread of its own.
3. `show` draws how far it is, looks twice a second, and offers to cancel it. The rest of the page stays free.
4. When the thread has ended, or has handed over a piece, `show` runs the page again, and its `go_on` takes what came.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any, Generic, TypeVar

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.errors import VouchError
from core.grounding.questions import QuestionProgress, QuestionState
from core.llm import Spending
from pages._ui.escape import plain
from pages._ui.jobs import BackgroundJob, JobSlot, PaperRequest, RunningJob, window_is_open
from pages._ui.model_choice import dollars, used
from pages._ui.open_paper import OpenPaper
from pages._ui.state import Session

R = TypeVar("R")
T = TypeVar("T")
Work = Callable[[BackgroundJob[T]], T]  # what runs in the thread


class PageJob(ABC, Generic[R, T]):
    """One kind of background work. A page has one object of a class of its own, which holds no state."""

    key: str  # of what shows its progress; styles and tests know it
    at_once = 0.3  # seconds in which a quick result is drawn at once, without its progress
    tells_time = False  # whether its steps say how much time is left
    names_questions = True  # whether every question to a language model is shown, or how many stand how

    @abstractmethod
    def slot(self, session: Session) -> JobSlot[R, T]:
        """Where the session keeps what is asked for and what runs."""

    @abstractmethod
    def begin(self, session: Session, request: R) -> Work[T] | None:
        """What runs in the thread, with all that it needs; None: there is nothing left to work on. Raises `VouchError`."""

    def keep(self, session: Session, request: R, result: T) -> None:
        """Keep the result, of a job that was not cancelled."""

    def keep_piece(self, session: Session, request: R, piece: Any) -> None:
        """Keep a part of the result that came before the end. Raises `VouchError`."""

    def fail(self, session: Session, request: R, error: VouchError) -> None:
        """Tell why a job failed that was not cancelled."""
        session.problem = str(error)

    def end(self, session: Session, job: BackgroundJob[T]) -> None:
        """Do what is left to do when a job has ended, whatever came of it."""

    def about(self, session: Session, request: R) -> str:
        """What the job is for, where that is not what the page shows."""
        return ""

    def go_on(self, session: Session) -> BaseException | None:
        """Take what has come, and begin what was asked for.

        Returns a mistake of ours that the work met, to be raised when the page has been drawn; it is not met again.
        """
        mistake, slot = self._take(session), self.slot(session)
        if slot.running is not None or slot.request is None:  # a job that was replaced has yet to end
            return mistake
        request, slot.request = slot.request, None
        try:
            work = self.begin(session, request)
        except VouchError as error:
            session.problem = str(error)
            return mistake
        if work is None:
            return mistake
        job = BackgroundJob(work, watched=window_is_open())
        slot.running = RunningJob(request, job)
        job.wait(self.at_once)
        return mistake or self._take(session)

    def show(self, session: Session) -> None:
        """Draw how the job stands, and a way to cancel it, while one runs."""
        slot = self.slot(session)
        if (running := slot.running) is not None:
            show_job(
                running.job,
                key=self.key,
                stop=slot.cancel,
                about=self.about(session, running.request),
                has_news=lambda: len(running.job.pieces) > running.taken,
                tells_time=self.tells_time,
                names_questions=self.names_questions,
            )

    def _take(self, session: Session) -> BaseException | None:
        slot = self.slot(session)
        if (running := slot.running) is None:
            return None
        job, request = running.job, running.request
        ended = job.ended  # asked first: what comes after this is taken the next time
        for piece in job.pieces[running.taken :]:
            running.taken += 1
            try:
                self.keep_piece(session, request, piece)
            except VouchError as error:  # the store does not answer
                session.problem = str(error)
        if not ended:
            return None
        slot.running = None
        session.tally = session.tally.plus(job.spent)
        self.end(session, job)
        if isinstance(job.error, VouchError):
            if not job.stopped:
                self.fail(session, request, job.error)
            return None
        if job.result is not None:
            self.keep(session, request, job.result)
        return job.error


P = TypeVar("P", bound=PaperRequest)


class PaperJob(PageJob[P, T]):
    """Work on an open paper: dropped once that is closed, and named after it while another is on the desk."""

    @abstractmethod
    def work_on(self, session: Session, opened: OpenPaper, request: P) -> Work[T]:
        """See `begin`."""

    @abstractmethod
    def keep_with(self, session: Session, opened: OpenPaper, request: P, result: T) -> None:
        """See `keep`."""

    def begin(self, session: Session, request: P) -> Work[T] | None:
        """See `PageJob`."""
        opened = session.papers.get(request.paper)
        return self.work_on(session, opened, request) if opened else None

    def keep(self, session: Session, request: P, result: T) -> None:
        """See `PageJob`."""
        if opened := session.papers.get(request.paper):
            self.keep_with(session, opened, request, result)

    def about(self, session: Session, request: P) -> str:
        """The paper in quotes, where another is on the desk."""
        opened = session.papers.get(request.paper) if request.paper != session.current else None
        return f"“{opened.title}”" if opened else ""


# ---- progress ----

_LOOK = 0.5  # seconds between two looks at a job
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


def counts_in_words(rows: Iterable[QuestionProgress]) -> list[str]:
    """How many questions stand how, as Markdown."""
    counts = Counter(row.standing for row in rows)
    return [f"{_SIGNS[state]} {counts[state]} {state.value}" for state in QuestionState if counts[state]]


def time_left(elapsed: float, done: float) -> str:
    """How long the rest will take at the pace so far, in words; nothing while that is a guess."""
    if elapsed < 2 or not 0.002 < done < 1:
        return ""
    left = elapsed * (1 - done) / done
    return f" · about {left:.0f} s left" if left < 90 else f" · about {left / 60:.0f} min left"


@st.fragment(run_every=_LOOK)
def show_job(
    job: BackgroundJob[Any],
    *,
    key: str,
    stop: Callable[[], None],
    about: str = "",
    has_news: Callable[[], bool] = lambda: False,
    tells_time: bool = False,
    names_questions: bool = True,
) -> None:
    """Draw how a job stands, and the whole page again once it has ended, or has something new to show.

    `about`: what it is for, if not what is on show. `tells_time`: its own words say how much time is left.
    `names_questions`: every question to a language model is shown; else how many of them stand how.
    """
    if job.ended or has_news():
        st.rerun()
    done, step = job.report
    left = "" if tells_time else time_left(job.elapsed, done)
    text = "Stopping" if job.stopped else step + spent_so_far(job.spent) + left
    with st.container(key=key, gap="xxsmall"):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.progress(done, text=plain(f"{about}: {text}" if about else text))
            st.button(
                "Cancel",
                key=f"cancel-{key}",
                disabled=job.stopped,
                on_click=stop,
                help="What has been answered by then is kept",
            )
        if job.rows:
            st.caption("\u2003".join(map(row_in_words, job.rows) if names_questions else counts_in_words(job.rows)))
