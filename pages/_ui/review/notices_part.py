"""Retractions, concerns and corrections: when they were asked for, what is marked, and the button that asks."""

from __future__ import annotations

from datetime import datetime
from functools import partial
from typing import Any

import streamlit as st

from core.errors import VouchError
from core.review.marks import last_checked, marks, to_check
from core.review.notices import check_notices
from core.settings import load_settings
from core.sources.notices import ASKED
from core.store import items_of
from pages._ui.escape import counted, date_in_words, plain
from pages._ui.jobs import BackgroundJob
from pages._ui.review.board import ProjectSnapshot
from pages._ui.review.source_jobs import begin
from pages._ui.state import Session
from pages._ui.stored import the_store


def show(session: Session, snapshot: ProjectSnapshot) -> None:
    """Draw it."""
    project = snapshot.project.id
    try:
        with the_store().reading() as store:
            asked, marked = to_check(store, project), marks(store, project)
            since, unasked = last_checked(store, project)
            items = {
                item.id: item
                for item in items_of(
                    [saved.record for saved in store.stored_papers(project)],
                    [saved.record for saved in store.references(project)],
                    [saved.record for saved in store.pairings(project)],
                )
            }
    except VouchError as error:
        st.error(plain(str(error)), icon=":material/error:")
        return
    if not items:
        return
    st.subheader("Retractions, concerns and corrections", anchor=False)
    with st.container(border=True, key="notices", gap="small"):
        st.markdown(_stands(since, unasked, asked.without))
        for item, notice in marked.items():
            if item in items:
                st.markdown(f":material/report: **{plain(notice.in_words)}** {plain(items[item].title, limit=160)}")
        if snapshot.reviewer is None or not asked.count:
            return
        places = " and ".join(f"{service.name} ({service.host})" for service in ASKED)
        st.caption(f":material/send: {plain(f'The DOIs and PMIDs of {asked.count:,} papers go to {places}.')}")
        if st.button(
            f"Check {counted(asked.count, 'paper')}",
            key="check-notices",
            icon=":material/verified:",
            disabled=session.review.sources.job is not None,
        ):
            begin(session, partial(_check, project), partial(_checked, session))
            st.rerun()


def _stands(since: datetime | None, unasked: int, without: int) -> str:
    parts = []
    if since is None:
        parts.append("Nobody has looked yet whether a paper was retracted or corrected.")
    else:
        parts.append(f"Last checked {date_in_words(since)}.")
        if unasked:
            parts.append(
                f"{counted(unasked, 'paper')} came in since and {'was' if unasked == 1 else 'were'} not checked."
            )
    if without:
        parts.append(f"{counted(without, 'paper')} without DOI and PMID cannot be checked.")
    return plain(" ".join(parts))


def _check(project: str, report: BackgroundJob[Any]) -> int:
    return check_notices(the_store(), project, load_settings(), progress=report)


def _checked(session: Session, marked: int) -> None:
    session.review.sources.said = (
        f"{counted(marked, 'paper')} {'is' if marked == 1 else 'are'} marked."
        if marked
        else "Nothing is known against any of them."
    )
