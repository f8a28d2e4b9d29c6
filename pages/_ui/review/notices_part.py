"""Retractions, concerns and corrections: the last check, the marked papers, and agreements to check by itself."""

from __future__ import annotations

from functools import partial
from typing import Any

import streamlit as st

from core.errors import VouchError
from core.review.marks import last_checked, marks, to_check
from core.review.notices import agree_to_checks, agreed_checks, check_notices, take_back_checks
from core.settings import load_settings
from core.sources.notices import ASKED
from core.store import items_of
from core.store.notices import ToCheck
from core.text.words import counted
from pages._ui import standing_checks
from pages._ui.escape import date_in_words, plain
from pages._ui.jobs import BackgroundJob
from pages._ui.review.board import ProjectSnapshot
from pages._ui.review.search_state import NOTICES, SourceWork
from pages._ui.review.source_jobs import begin
from pages._ui.review.source_jobs import show as show_work
from pages._ui.state import Session
from pages._ui.stored import the_store


def show(session: Session, snapshot: ProjectSnapshot) -> None:
    """Draw the part."""
    project = snapshot.project.id
    try:
        with the_store().reading() as store:
            asked, marked = to_check(store, project), marks(store, project)
            stands = last_checked(store, project)
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
    if not items and snapshot.reviewer is None:
        return
    st.subheader("Retractions, concerns and corrections", anchor=False)
    with st.container(border=True, key="notices", gap="small"):
        if stands.in_words:
            st.markdown(plain(stands.in_words))
        for item, notice in marked.items():
            if item in items:
                st.markdown(f":material/report: **{plain(notice.in_words)}** {plain(items[item].title, limit=160)}")
        if snapshot.reviewer is not None:
            offer(session, project, asked)


def offer(session: Session, project: str, asked: ToCheck) -> None:
    """Draw the check button, with what is sent to whom, and the result of the last check."""
    show_work(session, NOTICES)
    places = " and ".join(f"{service.name} ({service.host})" for service in ASKED)
    _once_for_all(session, project, places)
    if not asked.count:
        return
    whose = f"The DOIs and PMIDs of {counted(asked.count, 'paper')} go to {places}."
    st.caption(f":material/send: {plain(whose)}")
    if st.button(
        f"Check {counted(asked.count, 'paper')}",
        key="check-notices",
        icon=":material/verified:",
        disabled=session.review.sources.job is not None,
    ):
        begin(session, NOTICES, partial(_check, project), partial(_checked, session.review.sources))
        st.rerun()


def _once_for_all(session: Session, project: str, places: str) -> None:
    """Draw the reviewer's standing agreement to checks, and why the last automatic check failed."""
    try:
        with the_store().reading() as store:
            agreed = agreed_checks(store, project)
    except VouchError as error:
        st.error(plain(str(error)), icon=":material/error:")
        return
    key = f"check-by-itself-{project}"
    st.session_state[key] = agreed is not None  # another window may have changed it
    st.toggle(
        "Check what comes in, and all papers before an export, without asking each time",
        key=key,
        on_change=_say,
        args=(session, project, key),
        help=f"DOIs and PMIDs then go to {places} by themselves: at once those of papers here that were never checked, and "
        "those of each that comes in. Before an export those are left out that were checked "
        "within a day. You can take it back here at any time",
    )
    if agreed is None:
        return
    st.caption(plain(f"{agreed.by} agreed to it on {date_in_words(agreed.at)}. It goes to {places}."))
    if agreed.problem and agreed.failed is not None:
        st.warning(plain(f"{date_in_words(agreed.failed)}: {agreed.problem}"), icon=":material/error:")


def _say(session: Session, project: str, key: str) -> None:
    session.problem = None
    who = session.review.reviewer or ""
    try:
        if st.session_state[key]:
            agree_to_checks(the_store(), project, who=who)
            standing_checks.what_came_in(project)
        else:
            take_back_checks(the_store(), project, who=who)
    except VouchError as error:
        session.problem = str(error)


def _check(project: str, report: BackgroundJob[Any]) -> int:
    return check_notices(the_store(), project, load_settings(), progress=report)


def _checked(work: SourceWork, marked: int) -> None:
    marks_in_words = f"{counted(marked, 'paper')} {'is' if marked == 1 else 'are'} marked."
    work.tell(NOTICES, marks_in_words if marked else "Nothing is known against any of them.")
