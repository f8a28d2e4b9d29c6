"""The evidence table of a project as one component: papers by hypotheses, filtered and sorted in the browser.

Paper text enters the page as text nodes, never as markup.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from pages._ui import joined

_HERE = Path(__file__).parent

_component = st.components.v2.component(
    "vouch_evidence_table",
    html='<div class="evidence-table"></div>',
    css=joined.styles(_HERE / "table.css"),
    js=joined.scripts(
        _HERE.parent / "table" / "rows.js", *(_HERE / f"{name}.js" for name in ("order", "cells", "table"))
    ),
)


@dataclass(frozen=True, slots=True)
class Opened:
    """A sentence that was clicked."""

    paper: str
    hypothesis: int  # its place among the project's
    sentence: int


@dataclass(frozen=True, slots=True)
class Said:
    """What the browser told: what was opened or is to be judged, and which papers are shown, in order; None: all."""

    opened: Opened | None
    judged: tuple[str, int] | None  # the paper, and the hypothesis' place
    shown: tuple[str, ...] | None


def show(*, key: str, data: dict[str, object]) -> Said:
    """Draw the table (`data`: see rows.py)."""
    said = _component(
        key=key, data=data, on_chosen_change=lambda: None, on_shown_change=lambda: None, default={"shown": None}
    )
    return Said(_opened(said.chosen), _judged(said.chosen), _shown(said.shown))


def _opened(chosen: object) -> Opened | None:
    match chosen:
        case ["open", str(paper), int(hypothesis), int(sentence)]:
            return Opened(paper, hypothesis, sentence)
        case _:
            return None


def _judged(chosen: object) -> tuple[str, int] | None:
    match chosen:
        case ["judge", str(paper), int(hypothesis)]:
            return paper, hypothesis
        case _:
            return None


def _shown(papers: object) -> tuple[str, ...] | None:
    if isinstance(papers, list) and all(isinstance(paper, str) for paper in papers):
        return tuple(papers)
    return None
