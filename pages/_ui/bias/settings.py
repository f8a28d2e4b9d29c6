"""What judging starts from: the tool, the review's question, blind mode, and who suggests."""

from __future__ import annotations

import streamlit as st

from core.bias import StudyContext, tools
from core.bias.engines import ENGINES
from pages._ui.bias import files
from pages._ui.bias.work import Wanted
from pages._ui.state import OpenPaper, Session, prime

_FIELDS = {
    "objective": ("Objective of the review", "What the review asks, such as: Does magnesium prevent leg cramps?"),
    "population": ("Population", ""),
    "intervention": ("Intervention", ""),
    "comparator": ("Comparator", ""),
    "outcome": ("Outcome", "Risk of bias is judged for one outcome at a time"),
}


def show(now: Session, opened: OpenPaper) -> None:
    """Draw the row of settings above the desk."""
    choices = now.bias
    prime(tool=choices.tool_id, blind=choices.blind, **{"bias-engine": choices.engine})
    with st.container(key="bias-settings", horizontal=True, vertical_alignment="bottom", gap="small"):
        choices.tool_id = st.selectbox(
            "Tool", list(tools()), key="tool", width=150, format_func=lambda name: tools()[name].name
        )
        choices.engine = st.selectbox(
            "Suggestions by",
            ENGINES,
            key="bias-engine",
            width=170,
            help="`offline` is trained on reports of trials; `bm25` and `embedding` look for the domain's own words",
        )
        st.button("Suggest", key="suggest", type="primary", on_click=_suggest, args=(now, opened))
        choices.blind = st.toggle(
            "Blind", key="blind", help="Hide the suggestion of a domain until your own judgement on it is in"
        )
        with st.popover("Review question", icon=":material/help_center:"):
            choices.study = _study(choices.study)
        st.space("stretch")
        with st.popover("Files", icon=":material/download:"):
            files.show(now, opened)


def _study(study: StudyContext) -> StudyContext:
    st.caption("Remembered for all papers of this session, and kept in the JSON file.")
    values = {}
    for name, (label, hint) in _FIELDS.items():
        key = f"study-{name}"
        prime(**{key: getattr(study, name)})
        write = st.text_area if name == "objective" else st.text_input
        values[name] = write(label, key=key, placeholder=hint)
    return StudyContext(**values)


def _suggest(now: Session, opened: OpenPaper) -> None:
    now.problem = None
    choices = now.bias
    choices.engine = st.session_state["bias-engine"]
    choices.wanted = Wanted(opened.paper.id, choices.tool, choices.engine, choices.study)
