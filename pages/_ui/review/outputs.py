"""What is taken away from a project: plots, tables, the report and the project itself, made when they are asked for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import streamlit as st

from core.errors import VouchError
from core.export.plots.png import png_of
from core.export.plots.svg import svg_of
from core.export.project.disclosure import disclosure
from core.export.project.levels import open_places
from core.export.project.report import project_report
from core.export.project.robvis import project_robvis
from core.export.project.table import project_csv
from core.store import project_to_json
from pages._ui.downloads import download, now_here
from pages._ui.escape import plain
from pages._ui.review.board import Board
from pages._ui.review.sight import REVIEWERS, Sight, look
from pages._ui.review.stored import the_store

_FOLDED = 300  # letters


@dataclass(frozen=True, slots=True)
class File:
    """A file of a project, made from what the reviewer may see."""

    label: str
    ending: str  # of its name
    mime: str
    about: str
    make: Callable[[Sight], str | bytes]


FILES = (
    File(
        "Report (HTML)",
        "-report.html",
        "text/html",
        "Plots, judgements with their sentences, agreement and disclosure, on one page that needs nothing beside it",
        lambda sight: project_report(sight.state, sight.table, sight.papers, date=now_here(), note=sight.left_out),
    ),
    File(
        "Table (CSV)",
        ".csv",
        "text/csv",
        "A line for each paper, domain and person, with everything that is stored",
        lambda sight: project_csv(sight.state, sight.table, sight.papers, date=now_here()),
    ),
    File(
        "robvis (CSV)",
        "-robvis.csv",
        "text/csv",
        "For robvis, checked by its rules; what is open is “No information” there",
        lambda sight: project_robvis(sight.table),
    ),
    File("Traffic light (SVG)", "-traffic-light.svg", "image/svg+xml", "", lambda sight: svg_of(sight.traffic_light)),
    File("Traffic light (PNG)", "-traffic-light.png", "image/png", "", lambda sight: png_of(sight.traffic_light)),
    File("Summary (SVG)", "-summary.svg", "image/svg+xml", "", lambda sight: svg_of(sight.summary)),
    File("Summary (PNG)", "-summary.png", "image/png", "", lambda sight: png_of(sight.summary)),
)


def show(board: Board) -> None:
    """Draw the buttons, the plots and the disclosure."""
    with st.container(key="outputs", gap="small"):
        try:
            _results(board)
        except VouchError as error:
            st.error(plain(str(error)), icon=":material/error:")


def _results(board: Board) -> None:
    source = _source(board)
    sight = look(board, source)
    table = sight.table
    with st.container(horizontal=True, gap="small"):
        for file in FILES if table.studies else ():
            download(
                file.label,
                partial(_made, file, board, source),
                name=f"{_stem(board.project.name)}{file.ending}",
                mime=file.mime,
                about=file.about,
                keeps=False,
            )
        download(
            "Whole project (JSON)",
            partial(_document, board.project.id),
            name=f"{_stem(board.project.name)}.json",
            mime="application/json",
            about="Papers, judgements of all reviewers, and history; opens again in another Vouch. "
            "Nothing is hidden in it",
            keeps=False,
        )
    if not table.studies:
        return
    with st.container(gap="xxsmall"):  # always there, so that what follows keeps its place in the page
        if sight.left_out:
            st.caption(plain(sight.left_out))
        _open_places(open_places(table))
    for plot in (sight.summary, sight.traffic_light):
        st.image(svg_of(plot), alt=plot.description)
    st.caption("Disclosure, for the methods section:")
    st.code(disclosure(sight.state, board.tool), language=None, wrap_lines=True)


def _open_places(sentence: str) -> None:
    """Which papers and domains are open; folded where they are many."""
    if len(sentence) <= _FOLDED:
        st.caption(plain(sentence))
        return
    count, _, which = sentence.partition(": ")
    with st.expander(plain(count)):
        st.caption(plain(which))


def _source(board: Board) -> str:
    """Whose levels are shown: the reviewers' to begin with."""
    engines = look(board).engines
    if not engines:
        return REVIEWERS
    chosen = st.segmented_control(
        "Levels of",
        [REVIEWERS, *engines],
        key=f"levels-of-{board.project.id}",
        format_func=lambda name: plain(name) or "the reviewers",
        default=REVIEWERS,
        required=True,
    )
    return chosen or REVIEWERS


def _made(file: File, board: Board, source: str) -> bytes:
    content = file.make(look(board, source, with_files=True))
    return content.encode() if isinstance(content, str) else content


def _document(project: str) -> bytes:
    with the_store().reading() as store:
        return project_to_json(store.whole(project, with_files=True)).encode()


def _stem(name: str) -> str:
    """A file name for downloads: letters, digits and hyphens of the project's name."""
    return "-".join("".join(letter if letter.isalnum() else " " for letter in name).split())[:60] or "project"
