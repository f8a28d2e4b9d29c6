"""A checked summary on the page: figures, the desk, files, and a comparison of versions."""

from __future__ import annotations

import json
from functools import partial

import streamlit as st

from core import __version__
from core.benchmarks.farebio import GoldOverlay
from core.export.summary import SIGNS, summary_csv, summary_document, summary_page
from core.paper import Paper
from core.summary import FaithfulnessReport, Label, SentenceCheck
from core.summary.model import changes
from pages._ui import autosave
from pages._ui.downloads import download, now_here, paper_stem
from pages._ui.escape import plain
from pages._ui.model_choice import run_cost
from pages._ui.open_paper import OpenPaper
from pages._ui.paper_view import component
from pages._ui.paper_view.summary import checking_payload, labels_from
from pages._ui.state import current_session, widget
from pages._ui.summary import form
from pages._ui.summary.state import SOURCES, CheckedSummary

# ---- figures ----


def show_figures(opened: OpenPaper, laid: GoldOverlay | None) -> None:
    """Draw the figures of the version on the desk, with a choice if there are several versions."""
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
        st.markdown(form.gold_in_words(laid))
    for note in _notes(version):
        st.caption(f":material/info: {plain(note)}")


def _choose(opened: OpenPaper) -> None:
    work = opened.summary
    names = {version.id: version_name(version, number) for number, version in enumerate(work.versions, 1)}
    key = f"version-{opened.paper.id}"
    if st.session_state.get(key) not in names:
        st.session_state[key] = work.current
    work.current = st.pills("Versions", list(names), key=key, format_func=lambda key: plain(names[key]), required=True)


def version_name(version: CheckedSummary, number: int) -> str:
    """A version in a list, as plain text: its number, who checked it, and how much of it is supported."""
    standing = version.report.standing(version.own)
    good = standing.count(Label.SUPPORTED)
    made = f"{version.made}, " if version.made else ""
    return f"{number} · {made}checked by {version.report.engine} · {good} of {len(standing)} supported"


def _verdict(version: CheckedSummary) -> str:
    report = version.report
    standing = report.standing(version.own)
    counts = [
        f"{SIGNS[label]} **{standing.count(label)}** {report.in_words(label)}" for label in Label if label in standing
    ]
    return " · ".join(counts)


def _measures(version: CheckedSummary) -> list[tuple[str, str]]:
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


def _notes(version: CheckedSummary) -> list[str]:
    report = version.report
    seconds = f"{report.seconds:.1f} s" if report.seconds >= 0.1 else "under 0.1 s"
    first = f"Checked by {report.engine} against {SOURCES[report.source]} in {seconds}"
    if report.run is not None and not report.run.from_cache:
        first += f" · {run_cost(report.run)}"
    return [f"{first}.", *report.notes]


# ---- versions side by side ----


def show_versions(opened: OpenPaper) -> None:
    """Draw the comparison, folded, if there are at least two versions."""
    versions = opened.summary.versions
    current = opened.summary.version
    if len(versions) < 2 or current is None:
        return
    with st.expander("Compare versions", key=f"compare-{opened.paper.id}"):
        names = {version.id: version_name(version, number) for number, version in enumerate(versions, 1)}
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


def _figures(title: str, version: CheckedSummary) -> dict[str, object]:
    report, measured = version.report, version.measures
    return {
        "Version": title,
        **{label.capitalize(): len(report.labelled(label)) for label in Label},
        "Flesch-Kincaid": measured.readability and round(measured.readability.flesch_kincaid, 1),
        "New words": None if measured.novelty[0] is None else f"{measured.novelty[0]:.0%}",
    }


def _beside(one: FaithfulnessReport, other: FaithfulnessReport) -> list[dict[str, str]]:
    """One row per sentence; unchanged sentences are aligned."""
    return [
        {"This one": _line(change.before), "": "=" if change.kept else "≠", "The other": _line(change.after)}
        for change in changes(one, other)
    ]


def _line(sentence: SentenceCheck | None) -> str:
    return "" if sentence is None else f"{SIGNS[sentence.label]} {sentence.text}"


# ---- files ----


def show_files(opened: OpenPaper, version: CheckedSummary) -> None:
    """Draw the download buttons. A file is made when it is requested, with the labels of the last drawing."""
    name = f"{paper_stem(opened.paper)}-summary"
    page, table, document = (partial(make, opened.paper, version) for make in (_page, _table, _document))
    with st.container(key="summary-files", horizontal=True, vertical_alignment="center", gap="small"):
        st.caption(
            "The summary and your labels are saved as you work. To take them away:",
            width="content",
        )
        download(
            "HTML",
            page,
            name=f"{name}.html",
            mime="text/html",
            about="A page for co-authors, with every label and its support",
        )
        download("CSV", table, name=f"{name}.csv", mime="text/csv", about="A line for each sentence of the summary")
        download("JSON", document, name=f"{name}.json", mime="application/json", about="All of it, for programs")


def _page(paper: Paper, version: CheckedSummary) -> bytes:
    return summary_page(version.report, paper, version.measures, version.own, date=now_here()).encode()


def _table(paper: Paper, version: CheckedSummary) -> bytes:
    return summary_csv(version.report, paper, version.own, date=now_here()).encode()


def _document(paper: Paper, version: CheckedSummary) -> bytes:
    document = summary_document(version.report, paper, version.measures, version.own)
    document |= {"vouch_version": __version__, "date": now_here().isoformat(), "paper": paper.id}
    return json.dumps(document, ensure_ascii=False, indent=1).encode()


# ---- desk ----


@st.fragment
def show(opened: OpenPaper) -> None:
    """Draw the figures, the desk, and the downloads. A label redraws only this part of the page."""
    autosave.at_desk(opened)
    version = opened.summary.version
    if version is None:
        return
    laid = form.overlay_of(opened, version)
    show_figures(opened, laid)
    form.offer_repair(current_session(), opened, version)
    key = f"summary-desk-{opened.paper.id}"
    component.show(
        key=key,
        data={"opening": opened.opening, "view": _view(opened, laid), **component.supply(opened)},
        on_decided=partial(_keep, key, opened),
        on_asked=partial(component.keep_question, key, opened),
    )
    show_files(opened, version)
    show_versions(opened)


def _view(opened: OpenPaper, laid: GoldOverlay | None) -> dict[str, object]:
    version = opened.summary.version
    assert version is not None  # noqa: S101 - only drawn with one
    return {
        "question": f"{opened.opening}:{version.id}",
        "open": [other.opening for other in current_session().papers.values()],
        "answer": opened.summary.answers,
        "number": version.number,
        "stored": opened.all_stored,
        "noun": "Support",
        "canDecide": False,
        "empty": "No sentence of the paper supports this one.",
        "checking": checking_payload(version.report, opened.paper, version.own, laid),
    }


def _keep(key: str, opened: OpenPaper) -> None:
    """Store the reviewer's labels, if the browser's message is valid and its version still exists."""
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
