"""How a review's queue stands, from the store alone: for any window, whoever does the work."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from core.review.intake import REFERENCE
from core.review.planning import missing, unread
from core.store import Failure, Incoming, Project, QueueMode, QueueState, Reading
from core.store.queue_writing import LEASE


@dataclass(frozen=True, slots=True)
class QueueStatus:
    """What is done and what is not. Questions are what engines are asked: a criterion, a hypothesis, a domain."""

    state: QueueState
    papers: int
    waiting: int  # files to be read
    unreadable: tuple[Incoming, ...]  # files that cannot be read, with why
    open_items: int  # papers and references with questions that are not answered
    open_questions: int
    answered: int
    failures: tuple[Failure, ...]  # questions that failed
    wrong_entries: tuple[Failure, ...]  # of files of references
    problem: str | None  # why the whole queue stopped

    @property
    def at_work(self) -> bool:
        """Whether somebody carries it out: a process that was heard of lately."""
        seen = self.state.seen
        return self.state.mode is QueueMode.RUNNING and seen is not None and datetime.now(UTC) - seen < LEASE

    @property
    def anything_to_do(self) -> bool:
        """Whether a run would do something."""
        return bool(self.waiting or self.open_items)


def queue_status(now: Reading, project: Project) -> QueueStatus:
    """How the queue stands. Raises `NotStored` without the project."""
    failures = now.failures(project.id)
    incoming = now.incoming(project.id)
    open_ = missing(now, project, project.plan)
    answered = (now.criteria_done(project.id), now.findings_done(project.id), now.suggestions_done(project.id))
    return QueueStatus(
        state=now.queue(project.id),
        papers=len(now.stored_papers(project.id)),
        waiting=len(unread(now, project.id)),
        unreadable=tuple(one for one in incoming if one.error is not None),
        open_items=len(open_),
        open_questions=sum(one.questions for one in open_),
        answered=sum(map(len, answered)),
        failures=tuple(one for one in failures if one.item and not one.task.startswith(REFERENCE)),
        wrong_entries=tuple(one for one in failures if one.task.startswith(REFERENCE)),
        problem=next((one.error for one in failures if not one.item), None),
    )
