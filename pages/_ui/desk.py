"""The desk on the page: the answer in one line, gold, downloads, and the paper with its evidence."""

from __future__ import annotations

from functools import partial

import streamlit as st

from core.evidence import Evidence
from pages._ui import downloads, keeping, other_wordings, paper_view, serving
from pages._ui.escape import plain
from pages._ui.money import run_cost
from pages._ui.open_paper import Decided, OpenPaper, one_line
from pages._ui.paper_view import payload
from pages._ui.paper_view.gold import gold_payload
from pages._ui.paper_view.model_run import changes_payload, run_payload, verdict_payload
from pages._ui.state import prime, session, widget


@st.fragment
def show(opened: OpenPaper) -> None:
    """Draw the desk. A decision draws this part of the page again and nothing else."""
    keeping.at_desk(opened)
    with st.container(key="answer", horizontal=True, vertical_alignment="center", gap="small"):
        _answer(opened)
    key = f"desk-{opened.paper.id}"
    paper_view.show(
        key=key,
        data={"opening": opened.opening, "view": _view(opened), **serving.supply(opened)},
        on_decided=partial(_keep_decisions, key, len(opened.paper.sentences)),
        on_asked=partial(serving.keep_question, key, opened),
    )


def _answer(opened: OpenPaper) -> None:
    evidence = opened.evidence
    st.caption(plain(_outcome(opened), limit=400), width="stretch")
    if opened.gold_here is not None:
        key = f"gold-{opened.paper.id}"
        prime(**{key: opened.show_gold})
        opened.show_gold = st.toggle("Show gold", key=key, help="Compare with the sentences that experts marked")
    if opened.to_retry is not None:
        again = st.button(
            "Try what failed again",
            key="again",
            icon=":material/replay:",
            help="What was answered is kept, and is not asked again",
        )
        if again:
            session().search_again(opened.to_retry)
            st.rerun()
    if evidence is not None:
        if st.button(
            "Check other wordings",
            key="other-wordings",
            type="tertiary",
            help="Search for a paraphrase and for the negation too",
        ):
            other_wordings.ask(opened, evidence)
        with st.container(horizontal=True, vertical_alignment="center", gap="small", width="content"):
            downloads.show(opened, evidence)


def _outcome(opened: OpenPaper) -> str:
    """The answer in one line, and whether the question has been changed since."""
    evidence = opened.evidence
    if opened.unanswered is not None:
        failed = f"{opened.unanswered.run.model} came to no answer; the tab Reasoning shows what it said"
        return failed if evidence is None else f"{failed}. Below stands the answer before."
    if evidence is None:
        return ""
    count = len(evidence.sentences)
    seconds = f"{evidence.seconds:.1f} s" if evidence.seconds >= 0.1 else "less than 0.1 s"
    parts = [f"{count} sentence{'s' * (count != 1)} by {evidence.engine} in {seconds}"]
    if evidence.run is not None and not evidence.run.from_cache:  # else a note says so
        parts.append(run_cost(evidence.run))
    parts += evidence.notes
    if one_line(opened.hypothesis) != opened.question:
        parts.append(f"for “{opened.question}”; press Find evidence for the new hypothesis")
    elif opened.search is not None and _settings_changed(opened, evidence):
        parts.append("settings have changed; press Find evidence")
    return " · ".join(parts)


def _settings_changed(opened: OpenPaper, evidence: Evidence) -> bool:
    now, query = session(), evidence.query
    asked = (evidence.engine, query.k, query.results_only or query.results_first, query.tables)
    return asked != (now.engine_name, now.k, opened.asks_for_results_first(query.hypothesis), now.tables)


def _view(opened: OpenPaper) -> dict[str, object]:
    decided = opened.decided
    gold = opened.gold_here if opened.show_gold else None
    return {
        "question": opened.question_id,
        "answer": opened.answers,
        "open": [other.opening for other in session().papers.values()],
        "number": decided.number,
        "stored": opened.all_stored,
        "decisions": payload.decided(decided.decisions),
        "ranked": payload.ranked(opened.evidence),
        "gold": gold and gold_payload(gold, opened.evidence, decided.decisions, k=session().k),
        "canDecide": bool(opened.question),
        "empty": _empty(opened),
        "verdict": verdict_payload(opened.evidence),
        "run": run_payload(opened.run, answered=opened.unanswered is None),
        "changes": changes_payload(opened.changes, opened.evidence),
        "newest": opened.newest,
        "beginAt": opened.begin_at,
    }


def _empty(opened: OpenPaper) -> str:
    if not opened.question:
        return "Type a hypothesis above and press Find evidence."
    if opened.evidence is None:
        return "Press Find evidence, or click any sentence of the paper to add it yourself."
    if wrong := sum(len(step.not_in_paper) for step in (opened.run.steps if opened.run else ())):
        named = f"{wrong} sentences that are" if wrong > 1 else "a sentence that is"
        return f"The model named {named} not in this paper; none is shown. Try another model."
    return "The engine found no sentence. Try other words, or click a sentence of the paper to add it yourself."


def _keep_decisions(key: str, sentences: int) -> None:
    """Store what the browser sent, if it is what the desk sends."""
    sent = widget(key).get("decided")
    if not isinstance(sent, dict):
        return
    question, number = sent.get("question"), sent.get("number")
    decisions = payload.decisions_from(sent.get("value"), sentences=sentences)
    if decisions is not None and isinstance(number, int) and isinstance(question, str):
        session().keep_decisions(question, Decided(decisions, number))
