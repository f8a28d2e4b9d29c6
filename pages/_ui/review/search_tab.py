"""The tab Search: what goes to which service, shown before it is sent; counts; taking records; earlier searches."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import streamlit as st

from core.errors import VouchError
from core.review.searches import (
    NewRecords,
    begin_search,
    certain_pairs,
    forget_search,
    new_records,
    settle_certain,
    take,
)
from core.settings import Settings, keep_mail, load_settings
from core.sources.asked import asked
from core.sources.searching import MOST_TAKEN, SOURCES, is_register, strings_of
from core.sources.services import service_named
from core.store import Project, StoredSearch
from core.text.words import counted
from pages._ui import standing_checks
from pages._ui.escape import date_in_words, plain
from pages._ui.jobs import BackgroundJob
from pages._ui.review import citations_part, full_texts_part, notices_part, registrations_part, source_jobs
from pages._ui.review.board import ProjectSnapshot
from pages._ui.review.search_state import SEARCHING, SourceWork
from pages._ui.review.source_jobs import begin
from pages._ui.state import Session, prime
from pages._ui.stored import the_store

SEARCH = "Search"
_MOST_LISTED = 12  # new records that are listed
_LONGEST_STRING = 300  # letters of a query that are shown


def show(session: Session, snapshot: ProjectSnapshot) -> None:
    """Draw the tab."""
    work = session.review.sources
    source_jobs.take_result(session)
    if snapshot.reviewer is None:
        st.caption("Choose who you are, to search. Earlier searches are listed below.")
    else:
        _form(session, snapshot.project, work)
    source_jobs.show(session, SEARCHING)
    if snapshot.reviewer is not None:
        _counts(session, snapshot.project, work, snapshot.reviewer)
        _same_numbers(session, snapshot.project, work, snapshot.reviewer)
    _earlier(session, snapshot, work)
    full_texts_part.show(session, snapshot)
    citations_part.show(session, snapshot)
    notices_part.show(session, snapshot)
    registrations_part.show(session, snapshot)


# ---- what is asked ----


def _form(session: Session, project: Project, work: SourceWork) -> None:
    settings = load_settings()
    keys = {name: f"search-{name}-{project.id}" for name in ("asked", "services", "mail")}
    prime(**{keys["asked"]: work.asked, keys["services"]: work.services, keys["mail"]: settings.mail or ""})
    st.text_area(
        "A query, or DOIs, PMIDs, NCT numbers or titles, one a line",
        key=keys["asked"],
        height=110,
        placeholder="(walking OR exercise) AND insomnia",
        on_change=_typed,
        args=(work, keys["asked"]),
    )
    st.pills(
        "Where",
        list(SOURCES),
        selection_mode="multi",
        key=keys["services"],
        format_func=lambda service: service_named(service).name,
        on_change=_chosen,
        args=(work, keys["services"]),
        help="Crossref takes DOIs and titles, and no queries",
    )
    _own_words(project, work)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.text_input(
            "Your mail address",
            key=keys["mail"],
            width=280,
            placeholder="name@example.org",
            help="Services ask who is there; Unpaywall answers nobody without one. It is kept on this computer alone.",
            on_change=_mailed,
            args=(session, settings, keys["mail"]),
        )
    _where_it_goes(session, settings, project, work)


def _typed(work: SourceWork, key: str) -> None:
    work.asked = st.session_state[key]
    work.forget_counts()


def _chosen(work: SourceWork, key: str) -> None:
    work.services = list(st.session_state[key] or ())
    work.forget_counts()


def _mailed(session: Session, settings: Settings, key: str) -> None:
    session.problem = None
    try:
        keep_mail(settings, st.session_state[key])
    except VouchError as error:
        session.problem = str(error)


def _own_words(project: Project, work: SourceWork) -> None:
    """Draw a field per database for a query of its own, because each has its own query language."""
    with st.expander("In other words for one of them"):
        for id in work.services:
            key = f"search-own-{id}-{project.id}"
            prime(**{key: work.own.get(id, "")})
            st.text_area(
                service_named(id).name,
                key=key,
                height=70,
                placeholder="The same as above",
                on_change=_worded,
                args=(work, id, key),
            )


def _worded(work: SourceWork, id: str, key: str) -> None:
    work.own[id] = st.session_state[key]
    work.forget_counts()


def _where_it_goes(session: Session, settings: Settings, project: Project, work: SourceWork) -> None:
    """Draw what would be sent to whom, and the button that sends it."""
    if not work.asked.strip():
        st.caption(
            ":material/lock: Nothing is sent before you have seen it here, with where it goes, and pressed the button."
        )
        return
    try:
        strings = strings_of(work.asked, work.services, work.own)
        said = asked(work.asked)
    except VouchError as error:
        st.caption(f":material/info: {plain(str(error))}")
        return
    with st.container(border=True, key="where-it-goes", gap="xxsmall"):
        what = f"A list: {said.in_words}. " if said.is_list else ""
        st.markdown(f"**{plain(f'{what}This is sent, and to nobody else:')}**")
        for id, some in strings.items():
            service = service_named(id)
            shown = some[0] if len(some) == 1 else f"{some[0]} … in {len(some)} calls"
            st.markdown(f"{plain(service.name)} :gray[{plain(service.host)}]: {plain(shown, limit=_LONGEST_STRING)}")
            if len(some) > 1 or len(shown) > _LONGEST_STRING:
                _whole(id, some)
        left = [service_named(id).name for id in work.services if id not in strings]
        if left:
            st.caption(plain(f"{' and '.join(left)}: nothing, as it cannot be asked this."))
        mail = f"your mail address {settings.mail}" if settings.mail else "no mail address"
        stand_in = f" All of it goes to the stand-in {settings.sources_url}." if settings.sources_url else ""
        st.caption(plain(f"With {mail}, and Vouch's name. Nothing of the project.{stand_in}"))
        busy = work.job is not None
        if st.button(
            f"Ask {counted(len(strings), 'service')}",
            key="ask-services",
            type="primary",
            icon=":material/send:",
            disabled=busy,
        ):
            who = session.review.reviewer or ""
            do = partial(_count, project.id, work.asked, strings, who)
            begin(session, SEARCHING, do, partial(_keep_counts, work))
            st.rerun()


def _whole(id: str, strings: tuple[str, ...]) -> None:
    """Draw the complete text for a service, if it is too long for the summary."""
    letters = sum(map(len, strings))
    with st.expander(f"All that goes to {plain(service_named(id).name)}: {counted(letters, 'letter')}"):
        st.code("\n".join(strings), language=None, wrap_lines=True, height=240)


def _count(project: str, words: str, strings: dict[str, tuple[str, ...]], who: str, report: BackgroundJob[Any]) -> Any:
    return begin_search(the_store(), load_settings(), project, words, strings, who=who, progress=report)


def _keep_counts(work: SourceWork, result: Any) -> None:
    work.search, work.counted = result
    work.new = None


# ---- what came of it ----


def _counts(session: Session, project: Project, work: SourceWork, who: str) -> None:
    """Draw the counts by service, before anything is taken."""
    search, new = work.search, work.new
    if search is None or search.project != project.id:
        return
    with st.container(border=True, key="counts", gap="small"):
        st.markdown(f"**What they have** for “{plain(search.asked, limit=120)}”")
        for one in work.counted:
            service = service_named(one.service)
            kind = "register" if is_register(one.service) else "database"
            if one.count is None:
                st.markdown(f":material/error: {plain(service.name)}: {plain(one.problem)}")
            else:
                more = " :gray[more than can be taken: narrow the search]" if one.count > MOST_TAKEN else ""
                fresh = f", {len(new.records[one.service]):,} of them new" if new and one.service in new.records else ""
                st.markdown(f"**{one.count:,}** in {plain(service.name)} :gray[{kind}]{fresh}{more}")
        usable = [one for one in work.counted if one.count and one.count <= MOST_TAKEN]
        if new is not None:
            _new_ones(session, work, new, who)
        elif usable:
            total = sum(one.count or 0 for one in usable)
            if st.button(
                f"Take {counted(total, 'record')}", key="take-records", type="primary", disabled=work.job is not None
            ):
                begin(
                    session,
                    SEARCHING,
                    partial(_look_and_take, search, [one.service for one in usable], who),
                    partial(_taken, work),
                )
                st.rerun()
            st.caption("They come in as references to screen. Those that are here already are not taken twice.")


def _new_ones(session: Session, work: SourceWork, new: NewRecords, who: str) -> None:
    """Draw the new records that a repeated search has found."""
    for id, problem in new.problems.items():
        st.markdown(f":material/error: {plain(service_named(id).name)}: {plain(problem)}")
    if not new.count:
        st.markdown("Nothing is new since the last time.")
        return
    listed = [record for some in new.records.values() for record in some]
    for record in listed[:_MOST_LISTED]:
        said = record.reference
        mark = f" :material/report: **{plain(record.notices[0].in_words)}**" if record.notices else ""
        st.markdown(f"- {plain(said.title, limit=200)} :gray[{said.year or ''} {plain(said.journal, limit=60)}]{mark}")
    if len(listed) > _MOST_LISTED:
        st.caption(f"{len(listed) - _MOST_LISTED:,} more.")
    if st.button(
        f"Take {counted(new.count, 'new record')}", key="take-new", type="primary", disabled=work.job is not None
    ):
        begin(session, SEARCHING, partial(_take, new, who), partial(_taken, work))
        st.rerun()


def _look_and_take(search: StoredSearch, services: Sequence[str], who: str, report: BackgroundJob[Any]) -> Any:
    new = new_records(the_store(), load_settings(), search, services, progress=report)
    taken = take(the_store(), new, who=who)
    standing_checks.what_came_in(search.project)
    return taken, dict(new.problems)


def _take(new: NewRecords, who: str, report: BackgroundJob[Any]) -> Any:
    report(0.1, "Taking them in")
    taken = take(the_store(), new, who=who)
    standing_checks.what_came_in(new.search.project)
    return taken, {}


def _taken(work: SourceWork, result: Any) -> None:
    taken, problems = result
    parts = [f"{number:,} from {service_named(id).name}" for id, number in taken.items()]
    wrong = " ".join(f"{service_named(id).name}: {problem}" for id, problem in problems.items())
    work.forget_counts()
    work.tell(SEARCHING, f"New in the review: {', '.join(parts)}. {wrong}".strip())


def _same_numbers(session: Session, project: Project, work: SourceWork, who: str) -> None:
    """Draw a button that settles pairs of references with the same number, as two databases gave the same record."""
    try:
        with the_store().reading() as store:
            pairs = _pairs(project.id, repr(store.state_of_items(project.id)), store)
    except VouchError as error:
        st.error(plain(str(error)), icon=":material/error:")
        return
    if not pairs:
        return
    with st.container(border=True, key="same-numbers", horizontal=True, vertical_alignment="center", gap="small"):
        has = "has" if len(pairs) == 1 else "have"
        st.markdown(
            f"{counted(len(pairs), 'pair')} of references {has} the same DOI or PMID, and nothing speaks against it. "
            "Others that look alike are under Papers.",
            width="stretch",
        )
        st.button(
            f"Count {counted(len(pairs), 'duplicate')}",
            key="settle-same",
            on_click=_settle,
            args=(session, work, project.id, who),
            help="The first of each pair stays. Every one can be undone under Papers.",
        )


@st.cache_resource(max_entries=8, show_spinner=False)
def _pairs(project: str, state: str, _store: Any) -> tuple[tuple[str, str], ...]:
    return certain_pairs(_store, project)


def _settle(session: Session, work: SourceWork, project: str, who: str) -> None:
    session.problem = None
    try:
        number = settle_certain(the_store(), project, who=who)
        work.tell(SEARCHING, f"{counted(number, 'duplicate')} left out, as you said.")
    except VouchError as error:
        session.problem = str(error)


# ---- earlier searches ----


def _earlier(session: Session, snapshot: ProjectSnapshot, work: SourceWork) -> None:
    project = snapshot.project
    try:
        with the_store().reading() as store:
            kept = [saved.record for saved in store.searches(project.id)]
    except VouchError as error:
        st.error(plain(str(error)), icon=":material/error:")
        return
    if not kept:
        return
    st.subheader("Searches of this review", anchor=False)
    for search in reversed(kept):
        with st.container(border=True, key=f"search-{search.id}", gap="xxsmall"):
            _one(session, snapshot, work, search)


def _one(session: Session, snapshot: ProjectSnapshot, work: SourceWork, search: StoredSearch) -> None:
    last = search.last
    st.markdown(f"**{plain(search.asked, limit=200)}**")
    if last is not None:
        found = ", ".join(f"{service_named(id).name} {number:,}" for id, number in last.found.items())
        taken = sum(last.taken.values())
        times = f", run {len(search.runs)} times" if len(search.runs) > 1 else ""
        st.caption(plain(f"{date_in_words(last.at)} by {last.by}{times}: {found}; {taken:,} taken that time"))
    with st.expander("As it was sent"):
        for id, strings in search.strings.items():
            st.markdown(plain(service_named(id).name))
            st.code("\n".join(strings), language=None, wrap_lines=True)
        for run in search.runs:
            wrong = "; ".join(f"{service_named(id).name}: {why}" for id, why in run.problems.items())
            numbers = ", ".join(f"{service_named(id).name} {number:,}" for id, number in run.found.items())
            st.caption(plain(f"{date_in_words(run.at)}: {numbers}; {sum(run.taken.values()):,} taken. {wrong}"))
    if snapshot.reviewer is None:
        return
    hosts = ", ".join(service_named(id).host for id in search.strings)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        if st.button("Run again", key=f"again-{search.id}", icon=":material/refresh:", disabled=work.job is not None):
            begin(session, SEARCHING, partial(_again, search, snapshot.reviewer), partial(_keep_again, work))
            st.rerun()
        st.button(
            "Take out of the list",
            key=f"forget-{search.id}",
            type="tertiary",
            on_click=_forget,
            args=(session, search, snapshot.reviewer),
            help="What came by it stays",
        )
        st.caption(f":material/send: {plain(f'Goes to {hosts}')}", width="content")


def _again(search: StoredSearch, who: str, report: BackgroundJob[Any]) -> Any:
    settings = load_settings()
    begun, counts = begin_search(
        the_store(), settings, search.project, search.asked, search.strings, who=who, progress=report, again=search.id
    )
    usable = [one.service for one in counts if one.count is not None and one.count <= MOST_TAKEN]
    return begun, counts, new_records(the_store(), settings, begun, usable, progress=report)


def _keep_again(work: SourceWork, result: Any) -> None:
    work.search, work.counted, work.new = result


def _forget(session: Session, search: StoredSearch, who: str) -> None:
    session.problem = None
    try:
        forget_search(the_store(), search.project, search.id, who=who)
    except VouchError as error:
        session.problem = str(error)
