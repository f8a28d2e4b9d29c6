"""Converts records to rows and back. Rows are checked when read, because anyone may have written to the database."""

from __future__ import annotations

import json
import zlib
from collections import OrderedDict, defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from threading import Lock
from typing import Any, cast

from pydantic import TypeAdapter, ValidationError
from sqlalchemy import Connection, Row, Select, func, select, tuple_
from sqlalchemy.sql.elements import SQLCoreOperations

from core.errors import NotStorable, NotStored
from core.llm.model import Usage
from core.paper import Paper
from core.store.model import Action, Project, R, Record, RecordChange, Saved
from core.store.review_model import IncomingFile, QueueFailure
from core.store.tables import TABLES, history, projects

LONGEST_NAME = 200  # of a project, a reviewer or an engine: an index cannot hold long texts


def adapter_of(kind: Any) -> TypeAdapter[Any]:
    """A reader and writer for a type. It is told of `Usage`, which dataclasses import only for type checkers."""
    adapter: TypeAdapter[Any] = TypeAdapter(kind)
    adapter.rebuild(_types_namespace={"Usage": Usage})
    return adapter


_ADAPTERS: Mapping[type[Any], TypeAdapter[Any]] = {kind: adapter_of(kind) for kind in TABLES}


def body_of(record: Record) -> dict[str, Any]:
    """The record as JSON. Raises `NotStorable` as `require_storable` does."""
    body = cast(dict[str, Any], _ADAPTERS[type(record)].dump_python(record, mode="json"))
    require_storable(body)
    return body


def require_storable(value: Any) -> None:
    """Raises `NotStorable` for what a database cannot keep: NUL, lone surrogates, NaN and infinity."""
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False, default=str)
        text.encode()
    except ValueError:
        text = "\\u0000"
    if "\\u0000" in text.replace("\\\\", ""):
        raise NotStorable("This holds a character or a number that cannot be stored. Remove it and save again.")


def is_name(name: str) -> bool:
    """Whether this may be the name of something stored."""
    return bool(name.strip()) and len(name) <= LONGEST_NAME


def storable_name(name: str) -> str:
    """A file's name as it can be kept: without NUL, and with “?” for what is not UTF-8, as in old Linux names."""
    return name.replace("\0", "").encode("utf-8", "replace").decode()


def read_body(kind: type[R], body: Mapping[str, Any]) -> R | None:
    """The record in a body; None if the body is not of this kind."""
    try:
        return cast(R, _ADAPTERS[kind].validate_python(body))
    except ValidationError:
        return None


def saved_of(kind: type[R], row: Row[Any]) -> Saved[R]:
    """The saved record in a row."""
    record = _ADAPTERS[kind].validate_python(row.body)
    return Saved(record, row.version, row.changed_by, row.changed_at, row.added_at, row.removed)


def select_records(connection: Connection, kind: type[R], *where: SQLCoreOperations[bool]) -> tuple[Saved[R], ...]:
    """The records of a kind that meet these conditions, in the order they were added."""
    table = TABLES[kind]
    query: Select[Any] = select(table).where(*where).order_by(table.c.added_at, *table.primary_key)
    return tuple(saved_of(kind, row) for row in connection.execute(query))


def project_of(connection: Connection, project: str) -> Saved[Project]:
    """One project. Raises `NotStored` if it does not exist or was deleted."""
    found = select_records(connection, Project, projects.c.id == project, ~projects.c.removed)
    if not found:
        raise NotStored("This project is not in the store, or was deleted. Choose another one.")
    return found[0]


def values_of(saved: Saved[Any]) -> dict[str, Any]:
    """The columns of a saved record, without its key."""
    return {
        "body": body_of(saved.record),
        "version": saved.version,
        "removed": saved.removed,
        "added_at": saved.added,
        "changed_at": saved.changed,
        "changed_by": saved.by,
    }


def change_of(row: Row[Any]) -> RecordChange:
    """The change in a row of the history."""
    key = tuple(json.loads(row.item))
    return RecordChange(row.who, row.at, Action(row.action), row.kind, key, row.version, row.before, row.after)


