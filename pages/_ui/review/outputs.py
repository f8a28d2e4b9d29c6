"""What is taken away from a project."""

from __future__ import annotations

from functools import partial

import streamlit as st

from core.store import project_to_json
from pages._ui.downloads import download
from pages._ui.review.board import Board
from pages._ui.review.stored import the_store


def show(board: Board) -> None:
    """Draw the buttons. A file is made when it is asked for."""
    with st.container(key="outputs", horizontal=True, gap="small"):
        download(
            "Whole project (JSON)",
            partial(_document, board.project.id),
            name=f"{_stem(board.project.name)}.json",
            mime="application/json",
            about="Papers, judgements of all reviewers, and history; opens again in another Vouch. Nothing is hidden in it",
            keeps=False,
        )


def _document(project: str) -> bytes:
    with the_store().reading() as store:
        return project_to_json(store.whole(project, with_files=True)).encode()


def _stem(name: str) -> str:
    """A file name for downloads: letters, digits and hyphens of the project's name."""
    return "-".join("".join(letter if letter.isalnum() else " " for letter in name).split())[:60] or "project"
