"""The papers that the project's queue indexes for a question: how many are left, and buttons to pause and resume."""

from __future__ import annotations

import streamlit as st

from core.errors import VouchError
from core.review.intake import QUEUE
from core.review.status import QueueStatus, queue_status
from core.store import Project, QueueMode
from core.text.words import counted
from pages._ui.ask.state import AskChoices
from pages._ui.escape import plain
from pages._ui.review.queues import workers_chosen
from pages._ui.state import Session
from pages._ui.stored import the_runner, the_store

_LOOK_S = 1.5
_PROBLEM = "ask-indexing-problem"  # (project, why the last press failed)


def show(session: Session, project: str) -> None:
    """Draw the status, and redraw it while a question waits or papers are left."""
    _, status = _read(project)
    waits = session.part(AskChoices).questions.busy_with is not None or status.to_index
    st.fragment(_draw, run_every=_LOOK_S if waits else None)(session, project)


def _read(project: str) -> tuple[Project, QueueStatus]:
    with the_store().reading() as now:
        record = now.project(project).record
        return record, queue_status(now, record)


def _draw(session: Session, project: str) -> None:
    try:
        record, status = _read(project)
    except VouchError as error:
        st.error(plain(str(error)), icon=":material/error:")
        return
    if not status.to_index:
        st.session_state.pop(_PROBLEM, None)
        return
    of, problem = st.session_state.get(_PROBLEM, ("", ""))
    if of == project:  # a press here redraws only this part of the page
        st.error(plain(problem), icon=":material/error:")
    running = status.state.mode is QueueMode.RUNNING
    left = f"{counted(status.to_index, 'paper')} to index"
    said = f"{left}. It goes on when this window is closed." if running else f"{left}. The project's queue is at rest."
    with st.container(key="ask-indexing", horizontal=True, vertical_alignment="center", gap="small"):
        st.caption(said, width="content")
        if running:
            st.button("Pause", key="ask-pause", icon=":material/pause:", on_click=_pause, args=(session, project))
        else:
            do = (session, record, status)
            st.button("Resume", key="ask-resume", icon=":material/play_arrow:", on_click=_resume, args=do)


def _pause(session: Session, project: str) -> None:
    st.session_state.pop(_PROBLEM, None)
    try:
        the_runner().stop(project, session.review.reader_in(project) or QUEUE, QueueMode.PAUSED)
    except VouchError as error:
        st.session_state[_PROBLEM] = project, str(error)


def _resume(session: Session, project: Project, status: QueueStatus) -> None:
    st.session_state.pop(_PROBLEM, None)
    try:
        workers = workers_chosen(session, project, status.state)
        the_runner().start(project.id, session.review.reader_in(project.id) or QUEUE, workers)
    except VouchError as error:
        st.session_state[_PROBLEM] = project.id, str(error)
