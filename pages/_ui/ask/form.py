"""The form for a question: the project, the question, the engine, and the settings."""

from __future__ import annotations

from dataclasses import fields as dataclass_fields
from dataclasses import replace
from functools import partial

import streamlit as st

from core.answering import Question
from core.answering.agent import AgentLimits
from core.answering.beyond import require_agreement_fits
from core.answering.llm import OFFLINE, AnswerStrategy, ModelAnswerEngine, estimate_answer
from core.answering.model import GATHERED, SOURCES
from core.engines import TaskKind, engines_of_models, names
from core.errors import QueryError, VouchError
from core.library import DESIGNS, Years
from core.llm import CostEstimate, ModelName, Provider, model_named
from core.settings import load_settings
from core.store import Project
from core.text.words import counted
from pages._ui import frame, model_row, sentence_model_row, services_part
from pages._ui.ask.state import AskChoices, AskRequest, AskSettings, Screened
from pages._ui.ask.work import library_of, other_model
from pages._ui.escape import short
from pages._ui.model_choice import FOR_ANSWERS, engine_title
from pages._ui.state import Session, prime
from pages._ui.stored import the_store

_PROJECT, _QUESTION, _ENGINE = "ask-project", "ask-question", "ask-engine"
SERVICES = "ask-services"
_GATHERS, _PLANS = "ask-gathers", "ask-plans"


def draw(session: Session) -> str | None:
    """Draw the fields. Returns the chosen project, or None if there is no project. Raises `VouchError`."""
    choices = session.part(AskChoices)
    with the_store().reading() as store:
        projects = {saved.record.id: saved.record for saved in reversed(store.projects())}
        chosen = _chosen(session, projects)
        papers = len(store.paper_ids(chosen)) if chosen else 0
    if chosen is None:
        st.info("Ask reads the papers of a review. Make a project first, and put papers into it.")
        st.page_link(frame.REVIEW, label="To the projects", icon=":material/library_books:")
        return None
    prime(**{_PROJECT: chosen, _QUESTION: choices.question, _ENGINE: choices.engine})
    keep = partial(_keep, session)
    st.selectbox(
        "Papers of the project",
        list(projects),
        format_func=lambda one: short(projects[one].name, 100),
        key=_PROJECT,
        on_change=keep,
    )
    st.text_input(
        "Question", placeholder="Does walking improve sleep in adults with insomnia?", key=_QUESTION, on_change=keep
    )
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.selectbox(
            "Answered by",
            [*names(TaskKind.ANSWERS), *engines_of_models(TaskKind.ANSWERS), *Provider],
            key=_ENGINE,
            width=210,
            format_func=engine_title,
            on_change=keep,
            help="`offline` quotes the papers and never writes; a language model is sent passages of them, and writes an "
            "answer of which every sentence has its sources",
        )
        st.button("Ask", key="ask-button", type="primary", disabled=not papers, on_click=_ask, args=(session,))
    st.caption(
        f"{counted(papers, 'paper')} in the project. How answers are made: docs/answers.md"
        if papers
        else "The project holds no papers yet."
    )
    with st.container(gap="small"):  # always there, so that what follows keeps its place in the page
        _how(session, chosen)
    return chosen


def _chosen(session: Session, projects: dict[str, Project]) -> str | None:
    """The project to ask: the one chosen here, else the one open on the Review page, else the newest."""
    wanted = (session.part(AskChoices).project, session.review.project)
    found = next((id for id in wanted if id in projects), next(iter(projects), None))
    if st.session_state.get(_PROJECT) not in projects:  # it was deleted in another window
        st.session_state.pop(_PROJECT, None)
    return found


