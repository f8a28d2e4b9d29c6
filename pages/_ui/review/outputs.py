"""What is taken away from a project, made when it is asked for: the project itself, references, the log of decisions,
and what came of risk of bias."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import streamlit as st

from core.errors import VouchError
from core.review.outputs import decisions_file, references_file
from core.store import Reading, project_to_file, project_to_json
from pages._ui.downloads import download
from pages._ui.escape import plain
from pages._ui.review import bias_outputs
from pages._ui.review.board import Board
from pages._ui.review.names import file_stem
from pages._ui.review.stored import the_store
from pages._ui.state import Session, session


@dataclass(frozen=True, slots=True)
class File:
    """A file of a project; `make` takes the store, the project's id and the reader."""

    label: str
    ending: str  # of its name
    mime: str
    about: str
    make: Callable[[Reading, str, str], str | bytes]


_ALL = "Papers, decisions of all reviewers, findings and history; opens again in another Vouch. Nothing is hidden in it"
PROJECT = (
    File(
        "Whole project (.vouch)",
        ".vouch",
        "application/zip",
        f"{_ALL}. With the papers' files",
        lambda store, project, _: project_to_file(store.whole(project, with_files=True)),
    ),
    File(
        "Without the files (.vouch)",
        "-without-files.vouch",
        "application/zip",
        f"{_ALL}. The papers' own files stay here",
        lambda store, project, _: project_to_file(store.whole(project)),
    ),
    File(
        "Whole project (JSON)",
        ".json",
        "application/json",
        f"{_ALL}. The same as one JSON document, for other programs",
        lambda store, project, _: project_to_json(store.whole(project, with_files=True)),
    ),
)
DECISIONS = (
    File(
        "References (RIS)",
        ".ris",
        "application/x-research-info-systems",
        "Every reference, with what was decided on it in the notes, as reference managers read it",
        lambda store, project, reader: references_file(store, project, reader=reader),
    ),
    File(
        "Decision log (CSV)",
        "-decisions.csv",
        "text/csv",
        "Who decided what, when, and with which suggestion in view",
        lambda store, project, reader: decisions_file(store, project, reader=reader),
    ),
)


def show(board: Board) -> None:
    """Draw the buttons, and below what came of risk of bias."""
    with st.container(key="outputs", gap="small"):
        _files("The whole review, to keep or to take to another computer:", PROJECT, board)
        _files("What was decided:", DECISIONS, board)
        try:
            bias_outputs.show(board)
        except VouchError as error:
            st.error(plain(str(error)), icon=":material/error:")


def _files(words: str, files: tuple[File, ...], board: Board) -> None:
    with st.container(gap="xxsmall"):
        st.caption(words)
        with st.container(horizontal=True, gap="small"):
            for file in files:
                download(
                    file.label,
                    partial(_made, session(), file, board.project.id, board.reviewer or ""),
                    name=f"{file_stem(board.project.name)}{file.ending}",
                    mime=file.mime,
                    about=file.about,
                    keeps=False,
                )


def _made(now: Session, file: File, project: str, reader: str) -> bytes:
    """The file. Streamlit has words of its own for one that cannot be made; ours are drawn next."""
    try:
        with the_store().reading() as store:
            content = file.make(store, project, reader)
    except VouchError as error:
        now.problem = str(error)
        raise
    return content.encode() if isinstance(content, str) else content
