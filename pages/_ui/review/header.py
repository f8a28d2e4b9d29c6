"""Above the desk, on a paper of a project: whose work it is, and the way to the next paper."""

from __future__ import annotations

import streamlit as st

from core.store import Project
from pages._ui import frame
from pages._ui.escape import plain
from pages._ui.open_paper import OpenPaper
from pages._ui.review import board, place
from pages._ui.review.sheet import Sheet
from pages._ui.state import Session

_JUDGE, _SETTLE = "My judgement", "Side by side"


def show(now: Session, opened: OpenPaper, project: Project, sheet: Sheet | None) -> None:
    """Draw the line, also where the paper on the desk is none of the project's."""
    with st.container(key="project-line", horizontal=True, vertical_alignment="center", gap="small"):
        st.page_link(
            frame.REVIEW,
            label=plain(project.name, limit=80),
            icon=":material/library_books:",
            query_params=place.address(now),
        )
        if sheet is None:
            unknown = now.review.reviewer not in project.reviewers
            why = "Choose there who you are. Until then" if unknown else "This paper is not in the project:"
            st.caption(f"{why} your judgements are kept outside the project.", width="content")
            return
        st.caption(f"You are **{plain(sheet.reviewer)}**. Saved as you work.", width="content")
        st.space("stretch")
        if len(project.reviewers) > 1:
            _what(now, sheet)
        if not now.review.settling and st.button(
            "Next paper to judge", key="next-paper", icon=":material/arrow_forward:"
        ):
            board.go_to_next_undone(now, project, sheet.tool)


def _what(now: Session, sheet: Sheet) -> None:
    """Switch between one's own judgements and the reviewers side by side."""
    key = f"what-{sheet.paper}"
    wanted = _SETTLE if now.review.settling else _JUDGE
    if st.session_state.get(key) != wanted:  # set without need, it would undo a click that is on its way
        st.session_state[key] = wanted
    st.segmented_control(
        "What to do",
        [_JUDGE, _SETTLE],
        key=key,
        required=True,
        label_visibility="collapsed",
        on_change=lambda: now.review.settle() if st.session_state[key] == _SETTLE else now.review.judge(),
    )
