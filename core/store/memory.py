"""Records of projects as they were last read, brought up to date by what the history tells."""

from __future__ import annotations

import json
from collections import OrderedDict, defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from threading import Lock
from typing import Any

from sqlalchemy import Connection, Select, func, select, tuple_
from sqlalchemy.sql.elements import SQLCoreOperations

from core.errors import NotStored
from core.store.model import Project, R, Saved, StoredPaper
from core.store.rows import saved_of
from core.store.tables import TABLES, history, papers, projects

# ---- snapshot ----
# One snapshot of the database, and records read from it.


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What every reading is made of."""

    connection: Connection

    def project(self, project: str) -> Saved[Project]:
        """One project. Raises `NotStored` if it is not there, or was deleted."""
        found = self._all(Project, projects.c.id == project, ~projects.c.removed)
        if not found:
            raise NotStored("This project is not in the store, or was deleted. Choose another one.")
        return found[0]

    def known_paper(self, project: str, paper: str) -> Saved[StoredPaper] | None:
        """One paper, deleted or not; None if it never was in the project."""
        found = self._all(StoredPaper, papers.c.project == project, papers.c.id == paper)
        return found[0] if found else None

    def changes_made(self, project: str) -> tuple[int, int]:
        """How many changes of a project the history has, and the number of the newest; zeros where it has none."""
        query = select(func.count(), func.coalesce(func.max(history.c.id), 0)).where(history.c.project == project)
        count, last = self.connection.execute(query).one()
        return count, last

    def changed_since(self, project: str, last: int) -> list[tuple[str, tuple[str, ...]]]:
        """Table and key of the record of every change of a project with a higher number than `last`."""
        query = select(history.c.kind, history.c.item).where(history.c.project == project, history.c.id > last)
        return [(row.kind, tuple(json.loads(row.item))) for row in self.connection.execute(query)]

    def by_key(
        self, kind: type[R], project: str, keys: Collection[tuple[str, ...]] | None = None
    ) -> dict[tuple[str, ...], Saved[R]]:
        """The records of a kind in a project, deleted ones too, by key; `keys`: those alone."""
        table = TABLES[kind]
        query: Select[Any] = select(table).where(table.c.project == project)
        if keys is not None:
            query = query.where(tuple_(*table.primary_key).in_(keys))
        names = [column.name for column in table.primary_key]
        rows = self.connection.execute(query)
        return {tuple(getattr(row, name) for name in names): saved_of(kind, row) for row in rows}

    def _all(self, kind: type[R], *where: SQLCoreOperations[bool]) -> tuple[Saved[R], ...]:
        table = TABLES[kind]
        query: Select[Any] = select(table).where(*where).order_by(table.c.added_at, *table.primary_key)
        return tuple(saved_of(kind, row) for row in self.connection.execute(query))

    def _all_of(self, kind: type[R], project: str, *where: SQLCoreOperations[bool]) -> tuple[Saved[R], ...]:
        return self._all(kind, TABLES[kind].c.project == project, *where)

    def _present(self, kind: type[R], project: str, *where: SQLCoreOperations[bool]) -> tuple[Saved[R], ...]:
        return self._all_of(kind, project, ~TABLES[kind].c.removed, *where)


# ---- memory ----
# Records of projects as they were last read, brought up to date by what the history tells.
#
# A screen of a project of 500 papers needs some ten thousand records, of which few have changed since the last screen.

RECORDS = {table.name: kind for kind, table in TABLES.items() if kind is not Project}  # what belongs to a project
_PROJECTS = 4  # that are remembered: those read last
_MANY = 500  # changed records of a kind; with more of them all are read, in one question to the database

Records = Mapping[type[Any], tuple[Saved[Any], ...]]
_Key = tuple[str, ...]


class RecordCache:
    """What was read of the projects of a store. Used from any thread."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._projects: OrderedDict[str, _CachedProject] = OrderedDict()

    def records(self, now: Snapshot, project: str) -> Records:
        """All records of a project by kind, deleted ones too, in the order they came, as the snapshot has them."""
        with self._lock:
            remembered = self._projects.setdefault(project, _CachedProject(project))
            self._projects.move_to_end(project)
            while len(self._projects) > _PROJECTS:
                self._projects.popitem(last=False)
        with remembered.lock:
            return remembered.as_in(now)


@dataclass(slots=True)
class _CachedProject:
    """The records of a project after so many changes, `last` the newest of them."""

    project: str
    lock: Lock = field(default_factory=Lock)
    count: int = -1  # nothing was read yet
    last: int = 0
    by_key: dict[type[Any], dict[_Key, Saved[Any]]] = field(default_factory=dict)
    in_order: dict[type[Any], tuple[Saved[Any], ...]] = field(default_factory=dict)

    def as_in(self, now: Snapshot) -> Records:
        count, last = now.changes_made(self.project)
        if (count, last) != (self.count, self.last):
            changed = self._changed(now, count)
            self.by_key |= changed
            self.in_order |= {kind: _ordered(records) for kind, records in changed.items()}
            self.count, self.last = count, last
        return dict(self.in_order)

    def _changed(self, now: Snapshot, count: int) -> dict[type[Any], dict[_Key, Saved[Any]]]:
        """The records of every kind with a change."""
        keys: dict[type[Any], set[_Key]] = defaultdict(set)
        new = now.changed_since(self.project, self.last) if self.count >= 0 else []
        for table, key in new:
            if table in RECORDS:
                keys[RECORDS[table]].add(key)
        if self.count + len(new) != count:  # an earlier snapshot, or of two changes at once the later number came first
            return {kind: now.by_key(kind, self.project) for kind in RECORDS.values()}
        return {
            kind: self.by_key[kind] | now.by_key(kind, self.project, some)
            if len(some) <= _MANY
            else now.by_key(kind, self.project)
            for kind, some in keys.items()
        }


def _ordered(records: Mapping[_Key, Saved[Any]]) -> tuple[Saved[Any], ...]:
    return tuple(saved for _, saved in sorted(records.items(), key=lambda one: (one[1].added, one[0])))
