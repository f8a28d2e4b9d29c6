"""Records of projects as they were last read, brought up to date by what the history tells.

A screen of a project of 500 papers needs some ten thousand records, of which few have changed since the last screen.
"""

from __future__ import annotations

import json
from collections import OrderedDict, defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from threading import Lock
from typing import Any

from sqlalchemy import Connection, Select, func, select, tuple_

from core.store.model import Project, R, Saved
from core.store.rows import saved_of
from core.store.tables import TABLES, history

RECORDS = {table.name: kind for kind, table in TABLES.items() if kind is not Project}  # what belongs to a project
_PROJECTS = 4  # that are kept: those read last
_MANY = 500  # changed records of a kind; with more of them all are read, in one question to the database

Records = Mapping[type[Any], tuple[Saved[Any], ...]]
_Key = tuple[str, ...]


class RecordCache:
    """What was read of the projects of a store. Used from any thread."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._projects: OrderedDict[str, _CachedProject] = OrderedDict()

    def records(self, connection: Connection, project: str) -> Records:
        """All records of a project by kind, deleted ones too, in the order they came, as this transaction sees them."""
        with self._lock:
            cached = self._projects.setdefault(project, _CachedProject(project))
            self._projects.move_to_end(project)
            while len(self._projects) > _PROJECTS:
                self._projects.popitem(last=False)
        with cached.lock:
            return cached.as_in(connection)


@dataclass(slots=True)
class _CachedProject:
    """The records of a project after so many changes, `last` the newest of them."""

    project: str
    lock: Lock = field(default_factory=Lock)
    count: int = -1  # nothing was read yet
    last: int = 0
    by_key: dict[type[Any], dict[_Key, Saved[Any]]] = field(default_factory=dict)
    in_order: dict[type[Any], tuple[Saved[Any], ...]] = field(default_factory=dict)

    def as_in(self, connection: Connection) -> Records:
        count, last = changes_made(connection, self.project)
        if (count, last) != (self.count, self.last):
            changed = self._changed(connection, count)
            self.by_key |= changed
            self.in_order |= {kind: _ordered(records) for kind, records in changed.items()}
            self.count, self.last = count, last
        return dict(self.in_order)

    def _changed(self, connection: Connection, count: int) -> dict[type[Any], dict[_Key, Saved[Any]]]:
        """The records of every kind with a change."""
        keys: dict[type[Any], set[_Key]] = defaultdict(set)
        new = _changed_since(connection, self.project, self.last) if self.count >= 0 else []
        for table, key in new:
            if table in RECORDS:
                keys[RECORDS[table]].add(key)
        if self.count + len(new) != count:  # an earlier snapshot, or of two changes at once the later number came first
            return {kind: _by_key(connection, kind, self.project) for kind in RECORDS.values()}
        return {
            kind: self.by_key[kind] | _by_key(connection, kind, self.project, some)
            if len(some) <= _MANY
            else _by_key(connection, kind, self.project)
            for kind, some in keys.items()
        }


def _ordered(records: Mapping[_Key, Saved[Any]]) -> tuple[Saved[Any], ...]:
    return tuple(saved for _, saved in sorted(records.items(), key=lambda one: (one[1].added, one[0])))


def changes_made(connection: Connection, project: str) -> tuple[int, int]:
    """How many changes of a project the history has, and the number of the newest; zeros where it has none."""
    query = select(func.count(), func.coalesce(func.max(history.c.id), 0)).where(history.c.project == project)
    count, last = connection.execute(query).one()
    return count, last


def _changed_since(connection: Connection, project: str, last: int) -> list[tuple[str, _Key]]:
    """Table and key of the record of every change of a project with a higher number than `last`."""
    query = select(history.c.kind, history.c.item).where(history.c.project == project, history.c.id > last)
    return [(row.kind, tuple(json.loads(row.item))) for row in connection.execute(query)]


def _by_key(
    connection: Connection, kind: type[R], project: str, keys: Collection[_Key] | None = None
) -> dict[_Key, Saved[R]]:
    """The records of a kind in a project, deleted ones too, by key; `keys`: those alone."""
    table = TABLES[kind]
    query: Select[Any] = select(table).where(table.c.project == project)
    if keys is not None:
        query = query.where(tuple_(*table.primary_key).in_(keys))
    names = [column.name for column in table.primary_key]
    return {tuple(getattr(row, name) for name in names): saved_of(kind, row) for row in connection.execute(query)}
