"""The store as a whole: projects and benchmark runs, opened once, used from any thread."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

from pydantic import TypeAdapter
from sqlalchemy import ColumnElement, Connection, Engine, Integer, Row, delete, func, select, update

from core.benchmarks.bootstrap import Interval
from core.benchmarks.model import ItemResult, Run, RunOrigin, RunSetup, SavedRun
from core.errors import NotStored
from core.settings import Settings
from core.store.cache import RecordCache
from core.store.database import address_of, connect, in_words, insert_once, migrate, transaction
from core.store.reader import StoreReader
from core.store.tables import run_items, runs
from core.store.writer import StoreWriter


@dataclass(frozen=True, slots=True)
class _Outcome:
    """What a finished run came to."""

    metrics: Mapping[str, Interval]
    broken: tuple[str, ...]
    cost_usd: float | None


_SETUP = TypeAdapter(RunSetup)
_ORIGIN = TypeAdapter(RunOrigin)
_RESULT = TypeAdapter(ItemResult)
_OUTCOME = TypeAdapter(_Outcome)


@dataclass(frozen=True, slots=True)
class BenchmarkRuns:
    """The runs of benchmarks, saved item by item: one that was killed goes on where it was. Get them from `Store.runs`.

    A run is no record of a project: nobody edits it, and it has neither versions nor a history. Every method raises
    `StoreUnreachable`.
    """

    engine: Engine

    def begin(self, setup: RunSetup, origin: RunOrigin) -> SavedRun:
        """The run of this setup: the one that is there, which keeps its own origin, or a new one."""
        with transaction(self.engine) as connection:
            values = {"setup": _json(_SETUP, setup), "origin": _json(_ORIGIN, origin), "seconds": 0.0}
            insert_once(connection, runs, {"id": setup.id, "started_at": origin.started} | values)
            return _saved(connection, runs.c.id == setup.id)[0]

    def keep(self, run: str, place: int, result: ItemResult, *, seconds: float) -> None:
        """Save what became of an item, and the seconds of the clock since the last one.

        An item that is there already is replaced only if it had failed.
        """
        at = (run_items.c.run == run) & (run_items.c.item == result.id)
        with transaction(self.engine) as connection:
            connection.execute(update(runs).where(runs.c.id == run).values(seconds=runs.c.seconds + seconds))
            connection.execute(delete(run_items).where(at, run_items.c.failed))
            values = {"place": place, "failed": result.error is not None, "result": _json(_RESULT, _writable(result))}
            insert_once(connection, run_items, {"run": run, "item": result.id} | values)

    def finish(self, run: str, outcome: Run) -> None:
        """Say that every item is there, and what it came to."""
        body = _json(_OUTCOME, _Outcome(outcome.metrics, outcome.broken, outcome.cost_usd))
        with transaction(self.engine) as connection:
            values = {"finished_at": datetime.now(UTC), "outcome": body}
            connection.execute(update(runs).where(runs.c.id == run).values(**values))

    def remove(self, run: str) -> None:
        """Delete a run with its items, for good."""
        with transaction(self.engine) as connection:
            connection.execute(delete(run_items).where(run_items.c.run == run))
            connection.execute(delete(runs).where(runs.c.id == run))

    def all(self) -> tuple[SavedRun, ...]:
        """Every run, the newest first."""
        with transaction(self.engine, reading=True) as connection:
            return _saved(connection)

    def one(self, run: str) -> SavedRun:
        """A run by its id. Raises `NotStored` if it is not there."""
        with transaction(self.engine, reading=True) as connection:
            found = _saved(connection, runs.c.id == run)
        if not found:
            raise NotStored("This run is not in the store. Choose another one, or run it with --save.")
        return found[0]

    def items(self, run: str) -> tuple[ItemResult, ...]:
        """What became of its items so far, in the data's order."""
        query = select(run_items.c.result).where(run_items.c.run == run).order_by(run_items.c.place)
        with transaction(self.engine, reading=True) as connection:
            return tuple(_RESULT.validate_python(row.result) for row in connection.execute(query))


def _saved(connection: Connection, *where: ColumnElement[bool]) -> tuple[SavedRun, ...]:
    failed = func.coalesce(func.sum(run_items.c.failed.cast(Integer)), 0)
    counts = (
        select(run_items.c.run, func.count().label("done"), failed.label("failed")).group_by(run_items.c.run).subquery()
    )
    query = (
        select(runs, counts.c.done, counts.c.failed)
        .outerjoin(counts, counts.c.run == runs.c.id)
        .where(*where)
        .order_by(runs.c.started_at.desc(), runs.c.id)
    )
    return tuple(_of_row(row) for row in connection.execute(query))


def _of_row(row: Row[Any]) -> SavedRun:
    outcome = _OUTCOME.validate_python(row.outcome) if row.outcome else _Outcome({}, (), None)
    return SavedRun(
        _SETUP.validate_python(row.setup),
        _ORIGIN.validate_python(row.origin),
        row.done or 0,
        row.failed or 0,
        row.seconds,
        row.finished_at,
        outcome.metrics,
        outcome.broken,
        outcome.cost_usd,
    )


def _writable(result: ItemResult) -> ItemResult:
    """An error may quote a paper, whose odd characters a database cannot keep."""
    if result.error is None:
        return result
    error = result.error.replace("\0", "\ufffd").encode("utf-8", "replace").decode()
    return replace(result, response=replace(result.response, error=error))


def _json(adapter: TypeAdapter[Any], value: Any) -> Any:
    return adapter.dump_python(value, mode="json")


@dataclass(frozen=True, slots=True)
class Store:
    """The database of projects.

    ```
    with store.reading() as now:
        view = now.domains(project, paper, scope, reader="Ann")["D1"]
    with store.writing("Ann") as change:
        change.save(replace(view.own.record, level=LOW), seen=view.own.version)
    ```
    """

    engine: Engine
    cache: RecordCache = field(default_factory=RecordCache)

    @property
    def name(self) -> str:
        """Where the projects are kept, as a page may show it."""
        return in_words(self.engine.url)

    @property
    def runs(self) -> BenchmarkRuns:
        """The runs of benchmarks."""
        return BenchmarkRuns(self.engine)

    @contextmanager
    def reading(self) -> Iterator[StoreReader]:
        """One snapshot of everything. Raises `StoreUnreachable`."""
        with transaction(self.engine, reading=True) as connection:
            yield StoreReader(connection, cache=self.cache)

    @contextmanager
    def writing(self, who: str) -> Iterator[StoreWriter]:
        """One change by one person: all that is done in it is saved at its end, or, if it raises, nothing.

        Keep it short, and never one inside another: on SQLite nobody else can write meanwhile. Raises `StoreUnreachable`.
        """
        with transaction(self.engine) as connection:
            yield StoreWriter(connection, who)

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
