"""Following citations from the included papers, as a list and a small picture; works can be taken to screening."""

from __future__ import annotations

from functools import partial
from typing import Any

import streamlit as st

from core.answering.citations import Way, fewest_shared
from core.errors import VouchError
from core.export.drawing import svg_of
from core.review.citations import (
    MOST_DRAWN,
    MOST_FOLLOWED,
    Snowball,
    drawing_of,
    follow_citations,
    starting_papers,
    take_followed,
)
from core.settings import load_settings
from core.sources.linking import LINKING, MOST_LINKS
from core.sources.services import service_named
from core.text.words import counted
from pages._ui import standing_checks
from pages._ui.escape import plain
from pages._ui.jobs import BackgroundJob
from pages._ui.review.board import ProjectSnapshot
from pages._ui.review.search_state import CITATIONS, SourceWork
from pages._ui.review.source_jobs import begin
from pages._ui.review.source_jobs import show as show_work
from pages._ui.state import Session
from pages._ui.stored import the_store

_MOST_LISTED = 40
_FIRST = ["europepmc", "crossref"]


def show(session: Session, snapshot: ProjectSnapshot) -> None:
    """Draw the part, if a paper is included."""
    project, reader = snapshot.project.id, snapshot.reviewer or ""
    try:
        with the_store().reading() as store:
            starts = starting_papers(store, project, reader=reader)
    except VouchError as error:
        st.error(plain(str(error)), icon=":material/error:")
        return
    if not starts:
        return
    st.subheader("Citations", anchor=False)
    with st.container(border=True, key="citations", gap="small"):
        st.markdown(
            f"What {counted(len(starts), 'included paper')} cite{'s' if len(starts) == 1 else ''}, and what cites "
            f"{'it' if len(starts) == 1 else 'them'}: works that enough of them share come here, to be screened."
        )
        if snapshot.reviewer is None:
            return
        chosen = st.pills(
            "Ask",
            [service.id for service in LINKING],
            selection_mode="multi",
            default=_FIRST,
            key=f"citations-of-{project}",
            format_func=lambda service: service_named(service).name,
        )
        fewest = st.number_input(
            "Shared by at least so many of them",
            1,
            len(starts),
            fewest_shared(len(starts)),
            key=f"shared-by-{project}",
            width=280,
            help="1 takes every work that any of them cites, or that cites any of them: in each direction at most the "
            f"{MOST_FOLLOWED:,} that most of them share. OpenAlex and Semantic Scholar are asked for {MOST_LINKS:,} links "
            "of a paper in each direction.",
        )
        hosts = ", ".join(f"{service_named(id).name} ({service_named(id).host})" for id in chosen)
        goes = f"Their DOIs and PMIDs go to {hosts}." if chosen else "Choose whom to ask."
        st.caption(f":material/send: {plain(goes)}")
        if st.button(
            f"Follow citations of {counted(len(starts), 'paper')}",
            key="follow-citations",
            icon=":material/hub:",
            disabled=not chosen or session.review.sources.job is not None,
        ):
            begin(
                session,
                CITATIONS,
                partial(_follow, project, list(chosen), reader, int(fewest)),
                partial(_keep, session.review.sources),
            )
            st.rerun()
        show_work(session, CITATIONS)
        if session.review.sources.snowball is not None:
            _found(session, snapshot, session.review.sources.snowball)


def _follow(project: str, services: list[str], reader: str, shared: int, report: BackgroundJob[Any]) -> Snowball:
    return follow_citations(
        the_store(), project, load_settings(), services, reader=reader, shared=shared, progress=report
    )


def _keep(work: SourceWork, found: Snowball) -> None:
    work.snowball = found


def _found(session: Session, snapshot: ProjectSnapshot, found: Snowball) -> None:
    known = (
        f" {counted(found.known, 'further work')} {'is' if found.known == 1 else 'are'} in the review already."
        if found.known
        else ""
    )
    if not found.works:
        st.markdown(plain(f"No other work is shared by {found.shared} of them.{known}"))
        return
    picture = drawing_of(found)
    st.markdown(plain(f"{counted(len(found.works), 'work')} shared by {found.shared} or more.{known}"))
    st.image(svg_of(picture), alt=picture.description, width=720)
    if max(len(found.starts), *(sum(one.way is way for one in found.works) for way in Way)) > MOST_DRAWN:
        st.caption(f"The picture shows the first {MOST_DRAWN} of each row.")
    for one in found.works[:_MOST_LISTED]:
        way = "cited by" if one.way is Way.REFERENCE else "cites"
        st.markdown(
            f"- {plain(one.work.title or '', limit=160)} :gray[{one.work.year or ''} · {way} {one.shared} of them]"
        )
    if len(found.works) > _MOST_LISTED:
        st.caption(f"{len(found.works) - _MOST_LISTED:,} more.")
    st.button(
        f"Take {counted(len(found.works), 'work')} to screening",
        key="take-followed",
        type="primary",
        on_click=_take,
        args=(session, snapshot, found),
    )


def _take(session: Session, snapshot: ProjectSnapshot, found: Snowball) -> None:
    work = session.review.sources
    session.problem = None
    try:
        taken = take_followed(the_store(), snapshot.project.id, found.works, who=snapshot.reviewer or "")
        standing_checks.what_came_in(snapshot.project.id)
        work.snowball = None
        work.tell(CITATIONS, f"{counted(taken, 'reference')} came in by citation searching.")
    except VouchError as error:
        session.problem = str(error)
