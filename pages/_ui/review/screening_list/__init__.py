"""The items of a project as one component: what was decided on each, with search and filters, and the way to each item.

Titles enter the page as text nodes, never as markup.
"""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from pages._ui import joined

_HERE = Path(__file__).parent
_TABLE = _HERE.parent / "table"

_component = st.components.v2.component(
    "vouch_screening_list",
    html='<div class="papers"></div>',
    css=joined.styles(_TABLE / "table.css", _HERE / "list.css"),
    js=joined.scripts(_TABLE / "rows.js", _HERE / "list.js"),
)


def show(*, key: str, data: dict[str, object]) -> tuple[str, str] | None:
    """Draw the list (`data`: see rows.py). What was clicked, and on which item; None: nothing."""
    chosen = _component(key=key, data=data, on_chosen_change=lambda: None).chosen
    if not (isinstance(chosen, list) and len(chosen) == 2):
        return None
    return str(chosen[0]), str(chosen[1])
