"""The store as a whole: its database, the runs of benchmarks, and the projects. Opened once, used from any thread."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from pydantic import TypeAdapter
from sqlalchemy import (
    URL,
    ColumnElement,
    Connection,
    Engine,
    Integer,
    Row,
    create_engine,
    delete,
    event,
    func,
    inspect,
    make_url,
    select,
    text,
    update,
)
from sqlalchemy.exc import ArgumentError, DBAPIError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from core.benchmarks.bootstrap import Interval
from core.benchmarks.model import ItemResult, Run, RunOrigin, RunSetup, SavedRun
from core.errors import NewerStore, NotStored, StoreUnreachable, WrongAddress
from core.settings import Settings
from core.store.reader import StoreReader
from core.store.rows import RecordCache
from core.store.tables import insert_once, metadata, run_items, runs
from core.store.writer import StoreWriter

# ---- database ----
# From the settings to a database: SQLite in one file, or PostgreSQL for a team on several machines.

WAIT_S = 30  # how long to wait for another change to end
_READING = "vouch_reading"
_FORM = "write postgresql://USER:PASSWORD@HOST:PORT/NAME, or sqlite:///FILE, or leave it out for a file in VOUCH_HOME."
# Errors of the database or the connection, not of the statement. SQLite's names: sqlite.org/rescode.html. PostgreSQL's
# SQLSTATE codes, by their first characters: its manual, appendix A.
_BUSY = ("SQLITE_BUSY", "SQLITE_LOCKED", "40", "55P03")
_OUTSIDE = (
    *("SQLITE_READONLY", "SQLITE_IOERR", "SQLITE_CORRUPT", "SQLITE_FULL", "SQLITE_CANTOPEN", "SQLITE_NOTADB"),
    *("SQLITE_PERM", "SQLITE_AUTH", "08", "25P03", "28", "3D", "42501", "53", "57", "58"),
)
_BUSY_SENTENCE = "The database is busy with another change, so nothing was saved. Wait a moment and try again."


def address_of(settings: Settings) -> URL:
    """Where the projects are kept. Raises `WrongAddress`, without the address, because it may contain a password."""
    if settings.database_url is None:
        return URL.create("sqlite", database=str(settings.database))
    try:
        url = make_url(settings.database_url)
    except (ArgumentError, ValueError):
        raise WrongAddress(f"VOUCH_DATABASE_URL is not the address of a database: {_FORM}") from None
    match url.drivername.partition("+")[0]:
        case "sqlite" if url.database and url.database != ":memory:":
            return url.set(drivername="sqlite")
        case "postgresql" | "postgres" if url.database:
            return url.set(drivername="postgresql+psycopg")
    raise WrongAddress(f"VOUCH_DATABASE_URL does not name a database that Vouch can use: {_FORM}")


def in_words(url: URL) -> str:
    """The database as a message may name it: without user, password and options."""
    if url.get_backend_name() == "sqlite":
        return f"the database file {url.database}"
    port = f":{url.port}" if url.port else ""
    return f"the PostgreSQL database “{url.database}” at {url.host or 'this machine'}{port}"


def connect(url: URL) -> Engine:
    """An engine that connects when it is first used."""
    if url.get_backend_name() != "sqlite":
        engine = create_engine(url, pool_pre_ping=True, connect_args={"connect_timeout": 10}, hide_parameters=True)
        event.listen(engine, "connect", _prepare_postgresql)
        return engine
    try:
        Path(str(url.database)).parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreUnreachable(_sentence(url, error.strerror or str(error))) from None
    engine = create_engine(url, connect_args={"timeout": WAIT_S}, hide_parameters=True)
    event.listen(engine, "connect", _prepare_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _prepare_sqlite(connection: Any, record: object) -> None:
    """Leave BEGIN to `_begin_sqlite`, so that transactions include DDL (SQLAlchemy, "pysqlite" dialect)."""
    connection.isolation_level = None
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA secure_delete = ON")  # overwrite what is deleted in the file
    _turn_to_wal(connection)


def _turn_to_wal(connection: Any) -> None:
    """Switch the file to WAL, so that readers never wait for a writer.

    While another connection is switching it, SQLite reports it as locked at once, whatever the timeout, because it does
    not call its busy handler there (sqlite.org/c3ref/busy_handler.html). So wait here.
    """
    end = time.monotonic() + WAIT_S
    while True:
        try:
            if connection.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
                connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if not error.sqlite_errorname.startswith(_BUSY) or time.monotonic() > end:
                raise
            time.sleep(0.01)


def _prepare_postgresql(connection: Any, record: object) -> None:
    """Set timeouts, so that nobody waits forever for a machine that lost its network in the middle of a change."""
    connection.execute(f"SET lock_timeout = '{WAIT_S}s'")
    connection.execute(f"SET idle_in_transaction_session_timeout = '{WAIT_S + 60}s'")
    connection.commit()


def _begin_sqlite(connection: Connection) -> None:
    """Take the lock at once for a writer: one that read first could not wait for it."""
    reading = connection.get_execution_options().get(_READING)
    connection.exec_driver_sql("BEGIN" if reading else "BEGIN IMMEDIATE")


@contextmanager
def transaction(engine: Engine, *, reading: bool = False) -> Iterator[Connection]:
    """One transaction: a snapshot to read, or changes that are saved together or not at all.

    Raises `StoreUnreachable` if the database cannot be reached, read or written.
    """
    if reading:
        snapshot: dict[str, Any] = {} if engine.dialect.name == "sqlite" else {"isolation_level": "REPEATABLE READ"}
        engine = engine.execution_options(**{_READING: True}, **snapshot)
    try:
        with engine.begin() as connection:
            yield connection
    except PoolTimeout:
        raise StoreUnreachable(_BUSY_SENTENCE) from None
    except DBAPIError as error:
        code = _code(error)
        if code.startswith(_BUSY):
            raise StoreUnreachable(_BUSY_SENTENCE) from None
        no_answer = not code and (error.statement is None or isinstance(error, OperationalError))
        if no_answer or code.startswith(_OUTSIDE):
            raise StoreUnreachable(_sentence(engine.url, _reason(error))) from None  # it may hold the address
        raise


def _code(error: DBAPIError) -> str:
    return getattr(error.orig, "sqlite_errorname", None) or getattr(error.orig, "sqlstate", None) or ""


def _reason(error: DBAPIError) -> str:
    """The database's own message, in one line."""
    said: str | None = getattr(getattr(error.orig, "diag", None), "message_primary", None)
    return said or str(error.orig).strip().splitlines()[-1].strip()


