"""A benchmark made from a group's own reviews: making it, choosing its folder, and judging its pieces."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import streamlit as st

from core.errors import VouchError
from core.making.annotation import Annotations
from core.making.output import packed
from pages._ui.benchmarks import annotate, making
from pages._ui.benchmarks.state import PATH, BenchmarkWork
from pages._ui.downloads import download
from pages._ui.escape import plain
from pages._ui.state import Session, prime


def draw(session: Session) -> None:
    """Draw the making of a benchmark, the field for its folder, and the pieces to judge in it."""
    bench = session.part(BenchmarkWork)
    with st.expander(
        "Make",
        expanded=bool(bench.made or bench.making.told or bench.makings.busy_with),
        icon=":material/construction:",
    ):
        st.caption(
            "A benchmark from your own reviews (docs/making.md), made by a language model. Two people judge what the pipeline made, each without "
            "seeing what the other or the pipeline marked until both are in."
        )
        making.draw(session)
        making.RUNNING.show(session)
        prime(**{"make-folder": bench.made, "make-annotator": bench.annotator})
        with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
            bench.made = st.text_input("Folder of a made benchmark", key="make-folder", placeholder="made", width=420)
            bench.annotator = st.text_input("Your name", key="make-annotator", width=220).strip()
        if not bench.made.strip():
            return
        try:
            folder = Path(bench.made.strip()).expanduser()
        except RuntimeError:  # "~name/..." with a user unknown on this machine
            st.error("The folder begins with “~” and no known user. Type its whole path.", icon=":material/error:")
            return
        try:
            found = Annotations(folder, page=annotate.page_wanted(bench.made))
            _take_away(session, folder)
            annotate.draw(session, found)
        except VouchError as error:
            st.error(plain(str(error)), icon=":material/error:")


def _take_away(session: Session, folder: Path) -> None:
    """Draw the download of the files, and the button that fills them into the form for runs."""
    with st.container(horizontal=True, gap="small"):
        download(
            "Files",
            partial(packed, folder),
            name=f"{folder.name}.zip",
            mime="application/zip",
            about="The benchmark in its published layout, with its datasheet",
            keeps=False,
        )
        st.button(
            "Run a task on it",
            key="make-bench",
            icon=":material/play_arrow:",
            on_click=_name_as_data,
            args=(session, folder),
        )


def _name_as_data(session: Session, folder: Path) -> None:
    """Fill this folder into the form for runs."""
    bench = session.part(BenchmarkWork)
    st.session_state["bench-place"], st.session_state["bench-path"] = PATH, str(folder)
    bench.place, bench.path, bench.setting_up = PATH, str(folder), True
