"""What could not be done, with its reason, until it is dismissed or tried again: files, references, questions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import streamlit as st

from core.errors import VouchError
from core.review.intake import REFERENCE
from core.review.queue import retry_failures
from core.review.status import QueueStatus
from pages._ui.escape import plain
from pages._ui.review import hands
from pages._ui.review.board import Board
from pages._ui.review.queue_words import counted
from pages._ui.review.stored import the_runner, the_store
from pages._ui.state import Session

_MOST_SHOWN = 30  # in a list; the rest is counted


@dataclass(frozen=True, slots=True)
class _Trouble:
    """One list. `dismiss` gets who dismisses which lines, by their keys; None: this cannot be done with it."""

    name: str
    title: str
    lines: Sequence[tuple[str, str]]  # key and sentence
    dismiss: Callable[[str, Sequence[str]], None] | None = None
    retry: Callable[[], None] | None = None


def show(now: Session, board: Board, status: QueueStatus) -> None:
    """Draw the lists that are not empty."""
    for trouble in _troubles(now, board, status):
        if trouble.lines:
            _list(now, board, trouble)


def _troubles(now: Session, board: Board, status: QueueStatus) -> Iterator[_Trouble]:
    project = board.project.id
    retry = partial(_retry, now, board, status)
    files = [(one.sha256, _about(one.name, one.error or "")) for one in status.unreadable]
    title = f"{counted(len(files), 'file')} could not be read"
    yield _Trouble("unreadable", title, files, partial(_dismiss_files, project), retry)
    entries = [
        (f"{one.item}\n{one.task}", _about(one.item, one.error, one.task.removeprefix(f"{REFERENCE}: ")))
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


def _list(now: Session, board: Board, trouble: _Trouble) -> None:
    name, dismiss = trouble.name, trouble.dismiss
    grouped = _grouped(trouble.lines)
    with st.expander(
        f"**{trouble.title}**", icon=":material/error:", key=f"queue-{name}", expanded=dismiss is not None
    ):
        lines = st.container(gap=None)
        for keys, said in grouped[:_MOST_SHOWN]:
            with lines.container(horizontal=True, vertical_alignment="center", gap="small"):
                st.caption(plain(said), width="stretch")
                if dismiss is not None and board.reviewer is not None:
                    st.button(
                        "Dismiss",
                        key=f"dismiss-{name}-{keys[0]}",
                        type="tertiary",
                        on_click=_tried,
                        args=(now, partial(dismiss, board.reviewer, keys)),
                    )
                if len(grouped) == 1 and trouble.retry is not None and board.reviewer is not None:
                    _retry_button(now, trouble)
        if (more := len(grouped) - _MOST_SHOWN) > 0:
            st.caption(f"… and {more:,} more.")
        if board.reviewer is None or len(grouped) == 1:
            return
        with st.container(horizontal=True, gap="small"):
            if trouble.retry is not None:
                _retry_button(now, trouble)
            if dismiss is not None:
                everything = [key for key, _ in trouble.lines]
                st.button(
                    "Dismiss all",
                    key=f"dismiss-all-{name}",
                    type="tertiary",
                    on_click=_tried,
                    args=(now, partial(dismiss, board.reviewer, everything)),
                )


def _retry_button(now: Session, trouble: _Trouble) -> None:
    st.button(
        "Try again", key=f"retry-{trouble.name}", type="tertiary", on_click=_tried, args=(now, trouble.retry)
    )  # fmt: skip


def _grouped(lines: Sequence[tuple[str, str]]) -> list[tuple[list[str], str]]:
    """The same sentence once, with how often it came: a server that is down fails every question alike."""
    times: dict[str, list[str]] = {}
    for key, said in lines:
        times.setdefault(said, []).append(key)
    return [(keys, f"{said} ({len(keys):,} times)" if len(keys) > 1 else said) for said, keys in times.items()]


def _dismiss_files(project: str, who: str, digests: Sequence[str]) -> None:
    with the_store().writing(who) as change:
        for digest in digests:
            change.take_out(project, digest, file=True)


def _forget(project: str, who: str, keys: Sequence[str]) -> None:
    with the_store().writing(who) as change:
        for key in keys:
            item, _, task = key.partition("\n")
            change.forget_failures(project, item, task)


def _retry(now: Session, board: Board, status: QueueStatus) -> None:
    who = board.reviewer or ""
    retry_failures(the_store(), board.project.id, who)
    the_runner().start(board.project.id, who, hands.chosen(now, board.project, status.state))


def _tried(now: Session, do: Callable[[], None]) -> None:
    now.problem = None
    try:
        do()
    except VouchError as error:
        now.problem = str(error)
        now.review.drawn = (0.0, (), False)  # the page tells it
