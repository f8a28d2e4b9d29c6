"""Fetching open full texts of included references: one press queues them, and each failure shows its reason."""

from __future__ import annotations

import streamlit as st

from core.errors import VouchError
from core.review.searches import included_without_text
from core.settings import load_settings
from core.sources.full_texts import ASKED
from core.store import QueueMode, Retrieval, RetrievalState, StoredReference
from core.text.words import counted
from pages._ui.escape import plain
from pages._ui.review import queues
from pages._ui.review.board import ProjectSnapshot
from pages._ui.review.search_state import TEXTS
from pages._ui.review.source_jobs import show as show_work
from pages._ui.state import Session
from pages._ui.stored import the_runner, the_store

_MOST_SHOWN = 30


def show(session: Session, snapshot: ProjectSnapshot) -> None:
    """Draw what can be fetched, and the results so far."""
    project = snapshot.project
    try:
        with the_store().reading() as store:
            included = included_without_text(store, project.id, reader=snapshot.reviewer or "")
            retrievals = {one.item: one for one in store.retrievals.all(project.id)}
            references = {saved.record.id: saved.record for saved in store.references(project.id)}
            mode = store.queue.state(project.id).mode
    except VouchError as error:
        st.error(plain(str(error)), icon=":material/error:")
        return
    if not included and not retrievals:
        return
    states = {state: [one for one in retrievals.values() if one.state is state] for state in RetrievalState}
    left = [one for one in included if one.id not in retrievals or retrievals[one.id].state is RetrievalState.FAILED]
    st.subheader("Open full texts", anchor=False)
    with st.container(border=True, key="full-texts", gap="small"):
        failed = states[RetrievalState.FAILED]
        again = sum(one.item in {reference.id for reference in left} for one in failed)
        st.markdown(
            f"{counted(len(included), 'reference')} included by title and abstract without a full text · "
            f"{len(states[RetrievalState.FETCHED]):,} fetched · {len(states[RetrievalState.WANTED]):,} to fetch · "
            f"{len(failed):,} not available"
        )
        show_work(session, TEXTS)
        if snapshot.reviewer is not None and left:
            _button(session, snapshot, left, again)
        if states[RetrievalState.WANTED]:
            _wanted(session, snapshot, len(states[RetrievalState.WANTED]), running=mode is QueueMode.RUNNING)
        if failed:
            _failed(failed, references)
        if states[RetrievalState.FETCHED]:
            with st.expander(f"Fetched ({len(states[RetrievalState.FETCHED])})"):
                for one in states[RetrievalState.FETCHED][:_MOST_SHOWN]:
                    title = _title(references.get(one.item))
                    st.caption(f"{title}: {plain(one.service)}, {plain(one.location, limit=160)}")
                if len(states[RetrievalState.FETCHED]) > _MOST_SHOWN:
                    st.caption(f"{len(states[RetrievalState.FETCHED]) - _MOST_SHOWN:,} more.")


def _button(session: Session, snapshot: ProjectSnapshot, left: list[StoredReference], again: int) -> None:
    settings = load_settings()
    first, second = (f"{service.name} ({service.host})" for service in ASKED)
    given = f"{first} and {second}, with your mail address {settings.mail}"
    missing = f"{first}; once you give a mail address above, to {second}, too"
    goes = f"Their DOIs and PMIDs go to {given if settings.mail else missing}. "
    st.caption(
        f":material/send: {plain(f'{goes}A PDF comes from the site that Unpaywall names, which is then listed here.')}"
    )
    label = f"Fetch {counted(len(left), 'open full text')}"
    st.button(
        label if again < len(left) else f"Try {counted(len(left), 'full text')} again",
        key="fetch-texts",
        type="primary" if again < len(left) else "secondary",
        icon=":material/download:",
        on_click=_fetch,
        args=(session, snapshot, [one.id for one in left]),
    )


def _fetch(session: Session, snapshot: ProjectSnapshot, items: list[str]) -> None:
    """Put the items into the queue, which fetches them."""
    session.problem = None
    project, who = snapshot.project, snapshot.reviewer or ""
    try:
        with the_store().writing(who) as change:
            change.retrievals.want(project.id, items)
            state = change.queue.state(project.id)
        if state.mode is not QueueMode.PAUSED:
            the_runner().start(project.id, who, queues.workers_unasked(session, project, state))
    except VouchError as error:
        session.problem = str(error)


def _wanted(session: Session, snapshot: ProjectSnapshot, number: int, *, running: bool) -> None:
    """Draw how many are still to be fetched, with a button to cancel that."""
    if not running:
        st.caption("The queue above fetches them: press Start or Resume there.")
    if snapshot.reviewer is not None:
        st.button(
            f"Do not fetch the other {number:,}" if number > 1 else "Do not fetch it",
            key="give-up-texts",
            icon=":material/block:",
            on_click=_give_up,
            args=(session, snapshot),
            help="No service is asked for them any more. What was fetched stays",
        )


def _give_up(session: Session, snapshot: ProjectSnapshot) -> None:
    session.problem = None
    work = session.review.sources
    try:
        with the_store().writing(snapshot.reviewer or "") as change:
            number = change.retrievals.give_up(snapshot.project.id)
    except VouchError as error:
        session.problem = str(error)
        return
    work.tell(TEXTS, f"{counted(number, 'full text')} will not be fetched." if number else "All of them were fetched.")


def _failed(failed: list[Retrieval], references: dict[str, StoredReference]) -> None:
    with st.expander(f"**Not to be had ({len(failed)})**", icon=":material/info:", key="texts-failed"):
        for one in failed[:_MOST_SHOWN]:
            st.markdown(f"{_title(references.get(one.item))}  \n:gray[{plain(one.why, limit=300)}]")
        if len(failed) > _MOST_SHOWN:
            st.caption(f"{len(failed) - _MOST_SHOWN:,} more.")
        st.caption("What cannot be obtained at all is excluded in screening, with the reason “Report not retrieved”.")


def _title(reference: StoredReference | None) -> str:
    return (
        plain(reference.reference.title, limit=140)
        if reference is not None
        else "A reference that is not here any more"
    )
