"""The desk on the page: the answer in one line, gold, downloads, and the paper with its evidence."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime
from functools import partial

import streamlit as st

from core.evidence import Evidence
from core.export.evidence import evidence_csv, evidence_json
from core.export.review import Review
from core.paper import Paper
from pages._ui import paper_view, serving
from pages._ui.escape import plain
from pages._ui.paper_view import payload
from pages._ui.paper_view.gold import gold_for_question, gold_payload
from pages._ui.state import Decided, OpenPaper, one_line, prime, session, widget


@st.fragment
def show(opened: OpenPaper) -> None:
    """Draw the desk. A decision draws this part of the page again and nothing else."""
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
    if evidence is not None:
        st.caption("Decisions stay in this window until you download them:", width="content")
        review = Review(opened.paper.id, evidence, opened.decided.decisions)
        for label, write, mime in (("CSV", evidence_csv, "text/csv"), ("JSON", evidence_json, "application/json")):
            st.download_button(
                label,
                data=partial(_file, write, opened, review),
                file_name=f"{_stem(opened.paper)}-evidence.{label.lower()}",
                mime=mime,
                icon=":material/download:",
                on_click="ignore",
                key=f"download-{label}",
                help=f"The sentences, scores and decisions as {label}",
            )


def _outcome(opened: OpenPaper) -> str:
    """The answer in one line, and whether the question has been changed since."""
    evidence = opened.evidence
    if evidence is None:
        return ""
    count = len(evidence.sentences)
    seconds = f"{evidence.seconds:.1f} s" if evidence.seconds >= 0.1 else "less than 0.1 s"
    parts = [f"{count} sentence{'s' * (count != 1)} by {evidence.engine} in {seconds}", *evidence.notes]
    if one_line(opened.hypothesis) != opened.question:
        parts.append(f"for “{opened.question}”; press Find evidence for the new hypothesis")
    elif _settings_changed(evidence):
        parts.append("settings have changed; press Find evidence")
    return " · ".join(parts)


def _settings_changed(evidence: Evidence) -> bool:
    now, query = session(), evidence.query
    asked = (evidence.engine, query.k, query.results_only, query.tables)
    return asked != (now.engine, now.k, now.results_only, now.tables)


def _file(write: Callable[..., str], opened: OpenPaper, review: Review) -> bytes:
    gold = opened.gold_here
    aspects = None
    if gold is not None and opened.show_gold:  # who has not looked at gold takes none away
        measured = gold_for_question(gold, opened.evidence)
        aspects = {i: [measured.label(aspect) for aspect in names] for i, names in measured.by_sentence.items()}
    return write(opened.paper, review, date=datetime.now().astimezone(), gold=aspects).encode()


def _stem(paper: Paper) -> str:
    """A file name for downloads: letters, digits and hyphens of the paper's own name."""
    stem = re.sub(r"[^\w-]+", "-", paper.name.rsplit(".", 1)[0]).strip("-")
    return stem[:60] or "paper"


def _view(opened: OpenPaper) -> dict[str, object]:
    decided = opened.decided
    gold = opened.gold_here if opened.show_gold else None
    return {
        "question": opened.question_id,
        "answer": opened.answers,
        "open": [other.opening for other in session().papers.values()],
        "number": decided.number,
        "decisions": payload.decided(decided.decisions),
        "ranked": payload.ranked(opened.evidence),
        "gold": gold and gold_payload(gold, opened.evidence, decided.decisions, k=session().k),
        "canDecide": bool(opened.question),
        "empty": _empty(opened),
    }


def _empty(opened: OpenPaper) -> str:
    if not opened.question:
        return "Type a hypothesis above and press Find evidence."
    if opened.evidence is None:
        return "Press Find evidence, or click any sentence of the paper to add it yourself."
    return "The engine found no sentence. Try other words, or click a sentence of the paper to add it yourself."


def _keep_decisions(key: str, sentences: int) -> None:
    """Store what the browser sent, if it is what the desk sends."""
    sent = widget(key).get("decided")
    if not isinstance(sent, dict):
        return
    question, number = sent.get("question"), sent.get("number")
    decisions = payload.decisions_from(sent.get("decisions"), sentences=sentences)
    if decisions is not None and isinstance(number, int) and isinstance(question, str):
        session().keep_decisions(question, Decided(decisions, number))
