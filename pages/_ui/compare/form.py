"""The form for a comparison: the task and its question, the engines, how often models are asked, and the estimate."""

from __future__ import annotations

import streamlit as st

from core.benchmarks.side_by_side.model import MOST_ENGINES
from core.bias.llm.engine import estimate_run as estimate_judgements
from core.engines import TaskKind, engine_statuses, models_among, names
from core.errors import EngineError, QueryError, VouchError
from core.evidence.llm import estimate_run
from core.llm import Budget, CostEstimate, ModelName, suggested_models
from core.paper import Paper
from core.summary.llm import estimate_check
from core.summary.writing import ReadingLevel, estimate_writing
from pages._ui import model_row
from pages._ui.bias import tool_choice
from pages._ui.compare import asking, presets
from pages._ui.compare.state import (
    CompareChoices,
    CompareWork,
    ComparisonRequest,
    HypothesisToCompare,
    SummaryToCompare,
    ToolToCompare,
)
from pages._ui.escape import plain
from pages._ui.evidence import query_in_fields, results_first_switch
from pages._ui.model_choice import TITLES, estimate_in_words, tally_in_words
from pages._ui.open_paper import OpenPaper, one_line
from pages._ui.state import Session, prime

# ---- estimates ----


def estimate_answer(
    model: ModelName, what: HypothesisToCompare | ToolToCompare | SummaryToCompare, paper: Paper
) -> CostEstimate:
    """The calls, tokens and cost of one answer. Raises `VouchError` if there is nothing to ask yet."""
    match what:
        case HypothesisToCompare(query):
            return estimate_run(model, paper, query)
        case ToolToCompare(tool, study):
            return estimate_judgements(model, tool.domains, paper, study)
        case SummaryToCompare(_, source, writers=writers) if writers:
            return estimate_writing(model, paper, source, ReadingLevel.PLAIN)
        case SummaryToCompare(summary, source):
            if not any(map(str.isalnum, summary)):
                raise QueryError("The summary is empty. Write or paste at least one sentence about the paper.")
            return estimate_check(model, summary, paper, source)


# ---- fields ----

TASKS = {
    TaskKind.EVIDENCE: "Evidence",
    TaskKind.BIAS: "Risk of bias",
    TaskKind.SUMMARY: "Plain summary",
}
_PLACES = {False: "On one paper", True: "Over saved runs"}


def choose_place(session: Session) -> None:
    """Draw the choice between one paper and saved runs."""
    choices = session.part(CompareChoices)
    prime(**{"compare-over-runs": choices.over_runs})
    chosen = st.segmented_control(
        "Where", list(_PLACES), key="compare-over-runs", format_func=_PLACES.__getitem__, required=True,
        label_visibility="collapsed",
    )  # fmt: skip
    choices.over_runs = bool(chosen)


def show(session: Session, opened: OpenPaper) -> None:
    """Draw the form. Its button asks for a comparison."""
    choices = session.part(CompareChoices)
    prime(**{"compare-task": choices.task})
    with st.container(key="compare-task-row", horizontal=True, vertical_alignment="bottom", gap="medium"):
        chosen = st.segmented_control(
            "Compare on", list(TASKS), key="compare-task", format_func=TASKS.__getitem__, required=True
        )
        choices.task = chosen or choices.task
        presets.show(session)
        if choices.task is TaskKind.BIAS:
            tool_choice.draw(session)
        if choices.task is TaskKind.EVIDENCE:
            _settings(session, opened)
    if choices.task is TaskKind.EVIDENCE:
        _hypothesis(opened)
    elif choices.task is TaskKind.SUMMARY and choices.writers:
        _writers(session)
    elif choices.task is TaskKind.SUMMARY:
        _summary(opened)
    _engines(session, opened)


def _settings(session: Session, opened: OpenPaper) -> None:
    prime(k=session.k, tables=session.tables)
    session.k = st.number_input("Sentences (k)", key="k", step=1, width=130)
    results_first_switch(opened)
    session.tables = st.toggle("Tables and captions", key="tables")


def _hypothesis(opened: OpenPaper) -> None:
    prime(**{opened.field: opened.hypothesis})
    opened.hypothesis = st.text_area(
        "Hypothesis",
        key=opened.field,
        height=68,
        placeholder="One claim that the paper may support or refute, the same for every engine",
    )


def _summary(opened: OpenPaper) -> None:
    work = opened.part(CompareWork)
    field = f"compare-summary-{opened.paper.id}"
    checked = opened.summary.version
    prime(**{field: work.summary or (checked.text if checked else opened.summary.draft)})
    work.summary = st.text_area(
        "Summary",
        key=field,
        height=110,
        placeholder="A summary of this paper in plain words, the same for every engine",
    )


def _writers(session: Session) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        writers = " and ".join(session.part(CompareChoices).writers)
        st.caption(
            plain(f"{writers} write a summary of this paper each, and all of both are checked."), width="content"
        )
        st.button("Check one of mine", key="compare-mine", type="tertiary", on_click=_forget_writers, args=(session,))


