"""Registrations of trials: fetching them in the tab Search, and planned beside reported outcomes on the desk."""

from __future__ import annotations

from functools import partial
from typing import Any

import streamlit as st

from core.errors import VouchError
from core.paper import Paper
from core.review.registrations import (
    OutcomeState,
    fetch_registrations,
    numbers_of,
    outcomes_beside,
    registered_late,
)
from core.settings import load_settings
from core.sources.model import Registration
from core.sources.services import CLINICAL_TRIALS
from core.store import StoredRegistration
from core.text.words import counted
from pages._ui.escape import plain
from pages._ui.jobs import BackgroundJob
from pages._ui.review.board import ProjectSnapshot
from pages._ui.review.search_state import REGISTRATIONS, SourceWork
from pages._ui.review.source_jobs import begin
from pages._ui.review.source_jobs import show as show_work
from pages._ui.state import Session
from pages._ui.stored import the_store

_MOST_LISTED = 20
_SIGNS = {
    OutcomeState.MATCHED: ":material/check:",
    OutcomeState.CHANGED: ":material/swap_horiz:",
    OutcomeState.MISSING: ":material/help:",
    OutcomeState.ADDED: ":material/add:",
}


def show(session: Session, snapshot: ProjectSnapshot) -> None:
    """Draw the button that fetches registrations, if papers name any."""
    project = snapshot.project.id
    try:
        with the_store().reading() as store:
            numbers = {one for some in numbers_of(store, project).values() for one in some}
            here = store.registrations(project)
    except VouchError as error:
        st.error(plain(str(error)), icon=":material/error:")
        return
    if not numbers:
        return
    st.subheader("Registrations", anchor=False)
    with st.container(border=True, key="registrations", gap="small"):
        got = len(numbers & here.keys())
        st.markdown(
            f"The papers name {counted(len(numbers), 'registration')}; {got:,} fetched. Under Risk of bias, planned outcomes "
            "then stand beside those that the paper reports."
        )
        for number in sorted(numbers & here.keys())[:_MOST_LISTED]:
            found = here[number].registration
            st.markdown(f"**{plain(number)}** {plain(found.title, limit=160)} :gray[{plain(_dates(found))}]")
        if got > _MOST_LISTED:
            st.caption(f"{got - _MOST_LISTED:,} more.")
        if snapshot.reviewer is None:
            return
        show_work(session, REGISTRATIONS)
        st.caption(f":material/send: {plain(f'The numbers go to {CLINICAL_TRIALS.name} ({CLINICAL_TRIALS.host}).')}")
        if st.button(
            f"Fetch {counted(len(numbers), 'registration')}{' again' if got == len(numbers) else ''}",
            key="fetch-registrations",
            icon=":material/assignment:",
            disabled=session.review.sources.job is not None,
        ):
            begin(session, REGISTRATIONS, partial(_fetch, project), partial(_fetched, session.review.sources))
            st.rerun()


def _fetch(project: str, report: BackgroundJob[Any]) -> int:
    return fetch_registrations(the_store(), project, load_settings(), progress=report)


def _fetched(work: SourceWork, number: int) -> None:
    work.tell(REGISTRATIONS, f"{counted(number, 'registration')} fetched.")


def show_beside(project: str | None, paper: Paper) -> None:
    """Draw planned beside reported outcomes, for the paper's fetched registrations. For the desk."""
    with st.container(key="registration-beside"):  # always there, so that the desk keeps its place
        if project is None:
            return
        try:
            with the_store().reading() as store:
                numbers = numbers_of(store, project).get(paper.id, ())
                here = store.registrations(project)
        except VouchError as error:
            st.error(plain(str(error)), icon=":material/error:")
            return
        for number in numbers:
            if number in here:
                _one(here[number], paper)


def _one(stored: StoredRegistration, paper: Paper) -> None:
    found = stored.registration
    with st.expander(
        f"Registration {plain(found.number)}: planned outcomes beside those reported", icon=":material/assignment:"
    ):
        st.caption(plain(_dates(found)))
        for one in outcomes_beside(paper, found):
            frame = f" ({one.outcome.time_frame})" if one.outcome.time_frame else ""
            st.markdown(
                f"{_SIGNS[one.state]} **{plain(one.state.value)}** · {plain(one.outcome.kind)}: "
                f"{plain(one.outcome.measure, limit=300)}{plain(frame)}  \n:gray[{plain(one.why)}]"
            )
            for index in one.sentences if one.state is not OutcomeState.ADDED else ():
                st.caption(f"“{plain(paper.sentences[index].text, limit=300)}”")
        st.caption("Words were compared, nothing was judged. An outcome under another name is shown as not found.")


def _dates(found: Registration) -> str:
    parts = [
        f"Registered {found.registered}" if found.registered else "",
        f"started {found.started}" if found.started else "",
        f"primary completion {found.completed}" if found.completed else "",
        f"changed last {found.updated}" if found.updated else "",
        found.status,
    ]
    late = " Registered after the start." if registered_late(found) else ""
    return f"{', '.join(filter(None, parts))}.{late}"
