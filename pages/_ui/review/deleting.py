"""Deleting asks, and can be undone: at once, or later from a list."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from core.errors import VouchError
from core.store import PaperState, Project, Saved, StoredPaper
from pages._ui.escape import plain
from pages._ui.review.stored import the_store
from pages._ui.state import Session


@st.dialog("Delete this paper?")
def ask_paper(now: Session, saved: Saved[StoredPaper], reviewer: str | None) -> None:
    """Ask before a paper is deleted."""
    st.markdown(f"**{plain(_title(saved.record), limit=160)}**")
    st.markdown("What all reviewers made of it goes with it, and comes back if you undo this.")
    _buttons(now, saved, reviewer)


@st.dialog("Delete this project?")
def ask_project(now: Session, saved: Saved[Project], reviewer: str | None) -> None:
    """Ask before a project is deleted."""
    st.markdown(f"**{plain(saved.record.name, limit=160)}**")
    st.markdown("It goes for all reviewers, with all its papers, and comes back if you undo this.")
    _buttons(now, saved, reviewer)


def _buttons(now: Session, saved: Saved[Any], reviewer: str | None) -> None:
    with st.container(horizontal=True):
        if st.button("Keep it", key="keep-it", type="primary"):
            st.rerun()
        if st.button("Delete", key="delete-it", icon=":material/delete:"):
            _remove(now, saved, reviewer or saved.by)
            st.rerun()


def _remove(now: Session, saved: Saved[Any], who: str) -> None:
    now.problem = None
    try:
        with the_store().writing(who) as change:
            now.review.removed = change.remove(saved)
        if isinstance(saved.record, Project):
            now.review.leave()
    except VouchError as error:
        now.problem = str(error)


def offer_undo(now: Session) -> None:
    """What was deleted last, with the way back."""
    removed = now.review.removed
    if removed is None:
        return
    with st.container(key="undo", horizontal=True, vertical_alignment="center", gap="small"):
        st.caption(f"“{plain(_title(removed.record), limit=100)}” was deleted.", width="content")
        st.button("Undo", key="undo-delete", icon=":material/undo:", on_click=restore, args=(now, removed))


def show_removed(now: Session, removed: Sequence[PaperState]) -> None:
    """The papers that were deleted from the project, each with the way back."""
    if not removed:
        return
    with st.expander(f"Deleted papers ({len(removed)})", icon=":material/delete:"):
        for state in removed:
            saved = state.paper
            st.button(
                f"Restore “{plain(_title(saved.record), limit=100)}”",
                key=f"restore-{saved.record.id}",
                type="tertiary",
                icon=":material/undo:",
                on_click=restore,
                args=(now, saved),
            )


def restore(now: Session, removed: Saved[Any]) -> None:
    """Undo a deletion."""
    now.problem = None
    try:
        with the_store().writing(now.review.reviewer or removed.by) as change:
            change.restore(removed)
        now.review.removed = None
    except VouchError as error:
        now.problem = str(error)


def _title(record: StoredPaper | Project) -> str:
    return record.name if isinstance(record, Project) else record.title or record.name
