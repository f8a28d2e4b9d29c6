"""The mark on a desk: that the paper on it was retracted or corrected, or that there is a concern."""

from __future__ import annotations

import streamlit as st

from core.errors import VouchError
from core.review.marks import marks
from core.sources.model import NoticeKind
from pages._ui.escape import plain
from pages._ui.stored import the_store


def mark_of(project: str, item: str) -> str:
    """The mark in words, ready for the page; empty where there is none, or the store does not answer."""
    try:
        with the_store().reading() as store:
            notice = marks(store, project).get(item)
    except VouchError:
        return ""
    return plain(notice.in_words) if notice is not None else ""


def show_mark(project: str | None, item: str) -> None:
    """Draw the mark of an item of a project, in a container that is there also without one."""
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
