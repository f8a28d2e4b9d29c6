"""The desk on the compare page: the paper with every engine's choice, and the figures above it."""

from __future__ import annotations

from functools import partial

import streamlit as st

from core.benchmarks.side_by_side.model import Comparison
from pages._ui import paper_view, serving
from pages._ui.compare import figures, topics
from pages._ui.compare.work import Done
from pages._ui.escape import plain
from pages._ui.open_paper import OpenPaper
from pages._ui.paper_view.comparing import comparing_payload
from pages._ui.state import Session, session


def show(now: Session, opened: OpenPaper) -> None:
    """Draw the figures of the last comparison of this kind, the choice of a topic, and the desk."""
    done = opened.compared.by_task.get(now.compare.task)
    with st.container():
        if done is not None:
            st.caption(f"Answers to: {plain(done.comparison.question, limit=240)}")
            figures.show(done.comparison, opened.paper)
            topics.show(opened, done)
    _desk(opened, done)


def _desk(opened: OpenPaper, done: Done | None) -> None:
    key = f"compare-desk-{opened.paper.id}"
    paper_view.show(
        key=key,
        data={"opening": opened.opening, "view": _view(opened, done), **serving.supply(opened)},
        on_decided=lambda: None,
        on_asked=partial(serving.keep_question, key, opened),
    )


def _view(opened: OpenPaper, done: Done | None) -> dict[str, object]:
    topic = opened.compared.topic
    comparison = done.comparison if done else None
    return {
        "question": f"{opened.opening}:{done.id if done else ''}:{topic}",
        "open": [other.opening for other in session().papers.values()],
        "answer": opened.compared.answers,
        "number": 0,
        "noun": "Sentences",
        "canDecide": False,
        "empty": "No sentence to show." if done else "Choose two to four engines above and press Compare.",
        "note": "The letters say which engines chose a sentence; the ranks are their own.",
        "comparing": _comparing(comparison, topic),
    }


def _comparing(comparison: Comparison | None, topic: int) -> dict[str, object]:
    if comparison is None:
        return comparing_payload((), None)
    return comparing_payload(comparison.on(topic), comparison.topics[topic].gold)
