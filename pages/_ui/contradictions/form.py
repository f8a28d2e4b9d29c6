"""The form: the project, the paper, the engine, and the buttons that compare its claims with the other papers."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import streamlit as st

from core.engines import TaskKind, names
from core.errors import QueryError, VouchError
from core.llm import CostEstimate, ModelName, Provider
from core.review.contested import estimate_holding
from core.review.indexing import text_of
from core.settings import load_settings
from core.store import StoredClaim
from core.text.words import counted
from pages._ui import frame, model_row, services_part
from pages._ui.ask.work import library_of
from pages._ui.contradictions.state import ContradictionChoices, HoldRequest
from pages._ui.contradictions.view import ContestedView
from pages._ui.escape import short
from pages._ui.model_choice import FOR_CONTRADICTIONS, engine_title
from pages._ui.state import Session, prime
from pages._ui.stored import the_store

SERVICES = "contested-services"
_PROJECT, _PAPER, _ENGINE, _WHO = "contested-project", "contested-paper", "contested-engine", "contested-who"


def draw(session: Session) -> ContestedView | None:
    """Draw the form. Returns what to show, or None if there is no paper to choose. Raises `VouchError`."""
    store, choices = the_store(), session.part(ContradictionChoices)
    with store.reading() as reading:
        projects = {saved.record.id: saved.record for saved in reversed(reading.projects())}
        project = next(
            (id for id in (choices.project, session.review.project) if id in projects), next(iter(projects), None)
        )
        papers = {saved.record.id: saved.record for saved in reading.stored_papers(project)} if project else {}
        claims = reading.all_claims(project) if project else ()
    if project is None:
        st.info(
            "Contradictions are looked for among the papers of a review. Make a project first, and put papers into it."
        )
        st.page_link(frame.REVIEW, label="To the projects", icon=":material/library_books:")
        return None
    chosen = choices.paper if choices.paper in papers else next(iter(papers), None)
    reviewer = session.review.reviewer_in(projects[project])
    who = f"{_WHO}-{project}"
    for key, known in ((_PROJECT, projects), (_PAPER, papers), (who, projects[project].reviewers)):
        if st.session_state.get(key) not in known:
            st.session_state.pop(key, None)
    prime(**{_PROJECT: project, _PAPER: chosen, _ENGINE: choices.engine, who: reviewer})
    keep = partial(_keep, session)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.selectbox(
            "Project",
            list(projects),
            format_func=lambda one: short(projects[one].name, 80),
            key=_PROJECT,
            width=260,
            on_change=keep,
        )
        st.selectbox(
            "You are",
            list(projects[project].reviewers),
            key=who,
            width=140,
            on_change=_take_who,
            args=(session, project, who),
        )
        st.selectbox(
            "Checked by",
            [*names(TaskKind.CONTRADICTIONS), *Provider],
            key=_ENGINE,
            width=200,
            format_func=engine_title,
            on_change=keep,
            help="Who sets each claim beside what the other papers report. Claims are found by the reader of this computer",
        )
    if chosen is None:
        st.caption("The project holds no papers yet.")
        return None
    st.selectbox(
        "Paper with the claims",
        list(papers),
        format_func=lambda one: short(papers[one].title or papers[one].name, 140),
        key=_PAPER,
        on_change=keep,
    )
    if choices.read is None or choices.read.id != chosen:
        choices.read = text_of(papers[chosen], store)
    with st.container(gap="small"):  # always there, so that what follows keeps its place in the page
        if choices.provider is not None:
            own = [saved.record for saved in claims if saved.record.paper == chosen]
            with st.expander("Model", key=f"contested-model-{choices.provider}"):
                model_row.draw(
                    session, choices.provider, FOR_CONTRADICTIONS, partial(_estimated, session, project, own)
                )
                if len(papers) > 1:
                    st.caption("The estimate is for the paper above. Each of the others uses about as much.")
            services_part.draw(
                choices,
                SERVICES,
                "For these claims search, too",
                "Nothing is sent to a service that is not chosen. It is asked anew every time.",
                sends="The words of the claims",
            )
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        hold = partial(_hold, session, project, reviewer)
        st.button("Check its claims", key="hold-claims", type="primary", on_click=hold, args=((chosen,),))
        st.button(
            "Check the claims of all papers",
            key="hold-all",
            on_click=hold,
            args=(tuple(papers),),
            help="For the matrix below. What is checked already is checked again only where papers came in or went",
        )
        held = sum(saved.record.contest is not None for saved in claims)
        st.caption(
            f"{counted(len(papers), 'paper')} in the project, {counted(held, 'claim')} checked.", width="content"
        )
    with store.reading() as reading:
        decisions, dropped = reading.contradictions(project, reader=reviewer), reading.dropped_claims(project)
    return ContestedView(projects[project], reviewer, papers, chosen, choices.read, claims, decisions, dropped)


def _take_who(session: Session, project: str, key: str) -> None:
    session.review.choose_reviewer(project, st.session_state[key])


def _keep(session: Session) -> None:
    fields, choices = st.session_state, session.part(ContradictionChoices)
    choices.project, choices.engine = fields[_PROJECT], fields[_ENGINE]
    choices.paper = fields.get(_PAPER, choices.paper)


def _estimated(session: Session, project: str, claims: Sequence[StoredClaim], name: ModelName) -> CostEstimate:
    """Estimate what checking the chosen paper's claims will use. Raises `QueryError` if that is not possible."""
    paper = session.part(ContradictionChoices).read
    if paper is None:
        raise QueryError("The text of this paper is not kept in the project: no cost can be told.")
    library = library_of(project, load_settings(), everywhere=False)
    if not len(library):
        raise QueryError(
            "The papers are not indexed yet, so that no cost can be told. Hold the claims by offline once: that indexes them."
        )
    return estimate_holding(name, claims, paper, library)


def _hold(session: Session, project: str, reviewer: str, papers: tuple[str, ...]) -> None:
    """Start checking the claims of these papers, with the chosen engine."""
    _keep(session)
    session.problem = None
    choices = session.part(ContradictionChoices)
    try:
        engine = choices.engine
        budget = None
        services: tuple[str, ...] = ()
        if choices.provider is not None:
            engine = str(model_row.check_model(session, choices.provider, FOR_CONTRADICTIONS))
            budget = session.choice.budget
            services = services_part.agreed(choices, SERVICES)
    except VouchError as error:
        session.problem = str(error)
        return
    choices.holdings.ask(HoldRequest(project, papers, engine, reviewer, budget, services))
