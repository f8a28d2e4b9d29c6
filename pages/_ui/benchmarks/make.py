"""A benchmark that is made from a group's own reviews: its folder, and what people judge in it."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from core.errors import VouchError
from core.making.annotation import Annotations
from pages._ui.benchmarks import annotate
from pages._ui.escape import plain
from pages._ui.state import Session, prime


def draw(session: Session) -> None:
    """Draw the folder, and what is to be judged in it."""
    bench = session.benchmarks
    with st.expander("Make", expanded=bool(bench.made), icon=":material/construction:"):
        st.caption(
            "A benchmark from your own reviews (docs/making.md). Two people judge what the pipeline made, each without "
            "seeing what the other or the pipeline marked until both are in."
        )
        prime(**{"make-folder": bench.made, "make-annotator": bench.annotator})
        with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
            bench.made = st.text_input("Folder of a made benchmark", key="make-folder", placeholder="made", width=420)
            bench.annotator = st.text_input("Your name", key="make-annotator", width=220).strip()
        if not bench.made.strip():
            return
        try:
            folder = Path(bench.made.strip()).expanduser()
        except RuntimeError:  # "~somebody/..." of nobody whom this machine knows
            st.error("The folder begins with “~” and no known user. Type its whole path.", icon=":material/error:")
            return
        try:
            annotate.draw(session, Annotations(folder, page=annotate.page_wanted(bench.made)))
        except VouchError as error:
            st.error(plain(str(error)), icon=":material/error:")
