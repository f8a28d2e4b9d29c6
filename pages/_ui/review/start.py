"""While no project is open: those that there are, a new one, and one from a file."""

from __future__ import annotations

from functools import partial

import streamlit as st

from core.bias import tools
from core.errors import VouchError
from core.store import Project, Saved, project_from_file
from pages._ui.escape import plain
from pages._ui.review import form
from pages._ui.review.stored import the_store
from pages._ui.state import Session


def show(now: Session) -> None:
    """Draw the screen."""
    _, middle, _ = st.columns([1, 5, 1])
    with middle:
        st.title("Review many papers", anchor=False)
        st.markdown(
            "A project holds the papers of a review and what each reviewer makes of them. Everything is saved as you "
            "work, with its history."
        )
        try:
            store = the_store()
            with store.reading() as reading:
                projects, removed = reading.projects(), reading.projects(removed=True)
        except VouchError as error:
            st.error(plain(str(error)), icon=":material/error:")
            return
        for saved in reversed(projects):
            _project(now, saved)
        with st.expander("New project", icon=":material/add:", expanded=not projects):
            form.begin(now)
        with st.expander("Open a project from a file", icon=":material/upload_file:"):
            _bring_in(now)
        if removed:
            with st.expander(f"Deleted projects ({len(removed)})", icon=":material/delete:"):
                for saved in removed:
                    st.button(
                        f"Restore “{plain(saved.record.name, limit=80)}”",
                        key=f"restore-project-{saved.record.id}",
                        type="tertiary",
                        icon=":material/undo:",
                        on_click=restore,
                        args=(now, saved),
                    )
        st.caption(f"Kept in {plain(store.name)}.")


def _project(now: Session, saved: Saved[Project]) -> None:
    project = saved.record
    with st.container(border=True, gap="xxsmall"):
        st.button(
            f"**{plain(project.name, limit=120)}**",
            key=f"project-{project.id}",
            type="tertiary",
            icon=":material/folder_open:",
            on_click=partial(now.review.enter, project.id),
        )
        facts = (
            tools()[project.tool].name,
            ", ".join(project.reviewers),
            f"begun {saved.added.astimezone():%d %B %Y}",
        )
        st.caption(plain(" · ".join(facts)))


def restore(now: Session, saved: Saved[Project]) -> None:
    """Undo a deletion."""
    now.problem = None
    try:
        with the_store().writing(saved.by) as change:
            change.restore(saved)
    except VouchError as error:
        now.problem = str(error)


def _bring_in(now: Session) -> None:
    file = st.file_uploader(
        "A project's file, as Vouch writes it: .vouch or .json", type=["vouch", "json"], key=f"bring-{now.uploads}"
    )
    if file is None:
        return
    now.uploads += 1  # with a new key the field is empty again
    now.problem = None
    try:
        state = project_from_file(file.getvalue())
        with the_store().writing(state.project.by) as change:
            change.bring_in(state)
        now.review.enter(state.project.record.id)
    except VouchError as error:
        now.problem = str(error)
    st.rerun()
