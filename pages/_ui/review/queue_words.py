"""How a queue stands, in words."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from core.review.status import QueueStatus
from core.store import QueueMode
from core.store.queue_writing import LEASE
from core.work.standing import Standing


def counted(number: int, what: str) -> str:
    """A number with its noun: 1 file, 2 files."""
    return f"{number:,} {what}{'s' * (number != 1)}"


def is_held(status: QueueStatus) -> bool:
    """Whether somebody has it in hand: while it works, and after a pause or cancel until what is in hand is done."""
    seen = status.state.seen
    return status.state.holder is not None and seen is not None and datetime.now(UTC) - seen < LEASE


def headline(status: QueueStatus, standing: Standing | None, *, here: bool = False) -> str:
    """What the queue does at this moment; empty where there is nothing to tell.

    `standing`: of this server's own work; `here`: whether it has any, which may be getting ready.
    """
    mode, held = status.state.mode, is_held(status)
    if mode is QueueMode.RUNNING:
        if standing is not None and held:
            return (
                f"{'Reading papers' if status.waiting else 'Asking the engines'}: {_of_all(status, standing).in_words}"
            )
        if held:
            return "Getting ready" if here else "At work on another machine"
        return "Getting ready" if status.state.seen is None else "Interrupted: goes on within half a minute"
    if held:
        return f"{'Pausing' if mode is QueueMode.PAUSED else 'Stopping'}: what is in hand is finished first"
    if mode is QueueMode.PAUSED:
        return "Paused"
    if status.anything_to_do:
        return "Waiting for you to start"
    if not status.papers:
        return ""
    papers = "The paper is read" if status.papers == 1 else f"All {status.papers:,} papers are read"
    return f"{papers}; {counted(status.answered, 'question')} answered by the engines" if status.answered else papers


def what_is_left(status: QueueStatus) -> str:
    """How much there is to do, and how much is done; empty where nothing is left."""
    if not status.anything_to_do:
        return ""
    parts = []
    if status.waiting:
        parts.append(f"{counted(status.waiting, 'file')} to read")
    if status.open_items:
        questions = counted(status.open_questions, "question")
        parts.append(f"{counted(status.open_items, 'paper')} to ask about, {questions} open")
    if status.answered:
        parts.append(f"{status.answered:,} answered")
    return " · ".join(parts)


def share(status: QueueStatus) -> float:
    """What is done, 0 to 1: of all files and questions, those of earlier sittings included, so that it only grows.

    A file that waits will be asked as much as the papers on the whole are.
    """
    read, asked = status.papers + len(status.unreadable), status.answered + status.open_questions
    to_come = status.waiting * asked / status.papers if status.papers else status.waiting
    done, of = read + status.answered, read + asked + status.waiting + to_come
    return min(1.0, done / of) if of else 0.0


def _of_all(status: QueueStatus, standing: Standing) -> Standing:
    """This server's sitting as a part of the whole: of the files while they are read, then of the questions."""
    if status.waiting:
        read = status.papers + len(status.unreadable)
        return replace(standing, done=read, of=read + status.waiting)
    return replace(standing, done=status.answered, of=status.answered + status.open_questions)
