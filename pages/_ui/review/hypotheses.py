"""The hypotheses of a project: a line to add one, and the way to take one out."""

from __future__ import annotations

import streamlit as st

from core.errors import VouchError
from core.review.hypotheses import add_hypothesis, remove_hypothesis
from pages._ui.escape import plain
from pages._ui.review import hands
from pages._ui.review.board import Board
from pages._ui.review.stored import the_runner, the_store
from pages._ui.state import Session


def show(now: Session, board: Board) -> None:
    """Draw the line, for whoever has said who they are."""
    project, reviewer = board.project, board.reviewer
    if reviewer is None:
        return
    with st.container(key="hypotheses", horizontal=True, vertical_alignment="bottom", gap="small"):
        with (
            st.form("add-hypothesis", border=False, clear_on_submit=True),
            st.container(horizontal=True, vertical_alignment="bottom", gap="small"),
        ):
            text = st.text_input(
                "Add a hypothesis",
                placeholder="One claim that a paper may support or refute, such as: Walking improves sleep.",
                key="new-hypothesis",
            )
            if st.form_submit_button("Add", key="add-hypothesis-button"):
                _add(now, project.id, text, reviewer)
        if project.hypotheses:
            with st.popover(f"Hypotheses ({len(project.hypotheses)})", type="tertiary"):
                for number, hypothesis in enumerate(project.hypotheses):
                    _one(now, project.id, number, hypothesis, reviewer)
                st.caption("What was found for a hypothesis is kept when it is taken out, and comes back with it.")


def _one(now: Session, project: str, number: int, hypothesis: str, reviewer: str) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(f"**H{number + 1}** {plain(hypothesis)}")
        st.button(
            "Take out",
            key=f"remove-hypothesis-{number}",
            type="tertiary",
            icon=":material/close:",
            on_click=_remove,
            args=(now, project, hypothesis, reviewer),
        )


def _add(now: Session, project: str, text: str, reviewer: str) -> None:
    """Put it into the project, and let the queue answer it for every paper; what costs money is begun by hand."""
    now.problem = None
    try:
        added = add_hypothesis(the_store(), project, text, who=reviewer)
        now.review.to_hypothesis = now.review.to_hypothesis[0] + 1, added
        with the_store().reading() as store:
            rules, queue = store.project(project).record, store.queue(project)
        the_runner().start(project, reviewer, hands.by_itself(now, rules, queue))
    except VouchError as error:
        now.problem = str(error)
    st.rerun()


def _remove(now: Session, project: str, hypothesis: str, reviewer: str) -> None:
    now.problem = None
    try:
        remove_hypothesis(the_store(), project, hypothesis, who=reviewer)
    except VouchError as error:
        now.problem = str(error)
