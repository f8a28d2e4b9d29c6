"""Adding papers and references to a project, from files or a folder. Each is stored at once, and counted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from pathlib import Path

import streamlit as st

from core.errors import QueryError, ReferencesError, VouchError
from core.review.intake import REFERENCE, add_references, begin_of_entries, files_of, holds_references
from core.review.queue import WorkerOptions
from core.settings import load_settings
from core.store import Project, QueueMode, Store, storable_name
from pages._ui.escape import plain
from pages._ui.jobs import BackgroundJob
from pages._ui.opening import LARGEST_MB
from pages._ui.page_jobs import show_job
from pages._ui.review import queues
from pages._ui.review.board import ProjectSnapshot
from pages._ui.review.state import IntakeReport
from pages._ui.state import Session
from pages._ui.stored import QueueRunner, the_runner, the_store

# ---- into the store, without Streamlit ----


@dataclass(frozen=True, slots=True)
class Intake:
    """Where files are added, by whom, and who reads them."""

    store: Store
    runner: QueueRunner
    project: str
    who: str
    worker_options: WorkerOptions

    def files(self, files: Sequence[tuple[str, bytes]]) -> IntakeReport:
        """Add files by name and content. Raises `StoreError`."""
        taken = IntakeReport(self.project)
        try:
            for name, data in files:
                self._one(name, data, taken)
        finally:
            self._begin_reading()
        return taken

    def folder(self, folder: Path, report: BackgroundJob[IntakeReport]) -> IntakeReport:
        """Add the files in a folder and its subfolders. Raises `QueryError` for a wrong folder, and `StoreError`."""
        taken = IntakeReport(self.project, str(folder))
        report(0.0, f"Looking into {folder}")
        files = files_of(folder, without=[load_settings().home])
        try:
            for number, path in enumerate(files):
                report(number / len(files), f"Taking in {number + 1:,} of {len(files):,}: {storable_name(path.name)}")
                try:
                    large = path.stat().st_size > LARGEST_MB * 1_000_000
                    data = b"" if large else path.read_bytes()
                except OSError:
                    taken.leave("not readable for this user")
                    continue
                if large:
                    taken.leave(f"larger than {LARGEST_MB} MB")
                else:
                    self._one(path.name, data, taken)
        finally:
            self._begin_reading()  # files that were added are read even after a stop
        return taken

    def _one(self, name: str, data: bytes, taken: IntakeReport) -> None:
        """Add one file, as references or as a paper."""
        name = storable_name(name)
        if holds_references(name, data):
            self._references(name, data, taken)
            return
        with self.store.writing(self.who) as change:
            new = change.queue.add_file(self.project, name, data)
        if new:
            taken.files.append(sha256(data).hexdigest())
        else:
            taken.again += 1

    def _references(self, name: str, data: bytes, taken: IntakeReport) -> None:
        """Add a file of references. A file without any reference is listed as a failure, like a wrong entry."""
        place = f"{REFERENCE}: the file"
        with self.store.writing(self.who) as change:
            change.queue.forget_failures(self.project, name, place)
        try:
            found = add_references(self.store, self.project, data, name=name, who=self.who)
        except ReferencesError as error:
            taken.wrong += 1
            with self.store.writing(self.who) as change:
                change.queue.note_failure(self.project, name, place, str(error))
            return
        taken.references += found.added
        if found.added:
            taken.lists.append(begin_of_entries(data))
        taken.references_again += found.again
        taken.wrong += found.wrong

    def _begin_reading(self) -> None:
        """Start the queue, unless a reviewer has paused it."""
        with self.store.reading() as now:
            mode = now.queue.state(self.project).mode
        if mode is not QueueMode.PAUSED:
            self.runner.start(self.project, self.who, self.worker_options)


# ---- fields ----

_KINDS = "PDF, JATS or TEI XML, BioC, Markdown or plain text; references as RIS, NBIB or CSV"


def offer(session: Session, snapshot: ProjectSnapshot) -> None:
    """Draw the fields for files and a folder, and the progress of a folder being added."""
    project, who = snapshot.project, snapshot.reviewer or ""
    taking = session.review.intake_job
    if taking is not None and taking.ended:
        _end_taking(session, taking)
        taking = None
    with st.expander(
        "Add papers and references",
        icon=":material/note_add:",
        expanded=not snapshot.papers,
        key=f"add-papers-{bool(snapshot.papers)}",  # a new key folds it once there are papers
    ):
        files = st.file_uploader(
            f"Any number of files: {_KINDS}",
            accept_multiple_files=True,
            key=f"add-papers-{session.uploads}",
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
        session.uploads += 1  # a new key empties the uploader
        _take_files(session, project, who, [(file.name, file.getvalue()) for file in files])
        st.rerun()
    if take:
        _begin_taking(session, project, who, folder.strip().strip("\"'"))
        st.rerun()
    if taking is not None:
        show_job(taking, key="taking", stop=taking.stop)


def _intake(session: Session, project: Project, who: str) -> Intake:
    store = the_store()
    with store.reading() as reading:
        state = reading.queue.state(project.id)
    return Intake(store, the_runner(), project.id, who, queues.workers_unasked(session, project, state))


def _take_files(session: Session, project: Project, who: str, files: list[tuple[str, bytes]]) -> None:
    """Add all files. Nothing is drawn meanwhile, so that no click can interrupt it."""
    session.problem = session.review.intake_report = None
    try:
        session.review.intake_report = _intake(session, project, who).files(files)
    except VouchError as error:
        session.problem = str(error)


def _begin_taking(session: Session, project: Project, who: str, folder: str) -> None:
    """Add a folder's files in a thread of its own, which goes on when the window is closed."""
    session.problem = session.review.intake_report = None
    try:
        path = Path(folder).expanduser() if folder.startswith("~") else Path(folder)
        if not folder or not path.is_dir():
            raise QueryError(f"“{folder}” is no folder on this computer. Type the whole path of a folder.")
        intake = _intake(session, project, who)
        session.review.intake_job = BackgroundJob(partial(intake.folder, path))
    except VouchError as error:
        session.problem = str(error)


def _end_taking(session: Session, taking: BackgroundJob[IntakeReport]) -> None:
    session.review.intake_job = None
    session.review.intake_report = taking.result
    if isinstance(taking.error, VouchError):
        st.error(plain(str(taking.error)), icon=":material/error:")
    elif taking.error is not None:
        raise taking.error
