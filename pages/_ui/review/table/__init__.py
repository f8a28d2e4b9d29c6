"""The papers of a project as one component: how far each reviewer is, what is settled, and the way to each paper.

Paper text enters the page as text nodes, never as markup.
"""

from __future__ import annotations

from pathlib import Path

import streamlit as st

_HERE = Path(__file__).parent

_component = st.components.v2.component(
    "vouch_papers",
    html='<div class="papers"></div>',
    css=(_HERE / "table.css").read_text(encoding="utf-8"),
    js=(_HERE / "table.js").read_text(encoding="utf-8"),
)


def show(*, key: str, data: dict[str, object]) -> tuple[str, str] | None:
    """Draw the table (`data`: see rows.py). What was clicked, and on which paper; None: nothing."""
    chosen = _component(key=key, data=data, on_chosen_change=lambda: None).chosen
    if not (isinstance(chosen, list) and len(chosen) == 2):
        return None
    return str(chosen[0]), str(chosen[1])
