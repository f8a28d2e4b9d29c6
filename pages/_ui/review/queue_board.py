"""The state of a project's queue: its progress, what it waits for, and buttons to control it.

The board is redrawn every second or two. The rest of the page is redrawn only if the queue or another window has
changed something that it shows.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from core.errors import VouchError
from core.review.jobs import models_of
from core.review.status import QueueStatus, queue_status
from core.store import Project, QueueMode
from pages._ui.escape import plain
from pages._ui.review import arrivals, queues
from pages._ui.review.board import ProjectSnapshot
from pages._ui.review.queues import headline, is_held, share_done, what_is_left
from pages._ui.state import Session
from pages._ui.stored import the_runner, the_store

_AT_WORK_S = 1.5  # seconds between two looks at a working queue
_AT_REST_S = 3.0  # the same for an idle one, which another window may start
_PAGE_S = 4.0  # seconds between two redrawings of the whole page for new papers


def show(session: Session, snapshot: ProjectSnapshot) -> None:
    """Draw the board."""
    try:
        status, stamp = read(snapshot.project)
        if status.state.mode is QueueMode.RUNNING:
            the_runner().stand_by(snapshot.project.id, queues.workers_unasked(session, snapshot.project, status.state))
    except VouchError as error:
        st.error(plain(str(error)), icon=":material/error:")
        return
    busy = _is_busy(status)
    session.review.drawn = (time.monotonic(), _news(status, stamp), busy)
    st.fragment(_draw, run_every=_AT_WORK_S if busy else _AT_REST_S)(session, snapshot)


def remember_dialog(session: Session) -> None:
    """Remember, at the end of a run, whether a dialog is open, because redrawing the page would close it."""
    context = get_script_run_ctx()
    session.review.in_dialog = context is not None and context.has_dialog_opened


def read(project: Project) -> tuple[QueueStatus, tuple[object, ...]]:
    """The queue's current state, and the project's stamp. Raises `StoreError`."""
    with the_store().reading() as reading:
        return queue_status(reading, project), reading.stamp(project.id)


def _draw(session: Session, snapshot: ProjectSnapshot) -> None:
    try:
        status, stamp = read(snapshot.project)
    except VouchError as error:
        st.error(plain(str(error)), icon=":material/error:")
        return
    _draw_the_page_again(session, _news(status, stamp), _is_busy(status))
    work = the_runner().of(snapshot.project.id)
    if work is not None and work.error is not None:
        raise work.error
    here = work is not None and work.alive
    said = headline(status, work.standing if work is not None and here else None, here=here)
    with st.container(key="queue", gap="xxsmall"):
        if status.problem:
            st.error(plain(status.problem), icon=":material/error:")
        if said:
            _line(session, snapshot, status, said, share_done(status))
        arrivals.note_troubles(session, status)


def _line(session: Session, snapshot: ProjectSnapshot, status: QueueStatus, said: str, done: float) -> None:
    held = is_held(status)
    with st.container(key="queue-line", horizontal=True, vertical_alignment="center", gap="small"):
        if status.state.mode is QueueMode.RUNNING or held:
            st.progress(done, text=plain(said))
        else:
            icon = "" if status.anything_to_do else ":material/check: "
            st.caption(icon + plain(said), width="content")
        if snapshot.reviewer is not None:
            _buttons(session, snapshot, status)
    if left := what_is_left(status):
        st.caption(plain(left))


def _buttons(session: Session, snapshot: ProjectSnapshot, status: QueueStatus) -> None:
    project, who, mode = snapshot.project, snapshot.reviewer or "", status.state.mode

    def button(label: str, key: str, icon: str, do: Callable[[], None], *, first: bool = False) -> None:
        st.button(
            label, key=f"queue-{key}", icon=f":material/{icon}:", on_click=_told, args=(session, do),
            type="primary" if first else "secondary",
        )  # fmt: skip

    if mode is QueueMode.RUNNING:
        button("Pause", "pause", "pause", lambda: the_runner().stop(project.id, who, QueueMode.PAUSED))
        button("Cancel", "cancel", "close", lambda: the_runner().stop(project.id, who, QueueMode.IDLE))
    elif status.anything_to_do:
        label = "Resume" if mode is QueueMode.PAUSED else "Start"
        wanted = queues.workers_chosen(session, project, status.state)
        button(label, "start", "play_arrow", lambda: the_runner().start(project.id, who, wanted))
        with st.popover("Workers", icon=":material/memory:", key="queue-hands"):
            queues.worker_fields(session, project, status.state)
        if models_of(project.plan):
            with st.popover("Key and budget", icon=":material/key:", key="queue-money"):
                queues.budget_fields(session, project)


def _told(session: Session, do: Callable[[], None]) -> None:
    """Do what a button says. An error becomes the session's problem."""
    session.problem = None
    try:
        do()
    except VouchError as error:
        session.problem = str(error)
    session.review.drawn = (0.0, (), False)  # forces the page to be redrawn


def _is_busy(status: QueueStatus) -> bool:
    return status.state.mode is QueueMode.RUNNING or is_held(status)


def _news(status: QueueStatus, stamp: tuple[object, ...]) -> tuple[object, ...]:
    """What the rest of the page depends on: the counts of papers and, while the queue is not busy, every change."""
    return (status.papers, status.references, *(() if _is_busy(status) else stamp))


def _draw_the_page_again(session: Session, news: tuple[object, ...], is_busy: bool) -> None:
    """Redraw the page if papers have come, somebody has decided, or the queue has started or ended. Keep a dialog."""
    at, shown, busy = session.review.drawn
    if session.review.in_dialog or (shown == news and busy == is_busy):
        return
    if not is_busy or not busy or not shown or not shown[0] or time.monotonic() - at > _PAGE_S:
        st.rerun()
