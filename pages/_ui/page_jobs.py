"""Background work of a page: requested by a click, started, shown while it runs, cancelled, and its result taken once.

1. A click's callback requests it: `session.searches.ask(request)`. Callbacks run before the page is drawn.
2. The page's next run calls `go_on` at its top, which starts the request in a thread of its own.
3. `show` draws the progress twice a second, with a button to cancel. The rest of the page stays usable.
4. When the thread has ended or handed over a piece, `show` reruns the page, whose `go_on` takes what came.
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
Work = Callable[[BackgroundJob[T]], T]  # the function that runs in the thread


class PageJob(ABC, Generic[R, T]):
    """One kind of background work. Each kind has a subclass with a single object, which holds no state."""

    key: str  # of its progress in the page; styles and tests use it
    at_once = 0.3  # seconds to wait for a quick result, which is then drawn without progress
    tells_time = False  # whether its steps include the time left
    names_questions = True  # whether to show each question to a language model, or only counts

    @abstractmethod
    def slot(self, session: Session) -> JobSlot[R, T]:
        """Where the session keeps the request and the running job."""

    @abstractmethod
    def begin(self, session: Session, request: R) -> Work[T] | None:
        """The function for the thread, with all that it needs; None if there is nothing to do. Raises `VouchError`."""

    def keep(self, session: Session, request: R, result: T) -> None:
        """Keep the result of a job that was not cancelled."""

    def keep_piece(self, session: Session, request: R, piece: Any) -> None:
        """Keep a part of the result that came early. Raises `VouchError`."""

    def fail(self, session: Session, request: R, error: VouchError) -> None:
        """Report why a job failed that was not cancelled."""
        session.problem = str(error)

    def end(self, session: Session, job: BackgroundJob[T]) -> None:
        """Clean up after a job has ended, whatever its outcome."""

    def about(self, session: Session, request: R) -> str:
        """What the job is for, if the page does not show that."""
        return ""

    def go_on(self, session: Session) -> BaseException | None:
        """Take what has come, and start what was requested.

        Returns an unexpected exception of the work, to be raised once the page is drawn. It is returned only once.
        """
        mistake, slot = self._take(session), self.slot(session)
        if slot.running is not None or slot.request is None:  # a cancelled job may still be ending
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
        another = self._take(
            session
        )  # even beside a mistake: a result left here would rerun the page before that is raised
        if mistake is not None and another is not None:
            return BaseExceptionGroup("two jobs failed", [mistake, another])
        return mistake or another

    def show(self, session: Session) -> None:
        """Draw the running job's progress with a button to cancel it, if one is running."""
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
        ended = job.ended  # checked first: what comes later is taken next time
        for piece in job.pieces[running.taken :]:
            running.taken += 1
            try:
                self.keep_piece(session, request, piece)
            except VouchError as error:  # the store failed
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
    """Work on an open paper. It is dropped if the paper is closed, and names it while another is on the desk."""

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
        """The paper's title in quotes, if another paper is on the desk."""
        opened = session.papers.get(request.paper) if request.paper != session.current else None
        return f"“{opened.title}”" if opened else ""


# ---- progress ----

_LOOK = 0.5  # seconds between two looks at a job
_EVERY = 0.1  # seconds between two reports, as each one is sent to the browser
_SIGNS = {
    QuestionState.WAITING: ":material/hourglass_empty:",
    QuestionState.ANSWERED: ":material/check:",
    QuestionState.AGAIN: ":material/replay:",
    QuestionState.FAILED: ":material/close:",
}


class ProgressBar:
    """A `Progress` that draws within a script run, with the time left once it can be estimated."""

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
    """What a run has used so far, in words; empty before its first call."""
    if not spent.calls:
        return ""
    cost = "cost unknown" if spent.usd is None else dollars(spent.usd)
    return f" · {used(spent.tokens)}, {cost} so far"


def row_in_words(row: QuestionProgress) -> str:
    """The state of one question, as Markdown without a line break inside."""
    words = "kept from before" if row.from_cache else row.standing.value
    together = f"{plain(row.label, limit=36)} :gray[{words}]".replace(" ", "\u00a0")  # no line break inside
    return f"{_SIGNS[row.standing]}\u00a0{together}"


def counts_in_words(rows: Iterable[QuestionProgress]) -> list[str]:
    """How many questions are in each state, as Markdown."""
    counts = Counter(row.standing for row in rows)
    return [f"{_SIGNS[state]} {counts[state]} {state.value}" for state in QuestionState if counts[state]]


def time_left(elapsed: float, done: float) -> str:
    """The time left at the pace so far, in words; empty while that would be a guess."""
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
    """Draw a job's progress, and rerun the page once the job has ended or has something new to show.

    `about` says what the job is for, if the page does not show that. `tells_time` says that its steps include the time
    left. `names_questions` chooses between showing each question to a language model and showing only counts.
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
                help="What has been answered by then is kept" if job.rows else None,
            )
        if job.rows:
            st.caption("\u2003".join(map(row_in_words, job.rows) if names_questions else counts_in_words(job.rows)))
