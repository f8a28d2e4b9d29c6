"""What became of what was put into a project: in full in the tab of papers, and in one line above the other tabs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import streamlit as st

from core.errors import VouchError
from core.review.status import QueueStatus, queue_status
from core.store import Incoming, QueueMode
from pages._ui.escape import plain
from pages._ui.review import references, troubles
from pages._ui.review.board import Board
from pages._ui.review.queue_words import counted
from pages._ui.review.references import References
from pages._ui.review.stored import the_store
from pages._ui.review.work import Taken
from pages._ui.state import Session

TABS, PAPERS = "project-tabs", "Papers"
_AT_WORK_S = 3.0  # between two looks while files are read
_MOST_NAMED = 3


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of the files that were put in at one time; of those that a reviewer dismissed, nothing."""

    waiting: int
    read: int
    unreadable: tuple[str, ...]  # names
    alike: int  # pairs of what came and something else, on which nobody has said anything yet


def outcome(taken: Taken, incoming: Sequence[Incoming], look: Callable[[], References]) -> Outcome:
    """What has become of them by now. `look`: at papers and pairs, which takes a while; not asked before all are read."""
    own = set(taken.files)
    here = [one for one in incoming if one.sha256 in own]
    unreadable = tuple(one.name for one in here if one.error is not None)
    if waiting := len(here) - len(unreadable):
        return Outcome(waiting, len(own) - len(here), unreadable, 0)
    found = look()
    came = {paper.id for paper in found.papers.values() if paper.file in own}
    entries = {id for id in found.all if id.rpartition("-")[0] in taken.lists}
    alike = sum(one.is_duplicate and not {one.first, one.second}.isdisjoint(came | entries) for one in found.alike)
    return Outcome(0, len(came), unreadable, alike)


def show(now: Session, board: Board) -> None:
    """Draw what was put in last, and what could not be done. It is drawn again by itself while the queue works."""
    try:
        with the_store().reading() as reading:
            state = reading.queue(board.project.id)
    except VouchError as error:
        st.error(plain(str(error)), icon=":material/error:")
        return
    st.fragment(_draw, run_every=_AT_WORK_S if state.mode is QueueMode.RUNNING or state.holder else None)(now, board)


def _draw(now: Session, board: Board) -> None:
    project, taken = board.project, now.review.taken
    try:
        with the_store().reading() as reading:
            status, incoming = queue_status(reading, project), reading.incoming(project.id)
        new = taken if taken is not None and taken.project == project.id else None
        if new is None and not any(_troubles_of(status)):
            return
        with st.container(key="arrivals", gap="xxsmall"):
            if new is not None:
                _line(now, in_words(new, outcome(new, incoming, partial(references.read, project.id))))
            troubles.show(now, board, status)
    except VouchError as error:
        st.error(plain(str(error)), icon=":material/error:")


def _line(now: Session, words: str) -> None:
    with st.container(key="taken", horizontal=True, vertical_alignment="center", gap="small"):
        st.caption(plain(words, limit=1000), width="content")
        st.button("Hide", key="hide-taken", type="tertiary", on_click=_forget_taken, args=(now,))


def _forget_taken(now: Session) -> None:
    now.review.taken = None


def note(now: Session, board: Board, status: QueueStatus) -> None:
    """One line on what could not be done, above any tab but that of papers, which lists it; until it is hidden."""
    numbers, keys = _troubles_of(status), _keys_of(status)
    now.review.put_aside &= keys  # what is tried again and fails again is told again
    here = st.session_state.get(TABS) or now.review.tab or PAPERS
    if here == PAPERS or keys <= now.review.put_aside:
        return
    with st.container(key="troubles-note", horizontal=True, vertical_alignment="center", gap="small"):
        st.caption(f":material/error: {plain(troubles_in_words(*numbers))}", width="content")
        st.button("Hide", key="hide-troubles", type="tertiary", on_click=_put_aside, args=(now, keys))


def _put_aside(now: Session, keys: frozenset[str]) -> None:
    now.review.put_aside = keys


def _troubles_of(status: QueueStatus) -> tuple[int, int, int]:
    return len(status.unreadable), len(status.wrong_entries), len(status.failures)


def _keys_of(status: QueueStatus) -> frozenset[str]:
    found = [f"{one.item}\n{one.task}" for one in (*status.wrong_entries, *status.failures)]
    return frozenset([*found, *(one.sha256 for one in status.unreadable)])


def troubles_in_words(unreadable: int, wrong: int, failed: int) -> str:
    """What could not be done, counted."""
    parts = [f"{counted(unreadable, 'file')} could not be read"] * bool(unreadable)
    parts += [f"{_wrong(wrong)} in files of references"] * bool(wrong)
    parts += [f"{counted(failed, 'question')} could not be answered"] * bool(failed)
    return f"{' · '.join(parts)}: listed under {PAPERS}"


def in_words(taken: Taken, became: Outcome) -> str:
    """What came in: what is new first, then what was here or not taken, and what is listed below for a reviewer to see."""
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


def _listed(taken: Taken, became: Outcome) -> Iterator[str]:
    """What is wrong, or waits for an answer. A file counts as a paper once it is read."""
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
