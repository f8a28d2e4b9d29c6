"""One snapshot of the database, and records read from it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Select, select
from sqlalchemy.sql.elements import SQLCoreOperations

from core.errors import NotStored
from core.store.model import Project, R, Saved, StoredPaper
from core.store.rows import saved_of
from core.store.tables import TABLES, papers, projects


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

    def _all(self, kind: type[R], *where: SQLCoreOperations[bool]) -> tuple[Saved[R], ...]:
        table = TABLES[kind]
        query: Select[Any] = select(table).where(*where).order_by(table.c.added_at, *table.primary_key)
        return tuple(saved_of(kind, row) for row in self.connection.execute(query))

    def _all_of(self, kind: type[R], project: str, *where: SQLCoreOperations[bool]) -> tuple[Saved[R], ...]:
        return self._all(kind, TABLES[kind].c.project == project, *where)

    def _present(self, kind: type[R], project: str, *where: SQLCoreOperations[bool]) -> tuple[Saved[R], ...]:
        return self._all_of(kind, project, ~TABLES[kind].c.removed, *where)
