"""Asking: the fields, and the work from a press on “Ask” to the answer."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from threading import Lock

import streamlit as st

from core.answering import Question
from core.engines import DEFAULT_ENGINE, TaskKind
from core.errors import VouchError
from core.library import Library, open_library
from core.paper import Paper
from core.progress import Progress
from core.settings import Settings, load_settings
from core.store import Project, Store, StoredPaper
from core.store.items import paper_of
from core.text.similarity import Embedder
from pages._ui import frame
from pages._ui.ask.state import AskRequest, ProjectAnswer
from pages._ui.escape import counted, short
from pages._ui.jobs import BackgroundJob, JobSlot, local_engine
from pages._ui.page_jobs import PageJob, Work
from pages._ui.state import Session, prime
from pages._ui.stored import the_store

_PROJECT, _QUESTION = "ask-project", "ask-question"
_INDEXING = 0.7  # the share of the progress bar that reading and indexing take
_INDEX = Lock()  # one writes to a library at a time


# ---- fields ----


def draw(now: Session) -> str | None:
    """Draw the fields; the project that is chosen, if there is any. Raises `VouchError`."""
    with the_store().reading() as store:
        projects = {saved.record.id: saved.record for saved in reversed(store.projects())}
        chosen = _chosen(now, projects)
        papers = len(store.paper_ids(chosen)) if chosen else 0
    if chosen is None:
        st.info("Ask reads the papers of a review. Make a project first, and put papers into it.")
        st.page_link(frame.REVIEW, label="To the projects", icon=":material/library_books:")
        return None
    prime(**{_PROJECT: chosen, _QUESTION: now.asking.question})
    st.selectbox(
        "Papers of the project",
        list(projects),
        format_func=lambda one: short(projects[one].name, 100),
        key=_PROJECT,
        on_change=_keep,
        args=(now,),
    )
    st.text_input(
        "Question",
        placeholder="Does walking improve sleep in adults with insomnia?",
        key=_QUESTION,
        on_change=_keep,
        args=(now,),
    )
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.button("Ask", key="ask-button", type="primary", disabled=not papers, on_click=_ask, args=(now,))
        st.caption(
            f"{counted(papers, 'paper')} in the project. Offline quotes and never writes. See docs/answers.md"
            if papers
            else "The project holds no papers yet."
        )
    return chosen


def _chosen(now: Session, projects: dict[str, Project]) -> str | None:
    """The project to ask: as chosen, or the one of the review's page, or the newest."""
    wanted = (now.asking.project, now.review.project)
    found = next((id for id in wanted if id in projects), next(iter(projects), None))
    if st.session_state.get(_PROJECT) not in projects:  # it was deleted in another window
        st.session_state.pop(_PROJECT, None)
    return found


def _keep(now: Session) -> None:
    now.asking.project = st.session_state[_PROJECT]
    now.asking.question = st.session_state[_QUESTION]


def _ask(now: Session) -> None:
    _keep(now)
    now.problem = None
    try:
        Question(now.asking.question)
    except VouchError as error:
        now.problem = str(error)
        return
    if now.asking.project is not None:
        now.questions.ask(AskRequest(now.asking.project, now.asking.question))


# ---- work ----


class _Asking(PageJob[AskRequest, ProjectAnswer]):
    key = "asking"

    def slot(self, now: Session) -> JobSlot[AskRequest, ProjectAnswer]:
        return now.questions

    def begin(self, now: Session, request: AskRequest) -> Work[ProjectAnswer] | None:
        return partial(_answer, request, the_store(), load_settings())

    def keep(self, now: Session, request: AskRequest, result: ProjectAnswer) -> None:
        now.asking.answers[request.project] = result


ASKING = _Asking()


def _answer(request: AskRequest, store: Store, settings: Settings, job: BackgroundJob[ProjectAnswer]) -> ProjectAnswer:
    job(0.0, "Opening the library")
    library = open_library(f"project-{request.project}", Embedder.installed(settings.embeddings), settings)
    unread = _index(request.project, store, library, job)
    answer = local_engine(TaskKind.ANSWERS, DEFAULT_ENGINE).answer(
        Question(request.question),
        library,
        progress=lambda done, step: job(_INDEXING + done * (1 - _INDEXING), step),
    )
    return ProjectAnswer(request.question, answer, unread)


def _index(project: str, store: Store, library: Library, job: Progress) -> tuple[str, ...]:
    """Take in what the library lacks, and out what is no longer in the project. Returns what could not be read."""
    with _alone(job):
        with store.reading() as reading:
            here = {saved.record.id: saved.record for saved in reading.stored_papers(project)}
        indexed = {paper.id for paper in library.papers()}
        library.remove(indexed - here.keys())
        missing = [here[id] for id in here.keys() - (indexed - {paper.id for paper in library.stale()})]
        unread: list[str] = []
        papers = _read(sorted(missing, key=lambda one: one.name), store, unread)
        library.add(papers, progress=lambda done, step: job(done * _INDEXING, step), count=len(missing))
    return tuple(unread)


def _read(missing: list[StoredPaper], store: Store, unread: list[str]) -> Iterator[Paper]:
    for record in missing:
        with store.reading() as reading:
            paper = reading.text(record.project, record.id)
            data = reading.file(record.project, record.file) if paper is None and record.file else None
        if paper is None and data is not None:
            paper = paper_of(record, data)
        if paper is None:
            unread.append(record.title or record.name)
        else:
            yield paper


@contextmanager
def _alone(job: Progress) -> Iterator[None]:
    """While no other window of this server indexes. Raises `JobCancelled` where nobody wants to wait."""
    while not _INDEX.acquire(timeout=0.5):
        job(0.0, "Waiting for another window, which is indexing papers")
    try:
        yield
    finally:
        _INDEX.release()
