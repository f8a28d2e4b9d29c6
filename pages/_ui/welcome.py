"""The first screen: what Vouch does, a place to drop a paper, and samples to try."""

from __future__ import annotations

import streamlit as st

from pages._ui.opening import upload_field
from pages._ui.state import Session


def show(now: Session) -> None:
    """Draw the screen that is there while no paper is open."""
    _, middle, _ = st.columns([1, 4, 1])
    with middle:
        st.title("Read a paper with your question in hand")
        st.markdown(
            "Open a biomedical paper and type a hypothesis. Vouch finds the sentences that bear on it and shows them "
            "where they stand. Everything happens on this computer."
        )
        upload_field("welcome-upload", label="Drop a paper here: PDF, JATS or TEI XML, BioC, Markdown or plain text")
