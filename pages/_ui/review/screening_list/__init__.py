"""The items of a project as one component: what was decided on each, with search and filters, and the way to each item.

Titles enter the page as text nodes, never as markup.
"""

from __future__ import annotations

from pathlib import Path

import streamlit as st

_HERE = Path(__file__).parent
_UI = _HERE.parents[1]


def _read(*files: Path) -> str:
    return "\n".join(file.read_text(encoding="utf-8") for file in files)


_component = st.components.v2.component(
    "vouch_screening_list",
    html='<div class="papers"></div>',
    css=_read(_HERE.parent / "table" / "table.css", _HERE / "list.css"),
    js=_read(_UI / "paper_view" / "dom.js", _HERE / "list.js"),
)


def show(*, key: str, data: dict[str, object]) -> tuple[str, str] | None:
    """Draw the list (`data`: see rows.py). What was clicked, and on which item; None: nothing."""
    chosen = _component(key=key, data=data, on_chosen_change=lambda: None).chosen
    if not (isinstance(chosen, list) and len(chosen) == 2):
        return None
    return str(chosen[0]), str(chosen[1])
