"""The desk as one component: its keys, its data, and the browser's messages."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from core.paper.pdf.page_view import page_sizes
from pages._ui import assets
from pages._ui.open_paper import OpenPaper
from pages._ui.paper_view import payload
from pages._ui.paper_view.payload import browser_request_from, page_boxes, picture_source
from pages._ui.state import widget

# ---- keys ----
# What the keys do is implemented in browser/listening.js.


@dataclass(frozen=True, slots=True)
class Shortcut:
    """Keys that do the same, or one thing and its opposite."""

    keys: str  # such as "n or j"
    does: str
    task: str | None = None  # a key of `WHERE`; "reading": all but screening; None: all pages


WHERE = {
    None: "",
    "reading": "but when screening",
    "deciding": "Evidence, Risk of bias",
    "screening": "Screening",
    "evidence": "Evidence",
    "bias": "Risk of bias",
    "summary": "Plain summary",
    "compare": "Compare",
}

SHORTCUTS = (
    Shortcut("i", "include the paper", "screening"),
    Shortcut("e", "exclude it, for a reason", "screening"),
    Shortcut("1 to 9", "the reason that has this number", "screening"),
    Shortcut("u", "unsure", "screening"),
    Shortcut("z", "take the last verdict back", "screening"),
    Shortcut("j or →", "next paper", "screening"),
    Shortcut("k or ←", "previous paper", "screening"),
    Shortcut("n", "write a note, or why you settle on it", "screening"),
    Shortcut("Ctrl or ⌘ + Enter", "settle on it, in the field that says why", "screening"),
    Shortcut("h", "hide or show suggestions", "screening"),
    Shortcut("[ and ]", "previous and next marked sentence", "screening"),
    Shortcut("n or j", "next marked sentence, in the paper's order", "reading"),
    Shortcut("p or k", "previous marked sentence, in the paper's order", "reading"),
    Shortcut(". and ,", "next and previous sentence of the paper"),
    Shortcut("a", "accept the sentence, or add it", "deciding"),
    Shortcut("r", "reject it", "deciding"),
    Shortcut("u", "undo your decision", "deciding"),
    Shortcut("v", "text or pages of a PDF", "reading"),
    Shortcut("+ and −", "larger and smaller pages", "reading"),
    Shortcut("[ and ]", "previous and next domain of risk of bias", "bias"),
    Shortcut("[ and ]", "previous and next sentence of the summary", "summary"),
    Shortcut("[ and ]", "previous and next filter", "compare"),
    Shortcut("?", "show these keys"),
    Shortcut("Esc", "close what is open"),
    Shortcut("Ctrl or ⌘ + Enter", "find evidence", "evidence"),
)


def help_html() -> str:
    """The shortcuts as the items of an HTML definition list. All of it is our own text."""
    return "\n".join(_item(shortcut) for shortcut in SHORTCUTS)


def _item(shortcut: Shortcut) -> str:
    only = f' class="{shortcut.task}-only"' if shortcut.task else ""
    parts = re.split(r"( or | and | \+ )", shortcut.keys)
    keys = "".join(part if number % 2 else f"<kbd>{part}</kbd>" for number, part in enumerate(parts))
    return f"      <dt{only}>{keys}</dt><dd{only}>{shortcut.does}</dd>"


# ---- component ----
# It serves the search for evidence and, with a panel beside the paper, risk of bias, the check of a plain summary, the
# comparison of engines, and screening.
#
# The paper is sent to the browser once and stays there. Jumps, marks and keys are handled in the browser. It sends back
# the reviewer's decisions, and questions for what it lacks. Paper text enters the page as text nodes (browser/dom.js),
# never as markup.

_component = st.components.v2.component(
    "vouch_desk",
    html=assets.text("desk.html").replace("      <!-- keys -->", help_html()),
    css=assets.styles("desk", "paper", "pages", "evidence", "bias", "summary", "compare", "screening"),
    js=assets.script("desk"),
)


def show(
    *,
    key: str,
    data: dict[str, object],
    on_decided: Callable[[], None],
    on_asked: Callable[[], None],
    on_settled: Callable[[], None] = lambda: None,
    on_went: Callable[[], None] = lambda: None,
) -> None:
    """Draw the desk. `data` holds `opening` (identifies the paper), `view`, `paper` and `reply` (see `supply`).

    After the callbacks, the component's state under `key` holds `decided` (see kept.js), `asked` (see asking.js),
    `settled` (see settling.js) and `went` (see screening.js).
    """
    _component(
        key=key,
        data=data,
        on_decided_change=on_decided,
        on_asked_change=on_asked,
        on_settled_change=on_settled,
        on_went_change=on_went,
    )


# ---- what the browser asks for ----


def keep_question(key: str, opened: OpenPaper) -> None:
    """Remember what the browser asks for until the desk is drawn."""
    opened.asked = browser_request_from(widget(key).get("asked"))


def supply(opened: OpenPaper) -> dict[str, object]:
    """What the browser still lacks or has asked for.

    `paper` is sent once, and again if it did not arrive. `reply` has the number of the last answered question, pictures
    as [page, width, source], and boxes as [page, [[sentence, left, top, width, height], ...]].
    """
    asked, opened.asked = opened.asked, None
    paper = None
    if not opened.sent or (asked and asked.paper):
        opened.sent = True
        paper = payload.paper_payload(opened.paper, page_sizes(opened.data) if opened.data else ())
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
