"""The papers of a project as one component: how far each reviewer is, what is settled, and the way to each paper.

Paper text enters the page as text nodes, never as markup.
"""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from pages._ui import joined

_HERE = Path(__file__).parent

_component = st.components.v2.component(
    "vouch_papers",
    html='<div class="papers"></div>',
    css=joined.styles(_HERE / "table.css"),
    js=joined.scripts(_HERE / "rows.js", _HERE / "table.js"),
)


def show(*, key: str, data: dict[str, object]) -> tuple[str, str] | None:
    """Draw the table (`data`: see rows.py). What was clicked, and on which paper; None: nothing."""
    chosen = _component(key=key, data=data, on_chosen_change=lambda: None).chosen
    if not (isinstance(chosen, list) and len(chosen) == 2):
        return None
    return str(chosen[0]), str(chosen[1])
