"""Records of projects as they were last read, brought up to date by what the history tells.

A screen of a project of 500 papers needs some ten thousand records, of which few have changed since the last screen.
"""

from __future__ import annotations

from collections import OrderedDict, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from threading import Lock
from typing import Any

from core.store.model import Project, Saved
from core.store.snapshot import Snapshot
from core.store.tables import TABLES

RECORDS = {table.name: kind for kind, table in TABLES.items() if kind is not Project}  # what belongs to a project
_PROJECTS = 4  # that are remembered: those read last
_MANY = 500  # changed records of a kind; with more of them all are read, in one question to the database

Records = Mapping[type[Any], tuple[Saved[Any], ...]]
_Key = tuple[str, ...]


class Memory:
    """What was read of the projects of a store. Used from any thread."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._projects: OrderedDict[str, _Remembered] = OrderedDict()

    def records(self, now: Snapshot, project: str) -> Records:
        """All records of a project by kind, deleted ones too, in the order they came, as the snapshot has them."""
        with self._lock:
            remembered = self._projects.setdefault(project, _Remembered(project))
            self._projects.move_to_end(project)
            while len(self._projects) > _PROJECTS:
                self._projects.popitem(last=False)
        with remembered.lock:
            return remembered.as_in(now)


@dataclass(slots=True)
class _Remembered:
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
