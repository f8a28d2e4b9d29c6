"""Literature services that a question may also ask. The user agrees for each question, after seeing what is sent."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Protocol

import streamlit as st

from core.answering.beyond import MOST_CALLS, Beyond, FetchedPaper, where_it_goes
from core.progress import Progress
from core.review.asked_papers import take_fetched
from core.review.indexing import ProjectLibrary
from core.settings import Settings, load_settings
from core.sources.candidates import SEARCHED, searched_services
from core.sources.services import service_named
from core.store import Store
from pages._ui import standing_checks
from pages._ui.escape import plain
from pages._ui.state import prime


class Agreement(Protocol):
    """What a page remembers of the choice."""

    services: list[str]  # agreed to for the next question only


def draw(agreement: Agreement, key: str, label: str, help_: str, *, sends: str | None = None) -> None:
    """Draw the choice of services and, once some are chosen, what goes where. `sends` names it if no agent searches."""
    prime(**{key: agreement.services})
    st.pills(
        label,
        [service.id for service in SEARCHED],
        selection_mode="multi",
        key=key,
        format_func=lambda service: service_named(service).name,
        on_change=_choose,
        args=(agreement, key),
        help=help_,
    )
    if not agreement.services:
        return
    settings = load_settings()
    mail = "" if settings.mail else " It is given on the tab Search of a review."
    stand_in = f" All of it goes to the stand-in {settings.sources_url}." if settings.sources_url else ""
    services = searched_services(agreement.services)
    where = where_it_goes(services, settings.mail, sends) if sends else where_it_goes(services, settings.mail)
    st.caption(
        f":material/send: {plain(where + mail + stand_in)} What is fetched comes into the project, to be screened as any other paper."
    )


def _choose(agreement: Agreement, key: str) -> None:
    agreement.services = list(st.session_state[key] or ())


def agreed(agreement: Agreement, key: str) -> tuple[str, ...]:
    """The services agreed to for one question. The choice is then cleared, as the next question needs a new one."""
    services, agreement.services = tuple(agreement.services), []
    st.session_state.pop(key, None)
    return services


@contextmanager
def beyond(
    services: Sequence[str],
    of_project: ProjectLibrary,
    store: Store,
    settings: Settings,
    *,
    project: str,
    who: str,
    questions: int = 1,
) -> Iterator[Beyond | None]:
    """Open the services that were agreed to, which bring papers into a project; None if there are none.

    `who` is the reviewer; empty: the project's first. Raises `VouchError` if the services cannot be opened.
    """
    if not services:
        yield None
        return

    def take(fetched: Sequence[FetchedPaper], progress: Progress) -> Mapping[str, str]:
        with store.reading() as reading:
            reviewers = reading.project(project).record.reviewers
        left_out = take_fetched(store, project, fetched, who=who or reviewers[0])
        new = [one.paper for one in fetched if one.paper.id not in left_out]
        standing_checks.what_came_in(project)
        with of_project.alone(progress):
            of_project.library.add(new, progress=progress, count=len(new))
        return left_out

    with Beyond.of(services, settings, take, most_calls=MOST_CALLS * questions) as opened:
        yield opened
