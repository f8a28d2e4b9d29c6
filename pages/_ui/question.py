"""The question put to a paper: the top bar, the hypothesis and the settings of a search."""

from __future__ import annotations

from functools import partial

import streamlit as st

from core.engines import EngineStatus, engine_statuses
from core.errors import VouchError
from core.evidence import EvidenceQuery
from core.evidence.llm import estimate_run
from core.evidence.results_first import is_about_an_effect
from core.llm import CostEstimate, ModelName
from core.paper import Format, Paper, cite
from pages._ui import model_row, opening, paper_bar, sentence_model_row
from pages._ui.escape import counted, plain, short
from pages._ui.model_choice import FOR_EVIDENCE, engine_title, provider_of
from pages._ui.open_paper import OpenPaper, one_line
from pages._ui.opening import open_record
from pages._ui.review.marks import show_mark
from pages._ui.state import Session, prime

_FORMAT_NAMES = {
    Format.JATS: "JATS XML",
    Format.TEI: "TEI XML",
    Format.BIOC_XML: "BioC XML",
    Format.BIOC_JSON: "BioC JSON",
    Format.PDF: "PDF",
    Format.MARKDOWN: "Markdown",
    Format.TEXT: "plain text",
    Format.EVIDENCEBENCH: "EvidenceBench",
}


def pick_record(session: Session, opened: OpenPaper) -> None:
    """Choose another record of the benchmark file that this paper comes from; typing searches the hypotheses."""
    slot = st.container()
    collection, record = session.collection, opened.record
    if collection is None or record is None or record >= len(collection.instances):
        return
    if collection.instances[record].paper.id != opened.paper.id:  # another file has been opened since
        return
    st.session_state["record"] = record
    broken = f", {collection.broken} left out because they are broken" if collection.broken else ""
    slot.selectbox(
        f"Record of {plain(collection.name, limit=80)}: {len(collection.instances)} records{broken}",
        range(len(collection.instances)),
        key="record",
        format_func=lambda index: f"{index + 1}. {short(collection.instances[index].hypothesis, 160)}",
        on_change=lambda: open_record(session, st.session_state["record"]),
        help="Type some words of a hypothesis to search",
    )


def show_paper(session: Session, opened: OpenPaper, *, fixed: bool = False) -> None:
    """The top bar: which paper this is, and what a reviewer should know about how it was read.

    `fixed`: it is judged as a paper of the open project, and may not be read otherwise.
    """
    paper = opened.paper
    with st.container(key="paper-bar", gap="xxsmall"):
        st.subheader(plain(opened.title, limit=400), anchor=False)
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.caption(plain(" · ".join(cite(paper)) or paper.name), width="content")
            with st.popover(_reading_label(paper), type="tertiary", icon=":material/info:"):
                _reading_notes(paper)
                paper_bar.show_left_out(session, opened, fixed=fixed)
                opening.offer_ocr_of_pages(session, opened)
            paper_bar.show_where_kept(session, opened, in_project=fixed)
        show_mark(session.review.project, paper.id)


def _reading_notes(paper: Paper) -> None:
    st.markdown(plain(_facts(paper)))
    if len(paper.authors) > 1:
        st.markdown(f"{len(paper.authors)} authors: {plain(', '.join(paper.authors))}")
    for line in paper_bar.notes_in_lines(paper.warnings):
        st.markdown(f":material/warning: {plain(line)}")
    if paper.sections_left_out:
        st.markdown("Sections that are left out, because they hold no evidence of their own:")
        st.markdown("\n".join(f"- {plain(title, limit=120)}" for title in paper.sections_left_out))


def _facts(paper: Paper) -> str:
    return " · ".join([paper.name, _FORMAT_NAMES[paper.format], f"{len(paper.pool):,} sentences"])


def _reading_label(paper: Paper) -> str:
    parts = [_FORMAT_NAMES[paper.format]]
    if warnings := len(paper_bar.notes_in_lines(paper.warnings)):
        parts.append(f"{counted(warnings, 'warning')} from reading")
    if paper.sections_left_out:
        parts.append(f"{counted(len(paper.sections_left_out), 'section')} left out")
    return " · ".join(parts)


