"""Versions of a paper's summary side by side: their figures, and what one changed of the other."""

from __future__ import annotations

import streamlit as st

from core.export.summary_page import SIGNS
from core.summary import FaithfulnessReport, Label, SentenceCheck
from core.summary.comparing import changes
from pages._ui.open_paper import OpenPaper
from pages._ui.summary.figures import name
from pages._ui.summary.work import Version


def show(opened: OpenPaper) -> None:
    """Draw the comparison, folded, where there are two versions at least."""
    versions = opened.summary.versions
    current = opened.summary.version
    if len(versions) < 2 or current is None:
        return
    with st.expander("Compare versions", key=f"compare-{opened.paper.id}"):
        names = {version.id: name(version, number) for number, version in enumerate(versions, 1)}
        st.dataframe([_figures(names[version.id], version) for version in versions], hide_index=True)
        others = [version for version in versions if version.id != current.id]
        other = st.selectbox(
            "Sentence by sentence, beside",
            others,
            index=len(others) - 1,
            key=f"beside-{current.id}",
            format_func=lambda version: names[version.id],
        )
        st.dataframe(
            _beside(current.report, other.report),
            hide_index=True,
            column_config={"": st.column_config.TextColumn(width="small")},
        )


def _figures(title: str, version: Version) -> dict[str, object]:
    report, measured = version.report, version.measures
    return {
        "Version": title,
        **{label.capitalize(): len(report.labelled(label)) for label in Label},
        "Flesch-Kincaid": measured.readability and round(measured.readability.flesch_kincaid, 1),
        "New words": None if measured.novelty[0] is None else f"{measured.novelty[0]:.0%}",
    }


def _beside(one: FaithfulnessReport, other: FaithfulnessReport) -> list[dict[str, str]]:
    """A row for each sentence; what stayed the same faces itself."""
    return [
        {"This one": _line(change.before), "": "=" if change.kept else "≠", "The other": _line(change.after)}
        for change in changes(one, other)
    ]


def _line(sentence: SentenceCheck | None) -> str:
    return "" if sentence is None else f"{SIGNS[sentence.label]} {sentence.text}"
