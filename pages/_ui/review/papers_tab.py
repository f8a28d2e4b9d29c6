"""The tab of papers: what comes in and what became of it, those that look alike, the table, and what was deleted."""

from __future__ import annotations

import streamlit as st

from core.errors import VouchError
from pages._ui.escape import plain
from pages._ui.review import adding, arrivals, deleting, duplicates, reference_dialog, references
from pages._ui.review import board as boards
from pages._ui.review.board import Board
from pages._ui.state import Session


def show(now: Session, board: Board) -> None:
    """Draw the tab."""
    try:
        found = references.read(board.project.id)
    except VouchError as error:
        st.error(plain(str(error)), icon=":material/error:")
        return
    if board.reviewer is not None:
        adding.offer(now, board)
    arrivals.show(now, board)
    duplicates.show(now, board, found)
    clicked = boards.show_papers(now, board, found)
    if clicked is not None:
        reference_dialog.ask(now, board, clicked)
    deleting.show_removed(now, board.removed)
