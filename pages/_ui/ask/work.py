"""Asking in the background, from a press on “Ask” to the answer. Each step is reported as it ends."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import partial
from typing import Any

from core.answering import AnswerEngine, Question, TrailStep
from core.answering.llm import OFFLINE, ModelAnswerEngine
from core.engines import TaskKind, asks_model
from core.errors import EngineError, LibraryError, VouchError
from core.grounding.questions import Asker
from core.library import Library
from core.llm import ModelName, model_named
from core.progress import Progress
from core.review.indexing import FEW, ProjectLibrary, project_library
from core.review.intake import QUEUE
from core.review.status import queue_status
from core.screening.model import ScreeningVerdict
from core.settings import Settings, load_settings
from core.store import QueueFailure, QueueMode, Store, StoreReader
from pages._ui import services_part
from pages._ui.ask.state import AskChoices, AskRequest, AskTrail, EvidencePanel, ProjectAnswer, Screened
from pages._ui.downloads import now_here
from pages._ui.jobs import BackgroundJob, JobSlot
from pages._ui.model_choice import Keys
from pages._ui.page_jobs import PageJob, Work
from pages._ui.review.queues import workers_unasked
from pages._ui.state import Session
from pages._ui.stored import the_runner, the_store

_INDEXING = 0.4  # the share of the progress bar for reading and indexing papers
_LOOK_S = 0.5  # seconds between two looks at the queue while it indexes


def library_of(project: str, settings: Settings, *, everywhere: bool = False) -> Library:
    """The library of a project, or of all projects, with the papers indexed so far. Raises `LibraryError`."""
    with the_store().reading() as now:
        return project_library(now, project, settings, everywhere=everywhere).library


def other_model(name: str) -> ModelName | None:
    """The model that shares the work; None if no name is given or the offline reader is named. Raises `VouchError`."""
    if not name or name.lower() == OFFLINE:
        return None
    model = model_named(name)
    if model is None or model.strategy is not None:
        raise EngineError(f"“{name}” is no language model without a strategy. Name one, as in openai:MODEL.")
    return model


class _Asking(PageJob[AskRequest, ProjectAnswer]):
    key = "asking"
    names_questions = False  # one question means thirty passages, mostly of one paper

    def slot(self, session: Session) -> JobSlot[AskRequest, ProjectAnswer]:
        return session.part(AskChoices).questions

    def begin(self, session: Session, request: AskRequest) -> Work[ProjectAnswer] | None:
        session.part(AskChoices).trails[request.project] = AskTrail(asks_model(request.engine))
        with the_store().reading() as now:
            project = now.project(request.project).record
            workers = workers_unasked(session, project, now.queue.state(project.id))
        asked = replace(request, reader=session.review.reader_in(request.project), workers=workers)
        return partial(_answer, asked, the_store(), load_settings(), session.keys)

    def keep_piece(self, session: Session, request: AskRequest, piece: Any) -> None:
        if isinstance(piece, TrailStep):
            session.part(AskChoices).trails[request.project].steps.append(piece)

    def fail(self, session: Session, request: AskRequest, error: VouchError) -> None:
        super().fail(session, request, error)
        session.part(AskChoices).trails[request.project].failed = True

    def keep(self, session: Session, request: AskRequest, result: ProjectAnswer) -> None:
        choices = session.part(AskChoices)
        choices.answers[request.project] = kept(session, result)
        choices.panels.setdefault(request.project, EvidencePanel()).take(result.answer)
        del choices.trails[request.project]


ASKING = _Asking()


def kept(session: Session, found: ProjectAnswer) -> ProjectAnswer:
    """Save the answer in its project and return it. If saving fails, it stays on the page, which says why."""
    project = found.request.project
    try:
        with the_store().reading() as store:
            who = session.review.reviewer_in(store.project(project).record)
        with the_store().writing(who) as change:
            one = change.answers.keep(project, found.answer)
    except VouchError as error:
        session.problem = f"The answer could not be kept in the project. {error}"
        return found
    return replace(found, asked=one.asked.astimezone(), kept=one.id)


def _answer(
    request: AskRequest, store: Store, settings: Settings, keys: Keys, job: BackgroundJob[ProjectAnswer]
) -> ProjectAnswer:
    job(0.0, "Opening the library")
    of_project, question = papers_asked(request, store, settings)
    unread = indexed(request, store, of_project, job)
    with (
        engine_of(request, keys, job) as engine,
        services_part.beyond(
            request.services, of_project, store, settings, project=request.project, who=request.reader
        ) as outside,
    ):
        if isinstance(engine, ModelAnswerEngine):
            engine.beyond = outside
        answer = engine.answer(
            question,
            of_project.library,
            progress=lambda done, step: job(_INDEXING + done * (1 - _INDEXING), step),
            tell=job.put,
        )
    # The request is kept without its services: they must be agreed to anew when the question is asked again.
    return ProjectAnswer(replace(request, services=()), answer, now_here(), unread)


@contextmanager
def engine_of(request: AskRequest, keys: Keys, job: BackgroundJob[Any]) -> Iterator[AnswerEngine]:
    """Open the engine, and the models that share its work."""
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


# ---- papers ----


def papers_asked(request: AskRequest, store: Store, settings: Settings) -> tuple[ProjectLibrary, Question]:
    """The library to ask, and the question, limited by screening decisions if its settings say so."""
    question = request.question
    with store.reading() as now:
        of_project = project_library(now, request.project, settings, everywhere=question.everywhere)
        if question.screened:
            screened = Screened(question.screened)
            question = replace(question, only=_screened(now, of_project.projects, screened, request.reader))
    return of_project, question


def _screened(reading: StoreReader, projects: Sequence[str], wanted: Screened, reader: str) -> frozenset[str]:
    """Papers with this screening decision: the final one, else the reader's own, as far as the reader may see it."""
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


