"""What became of added files, and what could not be done."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import streamlit as st

from core.errors import VouchError
from core.review.queue import retry_failures
from core.review.status import QueueStatus, queue_status
from core.store import IncomingFile, QueueMode
from core.text.words import counted
from pages._ui.escape import plain
from pages._ui.review import queues, references
from pages._ui.review.board import ProjectSnapshot
from pages._ui.review.references import References
from pages._ui.review.state import IntakeReport
from pages._ui.state import Session
from pages._ui.stored import the_runner, the_store

# ---- what could not be done ----

_MOST_SHOWN = 30  # lines of a list; further ones are only counted


@dataclass(frozen=True, slots=True)
class _Trouble:
    """A list of failures. `dismiss` takes the reviewer and the keys of lines; None: the list cannot be dismissed."""

    name: str
    title: str
    lines: Sequence[tuple[str, str]]  # (key, sentence)
    dismiss: Callable[[str, Sequence[str]], None] | None = None
    retry: Callable[[], None] | None = None


def show_troubles(session: Session, snapshot: ProjectSnapshot, status: QueueStatus) -> None:
    """Draw the non-empty lists."""
    for trouble in _troubles(session, snapshot, status):
        if trouble.lines:
            _list(session, snapshot, trouble)


def _troubles(session: Session, snapshot: ProjectSnapshot, status: QueueStatus) -> Iterator[_Trouble]:
    project = snapshot.project.id
    retry = partial(_retry, session, snapshot, status)
    files = [(one.sha256, _about(one.name, one.error or "")) for one in status.unreadable]
    title = f"{counted(len(files), 'file')} could not be read"
    yield _Trouble("unreadable", title, files, partial(_dismiss_files, project), retry)
    entries = [
        (f"{one.item}\n{one.task}", _about(one.item, one.error, one.task.partition(": ")[2]))
        for one in status.wrong_entries
    ]
    title = (
        "1 entry in a file of references is wrong"
        if len(entries) == 1
        else f"{len(entries):,} entries in files of references are wrong"
    )
    yield _Trouble("wrong", title, entries, partial(_forget, project))
    failed = [(f"{one.item}\n{one.task}", one.error) for one in status.failures]
    yield _Trouble("failed", f"{counted(len(failed), 'question')} could not be answered", failed, retry=retry)


def _about(name: str, error: str, place: str = "") -> str:
    return error if name in error else f"“{name}”{f', {place}' if place else ''}: {error}"


def _list(session: Session, snapshot: ProjectSnapshot, trouble: _Trouble) -> None:
    name, dismiss = trouble.name, trouble.dismiss
    grouped = _grouped(trouble.lines)
    with st.expander(
        f"**{trouble.title}**", icon=":material/error:", key=f"queue-{name}", expanded=dismiss is not None
    ):
        lines = st.container(gap=None)
        for keys, said in grouped[:_MOST_SHOWN]:
            with lines.container(horizontal=True, vertical_alignment="center", gap="small"):
                st.caption(plain(said), width="stretch")
                if dismiss is not None and snapshot.reviewer is not None:
                    st.button(
                        "Dismiss",
                        key=f"dismiss-{name}-{keys[0]}",
                        type="tertiary",
                        on_click=_tried,
                        args=(session, partial(dismiss, snapshot.reviewer, keys)),
                    )
                if len(grouped) == 1 and trouble.retry is not None and snapshot.reviewer is not None:
                    _retry_button(session, trouble)
        if (more := len(grouped) - _MOST_SHOWN) > 0:
            st.caption(f"… and {more:,} more.")
        if snapshot.reviewer is None or len(grouped) == 1:
            return
        with st.container(horizontal=True, gap="small"):
            if trouble.retry is not None:
                _retry_button(session, trouble)
            if dismiss is not None:
                everything = [key for key, _ in trouble.lines]
                st.button(
                    "Dismiss all",
                    key=f"dismiss-all-{name}",
                    type="tertiary",
                    on_click=_tried,
                    args=(session, partial(dismiss, snapshot.reviewer, everything)),
                )


def _retry_button(session: Session, trouble: _Trouble) -> None:
    st.button(
        "Try again", key=f"retry-{trouble.name}", type="tertiary", on_click=_tried, args=(session, trouble.retry)
    )  # fmt: skip


def _grouped(lines: Sequence[tuple[str, str]]) -> list[tuple[list[str], str]]:
    """Group equal sentences, with their count: if a server is down, every question fails alike."""
    times: dict[str, list[str]] = {}
    for key, said in lines:
        times.setdefault(said, []).append(key)
    return [(keys, f"{said} ({len(keys):,} times)" if len(keys) > 1 else said) for said, keys in times.items()]


def _dismiss_files(project: str, who: str, digests: Sequence[str]) -> None:
    with the_store().writing(who) as change:
        for digest in digests:
            change.queue.remove_file(project, digest, with_bytes=True)


def _forget(project: str, who: str, keys: Sequence[str]) -> None:
    with the_store().writing(who) as change:
        for key in keys:
            item, _, task = key.partition("\n")
            change.queue.forget_failures(project, item, task)


def _retry(session: Session, snapshot: ProjectSnapshot, status: QueueStatus) -> None:
    who = snapshot.reviewer or ""
    retry_failures(the_store(), snapshot.project.id, who)
    the_runner().start(snapshot.project.id, who, queues.workers_chosen(session, snapshot.project, status.state))


def _tried(session: Session, do: Callable[[], None]) -> None:
    session.problem = None
    try:
        do()
    except VouchError as error:
        session.problem = str(error)
        session.review.drawn = (0.0, (), False)  # so that the page is drawn again and shows the problem


# ---- what became of what was put in ----

TABS, PAPERS = "project-tabs", "Papers"
_AT_WORK_S = 3.0  # seconds between two looks while the queue is at work
_MOST_NAMED = 3


@dataclass(frozen=True, slots=True)
class IntakeOutcome:
    """What became of files that were added together. Files that a reviewer dismissed are not counted."""

    waiting: int
    read: int
    unreadable: tuple[str, ...]  # names
    alike: int  # undecided pairs of something new and something else


def intake_outcome(
    taken: IntakeReport, incoming: Sequence[IncomingFile], look: Callable[[], References]
) -> IntakeOutcome:
    """What has become of the files so far. `look` reads papers and pairs: slow, so not before all files are read."""
    own = set(taken.files)
    here = [one for one in incoming if one.sha256 in own]
    unreadable = tuple(one.name for one in here if one.error is not None)
    if waiting := len(here) - len(unreadable):
        return IntakeOutcome(waiting, len(own) - len(here), unreadable, 0)
    found = look()
    came = {paper.id for paper in found.papers.values() if paper.file in own}
    entries = {id for id in found.all if id.rpartition("-")[0] in taken.lists}
    alike = sum(one.is_duplicate and not {one.first, one.second}.isdisjoint(came | entries) for one in found.alike)
    return IntakeOutcome(0, len(came), unreadable, alike)


def show(session: Session, snapshot: ProjectSnapshot) -> None:
    """Draw what was added last, and what could not be done. It is redrawn while the queue works."""
    try:
        with the_store().reading() as reading:
            state = reading.queue.state(snapshot.project.id)
    except VouchError as error:
        st.error(plain(str(error)), icon=":material/error:")
        return
    st.fragment(_draw, run_every=_AT_WORK_S if state.mode is QueueMode.RUNNING or state.holder else None)(
        session, snapshot
    )


def _draw(session: Session, snapshot: ProjectSnapshot) -> None:
    project, taken = snapshot.project, session.review.intake_report
    try:
        with the_store().reading() as reading:
            status, incoming = queue_status(reading, project), reading.queue.incoming(project.id)
        new = taken if taken is not None and taken.project == project.id else None
        if new is None and not any(_troubles_of(status)):
            return
        with st.container(key="arrivals", gap="xxsmall"):
            if new is not None:
                _line(
                    session, arrivals_in_words(new, intake_outcome(new, incoming, partial(references.read, project.id)))
                )
            show_troubles(session, snapshot, status)
    except VouchError as error:
        st.error(plain(str(error)), icon=":material/error:")


def _line(session: Session, words: str) -> None:
    with st.container(key="taken", horizontal=True, vertical_alignment="center", gap="small"):
        st.caption(plain(words, limit=1000), width="content")
        st.button("Hide", key="hide-taken", type="tertiary", on_click=_forget_taken, args=(session,))


def _forget_taken(session: Session) -> None:
    session.review.intake_report = None


def note_troubles(session: Session, status: QueueStatus) -> None:
    """One line on what could not be done, above any tab but that of papers, which lists it; until it is hidden."""
    numbers, keys = _troubles_of(status), _keys_of(status)
    session.review.put_aside &= keys  # a retried item that fails again is reported again
    here = st.session_state.get(TABS) or session.review.tab or PAPERS
    if here == PAPERS or keys <= session.review.put_aside:
        return
    with st.container(key="troubles-note", horizontal=True, vertical_alignment="center", gap="small"):
        st.caption(f":material/error: {plain(troubles_in_words(*numbers))}", width="content")
        st.button("Hide", key="hide-troubles", type="tertiary", on_click=_put_aside, args=(session, keys))


def _put_aside(session: Session, keys: frozenset[str]) -> None:
    session.review.put_aside = keys


def _troubles_of(status: QueueStatus) -> tuple[int, int, int]:
    return len(status.unreadable), len(status.wrong_entries), len(status.failures)


def _keys_of(status: QueueStatus) -> frozenset[str]:
    found = [f"{one.item}\n{one.task}" for one in (*status.wrong_entries, *status.failures)]
    return frozenset([*found, *(one.sha256 for one in status.unreadable)])


def troubles_in_words(unreadable: int, wrong: int, failed: int) -> str:
    """The counts of what could not be done, as a sentence."""
    parts = [f"{counted(unreadable, 'file')} could not be read"] * bool(unreadable)
    parts += [f"{_wrong(wrong)} in files of references"] * bool(wrong)
    parts += [f"{counted(failed, 'question')} could not be answered"] * bool(failed)
    return f"{' · '.join(parts)}: listed under {PAPERS}"


def arrivals_in_words(taken: IntakeReport, became: IntakeOutcome) -> str:
    """What was added, as a sentence: first what is new, then what was known or left out, then what needs a reviewer."""
    new = _several((became.read, "paper"), (taken.references, "reference"))
    parts = [f"{new} added"] * bool(new)
    parts += [f"{counted(became.waiting, 'file')} put in the queue, to be read"] * bool(became.waiting)
    listed = list(_listed(taken, became))
    if not parts and not became.unreadable:
        parts = ["Nothing new"]
    if again := _several((taken.again, "file"), (taken.references_again, "reference")):
        parts.append(f"{again} here already")
    parts += [f"{counted(number, 'file')} left out: {why}" for why, number in taken.left.items()]
    parts += [f"listed below: {', '.join(listed)}"] * bool(listed)
    return (f"From {taken.folder}: " if taken.folder else "") + " · ".join(parts)


def _listed(taken: IntakeReport, became: IntakeOutcome) -> Iterator[str]:
    """What is wrong or needs a decision. A file counts as a paper once it is read."""
    if became.unreadable:
        named = ", ".join(f"“{name}”" for name in became.unreadable[:_MOST_NAMED])
        more = len(became.unreadable) - _MOST_NAMED
        names = f"{named} and {more:,} more" if more > 0 else named
        yield f"{counted(len(became.unreadable), 'file')} that could not be read ({names})"
    if became.alike:
        yield "1 pair that looks alike" if became.alike == 1 else f"{became.alike:,} pairs that look alike"
    if taken.wrong:
        yield _wrong(taken.wrong)


def _several(*numbers: tuple[int, str]) -> str:
    return " and ".join(counted(number, what) for number, what in numbers if number)


def _wrong(number: int) -> str:
    return "1 wrong entry" if number == 1 else f"{number:,} wrong entries"
