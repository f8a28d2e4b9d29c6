"""The check of other wordings: a paraphrase and the negation of the hypothesis, to be corrected before they are used."""

from __future__ import annotations

import streamlit as st

from core.errors import VouchError
from core.evidence import Evidence
from core.evidence.sensitivity import Rewording, negated, other_wordings
from core.llm import model_named
from pages._ui.escape import plain
from pages._ui.open_paper import OpenPaper, one_line
from pages._ui.search import Search
from pages._ui.searching import engine_for
from pages._ui.state import session

_LABELS = {
    Rewording.PARAPHRASE: "The same in other words",
    Rewording.NEGATION: "The opposite: true exactly when the hypothesis is false",
}


@st.dialog("Check other wordings", width="medium")
def ask(opened: OpenPaper, evidence: Evidence) -> None:
    """Show both wordings, and search for those that are not empty."""
    now, search = session(), opened.search
    if search is None:
        return
    st.markdown(
        "Does the answer hang on how the hypothesis is worded? The same search runs for these, and what it finds is "
        "compared. Correct them first: each is used as it stands here, and an empty one is left out."
    )
    st.caption(plain(f"Hypothesis: {opened.question}"))
    fields = {rewording: f"wording-{rewording}-{opened.opening}-{opened.answers}" for rewording in Rewording}
    if fields[Rewording.NEGATION] not in st.session_state:
        for rewording, words in _proposed(opened, search).items():
            st.session_state[fields[rewording]] = words
    for rewording, label in _LABELS.items():
        st.text_area(label, key=fields[rewording], height=68)
    if problem := st.session_state.get(f"wording-problem-{opened.opening}"):
        st.caption(f":material/info: {plain(problem)}")
    if model_named(search.engine):
        st.caption("Each wording costs as much as a search.")
    if st.button("Search for these too", type="primary", key="check-wordings"):
        typed = {rewording: one_line(st.session_state[field]) for rewording, field in fields.items()}
        wordings = {rewording: words for rewording, words in typed.items() if words}
        if wordings:
            now.search_again(search, wordings)
        st.rerun()


def _proposed(opened: OpenPaper, search: Search) -> dict[Rewording, str]:
    """Wordings by the model that answered; where there is none, or it fails, a negation of our own."""
    now = session()
    problem = f"wording-problem-{opened.opening}"
    st.session_state[problem] = None
    try:
        with st.spinner("Asking for other words"), engine_for(now, search) as engine:
            return {Rewording.PARAPHRASE: "", **other_wordings(engine, opened.question)}
    except VouchError as error:
        st.session_state[problem] = f"The model gave no wordings: {error} Write them yourself."
        return {Rewording.PARAPHRASE: "", Rewording.NEGATION: negated(opened.question)}
