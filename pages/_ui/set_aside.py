"""What was set aside when a paper was read, and the reviewer's word on it."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from core.errors import VouchError
from core.paper import SetAside, read_paper
from pages._ui.escape import plain
from pages._ui.open_paper import OpenPaper
from pages._ui.state import Session

_MOST_SHOWN = 200  # texts; a file can be made to hold any number


def show(now: Session, opened: OpenPaper) -> None:
    """List the texts that are kept out of the paper, and offer to read them as ordinary text, or to set them aside again."""
    slot = st.container(key="set-aside", gap="xxsmall")  # always there, so that the page is not built anew
    if opened.paper.set_aside and opened.original is not None:
        with slot.expander(f"**{_count(len(opened.paper.set_aside))}**", icon=":material/visibility_off:"):
            _explain(now, opened)
    elif opened.without is not None:
        with slot.container(horizontal=True, vertical_alignment="center"):
            count = _count(len(opened.without.set_aside), verb="read as ordinary text, as you asked")
            st.caption(f":material/visibility: {count}", width="content")
            st.button(
                "Set aside again", key="set-aside-again", type="tertiary", on_click=_set_aside, args=(now, opened)
            )


def _explain(now: Session, opened: OpenPaper) -> None:
    items = opened.paper.set_aside
    st.markdown(
        "Readers cannot see these texts, or they are not meant for readers. They are no part of the paper below: no "
        "engine chooses them, and they are never sent to a language model."
    )
    st.markdown("\n".join(map(_entry, items[:_MOST_SHOWN])))
    if len(items) > _MOST_SHOWN:
        st.markdown(f"… and {len(items) - _MOST_SHOWN:,} more.")
    st.button(
        "Treat as ordinary text",
        key="keep-set-aside",
        on_click=_keep,
        args=(now, opened),
        help="Read the paper again with these texts as part of it. Your question and your decisions stay.",
    )


def _entry(item: SetAside) -> str:
    place = f"Page {item.page}: it" if item.page else "It"
    return f"- “{plain(item.text, limit=600)}”  \n  :small[{place} {item.reason.in_words}.]"


def _count(texts: int, *, verb: str = "set aside") -> str:
    return f"{texts} hidden or machine-addressed text{'s are' if texts > 1 else ' is'} {verb}"


def _keep(now: Session, opened: OpenPaper) -> None:
    if opened.original is None:
        return
    try:
        paper = read_paper(opened.original, name=opened.paper.name, keep_set_aside=True)
    except VouchError as error:
        now.problem = str(error)
        return
    recognised = tuple(warning for warning in opened.paper.warnings if warning.kind == "ocr")
    now.exchange(opened, replace(paper, warnings=(*recognised, *paper.warnings))).without = opened.paper


def _set_aside(now: Session, opened: OpenPaper) -> None:
    if opened.without is not None:
        now.exchange(opened, opened.without)
