"""Text recognition for a scan: offered where it can be done, run with progress and a way to stop it."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.errors import VouchError
from core.paper.pdf.ocr import ocr_is_available
from core.paper.scans import read_scan
from pages._ui.escape import plain
from pages._ui.live import Board
from pages._ui.open_paper import OpenPaper
from pages._ui.state import Scan, Session, session

WITHOUT_TEXT = "page-without-text"


def offer(now: Session) -> DeltaGenerator:
    """For a file that could not be read because it is a scan: a button below the message; and the place of progress."""
    slot = st.container(gap="small")  # always there, so that what follows is not built anew when it fills
    scan = now.scan
    if scan is not None and scan.paper is None:
        slot.button(
            "Recognise the text (OCR)",
            key="recognise",
            icon=":material/document_scanner:",
            type="primary",
            disabled=scan.asked,
            on_click=_ask,
            args=(now, scan),
            help=plain(f"Reads the pictures of “{scan.name}” on this computer; takes some seconds a page"),
        )
    return slot


def offer_for_pages(now: Session, opened: OpenPaper) -> None:
    """For a paper some of whose pages are pictures: a button among its reading notes."""
    pages = sum(warning.kind == WITHOUT_TEXT for warning in opened.paper.warnings)
    if pages and opened.data is not None and ocr_is_available():
        st.button(
            f"Recognise the text of {pages} page{'s' * (pages > 1)} (OCR)",
            key="recognise-pages",
            icon=":material/document_scanner:",
            on_click=_ask,
            args=(now, Scan(opened.data, opened.paper.name, opened.paper.id)),
        )


def _ask(now: Session, scan: Scan) -> None:
    now.problem = None
    scan.asked = True
    now.scan = scan


def _stop() -> None:
    """Forget it. The click alone has stopped the work: Streamlit ends the run at its next report."""
    session().scan = None


def run_pending(now: Session, slot: DeltaGenerator) -> None:
    """Do the work, if it was asked for. Progress goes to `slot`; the rest of the page has been drawn before."""
    scan = now.scan
    if scan is None or not scan.asked:
        return
    with slot.container(key="recognising", horizontal=True, vertical_alignment="center"):
        bar = st.progress(0.0, text="Starting")
        st.button("Cancel", key="stop-recognising", on_click=_stop)
    board = Board(bar)
    try:
        paper, data = read_scan(scan.data, name=scan.name, progress=board)
    except VouchError as error:
        now.problem = str(error)
    except Exception:
        now.scan = None  # our own mistake stays visible, and is not met again at every click
        raise
    else:
        opened = now.papers.get(scan.paper or "")
        if opened is not None:
            now.exchange(opened, paper, data)
        else:
            now.put_on_desk(paper, data)
    now.scan = None
    st.rerun()
