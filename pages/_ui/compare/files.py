"""What a team takes away: the tables for a spreadsheet, a note or a paper, and a page to share."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st

from core.benchmarks.side_by_side.model import Comparison
from core.export.side_by_side import (
    Table,
    comparison_page,
    figures_table,
    pairs_table,
    sentences_table,
    topics_table,
)
from core.paper import Paper
from pages._ui.downloads import download, now_here, stem

_FORMATS = {"CSV": ("csv", "text/csv"), "Markdown": ("md", "text/markdown"), "LaTeX": ("tex", "text/x-tex")}


def show(comparison: Comparison, paper: Paper | None) -> None:
    """Draw a row of buttons for each table. A file is made when it is asked for. No paper: of saved runs."""
    name = f"{stem(paper)}-compared" if paper else "runs-compared"
    tables: dict[str, Callable[[], Table]] = {
        "Figures": partial(figures_table, comparison),
        "Agreement": partial(pairs_table, comparison),
    }
    if paper is not None:
        tables["Sentences"] = partial(sentences_table, comparison, paper)
    if comparison.scale:
        tables["Labels"] = partial(topics_table, comparison)
    for title, table in tables.items():
        st.caption(title)
        with st.container(horizontal=True, gap="small"):
            for label, (ending, mime) in _FORMATS.items():
                download(
                    f"{title} ({label})",
                    partial(_written, table, label),
                    name=f"{name}-{title.lower()}.{ending}",
                    mime=mime,
                    about="",
                    keeps=False,
                )
    if paper is None:
        return
    st.caption("To share")
    download(
        "Page (HTML)",
        lambda: comparison_page(comparison, paper, date=now_here()).encode(),
        name=f"{name}.html",
        mime="text/html",
        about="Figures and sentences in one file that needs no Vouch and no network",
        keeps=False,
    )


def _written(table: Callable[[], Table], format: str) -> bytes:
    made = table()
    return {"CSV": made.csv, "Markdown": made.markdown, "LaTeX": made.latex}[format]().encode()