def change_values(change: RecordChange, project: str) -> dict[str, Any]:
    """The columns of a row of the history."""
    return {
        "project": project,
        "kind": change.kind,
        "item": item_of(change.key),
        "action": change.action.value,
        "version": change.version,
        "who": change.who,
        "at": change.at,
        "before": change.before,
        "after": change.after,
    }


def item_of(key: tuple[str, ...]) -> str:
    """A record's key in one column of the history."""
    return json.dumps(key)


def incoming_values(one: IncomingFile, project: str) -> dict[str, Any]:
    """The columns of a file that is not a paper yet."""
    values = {"project": project, "sha256": one.sha256, "name": one.name, "added_by": one.by}
    return values | {"added_at": one.added, "error": one.error}


def failure_values(one: QueueFailure, project: str) -> dict[str, Any]:
    """The columns of a failure."""
    values = {"project": project, "item": one.item, "task": one.task}
    return values | {"error": one.error, "tries": one.tries, "at": one.at}


# A paper as it was read, compressed, so that its file need not be read again.

_PAPER = TypeAdapter(Paper)
_LARGEST_PAPER = 500_000_000  # bytes, unpacked


def packed(paper: Paper) -> bytes:
    """The paper as compressed JSON."""
    return zlib.compress(_PAPER.dump_json(paper), level=6)


def unpacked(body: bytes, most: int = _LARGEST_PAPER) -> Paper | None:
    """The paper in `packed` bytes; None if they are damaged or unpack to more than `most` bytes."""
    unpacking = zlib.decompressobj()
    try:
        text = unpacking.decompress(body, most)
        return None if unpacking.unconsumed_tail else _PAPER.validate_json(text)
    except (zlib.error, ValidationError):
        return None


# ---- cache ----
# Records of projects as they were last read, updated from the history.
#
# A screen of a project of 500 papers needs some ten thousand records, few of which have changed since the last screen.

RECORDS = {table.name: kind for kind, table in TABLES.items() if kind is not Project}  # what belongs to a project
_PROJECTS = 4  # how many projects are cached: those read last
_MANY = 500  # if more records of a kind have changed, all of that kind are read in one query

Records = Mapping[type[Any], tuple[Saved[Any], ...]]
_Key = tuple[str, ...]


class RecordCache:
    """What was read of the projects of a store. Safe to use from any thread."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._projects: OrderedDict[str, _CachedProject] = OrderedDict()

    def records(self, connection: Connection, project: str) -> Records:
        """All records of a project by kind, in the order they were added, deleted ones too, in this transaction."""
        with self._lock:
            cached = self._projects.setdefault(project, _CachedProject(project))
            self._projects.move_to_end(project)
            while len(self._projects) > _PROJECTS:
                self._projects.popitem(last=False)
        with cached.lock:
            return cached.as_in(connection)


@dataclass(slots=True)
class _CachedProject:
    """The records of a project after `count` changes, the newest of which has the number `last`."""

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
        if self.count + len(new) != count:  # an earlier snapshot, or changes committed out of order
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
    """How many changes of a project the history has, and the number of the newest; zeros if it has none."""
    query = select(func.count(), func.coalesce(func.max(history.c.id), 0)).where(history.c.project == project)
    count, last = connection.execute(query).one()
    return count, last


def _changed_since(connection: Connection, project: str, last: int) -> list[tuple[str, _Key]]:
    """Table and key of the record of every change of a project numbered above `last`."""
    query = select(history.c.kind, history.c.item).where(history.c.project == project, history.c.id > last)
    return [(row.kind, tuple(json.loads(row.item))) for row in connection.execute(query)]


def _by_key(
    connection: Connection, kind: type[R], project: str, keys: Collection[_Key] | None = None
) -> dict[_Key, Saved[R]]:
    """The records of a kind in a project by key, including deleted ones; `keys`: only these."""
    table = TABLES[kind]
    query: Select[Any] = select(table).where(table.c.project == project)
    if keys is not None:
        query = query.where(tuple_(*table.primary_key).in_(keys))
    names = [column.name for column in table.primary_key]
    return {tuple(getattr(row, name) for name in names): saved_of(kind, row) for row in connection.execute(query)}
