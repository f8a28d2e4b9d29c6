"""The queues of projects in the store: files waiting to be read, failures, finished work, and who holds a queue.

None of these are records: they have neither versions nor a history.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Any

from sqlalchemy import ColumnElement, Connection, Table, delete, func, select, tuple_, update

from core.errors import NotStorable
from core.store.model import Scope
from core.store.review_model import IncomingFile, Plan, QueueFailure, QueueMode, QueueRun, QueueState
from core.store.rows import LONGEST_NAME, project_of, select_records, storable_name
from core.store.tables import (
    TABLES,
    criteria,
    failures,
    files,
    findings,
    incoming,
    indexing,
    insert_once,
    papers,
    projects,
    queues,
    suggestions,
    within,
)

LEASE = timedelta(seconds=30)  # a holder that has not reported for this long loses the queue


@dataclass(frozen=True, slots=True)
class StoreQueue:
    """The queues as one transaction sees them. Get it from a `StoreReader`, or a `StoreWriter` to change anything."""

    connection: Connection
    who: str | None = None  # who writes; None: a reader

    # What a queue is to do, and who holds it.

    def state(self, project: str) -> QueueState:
        """What the queue of a project is to do. Raises `NotStored` without the project.

        For a writer this locks the queue until the transaction ends, because two may ask for it at once.
        """
        if self.who is not None:
            # Lock the project's row, because a queue may have none yet. `key_share` lets others add records meanwhile.
            row = select(projects.c.id).where(projects.c.id == project).with_for_update(key_share=True)
            self.connection.execute(row)
        project_of(self.connection, project)
        found = self.connection.execute(select(queues).where(queues.c.project == project)).one_or_none()
        if found is None:
            return QueueState()
        return QueueState(QueueMode(found.mode), found.workers, found.cluster, found.holder, found.seen_at)

    def in_mode(self, mode: QueueMode) -> tuple[str, ...]:
        """The projects whose queues are in this mode."""
        query = select(queues.c.project).where(queues.c.mode == mode.value).order_by(queues.c.project)
        return tuple(self.connection.execute(query).scalars())

    def set_state(self, project: str, state: QueueState) -> None:
        """Set what the queue is to do, but not who holds it. Raises `NotStored` without the project."""
        before = self.state(project)
        self._set_state(project, state, before.holder, before.seen)

    def claim(self, project: str, holder: str, *, ended: Callable[[str], bool] = lambda holder: False) -> bool:
        """Take the queue, or keep holding it; False if another holder has it, or if it is not to run.

        A holder loses it if it has not reported for `LEASE`, or if `ended` says that it is gone. A paused queue cannot
        be taken, but its holder keeps it until the work in hand is finished, however long that takes.
        """
        state, now = self.state(project), datetime.now(UTC)
        mine = state.holder == holder
        other = None if mine else state.holder
        held = other is not None and not ended(other) and state.seen is not None and now - state.seen < LEASE
        to_run = state.mode is QueueMode.RUNNING or (mine and state.mode is QueueMode.PAUSED)
        if held or not to_run:
            return False
        self._set_state(project, state, holder, now)
        return True

    def release(self, project: str, holder: str, mode: QueueMode | None = None) -> None:
        """Stop holding the queue, and set its mode. Does nothing if another one holds it by now."""
        state = self.state(project)
        if state.holder == holder:
            self._set_state(project, QueueState(mode or state.mode, state.workers, state.cluster), None, None)

    def runs(self, project: str) -> tuple[QueueRun, ...]:
        """The runs of the queue, oldest first."""
        table = TABLES[QueueRun]
        found = select_records(self.connection, QueueRun, table.c.project == project, ~table.c.removed)
        return tuple(saved.record for saved in found)

    # Papers to be indexed for questions.

    def to_index(self, project: str) -> int:
        """How many papers are still to be indexed for the project's library; 0 if nobody asked for that."""
        return self.connection.execute(select(indexing.c.papers).where(indexing.c.project == project)).scalar() or 0

    def want_indexed(self, project: str, papers: int) -> None:
        """Ask for so many papers to be indexed; 0: none any more. Raises `NotStored` without the project."""
        project_of(self.connection, project)
        if papers:
            replace_row(self._changing, indexing, {"project": project}, {"papers": papers})
        else:
            self._changing.execute(delete(indexing).where(indexing.c.project == project))

    # Files waiting to be read.

    def incoming(self, project: str) -> tuple[IncomingFile, ...]:
        """The files that are not papers yet, in the order they came: those waiting, and those that cannot be read."""
        query = select(incoming).where(incoming.c.project == project).order_by(incoming.c.added_at, incoming.c.sha256)
        rows = self.connection.execute(query)
        return tuple(IncomingFile(row.sha256, row.name, row.added_by, row.added_at, row.error) for row in rows)

    def add_file(self, project: str, name: str, data: bytes, *, again: bool = True) -> bool:
        """Add a file to the project, to be read later; False if it is waiting there or is one of its papers already.

        A file that could not be read before is tried again if `again` says so. A paper whose file was missing, as in an
        imported project, gets it now. Raises `NotStored` without the project.
        """
        project_of(self.connection, project)
        name = storable_name(name).strip()[-LONGEST_NAME:] or "unnamed"
        digest = sha256(data).hexdigest()
        here = (incoming.c.project == project, incoming.c.sha256 == digest)
        row = self.connection.execute(select(incoming).where(*here)).one_or_none()
        if row is not None and (row.error is None or not again):
            return False
        if row is not None:
            self._changing.execute(update(incoming).where(*here).values(error=None, name=name))
            return True
        missing = keep_bytes(self._changing, project, digest, data)
        if (paper := self._paper_of(project, digest)) is not None:
            if missing:
                self.forget_failures(project, paper)
            return missing
        values = {"project": project, "sha256": digest, "name": name, "added_by": self.who}
        return insert_once(self._changing, incoming, values | {"added_at": datetime.now(UTC)})

    def set_error(self, project: str, sha256: str, error: str | None) -> None:
        """Say why a file could not be read; None: try it again."""
        where = (incoming.c.project == project, incoming.c.sha256 == sha256)
        self._changing.execute(update(incoming).where(*where).values(error=error))

    def remove_file(self, project: str, sha256: str, *, with_bytes: bool = False) -> None:
        """Remove a file from those waiting, because it has become a paper or, `with_bytes`, is not wanted."""
        self._changing.execute(delete(incoming).where(incoming.c.project == project, incoming.c.sha256 == sha256))
        if with_bytes and self._paper_of(project, sha256) is None:
            self._changing.execute(delete(files).where(files.c.project == project, files.c.sha256 == sha256))

    # What failed.

    def failures(self, project: str) -> tuple[QueueFailure, ...]:
        """The work that failed and has not succeeded since."""
        query = select(failures).where(failures.c.project == project).order_by(failures.c.item, failures.c.task)
        return tuple(
            QueueFailure(row.item, row.task, row.error, row.tries, row.at) for row in self.connection.execute(query)
        )

    def note_failure(self, project: str, item: str, task: str, error: str) -> None:
        """Count one more failure of a piece of work."""
        at = {"project": project, "item": item, "task": task}
        tries = self.connection.execute(select(failures.c.tries).where(*_at(failures, at))).scalar() or 0
        replace_row(self._changing, failures, at, {"error": error, "tries": tries + 1, "at": datetime.now(UTC)})

    def forget_failures(self, project: str, item: str | None = None, task: str | None = None) -> None:
        """Delete failures, because the work is done or is to be tried again."""
        at = {"project": project, "item": item, "task": task}
        known = {name: value for name, value in at.items() if value is not None}
        self._changing.execute(delete(failures).where(*_at(failures, known)))

    # What the engines have answered, by id alone, because it is asked for often.

    # `of_failed`: only of items that have failures.

    def criteria_done(self, project: str, *, of_failed: bool = False) -> set[tuple[Any, ...]]:
        """Item, criterion and engine of every suggestion on a criterion."""
        return self._done(project, criteria, "item", "criterion", of_failed=of_failed)

    def findings_done(self, project: str, *, of_failed: bool = False) -> set[tuple[Any, ...]]:
        """Paper, question and engine of every finding."""
        return self._done(project, findings, "paper", "question", of_failed=of_failed)

    def suggestions_done(self, project: str, scope: Scope, *, of_failed: bool = False) -> set[tuple[Any, ...]]:
        """Paper, outcome, domain and engine of every suggestion in this scope."""
        names, where = ("paper", "outcome", "domain"), within(suggestions, scope)
        return self._done(project, suggestions, *names, of_failed=of_failed, where=where)

    def answered(
        self, project: str, plan: Plan, *, criteria_ids: Collection[str], questions: Collection[str], scope: Scope
    ) -> dict[str, int]:
        """How many of these criteria, hypotheses (as `question_key`s) and domains the plan's engines answered, by item.

        Counted in the database, because a queue's progress is asked for every second.
        """
        found: Counter[str] = Counter()
        unreported = tuple_(suggestions.c.paper, suggestions.c.outcome).in_(sorted(scope.unreported))
        reported = (~unreported,) if scope.unreported else ()
        for table, item, wanted, engine in (
            (criteria, criteria.c.item, (criteria.c.criterion.in_(criteria_ids),), plan.criteria),
            (findings, findings.c.paper, (findings.c.question.in_(questions),), plan.evidence),
            (suggestions, suggestions.c.paper, (*within(suggestions, scope), *reported), plan.bias),
        ):
            if engine is not None:
                where = (table.c.project == project, table.c.engine == engine, *wanted, ~table.c.removed)
                query = select(item, func.count()).where(*where).group_by(item)
                found.update(dict(map(tuple, self.connection.execute(query))))
        return dict(found)

    def _done(
        self,
        project: str,
        table: Table,
        item: str,
        *names: str,
        of_failed: bool,
        where: Iterable[ColumnElement[bool]] = (),
    ) -> set[tuple[Any, ...]]:
        query = select(*(table.c[name] for name in (item, *names, "engine")))
        query = query.where(table.c.project == project, ~table.c.removed, *where)
        if of_failed:
            query = query.where(table.c[item].in_(select(failures.c.item).where(failures.c.project == project)))
        return set(map(tuple, self.connection.execute(query)))

    def _set_state(self, project: str, state: QueueState, holder: str | None, seen: datetime | None) -> None:
        values = {"mode": state.mode.value, "workers": state.workers, "cluster": state.cluster}
        replace_row(self._changing, queues, {"project": project}, values | {"holder": holder, "seen_at": seen})

    def _paper_of(self, project: str, digest: str) -> str | None:
        with_file = papers.c.body["file"].as_string() == digest
        query = select(papers.c.id).where(papers.c.project == project, ~papers.c.removed, with_file).limit(1)
        return self.connection.execute(query).scalar()

    @property
    def _changing(self) -> Connection:
        if self.who is None:
            raise RuntimeError("This queue was got for reading: take it from `Store.writing` to change it.")
        return self.connection


def keep_bytes(connection: Connection, project: str, digest: str, data: bytes) -> bool:
    """Keep a file of a project; False if it is kept already."""
    there = select(files.c.sha256).where(files.c.project == project, files.c.sha256 == digest)
    if connection.execute(there).scalar() is not None:
        return False
    return insert_once(connection, files, {"project": project, "sha256": digest, "data": data})


def replace_row(connection: Connection, table: Table, at: dict[str, str], values: dict[str, Any]) -> None:
    """Write a row in place of the one with this key, if there is one. Raises `NotStorable` for a NUL in its text."""
    if any("\0" in value for value in values.values() if isinstance(value, str)):
        raise NotStorable("This holds a character that cannot be stored. Remove it and save again.")
    change = update(table).where(*_at(table, at)).values(**values)
    if not connection.execute(change).rowcount and not insert_once(connection, table, at | values):
        connection.execute(change)


def _at(table: Table, key: dict[str, Any]) -> list[Any]:
    return [table.c[name] == value for name, value in key.items()]
