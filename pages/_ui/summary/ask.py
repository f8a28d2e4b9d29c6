"""The summary that is to be checked: written or pasted, by which engine, against what."""

from __future__ import annotations

import streamlit as st

from core.summary.engines import ENGINES
from pages._ui.state import OpenPaper, Session, prime
from pages._ui.summary import gold
from pages._ui.summary.work import SOURCES, Wanted


def show(now: Session, opened: OpenPaper) -> None:
    """Draw the field and the settings; the button asks for a check."""
    choices, work = now.summary, opened.summary
    field = f"summary-{opened.paper.id}"
    prime(**{field: work.draft, "summary-engine": choices.engine, "summary-source": choices.source})
    # Once there is something to look at, the field makes room for it.
    with st.expander(
        "Another summary, or another engine",
        expanded=work.version is None,
        key=f"ask-{opened.paper.id}-{work.version is None}",
    ):
        _fields(now, opened, field)
        gold.show(now, opened)


def _fields(now: Session, opened: OpenPaper, field: str) -> None:
    choices, work = now.summary, opened.summary
    work.draft = st.text_area(
        "Summary",
        key=field,
        height=140,
        placeholder="Paste or write a summary of this paper in plain words. Each sentence is checked against the paper.",
    )
    with st.container(key="summary-settings", horizontal=True, vertical_alignment="bottom", gap="small"):
        choices.engine = st.selectbox(
            "Checked by",
            ENGINES,
            key="summary-engine",
            width=180,
            help="`offline` says what is wrong in words; `bm25` only finds the sentences that are most alike",
        )
        choices.source = st.selectbox(
            "Against",
            list(SOURCES),
            key="summary-source",
            width=290,
            format_func=SOURCES.__getitem__,
            help="A summary made from the abstract and introduction alone is best held against these (as in FaReBio)",
        )
        st.space("stretch")
        st.button(
            "Check summary",
            key="check-summary",
            type="primary",
            shortcut="Mod+Enter",
            on_click=_check,
            args=(now, opened, field),
        )


def _check(now: Session, opened: OpenPaper, field: str) -> None:
    """Ask for a check of what the field holds now."""
    opened.summary.draft = st.session_state[field]
    now.problem = None
    now.summary.begin(Wanted(opened.paper.id, opened.summary.draft, now.summary.engine, now.summary.source))
