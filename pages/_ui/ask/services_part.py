"""Literature services that an agent may search, too: agreed to once a question, with what goes where said before."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

import streamlit as st

from core.answering import AnswerEngine
from core.answering.beyond import Beyond, FetchedPaper, where_it_goes
from core.answering.llm import ModelAnswerEngine
from core.progress import Progress
from core.review.asked_papers import take_fetched
from core.review.indexing import ProjectLibrary
from core.settings import Settings, load_settings
from core.sources.candidates import SEARCHED, searched_services
from core.sources.services import service_named
from core.store import Store
from pages._ui.ask.state import AskRequest
from pages._ui.escape import plain
from pages._ui.state import Session, prime

_SERVICES = "ask-services"


def draw(session: Session) -> None:
    """Draw the services to choose from, and, once some are chosen, what goes where."""
    prime(**{_SERVICES: session.asking.services})
    st.pills(
        "For this question the agent may search, too",
        [service.id for service in SEARCHED],
        selection_mode="multi",
        key=_SERVICES,
        format_func=lambda service: service_named(service).name,
        on_change=_choose,
        args=(session,),
        help="Nothing is sent to a service that is not chosen. It is asked anew for every question.",
    )
    if not session.asking.services:
        return
    settings = load_settings()
    mail = "" if settings.mail else " It is given on the tab Search of a review."
    stand_in = f" All of it goes to the stand-in {settings.sources_url}." if settings.sources_url else ""
    goes = f"{where_it_goes(searched_services(session.asking.services), settings.mail)}{mail}{stand_in}"
    st.caption(
        f":material/send: {plain(goes)} What is fetched comes into the project, to be screened as any other paper."
    )


def _choose(session: Session) -> None:
    session.asking.services = list(st.session_state[_SERVICES] or ())


def agreed(session: Session) -> tuple[str, ...]:
    """What was agreed to, for one question: the next one is asked for anew."""
    services, session.asking.services = tuple(session.asking.services), []
    st.session_state.pop(_SERVICES, None)
    return services


@contextmanager
def with_services(
    engine: AnswerEngine,
    request: AskRequest,
    of_project: ProjectLibrary,
    store: Store,
    settings: Settings,
) -> Iterator[None]:
    """While the engine's agent may ask what the request agrees to. Raises `VouchError` where that cannot be."""
    if not request.services or not isinstance(engine, ModelAnswerEngine):
        yield
        return

    def take(fetched: Sequence[FetchedPaper], progress: Progress) -> Mapping[str, str]:
        with store.reading() as reading:
            reviewers = reading.project(request.project).record.reviewers
        left_out = take_fetched(store, request.project, fetched, who=request.reader or reviewers[0])
        new = [one.paper for one in fetched if one.paper.id not in left_out]
        with of_project.alone(progress):
            of_project.library.add(new, progress=progress, count=len(new))
        return left_out

    with Beyond.of(request.services, settings, take) as engine.beyond:
        yield