def _keep(session: Session) -> None:
    """Take over the values of the fields. Those of the model and the settings may not be drawn yet."""
    fields, choices = st.session_state, session.part(AskChoices)
    choices.project, choices.question, choices.engine = fields[_PROJECT], fields[_QUESTION], fields[_ENGINE]
    choices.gathers = (fields.get(_GATHERS, choices.gathers) or "").strip()
    choices.plans = (fields.get(_PLANS, choices.plans) or "").strip()
    settings = _settings_of(session)
    for name in (one.name for one in dataclass_fields(AskSettings)):
        setattr(settings, name, fields.get(f"ask-{name}", getattr(settings, name)))


def _settings_of(session: Session) -> AskSettings:
    choices = session.part(AskChoices)
    choices.settings = choices.settings or AskSettings(GATHERED, SOURCES, 1.0)
    return choices.settings


# ---- how it is asked ----


def _how(session: Session, project: str) -> None:
    """Draw the model, unfolded until there is an answer to read, and the settings, folded."""
    choices = session.part(AskChoices)
    provider = choices.provider
    answered = project in choices.answers
    if provider is not None:
        with st.expander("Model", expanded=not answered, key=f"ask-model-{provider}-{answered}"):
            model_row.draw(session, provider, FOR_ANSWERS, partial(_estimated, session, project))
        services_part.draw(
            choices,
            SERVICES,
            "For this question the agent may search, too",
            "Nothing is sent to a service that is not chosen. It is asked anew for every question.",
        )
    sentence_model_row.draw(session, choices.engine)
    with st.expander("Settings"):
        _settings(session)
        if provider is not None:
            _settings_of_models(session)
            _other_models(session)


def _other_models(session: Session) -> None:
    """Draw two fields for models that share the work, and the key field of a provider that only they name."""
    choices = session.part(AskChoices)
    prime(**{_GATHERS: choices.gathers, _PLANS: choices.plans})
    with st.container(gap="small"):
        with st.container(horizontal=True, gap="small"):
            st.text_input(
                "Reads the passages",
                key=_GATHERS,
                placeholder="The same model",
                width=330,
                on_change=_keep,
                args=(session,),
                help=f"A model in full, as openai:MODEL, or `{OFFLINE}`: the reader of this computer, at no cost",
            )
            st.text_input(
                "Plans the steps",
                key=_PLANS,
                placeholder="The same model",
                width=330,
                on_change=_keep,
                args=(session,),
                help="As openai:MODEL",
            )
        st.caption(
            "Other models may do a part of the work. The budget holds for each by itself; the estimate is for one that "
            "does all."
        )
        for provider in sorted(_other_providers(session)):
            model_row.say_key(session, provider)
            model_row.draw_key(session, provider)


def _other_providers(session: Session) -> set[Provider]:
    """Providers that only these two fields name. Asking reports a name that cannot be read, so it is skipped here."""
    choices = session.part(AskChoices)
    found: set[Provider] = set()
    for name in (choices.gathers, choices.plans):
        try:
            model = other_model(name)
        except VouchError:
            continue
        if model is not None and model.provider is not choices.provider:
            found.add(model.provider)
    return found


def _settings(session: Session) -> None:
    settings = _settings_of(session)
    prime(**{f"ask-{one.name}": getattr(settings, one.name) for one in dataclass_fields(AskSettings)})
    keep = partial(_keep, session)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.selectbox(
            "Papers",
            [False, True],
            key="ask-everywhere",
            width=200,
            format_func=lambda everywhere: "of all projects" if everywhere else "of this project",
            on_change=keep,
            help="The answer is kept in this project",
        )
        st.selectbox(
            "Design",
            ["", *DESIGNS],
            key="ask-design",
            width=240,
            format_func=lambda design: design or "any",
            on_change=keep,
            help="As a paper calls itself in its title, abstract and methods; one that does not say is left out",
        )
        st.selectbox(
            "At screening",
            ["", *map(str, Screened)],
            key="ask-screened",
            width=180,
            format_func=lambda screened: screened or "any",
            on_change=keep,
            help="As it was decided in the project; until both have decided, as you did",
        )
        st.number_input("From year", key="ask-first", value=None, step=1, placeholder="any", width=130, on_change=keep)
        st.number_input("To year", key="ask-last", value=None, step=1, placeholder="any", width=130, on_change=keep)
    # No limits on the fields: they would silently ignore a value out of range, while `Question` raises an error for it.
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.number_input(
            "Passages gathered", key="ask-k", step=1, width=150, on_change=keep, help="1 to 60; each of them is read"
        )
        st.number_input(
            "Of them in the answer",
            key="ask-sources",
            step=1,
            width=170,
            on_change=keep,
            help="The best of them, which it may rest on",
        )
        st.number_input(
            "Spread over papers",
            key="ask-spread",
            step=0.1,
            width=160,
            on_change=keep,
            help="1.0: off. The lower, the fewer passages of one paper that say the same",
        )