def _forget_writers(session: Session) -> None:
    session.part(CompareChoices).writers = ()


def _engines(session: Session, opened: OpenPaper) -> None:
    choices = session.part(CompareChoices)
    task = choices.task
    field = f"compare-engines-{task}"
    prime(**{field: list(choices.engines[task]), "compare-times": choices.times, "usd": session.choice.usd})
    with st.container(key="compare-engines", horizontal=True, vertical_alignment="bottom", gap="small"):
        chosen = st.multiselect(
            "Engines",
            list(dict.fromkeys([*_local(task), *choices.engines[task], *_models()])),
            key=field,
            on_change=_forget_writers,  # the writers belong to a ready comparison, which this no longer is
            args=(session,),
            max_selections=MOST_ENGINES,
            accept_new_options=True,
            placeholder="Two to four",
            width=560,
            help="Two to four, each with its letter in the order chosen. Type a language model by its full name, such as "
            "`openai:MODEL@digest`, the best for evidence; without an `@` it is asked by `@sections`",
        )
        choices.engines[task] = tuple(chosen)
        models = models_among(chosen)
        if models:
            choices.times = st.number_input(
                "Ask models", key="compare-times", min_value=1, max_value=10, step=1, width=120,
                help="How often each language model is asked, each time with another seed, to see how stable it is. "
                "Engines of this machine say the same every time.",
            )  # fmt: skip
            session.choice.usd = st.number_input(
                "Budget in $", key="usd", placeholder="none", step=0.1, width=140,
                help="For each engine, each time it is asked",
            )  # fmt: skip
        st.space("stretch")
        st.button(
            "Compare",
            key="compare",
            type="primary",
            shortcut="Mod+Enter",
            on_click=_compare,
            args=(session, opened, field),
        )
    for provider in dict.fromkeys(model.provider for model in models):
        model_row.say_key(session, provider)
        model_row.draw_key(session, provider)
    for model in models:
        st.caption(plain(_estimate(session, opened, model)))
    if tally := tally_in_words(session.tally):
        st.caption(plain(tally))


def _estimate(session: Session, opened: OpenPaper, model: ModelName) -> str:
    """Estimate what asking a model will use, in words; or say why it cannot be asked."""
    choices = session.part(CompareChoices)
    try:
        words = estimate_in_words(estimate_answer(model, _what(session, opened, choices.task), opened.paper))
    except VouchError as error:
        return f"{model}: {error}"
    again = f", {choices.times} times" if choices.times > 1 else ""
    writes = " (writing; checking what comes of it is not counted)" if choices.writers else ""
    return f"{model}{again}: {words}{writes if choices.task is TaskKind.SUMMARY else ''}"


def _local(task: TaskKind) -> list[str]:
    """The engines of this machine for a task, without those that cannot run here."""
    missing = {status.name for status in engine_statuses() if not status.available}
    return [name for name in names(task, strategies=True) if name not in missing]


def _models() -> list[str]:
    return [name for provider in TITLES for name in suggested_models(provider)]


def _compare(session: Session, opened: OpenPaper, field: str) -> None:
    """Ask for a comparison with the current values of the fields."""
    fields, choices = st.session_state, session.part(CompareChoices)
    names = tuple(fields[field])
    session.problem = None
    try:
        if len(names) < 2:
            raise EngineError("Choose two engines at least: one alone has nothing to be compared with.")
        for name in names:
            asking.check_engine(name, choices.task)
        what = _what(session, opened, choices.task)
    except VouchError as error:
        session.problem = str(error)
        return
    choices.engines[choices.task] = names
    budget = Budget(fields.get("usd"))
    choices.comparisons.ask(ComparisonRequest(opened.paper.id, names, what, fields.get("compare-times", 1), budget))


def _what(
    session: Session, opened: OpenPaper, task: TaskKind
) -> HypothesisToCompare | ToolToCompare | SummaryToCompare:
    """The question in the fields. Raises `QueryError`."""
    choices = session.part(CompareChoices)
    fields = st.session_state
    if task is TaskKind.EVIDENCE:
        query = query_in_fields(opened)
        return HypothesisToCompare(query, opened.golds.get(one_line(query.hypothesis)))
    if task is TaskKind.BIAS:
        tool = session.bias.tool
        own = opened.bias.with_tool(tool, session.bias.outcome).assessment.own
        levels = tuple(own[domain.id].level if domain.id in own else None for domain in tool.domains)
        return ToolToCompare(
            tool, session.bias.study.for_outcome(session.bias.outcome if tool.judges_results else ""), levels
        )
    if choices.writers:
        return SummaryToCompare("", session.summary.source, opened.summary.golds, choices.writers)
    return SummaryToCompare(fields[f"compare-summary-{opened.paper.id}"], session.summary.source, opened.summary.golds)
