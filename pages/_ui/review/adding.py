"""Papers and references into a project: many files at once, or a folder. They are put in here, and read by the queue."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import streamlit as st

from core.errors import QueryError, VouchError
from core.store import Project
from pages._ui import board as progress
from pages._ui.escape import plain
from pages._ui.review import hands
from pages._ui.review.board import Board
from pages._ui.review.stored import the_runner, the_store
from pages._ui.review.taking import Intake
from pages._ui.review.work import Taken
from pages._ui.running import Running
from pages._ui.state import Session
from pages._ui.uploads import LARGEST_MB

_KINDS = "PDF, JATS or TEI XML, BioC, Markdown or plain text; references as RIS, NBIB or CSV"


def offer(now: Session, board: Board) -> None:
    """Draw the fields that take files, and how far a folder is."""
    project, who = board.project, board.reviewer or ""
    taking = now.review.taking
    if taking is not None and taking.ended:
        _end_taking(now, taking)
        taking = None
    with st.expander(
        "Add papers and references",
        icon=":material/note_add:",
        expanded=not board.papers,
        key=f"add-papers-{bool(board.papers)}",  # it folds once papers are here
    ):
        files = st.file_uploader(
            f"Any number of files: {_KINDS}",
            accept_multiple_files=True,
            key=f"add-papers-{now.uploads}",
            max_upload_size=LARGEST_MB,
        )
        with st.form("from-folder", border=False), st.container(horizontal=True, vertical_alignment="bottom"):
            folder = st.text_input(
                "Or a folder on this computer, with the folders in it",
                placeholder="Its whole path, as the file manager shows it",
                key=f"folder-{project.id}",
            )
            take = st.form_submit_button("Take in its files", disabled=taking is not None)
    if files:
        now.uploads += 1  # with a new key the field is empty again
        _take_files(now, project, who, [(file.name, file.getvalue()) for file in files])
        st.rerun()
    if take:
        _begin_taking(now, project, who, folder.strip().strip("\"'"))
        st.rerun()
    if taking is not None:
        progress.show(taking, key="taking", stop=taking.stop)


def _intake(now: Session, project: Project, who: str) -> Intake:
    store = the_store()
    with store.reading() as reading:
        state = reading.queue(project.id)
    return Intake(store, the_runner(), project.id, who, hands.by_itself(now, project, state))


def _take_files(now: Session, project: Project, who: str, files: list[tuple[str, bytes]]) -> None:
    """Put all of them in. Nothing is drawn meanwhile, so that no click ends it in the middle."""
    now.problem = now.review.taken = None
    try:
        now.review.taken = _intake(now, project, who).files(files)
    except VouchError as error:
        now.problem = str(error)


def _begin_taking(now: Session, project: Project, who: str, folder: str) -> None:
    """Take in a folder's files in a thread of its own, which goes on when the window is closed."""
    now.problem = now.review.taken = None
    try:
        path = Path(folder).expanduser() if folder.startswith("~") else Path(folder)
        if not folder or not path.is_dir():
            raise QueryError(f"“{folder}” is no folder on this computer. Type the whole path of a folder.")
        intake = _intake(now, project, who)
        now.review.taking = Running(partial(intake.folder, path))
    except VouchError as error:
        now.problem = str(error)


def _end_taking(now: Session, taking: Running[Taken]) -> None:
    now.review.taking = None
    now.review.taken = taking.result
    if isinstance(taking.error, VouchError):
        st.error(plain(str(taking.error)), icon=":material/error:")
    elif taking.error is not None:
        raise taking.error