def _sentence(url: URL, reason: str) -> str:
    password = str(url.password) if url.password else ""
    hidden = reason.replace(password, "***") if password else reason
    return f"Cannot use {in_words(url)} ({hidden.rstrip('.')}). Check that it is there, and VOUCH_DATABASE_URL."


# Ordered migrations (Alembic), run when a database is opened, each in a transaction of its own.
#
# The revision is read in that transaction too, behind a lock: if two processes open a new database at once, the second
# finds the work done. A migration that fails leaves the database as it was before.

SCRIPTS = Path(__file__).parent / "migrations"
REVISIONS = "vouch_revision"  # the table that says which migration was the last
_LOCK = 0x566F756368  # an arbitrary number for PostgreSQL's advisory lock


def migrate(engine: Engine, scripts: Path = SCRIPTS) -> None:
    """Bring the database to the newest revision. Raises `NewerStore` if it is newer than this Vouch.

    Raises `WrongAddress` if it belongs to another program.
    """
    config = Config()
    config.set_main_option("script_location", str(scripts).replace("%", "%%"))
    order = [script.revision for script in ScriptDirectory.from_config(config).walk_revisions()][::-1]
    with transaction(engine, reading=True) as connection:
        missing = len(_missing(connection, order))
    for _ in range(missing):
        with transaction(engine) as connection:
            if connection.dialect.name == "postgresql":
                connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
            if to_run := _missing(connection, order):
                config.attributes["connection"] = connection
                command.upgrade(config, to_run[0])


def _missing(connection: Connection, order: list[str]) -> list[str]:
    """The revisions that the database still has to go through."""
    current = MigrationContext.configure(connection, opts={"version_table": REVISIONS}).get_current_revision()
    database = in_words(connection.engine.url)
    if current is None:
        if set(metadata.tables) & set(inspect(connection).get_table_names()):
            raise WrongAddress(f"Another program has tables of the same names in {database}: name an empty database.")
        return order
    if current not in order:
        raise NewerStore(f"A newer version of Vouch made {database}: update Vouch on this machine to open it.")
    return order[order.index(current) + 1 :]


