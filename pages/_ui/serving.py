"""What the desk in the browser is given of a paper: its text once, and the pages of a PDF as it asks for them."""

from __future__ import annotations

import streamlit as st

from core.paper.pdf.pictures import page_sizes
from pages._ui.open_paper import OpenPaper
from pages._ui.paper_view import payload
from pages._ui.paper_view.pdf_pages import asked_from, page_boxes, picture_source
from pages._ui.state import widget


def keep_question(key: str, opened: OpenPaper) -> None:
    """Remember what the browser lacks until the desk is drawn."""
    opened.asked = asked_from(widget(key).get("asked"))


def supply(opened: OpenPaper) -> dict[str, object]:
    """What the browser has yet to get, and has asked for.

    `paper` goes out once, and again where it never arrived. `reply` has the number of the last question that was
    answered, pictures as [page, width, source], and boxes as [page, [[sentence, left, top, width, height], ...]].
    """
    asked, opened.asked = opened.asked, None
    paper = None
    if not opened.sent or (asked and asked.paper):
        opened.sent = True
        paper = payload.whole(opened.paper, page_sizes(opened.data) if opened.data else ())
    reply: dict[str, object] = {"number": opened.answered, "pictures": [], "boxes": []}
    if asked is not None:
        reply["number"] = opened.answered = asked.number
        if opened.data is not None:
            reply["pictures"] = [
                (page, asked.width, _picture(opened.paper.id, page, asked.width, opened.data))
                for page in asked.pictures
            ]
            reply["boxes"] = page_boxes(opened.data, opened.paper, asked.boxes)
    return {"paper": paper, "reply": reply}


@st.cache_data(scope="session", max_entries=40, show_spinner=False)
def _picture(paper_id: str, page: int, width: int, _data: bytes) -> str | None:
    return picture_source(_data, page, width=width)
