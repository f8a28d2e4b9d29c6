"""Records to rows and back. What a row holds is checked when it is read: anyone may have written to the database."""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from typing import Any, cast

from pydantic import TypeAdapter, ValidationError
from sqlalchemy import Connection, Row, Select, select
from sqlalchemy.sql.elements import SQLCoreOperations

from core.errors import NotStorable, NotStored
from core.llm.model import Usage
from core.paper import Paper
from core.store.model import Action, Project, R, Record, RecordChange, Saved
from core.store.review_model import IncomingFile, QueueFailure
from core.store.tables import TABLES, projects

LONGEST_NAME = 200  # of a project, a reviewer, an engine: an index holds no long texts


def adapter_of(kind: Any) -> TypeAdapter[Any]:
    """What reads and writes a type. `Usage`, of a model's run, is named where only type checkers import it."""
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
    """Raises `NotStorable` for what a database cannot keep: NUL, half a character, a non-number."""
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False, default=str)
        text.encode()
    except ValueError:
        text = "\\u0000"
    if "\\u0000" in text.replace("\\\\", ""):
        raise NotStorable("This holds a character or a number that cannot be stored. Remove it and save again.")


def is_name(name: str) -> bool:
    """Whether it may be the name of something that is stored."""
    return bool(name.strip()) and len(name) <= LONGEST_NAME


def storable_name(name: str) -> str:
    """The name of a file as it can be kept: without NUL, with “?” for what is no text, as in a Latin-1 name on Linux."""
    return name.replace("\0", "").encode("utf-8", "replace").decode()


def read_body(kind: type[R], body: Mapping[str, Any]) -> R | None:
    """The record that a body is of; None if it is of no such record."""
    try:
        return cast(R, _ADAPTERS[kind].validate_python(body))
    except ValidationError:
        return None


def saved_of(kind: type[R], row: Row[Any]) -> Saved[R]:
    """A row of a table of records."""
    record = _ADAPTERS[kind].validate_python(row.body)
    return Saved(record, row.version, row.changed_by, row.changed_at, row.added_at, row.removed)


def select_records(connection: Connection, kind: type[R], *where: SQLCoreOperations[bool]) -> tuple[Saved[R], ...]:
    """The records of a kind of which this holds, in the order they came."""
    table = TABLES[kind]
    query: Select[Any] = select(table).where(*where).order_by(table.c.added_at, *table.primary_key)
    return tuple(saved_of(kind, row) for row in connection.execute(query))


def project_of(connection: Connection, project: str) -> Saved[Project]:
    """One project. Raises `NotStored` if it is not there, or was deleted."""
    found = select_records(connection, Project, projects.c.id == project, ~projects.c.removed)
    if not found:
        raise NotStored("This project is not in the store, or was deleted. Choose another one.")
    return found[0]


def values_of(saved: Saved[Any]) -> dict[str, Any]:
    """The columns of a saved record, those of its key apart."""
    return {
        "body": body_of(saved.record),
        "version": saved.version,
        "removed": saved.removed,
        "added_at": saved.added,
        "changed_at": saved.changed,
        "changed_by": saved.by,
    }


def change_of(row: Row[Any]) -> RecordChange:
    """A row of the history."""
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
    """The columns of a file on its way in."""
    values = {"project": project, "sha256": one.sha256, "name": one.name, "added_by": one.by}
    return values | {"added_at": one.added, "error": one.error}


def failure_values(one: QueueFailure, project: str) -> dict[str, Any]:
    """The columns of a failure."""
    values = {"project": project, "item": one.item, "task": one.task}
    return values | {"error": one.error, "tries": one.tries, "at": one.at}


# A paper as it was read, in few bytes: nobody has to read its file again.

_PAPER = TypeAdapter(Paper)
_LARGEST_PAPER = 500_000_000  # bytes, unpacked


def packed(paper: Paper) -> bytes:
    """The paper as packed JSON."""
    return zlib.compress(_PAPER.dump_json(paper), level=6)


def unpacked(body: bytes, most: int = _LARGEST_PAPER) -> Paper | None:
    """The paper that was packed; None if this is none: it is damaged, or holds more than `most` bytes."""
    unpacking = zlib.decompressobj()
    try:
        text = unpacking.decompress(body, most)
        return None if unpacking.unconsumed_tail else _PAPER.validate_json(text)
    except (zlib.error, ValidationError):
        return None