def _settings_of_models(session: Session) -> None:
    keep = partial(_keep, session)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.text_input(
            "Read from every passage, too",
            key="ask-fields",
            placeholder="dose, gene",
            width=300,
            on_change=keep,
            help="Names of what else you want to know, a comma between. It stands beside each passage, and goes into the answer",
        )
        st.number_input(
            "Steps at most", key="ask-steps", step=1, width=130, on_change=keep, help="After these an agent answers"
        )
        st.number_input("Seconds at most", key="ask-seconds", step=60.0, format="%.0f", width=150, on_change=keep)


def question_of(session: Session, text: str | None = None) -> Question:
    """The question with the current settings; `text` replaces the typed question. Raises `QueryError`."""
    settings = _settings_of(session)
    return Question(
        " ".join((session.part(AskChoices).question if text is None else text).split()),
        k=settings.k,
        years=Years(settings.first, settings.last),
        sources=settings.sources,
        spread=settings.spread,
        fields=tuple(filter(None, map(str.strip, settings.fields.split(",")))),
        design=settings.design or None,
        screened=settings.screened,
        everywhere=settings.everywhere,
    )


def limits_of(session: Session) -> AgentLimits:
    """The agent's limits in the current settings. Raises `QueryError`."""
    settings = _settings_of(session)
    return AgentLimits(settings.steps, settings.seconds)


# ---- asking ----


def _estimated(session: Session, project: str, name: ModelName) -> CostEstimate:
    """Estimate what the question would use with the current settings. Raises `QueryError` if that is impossible yet."""
    if not session.part(AskChoices).question.strip():
        raise QueryError("Type a question to see what an answer will cost.")
    library = library_of(project, load_settings(), everywhere=_settings_of(session).everywhere)
    if not len(library):
        raise QueryError(
            "The papers are not indexed yet: the first question does that. Until then no cost can be told."
        )
    return estimate_answer(name, [question_of(session)], library)


def _ask(session: Session) -> None:
    """Ask the question with the chosen engine."""
    _keep(session)
    choices = session.part(AskChoices)
    if choices.project is None:
        return
    session.problem = None
    try:
        question = question_of(session)
        request = request_of(session, choices.project, question)
        if choices.services and (name := model_named(request.engine)) is not None:
            strategy = ModelAnswerEngine.strategy_of(name)
            require_agreement_fits(question, has_agent=strategy is not AnswerStrategy.FIXED)
            request = replace(request, services=services_part.agreed(choices, SERVICES))
        choices.questions.ask(request)
    except VouchError as error:
        session.problem = str(error)


def request_of(session: Session, project: str, question: Question) -> AskRequest:
    """A request to a project with the chosen engine, without any service. Raises `VouchError`."""
    choices = session.part(AskChoices)
    if choices.provider is None:
        return AskRequest(project, question, sentence_model_row.name_in_fields(session, choices.engine))
    name = model_row.check_model(session, choices.provider, FOR_ANSWERS)
    for other in (choices.gathers, choices.plans):
        other_model(other)
    return AskRequest(
        project,
        question,
        str(name),
        choices.gathers,
        choices.plans,
        session.choice.budget,
        limits_of(session),
    )
