"""Asking in the background: from a press on “Ask” to the answer, with every step as it ends."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import partial
from threading import Lock
from typing import Any

from core.answering import AnswerEngine, TrailStep
from core.answering.llm import OFFLINE, ModelAnswerEngine
from core.engines import TaskKind, asks_model
from core.errors import EngineError, VouchError
from core.grounding.questions import Asker
from core.library import Library, open_library
from core.library.indexing import index, indexing_pool
from core.llm import ModelName, model_named
from core.paper import Paper
from core.progress import Progress
from core.screening.model import ScreeningVerdict
from core.settings import Settings, load_settings
from core.store import Store, StoredPaper, StoreReader
from core.store.items import paper_of
from core.text.similarity import Embedder
from pages._ui.ask.state import AskRequest, AskTrail, EvidencePanel, ProjectAnswer, Screened
from pages._ui.downloads import now_here
from pages._ui.jobs import BackgroundJob, JobSlot
from pages._ui.model_choice import Keys
from pages._ui.page_jobs import PageJob, Work
from pages._ui.state import Session
from pages._ui.stored import the_store

_INDEXING = 0.4  # the share of the progress bar that reading and indexing take
_MANY = 16  # papers, from which on it is worth to begin processes
_INDEX = Lock()  # one writes to a library at a time


def library_of(project: str, settings: Settings, *, everywhere: bool = False) -> Library:
    """The library of a project, or of all of them, as far as their papers are indexed. Raises `LibraryError`."""
    name = "all-projects" if everywhere else f"project-{project}"
    return open_library(name, Embedder.installed(settings.embeddings), settings)


def other_model(name: str) -> ModelName | None:
    """The model that shares the work; None where nobody else does, or the reader. Raises `VouchError` for no model."""
    if not name or name.lower() == OFFLINE:
        return None
    model = model_named(name)
    if model is None or model.strategy is not None:
        raise EngineError(f"“{name}” is no language model without a strategy. Name one, as in openai:MODEL.")
    return model


class _Asking(PageJob[AskRequest, ProjectAnswer]):
    key = "asking"
    names_questions = False  # thirty passages, mostly of one paper

    def slot(self, session: Session) -> JobSlot[AskRequest, ProjectAnswer]:
        return session.questions

    def begin(self, session: Session, request: AskRequest) -> Work[ProjectAnswer] | None:
        session.asking.trails[request.project] = AskTrail(asks_model(request.engine))
        return partial(
            _answer, replace(request, reader=session.review.reviewer or ""), the_store(), load_settings(), session.keys
        )

    def keep_piece(self, session: Session, request: AskRequest, piece: Any) -> None:
        if isinstance(piece, TrailStep):
            session.asking.trails[request.project].steps.append(piece)

    def fail(self, session: Session, request: AskRequest, error: VouchError) -> None:
        super().fail(session, request, error)
        session.asking.trails[request.project].failed = True

    def keep(self, session: Session, request: AskRequest, result: ProjectAnswer) -> None:
        session.asking.answers[request.project] = kept(session, result)
        session.asking.panels.setdefault(request.project, EvidencePanel()).take(result.answer)
        del session.asking.trails[request.project]


ASKING = _Asking()


def kept(session: Session, found: ProjectAnswer) -> ProjectAnswer:
    """The answer, kept in its project. Where it cannot be kept it stays on the page, which says why."""
    project = found.request.project
    try:
        with the_store().reading() as store:
            reviewers = store.project(project).record.reviewers
        with the_store().writing(session.review.reviewer or reviewers[0]) as change:
            one = change.answers.keep(project, found.answer)
    except VouchError as error:
        session.problem = f"The answer could not be kept in the project. {error}"
        return found
    return replace(found, asked=one.asked.astimezone(), kept=one.id)


def _answer(
    request: AskRequest, store: Store, settings: Settings, keys: Keys, job: BackgroundJob[ProjectAnswer]
) -> ProjectAnswer:
    job(0.0, "Opening the library")
    question = request.question
    library = library_of(request.project, settings, everywhere=question.everywhere)
    with store.reading() as reading:
        projects = _projects(reading, request)
        if question.screened:
            question = replace(question, only=_screened(reading, projects, Screened(question.screened), request.reader))
    unread = bring_up_to_date(projects, store, library, lambda done, step: job(done * _INDEXING, step))
    with _engine(request, keys, job) as engine:
        answer = engine.answer(
            question,
            library,
            progress=lambda done, step: job(_INDEXING + done * (1 - _INDEXING), step),
            tell=job.put,
        )
    return ProjectAnswer(request, answer, now_here(), unread)


@contextmanager
def _engine(request: AskRequest, keys: Keys, job: BackgroundJob[ProjectAnswer]) -> Iterator[AnswerEngine]:
    """The engine, with the models that share its work."""
    with ExitStack() as open_models:

        def asker(name: str, otherwise: Asker) -> Asker:
            model = other_model(name)
            return open_models.enter_context(job.asking(model, keys, request.budget)) if model else otherwise

        engine = open_models.enter_context(job.engine(TaskKind.ANSWERS, request.engine, keys, request.budget))
        if isinstance(engine, ModelAnswerEngine) and request.limits is not None:
            engine.limits = request.limits
        if isinstance(engine, ModelAnswerEngine) and (request.gathers or request.plans):
            own = engine.runner
            by_reader = request.gathers.lower() == OFFLINE
            gatherer = None if by_reader else asker(request.gathers, own)
            engine = engine.sharing(gatherer=gatherer, planner=asker(request.plans, own))
        yield engine


# ---- indexing ----


def _projects(reading: StoreReader, request: AskRequest) -> list[str]:
    """The projects that are asked, the one whose question it is last."""
    others = [saved.record.id for saved in reading.projects()] if request.question.everywhere else []
    return [*(id for id in others if id != request.project), request.project]


def _screened(reading: StoreReader, projects: Sequence[str], wanted: Screened, reader: str) -> frozenset[str]:
    """The papers of which screening decided so, as far as the reader may see that; until it is final, by the reader."""
    found = set()
    for project in projects:
        views = reading.screenings(project, reader=reader)
        for id in reading.paper_ids(project):
            view = views.get(id)
            verdict = view and (view.final or (view.own and view.own.verdict))
            fits = {
                Screened.INCLUDED: verdict is ScreeningVerdict.INCLUDE,
                Screened.NOT_EXCLUDED: verdict is not ScreeningVerdict.EXCLUDE,
                Screened.EXCLUDED: verdict is ScreeningVerdict.EXCLUDE,
            }
            if fits[wanted]:
                found.add(id)
    return frozenset(found)


def bring_up_to_date(projects: Sequence[str], store: Store, library: Library, job: Progress) -> tuple[str, ...]:
    """Take in what the library lacks, and out what is no longer in a project. Returns what could not be read.

    Where the queue of the project that asks has several processes or a cluster, these encode. What is saved before it is
    cancelled stays, and the next question goes on with what is missing.
    """
    with _alone(job):
        with store.reading() as reading:
            queue = reading.queue.state(projects[-1])
            here = {saved.record.id: saved.record for one in projects for saved in reading.stored_papers(one)}
        indexed = {paper.id for paper in library.papers()}
        library.remove(indexed - here.keys())
        missing = [here[id] for id in here.keys() - (indexed - {paper.id for paper in library.stale()})]
        unread: list[str] = []
        papers = _read(sorted(missing, key=lambda one: one.name), store, unread)
        if len(missing) < _MANY or (queue.cluster is None and queue.workers == 1):
            library.add(papers, progress=job, count=len(missing))
        else:
            with indexing_pool(queue.workers, queue.cluster) as pool:
                index(papers, library, pool, progress=job, count=len(missing))
    return tuple(unread)


def whole_paper(record: StoredPaper, store: Store) -> Paper | None:
    """A paper as it was read, or from its file; None where neither is kept."""
    with store.reading() as reading:
        paper = reading.text(record.project, record.id)
        data = reading.file(record.project, record.file) if paper is None and record.file else None
    return paper_of(record, data) if paper is None and data is not None else paper


def _read(missing: list[StoredPaper], store: Store, unread: list[str]) -> Iterator[Paper]:
    for record in missing:
        if (paper := whole_paper(record, store)) is None:
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
