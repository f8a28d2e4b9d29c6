"""The store as a whole: opened once, used from any thread."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from sqlalchemy import Engine

from core.settings import Settings
from core.store.address import address_of, connect, in_words, transaction
from core.store.memory import Memory
from core.store.migrating import migrate
from core.store.reading import Reading
from core.store.runs import Runs
from core.store.writing import Writing


@dataclass(frozen=True, slots=True)
class Store:
    """The database of projects.

    ```
    with store.reading() as now:
        view = now.domains(project, paper, ids, reader="Ann")["D1"]
    with store.writing("Ann") as change:
        change.save(replace(view.own.record, level=Level.LOW), seen=view.own.version)
    ```
    """

    engine: Engine
    memory: Memory = field(default_factory=Memory)

    @property
    def name(self) -> str:
        """Where the projects are kept, as a page may show it."""
        return in_words(self.engine.url)

    @property
    def runs(self) -> Runs:
        """The runs of benchmarks."""
        return Runs(self.engine)

    @contextmanager
    def reading(self) -> Iterator[Reading]:
        """One snapshot of everything. Raises `StoreUnreachable`."""
        with transaction(self.engine, reading=True) as connection:
            yield Reading(connection, memory=self.memory)

    @contextmanager
    def writing(self, who: str) -> Iterator[Writing]:
        """One change by one person: all that is done in it is saved at its end, or, if it raises, nothing.

        Keep it short, and never one inside another: on SQLite nobody else can write meanwhile. Raises `StoreUnreachable`.
        """
        with transaction(self.engine) as connection:
            yield Writing(connection, who)

    def close(self) -> None:
        """Give back the connections."""
        self.engine.dispose()


def open_store(settings: Settings) -> Store:
    """The store that the settings name, brought up to date or made new.

    Raises `WrongAddress`, `StoreUnreachable`, or `NewerStore` where a newer Vouch made it.
    """
    engine = connect(address_of(settings))
    migrate(engine)
    return Store(engine)
