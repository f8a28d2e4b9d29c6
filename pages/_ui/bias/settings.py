"""What judging starts from: the tool, the review's question, blind mode, and who suggests."""

from __future__ import annotations

from functools import partial

import streamlit as st

from core.bias import StudyContext, Tool, tools
from core.bias.engines import ENGINES
from core.bias.llm.engine import strategy_of
from core.bias.llm.estimating import estimate_run
from core.errors import VouchError
from core.llm import Estimate, ModelName, Provider
from pages._ui import model_row
from pages._ui.bias import files
from pages._ui.bias.work import Wanted
from pages._ui.escape import plain
from pages._ui.model_choice import FOR_BIAS, TITLES
from pages._ui.open_paper import OpenPaper
from pages._ui.review.sheet import Sheet
from pages._ui.state import Session, prime

STUDY_FIELDS = {
    "objective": ("Objective of the review", "What the review asks, such as: Does magnesium prevent leg cramps?"),
    "population": ("Population", ""),
    "intervention": ("Intervention", ""),
    "comparator": ("Comparator", ""),
    "outcome": ("Outcome", "Risk of bias is judged for one outcome at a time"),
}


def show(now: Session, opened: OpenPaper, sheet: Sheet | None = None) -> None:
    """Draw the row of settings above the desk. On a paper of a project, what the project sets is not to be set here."""
    choices = now.bias
    tool, study = (sheet.tool, sheet.study) if sheet else (choices.tool, choices.study)
    prime(tool=choices.tool_id, blind=choices.blind, **{"bias-engine": choices.engine})
    with st.container(key="bias-settings", horizontal=True, vertical_alignment="bottom", gap="small"):
        if sheet is None:
            choices.tool_id = st.selectbox(
                "Tool", list(tools()), key="tool", width=150, format_func=lambda name: tools()[name].name
            )
            tool = choices.tool
        choices.engine = st.selectbox(
            "Suggestions by",
            [*ENGINES, *Provider],
            key="bias-engine",
            width=190,
            format_func=lambda name: TITLES[Provider(name)] if name in set(Provider) else name,
            help="`offline` is trained on reports of trials; `bm25` and `embedding` look for the domain's own words; "
            "a language model is sent the paper",
        )
        st.button("Suggest", key="suggest", type="primary", on_click=_suggest, args=(now, opened, tool, study, sheet))
        if sheet is None:
            choices.blind = st.toggle(
                "Blind", key="blind", help="Hide the suggestion of a domain until your own judgement on it is in"
            )
        with st.popover("Review question", icon=":material/help_center:"):
            if sheet is None:
                choices.study = _study(choices.study)
            else:
                _show_study(study)
        st.space("stretch")
        with st.popover("Files", icon=":material/download:"):
            files.show(now, opened, sheet)
    with st.container(gap="xsmall"):
        if choices.provider is not None:
            model_row.draw(now, choices.provider, FOR_BIAS, partial(_estimated, opened, tool, study))


def _estimated(opened: OpenPaper, tool: Tool, study: StudyContext, name: ModelName) -> Estimate:
    """What suggestions for all domains would use."""
    return estimate_run(name, strategy_of(name), tool.domains, opened.paper, study)


def _show_study(study: StudyContext) -> None:
    st.caption("The project's own, for all of its papers.")
    for name, (label, _) in STUDY_FIELDS.items():
        if value := getattr(study, name):
            st.markdown(f"**{label}**: {plain(value)}")


def _study(study: StudyContext) -> StudyContext:
    st.caption("The same for all papers outside projects, and kept in the JSON file.")
    values = {}
    for name, (label, hint) in STUDY_FIELDS.items():
        key = f"study-{name}"
        prime(**{key: getattr(study, name)})
        write = st.text_area if name == "objective" else st.text_input
        values[name] = write(label, key=key, placeholder=hint)
    return StudyContext(**values)


def _suggest(now: Session, opened: OpenPaper, tool: Tool, study: StudyContext, sheet: Sheet | None) -> None:
    now.problem = None
    choices = now.bias
    choices.engine = st.session_state["bias-engine"]
    if sheet is None:
        tool, study = choices.tool, choices.study
    engine, budget = choices.engine, None
    if choices.provider is not None:
        try:
            engine, budget = str(model_row.check(now, choices.provider, FOR_BIAS)), now.choice.budget
        except VouchError as error:
            now.problem = str(error)
            return
    choices.begin(Wanted(opened.paper.id, tool, engine, study, sheet, budget))
