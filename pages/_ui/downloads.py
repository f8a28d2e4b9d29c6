"""Download buttons, whose files are made when they are pressed."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime
from functools import partial

import streamlit as st

from core.errors import VouchError
from core.evidence import Evidence
from core.export.annotated_pdf import annotated_pdf
from core.export.evidence import EvidenceReview, evidence_csv, evidence_json
from core.paper import Paper
from pages._ui.escape import plain
from pages._ui.open_paper import OpenPaper
from pages._ui.paper_view.payload import gold_for_question

# ---- file names ----


def project_stem(name: str) -> str:
    """A file name for a project: letters and digits of its name, joined by hyphens."""
    return "-".join("".join(letter if letter.isalnum() else " " for letter in name).split())[:60] or "project"


# ---- downloads ----


def show_evidence_files(opened: OpenPaper, evidence: Evidence) -> None:
    """Draw the download buttons of an answer. A file contains the decisions of the last drawing.

    A click waits for the drawing that has all decisions (browser/listening.js).
    """
    st.caption("Decisions are saved as you make them. To take them away:", width="content")
    review = EvidenceReview(opened.paper.id, evidence, opened.decided.decisions)
    name = paper_stem(opened.paper)
    for label, write, mime in (("CSV", evidence_csv, "text/csv"), ("JSON", evidence_json, "application/json")):
        download(
            label,
            partial(_table, write, opened, review),
            name=f"{name}-evidence.{label.lower()}",
            mime=mime,
            about=f"The sentences, scores and decisions as {label}",
        )
    if opened.no_highlights:
        st.caption(plain(opened.no_highlights))
    elif opened.data is not None and opened.paper.lines:  # the places of its sentences are known
        download(
            "PDF with highlights",
            partial(_highlighted, opened, opened.data, review),
            name=f"{name}-highlighted.pdf",
            mime="application/pdf",
            about="The PDF itself, with the evidence highlighted and your decisions in notes",
        )


def download(label: str, make: Callable[[], bytes], *, name: str, mime: str, about: str, keeps: bool = True) -> None:
    """Draw a button whose file is made when it is pressed.

    `keeps` says that the file holds all of the reviewer's work, so that it is safe to close the window (listening.js).
    """
    st.download_button(
        label,
        data=make,
        file_name=name,
        mime=mime,
        icon=":material/download:",
        on_click="ignore",
        key=f"{'download' if keeps else 'extract'}-{label}",
        help=about,
    )


def _table(write: Callable[..., str], opened: OpenPaper, review: EvidenceReview) -> bytes:
    gold = opened.gold_here
    aspects = None
    if gold is not None and opened.show_gold:  # the file contains gold only if the reviewer has seen it
        measured = gold_for_question(gold, opened.evidence)
        aspects = {i: [measured.label(aspect) for aspect in names] for i, names in measured.by_sentence.items()}
    return write(opened.paper, review, date=now_here(), gold=aspects).encode()


def _highlighted(opened: OpenPaper, data: bytes, review: EvidenceReview) -> bytes:
    """The PDF with highlights. Streamlit shows its own message if that fails; ours is drawn next time."""
    try:
        return annotated_pdf(data, opened.paper, review, date=now_here())
    except VouchError as error:
        opened.no_highlights = str(error)
        raise


def now_here() -> datetime:
    """The current time, with its zone, for files."""
    return datetime.now().astimezone()


def paper_stem(paper: Paper) -> str:
    """A file name for a paper's downloads: letters, digits and hyphens of its own file name."""
    stem = re.sub(r"[^\w-]+", "-", paper.name.rsplit(".", 1)[0]).strip("-")
    return stem[:60] or "paper"
