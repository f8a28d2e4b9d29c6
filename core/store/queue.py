"""What the queue writes beside records: files on their way in, texts, failures, and its own state."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Any

from sqlalchemy import Table, delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from core.errors import NotStorable
from core.paper import Paper
from core.store.reader import StoreReader
from core.store.review_model import QueueMode, QueueState
from core.store.rows import LONGEST_NAME, packed, storable_name
from core.store.tables import failures, files, incoming, papers, projects, queues, texts

LEASE = timedelta(seconds=30)  # after which a holder that was not heard of has lost the queue


@dataclass(frozen=True, slots=True)
class StoreQueueWriter(StoreReader):
    """Changes without versions or history, by one person or the queue itself."""

    who: str

    def put_in(self, project: str, name: str, data: bytes, *, again: bool = True) -> bool:
        """Put a file into the project, to be read later; False if it waits there or is a paper of it already.

        A file that could not be read before is tried again, if `again` says so. Where the paper came without its file,
        as in a project that was brought in, it has it from now on. Raises `NotStored` without the project.
        """
        self.project(project)
        name = storable_name(name).strip()[-LONGEST_NAME:] or "unnamed"
        digest = sha256(data).hexdigest()
        here = (incoming.c.project == project, incoming.c.sha256 == digest)
        row = self.connection.execute(select(incoming).where(*here)).one_or_none()
        if row is not None and (row.error is None or not again):
            return False
        if row is not None:
            self.connection.execute(update(incoming).where(*here).values(error=None, name=name))
            return True
        if (paper := self._paper_of(project, digest)) is not None:
            missing = self._keep_bytes(project, digest, data)
            if missing:
                self.forget_failures(project, paper)
            return missing
        self._keep_bytes(project, digest, data)
        now = datetime.now(UTC)
        values = {"project": project, "sha256": digest, "name": name, "added_by": self.who, "added_at": now}
        return self._insert(incoming, values)

    def refuse(self, project: str, sha256: str, error: str | None) -> None:
        """Say why a file could not be read; None: it is to be tried again."""
        where = (incoming.c.project == project, incoming.c.sha256 == sha256)
        self.connection.execute(update(incoming).where(*where).values(error=error))

    def take_out(self, project: str, sha256: str, *, file: bool = False) -> None:
        """A file waits no more: it has become a paper, or (`file`: with its bytes) is not wanted."""
        self.connection.execute(delete(incoming).where(incoming.c.project == project, incoming.c.sha256 == sha256))
        if file and self._paper_of(project, sha256) is None:
            self.connection.execute(delete(files).where(files.c.project == project, files.c.sha256 == sha256))

    def keep_text(self, project: str, item: str, paper: Paper) -> None:
        """Keep a paper as it was read, in place of what was kept before."""
        at = {"project": project, "item": item}
        self._replace(texts, at, {"body": packed(paper)})

    def note_failure(self, project: str, item: str, task: str, error: str) -> None:
        """Count one more failure of a piece of work."""
        at = {"project": project, "item": item, "task": task}
        tries = self.connection.execute(select(failures.c.tries).where(*_at(failures, at))).scalar() or 0
        self._replace(failures, at, {"error": error, "tries": tries + 1, "at": datetime.now(UTC)})

    def forget_failures(self, project: str, item: str | None = None, task: str | None = None) -> None:
        """Forget failures, so that the work is tried again, or because it was done."""
        at = {"project": project, "item": item, "task": task}
        self.connection.execute(delete(failures).where(*_at(failures, {k: v for k, v in at.items() if v is not None})))

    def queue(self, project: str) -> QueueState:
        """The same, which nobody else changes until this writing ends: two may ask for the queue at once."""
        # The project's row, for a queue may have none yet; a key is shared with those who add records meanwhile.
        row = select(projects.c.id).where(projects.c.id == project).with_for_update(key_share=True)
        self.connection.execute(row)
        return StoreReader.queue(self, project)

    def set_queue(self, project: str, state: QueueState) -> None:
        """Say what the queue is to do; who holds it is left as it is. Raises `NotStored` without the project."""
        before = self.queue(project)
        self._set_queue(project, state, before.holder, before.seen)

    def claim_queue(self, project: str, holder: str, *, ended: Callable[[str], bool] = lambda holder: False) -> bool:
        """Take the queue, or go on holding it; False while another one holds it, or if it is not to run.

        A holder has lost it once it was not heard of for `LEASE`, or if `ended` says that it is no more. In a pause it is
        not to be taken, but whoever holds it goes on holding it: what is in hand is finished, however long that takes.
        """
        state, now = self.queue(project), datetime.now(UTC)
        mine = state.holder == holder
        other = None if mine else state.holder
        held = other is not None and not ended(other) and state.seen is not None and now - state.seen < LEASE
        to_run = state.mode is QueueMode.RUNNING or (mine and state.mode is QueueMode.PAUSED)
        if held or not to_run:
            return False
        self._set_queue(project, state, holder, now)
        return True

    def release_queue(self, project: str, holder: str, mode: QueueMode | None = None) -> None:
        """Hold the queue no more, and set its mode; if another one holds it by now, nothing happens."""
        state = self.queue(project)
        if state.holder == holder:
            ended = QueueState(mode or state.mode, state.workers, state.cluster)
            self._set_queue(project, ended, None, None)

    def _set_queue(self, project: str, state: QueueState, holder: str | None, seen: datetime | None) -> None:
        values = {"mode": state.mode.value, "workers": state.workers, "cluster": state.cluster}
        self._replace(queues, {"project": project}, values | {"holder": holder, "seen_at": seen})

    def _paper_of(self, project: str, digest: str) -> str | None:
        with_file = papers.c.body["file"].as_string() == digest
        query = select(papers.c.id).where(papers.c.project == project, ~papers.c.removed, with_file).limit(1)
        return self.connection.execute(query).scalar()

    def _keep_bytes(self, project: str, digest: str, data: bytes) -> bool:
        """Keep a file; False if it is kept already."""
        there = select(files.c.sha256).where(files.c.project == project, files.c.sha256 == digest)
        if self.connection.execute(there).scalar() is not None:
            return False
        return self._insert(files, {"project": project, "sha256": digest, "data": data})

    def _replace(self, table: Table, at: dict[str, str], values: dict[str, Any]) -> None:
        if any("\0" in value for value in values.values() if isinstance(value, str)):
            raise NotStorable("This holds a character that cannot be stored. Remove it and save again.")
        change = update(table).where(*_at(table, at)).values(**values)
        if not self.connection.execute(change).rowcount and not self._insert(table, at | values):
            self.connection.execute(change)

    def _insert(self, table: Table, values: dict[str, Any]) -> bool:
        """Add a row; False if somebody was faster by a moment."""
        try:
            with self.connection.begin_nested():
                self.connection.execute(insert(table).values(**values))
        except IntegrityError:
            return False
        return True


def _at(table: Table, key: dict[str, Any]) -> list[Any]:
    return [table.c[name] == value for name, value in key.items()]
