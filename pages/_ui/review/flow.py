"""The tab of the flow diagram: PRISMA 2020, from the decisions themselves, and what still waits."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import streamlit as st

from core.errors import VouchError
from core.export.plots.svg import svg_of
from core.export.prisma import FlowCounts, flow_diagram, flow_of
from core.review.flow import flow_items
from core.review.outputs import FLOWS, flow_file
from pages._ui.downloads import download
from pages._ui.escape import plain
from pages._ui.review.board import Board
from pages._ui.review.names import file_stem
from pages._ui.review.stored import the_store

_MIMES = {".svg": "image/svg+xml", ".png": "image/png"}


def show(board: Board) -> None:
    """Draw the diagram, its files, and what waits."""
    project, reader = board.project, board.reviewer or ""
    try:
        with the_store().reading() as store:
            counts = flow_of(flow_items(store, project.id, reader=reader))
    except VouchError as error:
        st.error(plain(str(error)), icon=":material/error:")
        return
    if not counts.search.identified + counts.other.identified:
        st.caption("No records yet: the diagram counts papers and the entries of files of references.")
        return
    diagram = flow_diagram(counts)
    with st.container(key="flow", gap="small"):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            for ending in FLOWS:
                download(
                    f"Flow diagram ({ending.removeprefix('.').upper()})",
                    partial(_file, project.id, reader, ending),
                    name=f"{file_stem(project.name)}-flow{ending}",
                    mime=_MIMES[ending],
                    about="The PRISMA 2020 flow diagram",
                    keeps=False,
                )
        st.caption(plain(waiting_in_words(counts)))
        if counts.studies < counts.reports_included:
            st.caption("Included reports that share one registration number are counted as one study.")
        if project.is_blind:
            st.caption("Blind: what others decided counts for you once your own decision on a paper is in.")
        st.image(svg_of(diagram), alt=diagram.description)


def waiting_in_words(counts: FlowCounts) -> str:
    """One sentence on what the diagram still waits for."""
    parts = list(_waiting(counts))
    if not parts:
        return "Every record has been decided on."
    return f"Still open: {'; '.join(parts)}."


def _waiting(counts: FlowCounts) -> Iterator[str]:
    both = (counts.search, counts.other)
    steps = (
        (sum(stream.waiting_screening for stream in both), "for a decision by title and abstract"),
        (sum(stream.waiting_retrieval for stream in both), "for the full text"),
        (sum(stream.waiting_assessment for stream in both), "for a decision by full text"),
    )
    for number, what in steps:
        if number:
            yield f"{number:,} {'waits' if number == 1 else 'wait'} {what}"


def _file(project: str, reader: str, ending: str) -> bytes:
    with the_store().reading() as store:
        made = flow_file(store, project, ending, reader=reader)
    return made.encode() if isinstance(made, str) else made
