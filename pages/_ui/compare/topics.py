"""Risk of bias and plain summaries: every topic with each engine's label, filters, and the choice of one for the desk."""

from __future__ import annotations

import streamlit as st

from core.benchmarks.side_by_side.model import Comparison, Task
from core.benchmarks.side_by_side.overlay import Labels, label_overlay
from pages._ui.compare.ways import EVERYTHING, ways
from pages._ui.compare.work import Done
from pages._ui.escape import short
from pages._ui.open_paper import OpenPaper

_WHAT = {Task.BIAS: "Domain", Task.SUMMARY: "Sentence of the summary"}
_GOLD = {Task.BIAS: "You", Task.SUMMARY: "Gold"}


def show(opened: OpenPaper, done: Done) -> None:
    """Draw the table of topics, where there are labels."""
    comparison = done.comparison
    if not comparison.scale:
        return
    rows = [label_overlay(comparison.labels(place), topic.gold_label) for place, topic in enumerate(comparison.topics)]
    letters = "".join(side.letter for side in comparison.answered)
    known = ways(letters, judged=any(row.wrong for row in rows))
    counts = {name: sum(map(wanted, rows)) for name, wanted in known.items()}
    way = st.segmented_control(
        "Which", list(known), key=f"topics-{done.id}", default=EVERYTHING, required=True, label_visibility="collapsed",
        format_func=lambda name: f"{name} {counts[name]}",
    )  # fmt: skip
    places = [place for place, row in enumerate(rows) if known[way or EVERYTHING](row)]
    if not places:
        st.caption("There is none of this kind.")
        return
    st.dataframe(
        [_row(comparison, place, rows[place]) for place in places],
        hide_index=True,
        height="content",
        column_config={"": st.column_config.TextColumn(width=30)},
    )
    if opened.compared.topic not in places:
        opened.compared.topic = places[0]
    opened.compared.topic = st.selectbox(
        "Its support in the paper",
        places,
        index=places.index(opened.compared.topic),
        key=f"topic-{done.id}-{way}",
        format_func=lambda place: f"{place + 1}. {short(comparison.topics[place].title, 140)}",
    )


def _row(comparison: Comparison, place: int, labels: Labels) -> dict[str, object]:
    topic, wrong = comparison.topics[place], labels.wrong or (None,) * len(labels.given)
    row: dict[str, object] = {"": "≠" if labels.disputed else "=", _WHAT[comparison.task]: topic.title}
    for side, label, mistaken in zip(comparison.answered, labels.given, wrong, strict=True):
        sign = {None: "", True: "✕ ", False: "✓ "}[mistaken]
        row[f"{side.letter} · {side.engine}"] = f"{sign}{label or 'cannot tell'}"
    if any(topic.gold_label for topic in comparison.topics):
        row[_GOLD[comparison.task]] = topic.gold_label or ""
    return row
