"""The desk: the paper with its evidence highlighted, the ranked list and the strip, as one component.

The paper goes to the browser once and stays there; jumps, marks and keys are handled in the browser, and only the
reviewer's decisions come back. Paper text enters the page as text nodes (dom.js), never as markup.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import streamlit as st

_HERE = Path(__file__).parent
# One module in the browser; the order is that of use.
_SCRIPTS = ("dom", "paper", "strip", "decisions", "items", "list", "aspects", "desk", "main")
_STYLES = ("desk", "paper")


def _joined(names: tuple[str, ...], ending: str) -> str:
    return "\n".join((_HERE / f"{name}.{ending}").read_text(encoding="utf-8") for name in names)


_component = st.components.v2.component(
    "vouch_desk",
    html=(_HERE / "desk.html").read_text(encoding="utf-8"),
    css=_joined(_STYLES, "css"),
    js=_joined(_SCRIPTS, "js"),
)


def show(*, key: str, paper_id: str, paper_json: str, view: dict[str, object], on_decided: Callable[[], None]) -> None:
    """Draw the desk. After `on_decided`, the component's state under `key` holds `decided` (see decisions.js)."""
    _component(
        key=key,
        data={"paperId": paper_id, "paper": paper_json, "view": view},
        on_decided_change=on_decided,
    )
