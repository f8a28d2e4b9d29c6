"""A reviewer's standing consent, for a project, that its papers are checked for retractions without asking each time.

It is not a record: it has no history, and is not exported with the project, because nobody elsewhere has consented.
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
    """The consents in one transaction. Get it from a `StoreReader`, or from a `StoreWriter` to change them."""

    connection: Connection
    who: str | None = None  # who writes; None: a reader

    def of(self, project: str) -> StandingCheck | None:
        """The consent for a project; None if it was not given, or was withdrawn."""
        row = self.connection.execute(select(standing).where(standing.c.project == project)).one_or_none()
        if row is None:
            return None
        return StandingCheck(row.agreed_by, row.agreed_at, tuple(row.services), row.problem, row.failed_at)

    def agree(self, project: str, services: Iterable[str]) -> None:
        """Let these services (ids) be asked about new papers and before an export. Raises `NotStored`."""
        project_of(self.connection, project)
        values = {"agreed_by": self._who, "agreed_at": datetime.now(UTC), "services": [*services]}
        replace_row(self.connection, standing, {"project": project}, values | {"problem": "", "failed_at": None})

    def take_back(self, project: str) -> None:
        """Withdraw the consent: no service is asked any more."""
        self._who  # noqa: B018 - raises for a reader
        self.connection.execute(delete(standing).where(standing.c.project == project))

    def note(self, project: str, problem: str) -> None:
        """Save why the last check failed; empty if it did not. Does nothing if the consent was withdrawn meanwhile."""
        self._who  # noqa: B018
        require_storable(problem)
        values = {"problem": problem, "failed_at": datetime.now(UTC) if problem else None}
        self.connection.execute(update(standing).where(standing.c.project == project).values(**values))

    @property
    def _who(self) -> str:
        if self.who is None:
            raise RuntimeError("This was got for reading: take it from `Store.writing` to change it.")
        return self.who
