"""The mark on the desk for a paper that was retracted or corrected, or has an expression of concern."""

from __future__ import annotations

import streamlit as st

from core.errors import VouchError
from core.review.marks import marks
from core.sources.model import NoticeKind
from pages._ui.escape import plain
from pages._ui.stored import the_store


def mark_of(project: str, item: str) -> str:
    """The mark in words, escaped for the page; empty if there is none or the store fails."""
    try:
        with the_store().reading() as store:
            notice = marks(store, project).get(item)
    except VouchError:
        return ""
    return plain(notice.in_words) if notice is not None else ""


def show_mark(project: str | None, item: str) -> None:
    """Draw an item's mark, in a container that exists even without one."""
    with st.container(key="notice-mark"):
        if project is None:
            return
        try:
            with the_store().reading() as store:
                notice = marks(store, project).get(item)
        except VouchError as error:
            st.error(plain(str(error)), icon=":material/error:")
            return
        if notice is None:
            return
        where = f" Notice: {notice.where}." if notice.where else ""
        show = st.error if notice.kind is not NoticeKind.CORRECTED else st.warning
        show(plain(f"{notice.in_words}.{where}"), icon=":material/report:")
