"""A reviewer's standing word on a project: that its papers may be checked for retractions without being asked each time.

It is no record: it has no history, and does not leave with the project, for nobody elsewhere has agreed to anything.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy import Connection, delete, select, update

from core.store.queue import replace_row
from core.store.rows import project_of, require_storable
from core.store.source_model import StandingCheck
from core.store.tables import standing


@dataclass(frozen=True, slots=True)
class StoreStanding:
    """The words as one transaction sees them. Get it from a `StoreReader`, or a `StoreWriter` to change anything."""

    connection: Connection
    who: str | None = None  # who writes; None: a reader

    def of(self, project: str) -> StandingCheck | None:
        """What was agreed to; None: nothing, or it was taken back."""
        row = self.connection.execute(select(standing).where(standing.c.project == project)).one_or_none()
        if row is None:
            return None
        return StandingCheck(row.agreed_by, row.agreed_at, tuple(row.services), row.problem, row.failed_at)

    def agree(self, project: str, services: Iterable[str]) -> None:
        """Let these services, by id, be asked whenever papers come in and before an export. Raises `NotStored`."""
        project_of(self.connection, project)
        values = {"agreed_by": self._who, "agreed_at": datetime.now(UTC), "services": [*services]}
        replace_row(self.connection, standing, {"project": project}, values | {"problem": "", "failed_at": None})

    def take_back(self, project: str) -> None:
        """Let nobody be asked any more."""
        self._who  # noqa: B018 - raises where nothing may be changed
        self.connection.execute(delete(standing).where(standing.c.project == project))

    def note(self, project: str, problem: str) -> None:
        """Put down why the last check failed; empty: it did not. Nothing where the word was taken back meanwhile."""
        self._who  # noqa: B018
        require_storable(problem)
        values = {"problem": problem, "failed_at": datetime.now(UTC) if problem else None}
        self.connection.execute(update(standing).where(standing.c.project == project).values(**values))

    @property
    def _who(self) -> str:
        if self.who is None:
            raise RuntimeError("This was got for reading: take it from `Store.writing` to change it.")
        return self.who