def ask(session: Session, opened: OpenPaper) -> None:
    """The hypothesis and the settings; the button asks for a search."""
    statuses = {status.choice: status for status in engine_statuses()}  # a model's name has a row below
    prime(
        **{opened.field: opened.hypothesis},
        engine=session.engine,
        k=session.k,
        tables=session.tables,
    )
    opened.hypothesis = st.text_area(
        "Hypothesis",
        key=opened.field,
        height=68,
        placeholder="One claim that the paper may support or refute, such as: Drug A lowers blood pressure more than placebo.",
    )
    _offer_hypotheses(opened)
    with st.container(key="settings", horizontal=True, vertical_alignment="bottom", gap="small"):
        session.engine = st.selectbox(
            "Engine",
            list(statuses),
            key="engine",
            width=200,
            format_func=lambda name: _engine_label(name, statuses[name]),
        )
        # No limits: the field would ignore what is beyond them without a word, and the engines have a word for it.
        session.k = st.number_input("Sentences (k)", key="k", step=1, width=130)
        results_first_switch(opened)
        session.tables = st.toggle(
            "Tables and captions", key="tables", help="Whether table rows and captions may be chosen"
        )
        st.space("stretch")
        st.button(
            "Find evidence",
            key="find",
            type="primary",
            shortcut="Mod+Enter",
            on_click=_search,
            args=(session, opened),
        )
    slot = st.container(gap="xsmall")
    with slot:
        if session.provider is not None:
            model_row.draw(session, session.provider, FOR_EVIDENCE, partial(_estimated, session, opened))
        elif sentence_model_row.kind_of(session.engine) and statuses[session.engine].available:
            sentence_model_row.draw(session, session.engine)
        elif reason := statuses[session.engine].reason:
            st.caption(f":material/info: {plain(reason)}")


def _offer_hypotheses(opened: OpenPaper) -> None:
    """The hypotheses on this paper that have gold, to be filled in by a click, where there are several."""
    if len(opened.golds) < 2:
        return
    with st.container(key="known", horizontal=True, vertical_alignment="center", gap="small"):
        st.caption("Also with gold:", width="content")
        for number, hypothesis in enumerate(opened.golds):
            if hypothesis != one_line(opened.hypothesis):
                label = plain(hypothesis, limit=160)
                st.button(label, key=f"known-{number}", type="tertiary", on_click=opened.ask, args=(hypothesis,))


def _engine_label(name: str, status: EngineStatus) -> str:
    can_run = status.available or provider_of(name)  # a model's row says what it lacks
    return engine_title(name) if can_run else f"{name} (cannot run here)"


def results_first_switch(opened: OpenPaper) -> None:
    """The switch that says in which order the answer stands. Until it is touched it follows the hypothesis."""
    typed = st.session_state.get(opened.field, opened.hypothesis)
    # One switch for each kind of question: a browser that has not heard yet that the one switch was turned for it would
    # turn it back, as with a hypothesis that is typed and asked with one press.
    key = f"results-first-{opened.paper.id}-{is_about_an_effect(typed)}"
    st.session_state[key] = opened.asks_for_results_first(typed)
    st.toggle(
        "Results first",
        key=key,
        on_change=lambda: opened.say_results_first(st.session_state[key], typed),
        help="Results stand before other evidence; background, aims, eligibility and registration come when nothing "
        "better is left. On where the hypothesis is about an effect, until you say otherwise",
    )


def query_in_fields(opened: OpenPaper) -> EvidenceQuery:
    """The question as its fields hold it now. Raises `QueryError`."""
    fields = st.session_state
    hypothesis = fields[opened.field]
    first = opened.asks_for_results_first(hypothesis)
    return EvidenceQuery(hypothesis, fields["k"], tables=fields["tables"], results_first=first)


def _estimated(session: Session, opened: OpenPaper, name: ModelName) -> CostEstimate:
    """What the search would use as it is set now."""
    query = EvidenceQuery(opened.hypothesis.strip() or "?", session.k, tables=session.tables)
    return estimate_run(name, opened.paper, query)


def _search(session: Session, opened: OpenPaper) -> None:
    """Ask for a search with what the fields hold now."""
    fields = st.session_state
    session.engine = fields["engine"]
    try:
        query = query_in_fields(opened)
        if session.provider is not None:
            model_row.check_model(session, session.provider, FOR_EVIDENCE)
        else:
            sentence_model_row.name_in_fields(session, session.engine)
    except VouchError as error:
        session.problem = str(error)
        return
    session.search(opened, query)
