"""What is taken away of risk of bias: plots, tables, the report, the file for robvis, and the disclosure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import streamlit as st

from core.export.plots.png import png_of
from core.export.plots.svg import svg_of
from core.export.project.disclosure import disclosure
from core.export.project.levels import open_places
from core.export.project.report import project_report
from core.export.project.robvis import is_judged, left_out_of_robvis, project_robvis
from core.export.project.table import project_csv
from pages._ui.downloads import download, now_here
from pages._ui.escape import plain
from pages._ui.review.board import Board
from pages._ui.review.names import file_stem
from pages._ui.review.sight import REVIEWERS, Sight, look

_FOLDED = 300  # letters
_MOST_LIGHTS = 60  # papers whose traffic light is drawn in the page; with more it is a file to look at


@dataclass(frozen=True, slots=True)
class File:
    """A file of a project, made from what the reviewer may see."""

    label: str
    ending: str  # of its name
    mime: str
    about: str
    make: Callable[[Sight], str | bytes]
    needs_papers: bool = False  # with the text of their sentences
    draws: bool = False  # the levels alone: without one there is nothing in it


def _plot(name: str, kind: str, make: Callable[[Sight], str | bytes]) -> File:
    ending = f"-{name.lower().replace(' ', '-')}.{kind}"
    mime = "image/svg+xml" if kind == "svg" else "image/png"
    return File(f"{name} ({kind.upper()})", ending, mime, "", make, draws=True)


REPORT = File(
    "Report (HTML)",
    "-report.html",
    "text/html",
    "Plots, judgements with their sentences, agreement and disclosure, on one page that needs nothing beside it",
    lambda sight: project_report(
        sight.state, sight.table, sight.papers, date=now_here(), note=sight.left_out, hidden=sight.hidden
    ),
    needs_papers=True,
)
ROBVIS = File(
    "robvis (CSV)",
    "-robvis.csv",
    "text/csv",
    "For robvis, checked by its rules; what is open is “No information” there, and papers that nobody judged are left out",
    lambda sight: project_robvis(sight.table),
    draws=True,
)
FILES = (
    REPORT,
    File(
        "Table (CSV)",
        ".csv",
        "text/csv",
        "A line for each paper, domain and person, with everything that is stored",
        lambda sight: project_csv(sight.state, sight.table, sight.papers, date=now_here()),
        needs_papers=True,
    ),
    ROBVIS,
    _plot("Traffic light", "svg", lambda sight: svg_of(sight.traffic_light)),
    _plot("Traffic light", "png", lambda sight: png_of(sight.traffic_light)),
    _plot("Summary", "svg", lambda sight: svg_of(sight.summary)),
    _plot("Summary", "png", lambda sight: png_of(sight.summary)),
)


def show(board: Board) -> None:
    """Draw the buttons, the plots and the disclosure. Raises `VouchError`."""
    sight = look(board, st.session_state.get(_levels_of(board)) or REVIEWERS)
    if not sight.table.studies:
        return
    st.caption("Risk of bias:")
    source = _source(board, sight.engines)
    if source != sight.source:  # the chosen engine's suggestions are gone
        sight = look(board, source)
    table = sight.table
    judged = any(map(is_judged, table.studies))
    with st.container(horizontal=True, gap="small"):
        for file in FILES:
            if file.draws and not judged:
                continue
            download(
                file.label,
                partial(_made, file, board, sight.source),
                name=f"{file_stem(board.project.name)}{file.ending}",
                mime=file.mime,
                about=file.about,
                keeps=False,
            )
    with st.container(gap="xxsmall"):  # always there, so that what follows keeps its place in the page
        if sight.left_out:
            st.caption(plain(sight.left_out))
        _folded(open_places(table) + ("" if judged else " The plots follow with the first."))
        if judged:
            _folded(left_out_of_robvis(table))
    if judged:
        _plots(sight)
    st.caption("Disclosure, for the methods section:")
    st.code(disclosure(sight.state, board.tool, hidden=sight.hidden), language=None, wrap_lines=True)


def _plots(sight: Sight) -> None:
    summary, papers = sight.summary, len(sight.table.studies)
    st.image(svg_of(summary), alt=summary.description)
    if papers <= _MOST_LIGHTS:
        lights = sight.traffic_light
        st.image(svg_of(lights), alt=lights.description)
    else:
        st.caption(f"The traffic light has a row for each of the {papers} papers: take it as a file.")


def _folded(sentence: str) -> None:
    """A sentence that ends with a list; folded where that is long."""
    if len(sentence) <= _FOLDED:
        st.caption(plain(sentence))
        return
    count, _, which = sentence.partition(": ")
    with st.expander(plain(count)):
        st.caption(plain(which))


def _levels_of(board: Board) -> str:
    return f"levels-of-{board.project.id}"


def _source(board: Board, engines: list[str]) -> str:
    """Whose levels are shown: the reviewers' to begin with."""
    if not engines:
        return REVIEWERS
    chosen = st.segmented_control(
        "Levels of",
        [REVIEWERS, *engines],
        key=_levels_of(board),
        format_func=lambda name: plain(name) or "the reviewers",
        default=REVIEWERS,
        required=True,
    )
    return chosen or REVIEWERS


def _made(file: File, board: Board, source: str) -> bytes:
    content = file.make(look(board, source, with_files=file.needs_papers))
    return content.encode() if isinstance(content, str) else content