def indexed(request: AskRequest, store: Store, of_project: ProjectLibrary, job: Progress) -> tuple[str, ...]:
    """Index the papers that the library lacks, and drop those no longer in a project. Returns unread papers by name.

    A few papers, or those of all projects, are indexed here. Many papers are indexed by the project's queue, which
    can be paused and goes on when this window is closed. Raises `LibraryError` if indexing fails or is cancelled.
    """
    with of_project.alone(job), store.reading() as now:
        of_project.take_out_gone(now)
        missing = of_project.missing(now)
    if len(missing) > FEW and not request.question.everywhere:
        _wait_for_queue(request, store, len(missing), job)
        with store.reading() as now:
            missing = of_project.missing(now)  # papers that came in meanwhile
    of_project.add(
        store,
        missing,
        workers=request.workers.workers,
        cluster=request.workers.cluster,
        progress=lambda done, step: job(done * _INDEXING, step),
    )
    return tuple(one.title or one.name for one in of_project.unread(store))


def _wait_for_queue(request: AskRequest, store: Store, count: int, job: Progress) -> None:
    """Let the project's queue index what is missing, and wait until it has. A pause is waited out."""
    with store.writing(request.reader or QUEUE) as change:
        paused = change.queue.state(request.project).mode is QueueMode.PAUSED
        old = _problem(change, request.project) if paused else None  # starting the queue clears it
        change.queue.want_indexed(request.project, count)
    if not paused:
        the_runner().start(request.project, request.reader or QUEUE, request.workers)
    while True:
        with store.reading() as now:
            status = queue_status(now, now.project(request.project).record)
            problem = _problem(now, request.project)
        if not status.to_index:
            return
        mode = status.state.mode
        if mode is not QueueMode.RUNNING and problem is not None and problem != old:
            raise LibraryError(problem.error)
        if mode is QueueMode.IDLE:
            raise LibraryError(
                "Indexing the papers was cancelled. What is indexed is kept: ask again to go on with it."
            )
        done = max(0, count - status.to_index)
        step = "Indexing is paused" if mode is QueueMode.PAUSED else "Indexing papers"
        job(_INDEXING * done / count, f"{step} ({done:,} of {count:,})")
        time.sleep(_LOOK_S)


def _problem(now: StoreReader, project: str) -> QueueFailure | None:
    """The failure that stopped the whole queue, if there is one."""
    return next((one for one in now.queue.failures(project) if not one.item), None)
