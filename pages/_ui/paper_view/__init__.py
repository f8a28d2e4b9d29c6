"""The desk: the paper with sentences highlighted, the ranked list and the strip, as one component.

It serves the search for evidence and, with a panel beside the paper, risk of bias, the check of a plain summary, the
comparison of engines and screening.

The paper goes to the browser once and stays there; jumps, marks and keys are handled in the browser. What comes back
are the reviewer's decisions, and questions for what the browser lacks. Paper text enters the page as text nodes
(pages/_ui/dom.js), never as markup.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import streamlit as st

from pages._ui import joined
from pages._ui.paper_view import keyboard

_HERE = Path(__file__).parent
# One module in the browser; the order is that of use.
_SCRIPTS = (
    "words",
    "scrolling",
    "asking",
    "paper",
    "page_marks",
    "pages",
    "reading",
    "strip",
    "kept",
    "typed_field",
    "decisions",
    "judgements",
    "items",
    "list",
    "aspects",
    "model",
    "levels",
    "signalling_questions",
    "judging",
    "settling",
    "labels",
    "checking",
    "comparing",
    "screened",
    "screening_criteria",
    "screening_sides",
    "screening_bar",
    "screening_item",
    "screening_verdicts",
    "screening_consensus",
    "screening",
    "tasks",
    "tabs",
    "reader_place",
    "sentence_tools",
    "downloads",
    "keys",
    "listening",
    "desk",
    "main",
)
_STYLES = ("desk", "paper", "pages", "model", "judging", "checking", "comparing", "screening")


_component = st.components.v2.component(
    "vouch_desk",
    html=(_HERE / "desk.html").read_text(encoding="utf-8").replace("      <!-- keyboard.py -->", keyboard.help_html()),
    css=joined.styles(*(_HERE / f"{name}.css" for name in _STYLES)),
    js=joined.scripts(*(_HERE / f"{name}.js" for name in _SCRIPTS)),
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
    """Draw the desk. `data`: `opening`, which names the paper on it; `view`; and `paper` and `reply` (see serving.py).

    After `on_decided`, `on_asked`, `on_settled` and `on_went`, the component's state under `key` holds `decided` (see
    kept.js), `asked` (see asking.js), `settled` (see settling.js) and `went` (see screening.js).
    """
    _component(
        key=key,
        data=data,
        on_decided_change=on_decided,
        on_asked_change=on_asked,
        on_settled_change=on_settled,
        on_went_change=on_went,
    )