# ---- runs of benchmarks ----


@dataclass(frozen=True, slots=True)
class _Outcome:
    """The outcome of a finished run."""

    metrics: Mapping[str, Interval]
    broken: tuple[str, ...]
    cost_usd: float | None


_SETUP = TypeAdapter(RunSetup)
_ORIGIN = TypeAdapter(RunOrigin)
_RESULT = TypeAdapter(ItemResult)
_OUTCOME = TypeAdapter(_Outcome)


@dataclass(frozen=True, slots=True)
class BenchmarkRuns:
    """The runs of benchmarks, saved item by item, so that a killed run can be resumed. Get them from `Store.runs`.

    A run is not a record of a project: nobody edits it, and it has neither versions nor a history. Every method raises
    `StoreUnreachable`.
    """

    engine: Engine

    def begin(self, setup: RunSetup, origin: RunOrigin) -> SavedRun:
        """The run of this setup: the existing one, which keeps its own origin, or else a new one."""
        with transaction(self.engine) as connection:
            values = {"setup": _json(_SETUP, setup), "origin": _json(_ORIGIN, origin), "seconds": 0.0}
            insert_once(connection, runs, {"id": setup.id, "started_at": origin.started} | values)
            return _saved(connection, runs.c.id == setup.id)[0]

    def keep(self, run: str, place: int, result: ItemResult, *, seconds: float) -> None:
        """Save the result of an item, and the wall-clock seconds since the last one.

        A result that exists already is replaced only if it is a failure.
        """
        at = (run_items.c.run == run) & (run_items.c.item == result.id)
        with transaction(self.engine) as connection:
            connection.execute(update(runs).where(runs.c.id == run).values(seconds=runs.c.seconds + seconds))
            connection.execute(delete(run_items).where(at, run_items.c.failed))
            values = {"place": place, "failed": result.error is not None, "result": _json(_RESULT, _writable(result))}
            insert_once(connection, run_items, {"run": run, "item": result.id} | values)

    def finish(self, run: str, outcome: Run) -> None:
        """Mark a run as finished, with its outcome."""
        body = _json(_OUTCOME, _Outcome(outcome.metrics, outcome.broken, outcome.cost_usd))
        with transaction(self.engine) as connection:
            values = {"finished_at": datetime.now(UTC), "outcome": body}
            connection.execute(update(runs).where(runs.c.id == run).values(**values))

    def remove(self, run: str) -> None:
        """Delete a run and its items for good."""
        with transaction(self.engine) as connection:
            connection.execute(delete(run_items).where(run_items.c.run == run))
            connection.execute(delete(runs).where(runs.c.id == run))

    def all(self) -> tuple[SavedRun, ...]:
        """Every run, newest first."""
        with transaction(self.engine, reading=True) as connection:
            return _saved(connection)

    def one(self, run: str) -> SavedRun:
        """A run by its id. Raises `NotStored` if it does not exist."""
        with transaction(self.engine, reading=True) as connection:
            found = _saved(connection, runs.c.id == run)
        if not found:
            raise NotStored("This run is not in the store. Choose another one, or run it with --save.")
        return found[0]

    def items(self, run: str) -> tuple[ItemResult, ...]:
        """The results of its items so far, in the data's order."""
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
    """The result, with an error that a database can keep: it may quote a paper's odd characters."""
    if result.error is None:
        return result
    error = result.error.replace("\0", "\ufffd").encode("utf-8", "replace").decode()
    return replace(result, response=replace(result.response, error=error))


def _json(adapter: TypeAdapter[Any], value: Any) -> Any:
    return adapter.dump_python(value, mode="json")


# ---- store ----


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
        """One change by one person. All of it is saved at its end, or nothing if it raises.

        Keep it short and do not nest it: on SQLite nobody else can write meanwhile. Raises `StoreUnreachable`.
        """
        with transaction(self.engine) as connection:
            yield StoreWriter(connection, who)

    def close(self) -> None:
        """Close the connections."""
        self.engine.dispose()


def open_store(settings: Settings) -> Store:
    """The store that the settings name, migrated to the newest revision or newly created.

    Raises `WrongAddress`, `StoreUnreachable`, or `NewerStore` if a newer Vouch made it.
    """
    engine = connect(address_of(settings))
    migrate(engine)
    return Store(engine)
