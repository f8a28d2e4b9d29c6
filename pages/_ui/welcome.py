"""The first screen: what Vouch does, a place to drop a paper, and samples to try."""

from __future__ import annotations

import streamlit as st

from core.benchmarks.samples import Sample, samples
from pages._ui.escape import plain
from pages._ui.opening import open_sample, upload_field
from pages._ui.state import Session

_FORMATS = {".xml": "XML", ".pdf": "PDF", ".md": "Markdown", ".txt": "plain text", ".json": "BioC JSON"}


TITLE = "See what a paper says about your hypothesis"
LEAD = "Vouch finds the sentences that bear on it and highlights them where they stand, word for word."


def show(now: Session, *, title: str = TITLE, lead: str = LEAD) -> None:
    """Draw the screen that is there while no paper is open."""
    _, middle, _ = st.columns([1, 5, 1])
    with middle:
        st.title(title, anchor=False)
        st.markdown(f"{lead} Everything happens on this computer.")
        if upload_field("welcome-upload", label="Open a paper: PDF, JATS or TEI XML, BioC, Markdown or plain text"):
            st.rerun()
        _samples(now)


def _samples(now: Session) -> None:
    known = samples()
    if not known:
        return
    with st.container(key="samples", gap="small"):
        st.button(
            "Try a sample paper",
            key="try-sample",
            type="primary",
            help=plain(known[0].title),
            on_click=open_sample,
            args=(now, known[0]),
        )
        st.caption("Or pick another. They are short, invented by us, and come with gold to compare with.")
        for sample in known[1:]:
            _sample(now, sample)


def _sample(now: Session, sample: Sample) -> None:
    with st.container(border=True, gap="xxsmall"):
        st.button(
            f"**{plain(sample.title)}**",
            key=f"sample-{sample.id}",
            type="tertiary",
            icon=":material/description:",
            wrap=True,
            help="Open this sample",
            on_click=open_sample,
            args=(now, sample),
        )
        format = _FORMATS.get(sample.path.suffix, sample.path.suffix)
        st.caption(plain(f"{format} · {sample.hypotheses[0]}", limit=160))
