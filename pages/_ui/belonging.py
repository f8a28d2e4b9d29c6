"""Where the work on the paper on the desk is kept, and the ways from there: into a project, or forgotten."""

from __future__ import annotations

import streamlit as st

from core.errors import VouchError
from core.store import Project
from pages._ui import keeping
from pages._ui.escape import plain
from pages._ui.frame import ask_before_forgetting
from pages._ui.open_paper import OpenPaper
from pages._ui.review import form, hands
from pages._ui.review.stored import the_store
from pages._ui.state import Session


def show(now: Session, opened: OpenPaper) -> None:
    """Draw the button that opens it, on the line under the paper's title."""
    form.show_notice(now)
    if opened.home is not None:
        st.caption(f"Kept in the project, as {plain(opened.home.reviewer)}", width="content")
        return
    with st.popover("Outside projects", type="tertiary", icon=":material/lock:", key=f"belonging-{opened.paper.id}"):
        st.markdown(
            "The paper and what you do on it are saved as you work. They are yours alone: nobody else who uses the same "
            "database is shown them."
        )
        _into_project(now, opened)
        if st.button("Forget this paper", key="forget-this", icon=":material/delete_forever:"):
            ask_before_forgetting(now, opened)


def _into_project(now: Session, opened: OpenPaper) -> None:
    try:
        with the_store().reading() as store:
            projects = {saved.record.id: saved.record for saved in store.projects()}
    except VouchError as error:
        st.caption(plain(str(error)))
        return
    if not projects:
        return
    newest = list(reversed(projects))
    chosen = st.selectbox(
        "Put it into the project",
        newest,
        index=newest.index(now.review.project) if now.review.project in projects else 0,
        key="into-project",
        format_func=lambda one: plain(projects[one].name, limit=80),
    )
    project = projects[chosen]
    reviewer = st.selectbox("You are", list(project.reviewers), key=f"into-as-{project.id}", format_func=plain)
    st.button(
        "Put it there with all that was done on it", key="into", on_click=_put, args=(now, opened, project, reviewer)
    )


def _put(now: Session, opened: OpenPaper, project: Project, reviewer: str) -> None:
    keeping.into_project(now, opened, project, reviewer)
    if now.problem is None:
        hands.go_on(now, project, reviewer)  # the queue asks of it what it asks of every paper
