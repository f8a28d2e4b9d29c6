"""One snapshot of the database, and records read from it."""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Select, func, select, tuple_
from sqlalchemy.sql.elements import SQLCoreOperations

from core.errors import NotStored
from core.store.model import Project, R, Saved, StoredPaper
from core.store.rows import saved_of
from core.store.tables import TABLES, history, papers, projects


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
