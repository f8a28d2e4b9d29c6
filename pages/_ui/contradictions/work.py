"""Comparing claims with the other papers in the background. Each result is stored as soon as it is known."""

from __future__ import annotations

from functools import partial

from core.claims import claim_engine_named
from core.engines import DEFAULT_ENGINE, TaskKind
from core.errors import NotStored
from core.review.contested import hold_paper
from core.review.indexing import project_library, text_of
from core.settings import Settings, load_settings
from core.store import Store
from pages._ui import services_part
from pages._ui.contradictions.state import ContradictionChoices, HoldRequest
from pages._ui.jobs import BackgroundJob, JobSlot
from pages._ui.model_choice import Keys
from pages._ui.page_jobs import PageJob, Work
from pages._ui.state import Session
from pages._ui.stored import the_store

_INDEXING = 0.3  # the share of the progress bar for reading and indexing papers


class _Holding(PageJob[HoldRequest, int]):
    key = "holding"
    names_questions = False

    def slot(self, session: Session) -> JobSlot[HoldRequest, int]:
        return session.part(ContradictionChoices).holdings

    def begin(self, session: Session, request: HoldRequest) -> Work[int] | None:
        return partial(_hold, request, the_store(), load_settings(), session.keys)


HOLDING = _Holding()


def _hold(request: HoldRequest, store: Store, settings: Settings, keys: Keys, job: BackgroundJob[int]) -> int:
    job(0.0, "Opening the library")
    with store.reading() as now:
        of_project = project_library(now, request.project, settings)
    with of_project.alone(job), store.reading() as now:
        of_project.take_out_gone(now)
        missing = of_project.missing(now)
    of_project.add(store, missing, progress=lambda done, step: job(done * _INDEXING, step))
    finder = claim_engine_named(DEFAULT_ENGINE)
    held, count = 0, len(request.papers)
    with (
        job.engine(TaskKind.CONTRADICTIONS, request.engine, keys, request.budget) as engine,
        services_part.beyond(
            request.services, of_project, store, settings, project=request.project, who=request.who, questions=count
        ) as outside,
    ):
        for number, id in enumerate(request.papers):
            with store.reading() as reading:
                record = reading.paper(request.project, id).record
            if (paper := text_of(record, store)) is None:
                if count == 1:
                    raise NotStored("The text of this paper is not kept in the project. Add its file again.")
                continue

            def progress(done: float, step: str, number: int = number) -> None:
                of = f"Paper {number + 1} of {count}: " if count > 1 else ""
                job(_INDEXING + (1 - _INDEXING) * (number + done) / count, f"{of}{step}")

            held += hold_paper(
                store,
                request.project,
                paper,
                engine=engine,
                finder=finder,
                library=of_project.library,
                who=request.who,
                beyond=outside,
                progress=progress,
            )
    return held
