"""The desk on the page of plain summaries: the paper, and beside it the summary with its labels."""

from __future__ import annotations

from functools import partial

import streamlit as st

from core.benchmarks.summary_gold import GoldOverlay
from pages._ui import keeping, paper_view, serving
from pages._ui.open_paper import OpenPaper
from pages._ui.paper_view.checking import checking_payload, labels_from
from pages._ui.state import session, widget
from pages._ui.summary import ask, comparing, figures, files, gold


@st.fragment
def show(opened: OpenPaper) -> None:
    """Draw the figures, the desk, and the downloads. A label draws this part of the page again and nothing else."""
    keeping.at_desk(opened)
    version = opened.summary.version
    if version is None:
        return
    laid = gold.overlay_of(opened, version)
    figures.show(opened, laid)
    ask.offer_repair(session(), opened, version)
    key = f"summary-desk-{opened.paper.id}"
    paper_view.show(
        key=key,
        data={"opening": opened.opening, "view": _view(opened, laid), **serving.supply(opened)},
        on_decided=partial(_keep, key, opened),
        on_asked=partial(serving.keep_question, key, opened),
    )
    files.show(opened, version)
    comparing.show(opened)


def _view(opened: OpenPaper, laid: GoldOverlay | None) -> dict[str, object]:
    version = opened.summary.version
    assert version is not None  # noqa: S101  drawn with one only
    return {
        "question": f"{opened.opening}:{version.id}",
        "open": [other.opening for other in session().papers.values()],
        "answer": opened.summary.answers,
        "number": version.number,
        "stored": opened.all_stored,
        "noun": "Support",
        "canDecide": False,
        "empty": "No sentence of the paper supports this one.",
        "checking": checking_payload(version.report, opened.paper, version.own, laid),
    }


def _keep(key: str, opened: OpenPaper) -> None:
    """Store what the browser sent, if it is what the desk sends and its version is still there."""
    sent = widget(key).get("decided")
    if not isinstance(sent, dict) or not isinstance(number := sent.get("number"), int):
        return
    opening, _, id = str(sent.get("question")).partition(":")
    version = next((version for version in opened.summary.versions if version.id == id), None)
    if opening != opened.opening or version is None:
        return
    own = labels_from(sent.get("value"), sentences=len(version.report.sentences))
    if own is not None:
        version.own, version.number = own, number
