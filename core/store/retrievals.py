"""Open full texts to fetch for a project's references. They are not records: they have no history."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, Row, delete, func, select

from core.store.queue import replace_row
from core.store.rows import require_storable
from core.store.source_model import Retrieval, RetrievalState
from core.store.tables import retrievals


@dataclass(frozen=True, slots=True)
class StoreRetrievals:
    """The retrievals in one transaction. Get it from a `StoreReader`, or from a `StoreWriter` to change them."""

    connection: Connection
    who: str | None = None  # who writes; None: a reader

    def all(self, project: str) -> tuple[Retrieval, ...]:
        """Every retrieval, in the order of the references' ids."""
        query = select(retrievals).where(retrievals.c.project == project).order_by(retrievals.c.item)
        return tuple(map(_of_row, self.connection.execute(query)))

    def wanted(self, project: str) -> tuple[Retrieval, ...]:
        """The retrievals still wanted, neither fetched nor failed, oldest first."""
        is_wanted = retrievals.c.state == RetrievalState.WANTED.value
        query = select(retrievals).where(retrievals.c.project == project, is_wanted)
        return tuple(map(_of_row, self.connection.execute(query.order_by(retrievals.c.at, retrievals.c.item))))

    def wanted_count(self, project: str) -> int:
        """How many are wanted."""
        is_wanted = retrievals.c.state == RetrievalState.WANTED.value
        query = select(func.count()).select_from(retrievals).where(retrievals.c.project == project, is_wanted)
        return self.connection.execute(query).scalar() or 0

    def want(self, project: str, items: Iterable[str]) -> int:
        """Ask for these to be fetched; those fetched already stay as they are. Returns how many are new."""
        there = {one.item: one.state for one in self.all(project)}
        new = [item for item in dict.fromkeys(items) if there.get(item) in (None, RetrievalState.FAILED)]
        for item in new:
            self.keep(project, Retrieval(item, RetrievalState.WANTED, self._who, datetime.now(UTC)))
        return len(new)

    def keep(self, project: str, one: Retrieval) -> None:
        """Save the state of a retrieval."""
        values = retrieval_values(one, project)
        require_storable({name: value for name, value in values.items() if name != "at"})
        self._who  # noqa: B018 - raises for a reader
        replace_row(self.connection, retrievals, {"project": project, "item": one.item}, values)

    def is_wanted(self, project: str, item: str) -> bool:
        """Whether this one is still wanted."""
        here = (retrievals.c.project == project, retrievals.c.item == item)
        is_wanted = retrievals.c.state == RetrievalState.WANTED.value
        return self.connection.execute(select(retrievals.c.item).where(*here, is_wanted)).first() is not None

    def give_up(self, project: str) -> int:
        """Delete those still wanted, because consent to ask for them was withdrawn. Returns how many."""
        self._who  # noqa: B018
        is_wanted = retrievals.c.state == RetrievalState.WANTED.value
        return self.connection.execute(delete(retrievals).where(retrievals.c.project == project, is_wanted)).rowcount

    @property
    def _who(self) -> str:
        if self.who is None:
            raise RuntimeError("These were got for reading: take them from `Store.writing` to change them.")
        return self.who


def retrieval_values(one: Retrieval, project: str) -> dict[str, Any]:
    """The columns of a retrieval."""
    return {
        "project": project,
        "item": one.item,
        "state": one.state.value,
        "wanted_by": one.by,
        "at": one.at,
        "why": one.why,
        "service": one.service,
        "location": one.location,
        "sha256": one.sha256,
    }


def _of_row(row: Row[Any]) -> Retrieval:
    return Retrieval(
        row.item,
        RetrievalState(row.state),
        row.wanted_by,
        row.at,
        row.why,
        row.service,
        row.location,
        row.sha256,
    )
