"""Around the desk: whose project and whose work it is, and what to do while that is not known."""

from __future__ import annotations

import streamlit as st

from core.store import Project, ReviewItem, Saved
from pages._ui import frame
from pages._ui.escape import plain
from pages._ui.review import passage, place
from pages._ui.state import Session


def show(now: Session, saved: Saved[Project] | None) -> None:
    """What stands here before it is known on what, and who, decides."""
    _, middle, _ = st.columns([1, 5, 1])
    with middle:
        st.title("Screen papers", anchor=False)
        st.markdown(
            "Decide what a review includes: one paper after the other, with its criteria beside it and a key for each "
            "decision. Two reviewers decide apart, and settle what they see differently."
        )
        if saved is None:
            st.markdown("Open a project first, or begin one.")
            st.page_link(frame.REVIEW, label="To the projects", icon=":material/library_books:")
            return
        st.markdown(f"**{plain(saved.record.name, limit=200)}**: who are you?")
        with st.container(horizontal=True, gap="small"):
            for number, name in enumerate(saved.record.reviewers):
                st.button(
                    plain(name), key=f"screen-as-{number}", on_click=now.review.enter, args=(saved.record.id, name)
                )


def to_project(now: Session, project: Project) -> None:
    """The way to the project's page."""
    st.page_link(
        frame.REVIEW,
        label=plain(project.name, limit=80),
        icon=":material/library_books:",
        query_params=place.address(now),
    )


def line(now: Session, project: Project, item: ReviewItem) -> None:
    """The line above the desk: whose work it is, and the ways to the other desks."""
    with st.container(key="screening-line", horizontal=True, vertical_alignment="center", gap="small"):
        to_project(now, project)
        st.caption(f"You are **{plain(now.screening.reviewer or '')}**. Saved as you work.", width="content")
        st.space("stretch")
        for page in (frame.EVIDENCE, frame.BIAS):
            title, icon = frame.PAGES[page]
            # Always there, so that the desk keeps its place in the page.
            open_it = st.button(
                title,
                key=f"screen-to-{title}",
                icon=icon,
                type="tertiary",
                disabled=not item.is_paper,
                help=f"Open this paper under {title}" if item.is_paper else "Its full text is not here",
            )
            if open_it and page == frame.EVIDENCE and passage.go_to_paper(now, item.id):
                st.switch_page(page, query_params=passage.address(now))
            if open_it and page == frame.BIAS and place.open_paper(now, item.id):
                st.switch_page(page, query_params=place.address(now, item.id))
