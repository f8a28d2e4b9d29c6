"""What a summary is like, in one row: how much of it is supported, how plain it reads, how much is its own words."""

from __future__ import annotations

import streamlit as st

from core.benchmarks.summary_gold import GoldOverlay
from core.export.summary_page import SIGNS
from core.summary import Label
from pages._ui.escape import plain
from pages._ui.money import run_cost
from pages._ui.open_paper import OpenPaper
from pages._ui.summary import gold
from pages._ui.summary.work import SOURCES, Version


def show(opened: OpenPaper, laid: GoldOverlay | None) -> None:
    """Draw the row for the version on the desk, with a choice among versions where there are several."""
    work = opened.summary
    version = work.version
    if version is None:
        return
    if len(work.versions) > 1:
        _choose(opened)
        version = work.version or version
    with st.container(key="summary-figures", horizontal=True, vertical_alignment="center", gap="medium"):
        st.markdown(_verdict(version), width="content")
        for text, about in _measures(version):
            st.caption(text, width="content", help=about)
    if laid is not None:
        st.markdown(gold.in_words(laid))
    for note in _notes(version):
        st.caption(f":material/info: {plain(note)}")


def _choose(opened: OpenPaper) -> None:
    work = opened.summary
    names = {version.id: name(version, number) for number, version in enumerate(work.versions, 1)}
    key = f"version-{opened.paper.id}"
    if st.session_state.get(key) not in names:
        st.session_state[key] = work.current
    work.current = st.pills("Versions", list(names), key=key, format_func=lambda key: plain(names[key]), required=True)


def name(version: Version, number: int) -> str:
    """A version in a list, as plain text: its place, who checked it, and how much of it is supported."""
    standing = version.report.standing(version.own)
    good = standing.count(Label.SUPPORTED)
    made = f"{version.made}, " if version.made else ""
    return f"{number} · {made}checked by {version.report.engine} · {good} of {len(standing)} supported"


def _verdict(version: Version) -> str:
    report = version.report
    standing = report.standing(version.own)
    counts = [
        f"{SIGNS[label]} **{standing.count(label)}** {report.in_words(label)}" for label in Label if label in standing
    ]
    return " · ".join(counts)


def _measures(version: Version) -> list[tuple[str, str]]:
    measured = version.measures
    rows: list[tuple[str, str]] = []
    if (ease := measured.readability) is not None:
        rows = [
            (f"Flesch-Kincaid grade {ease.flesch_kincaid:.1f}", "Years of school that reading it takes (Kincaid 1975)"),
            (f"Coleman-Liau {ease.coleman_liau:.1f}", "Years of school, from letters and sentences (Coleman and Liau 1975)"),
            (f"Dale-Chall {ease.dale_chall:.1f}", "4.9 or less is easy for a ten-year-old; 9 or more needs college (Dale and Chall 1948)"),
        ]  # fmt: skip
    shares = [f"{share:.0%}" if share is not None else "–" for share in measured.novelty]
    about = "The share of its words, pairs and triples of words that its source does not have: the plainer, the higher, and the more to check"
    words, pairs, triples = shares
    return [*rows, (f"New: {words} of words, {pairs} of pairs, {triples} of triples", about)]


def _notes(version: Version) -> list[str]:
    report = version.report
    seconds = f"{report.seconds:.1f} s" if report.seconds >= 0.1 else "under 0.1 s"
    first = f"Checked by {report.engine} against {SOURCES[report.source]} in {seconds}"
    if report.run is not None and not report.run.from_cache:
        first += f" · {run_cost(report.run)}"
    return [f"{first}.", *report.notes]
