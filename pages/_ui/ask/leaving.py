"""From an answer to the paper: it goes on the desk at the sentences that count, with a way back."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from pages._ui import frame
from pages._ui.review import navigation
from pages._ui.state import Session


def open_at(now: Session, project: str, paper: str, sentences: Sequence[int]) -> None:
    """Put the paper on the desk; the page goes there with its next run."""
    now.asking.leaves = navigation.go_to_cited(now, project, paper, sentences)


def follow(now: Session) -> None:
    """Go to the paper that was pressed on."""
    if now.asking.leaves:
        now.asking.leaves = False
        st.switch_page(frame.EVIDENCE)
