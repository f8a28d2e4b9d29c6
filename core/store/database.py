"""The database: its address, its transactions, and the migrations that bring it up to date when it is opened."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import URL, Connection, Engine, Table, create_engine, event, insert, inspect, make_url, text
from sqlalchemy.exc import ArgumentError, DBAPIError, IntegrityError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from core.errors import NewerStore, StoreUnreachable, WrongAddress
from core.settings import Settings
from core.store.tables import metadata

# From the settings to a database: SQLite in one file, or PostgreSQL for a team on several machines.

WAIT_S = 30  # for somebody else's change to end
_READING = "vouch_reading"
_FORM = "write postgresql://USER:PASSWORD@HOST:PORT/NAME, or sqlite:///FILE, or leave it out for a file in VOUCH_HOME."
# What is the matter with the database or the way there, not with the statement. SQLite's names: sqlite.org/rescode.html;
# PostgreSQL's SQLSTATE by its first characters: its manual, appendix A.
_BUSY = ("SQLITE_BUSY", "SQLITE_LOCKED", "40", "55P03")
_OUTSIDE = (
    *("SQLITE_READONLY", "SQLITE_IOERR", "SQLITE_CORRUPT", "SQLITE_FULL", "SQLITE_CANTOPEN", "SQLITE_NOTADB"),
    *("SQLITE_PERM", "SQLITE_AUTH", "08", "25P03", "28", "3D", "42501", "53", "57", "58"),
)
_BUSY_SENTENCE = "The database is busy with another change, so nothing was saved. Wait a moment and try again."


def address_of(settings: Settings) -> URL:
    """Where the projects are kept. Raises `WrongAddress`, whose message never repeats the address: it has a password."""
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
    """The database as a message may name it: no user, no password, no options."""
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
    """Transactions begin where we say, so that they hold a migration's DDL too (SQLAlchemy, "pysqlite" dialect)."""
    connection.isolation_level = None
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA secure_delete = ON")  # what was forgotten is not left in the file
    _turn_to_wal(connection)


def _turn_to_wal(connection: Any) -> None:
    """Those who read never wait for one who writes.

    While another connection is turning the file, SQLite calls it locked at once, whatever the timeout: its busy handler
    is not asked there (sqlite.org/c3ref/busy_handler.html). So the waiting is done here.
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
    """Nobody waits for ever, not even for a machine that lost its network in the middle of a change."""
    connection.execute(f"SET lock_timeout = '{WAIT_S}s'")
    connection.execute(f"SET idle_in_transaction_session_timeout = '{WAIT_S + 60}s'")
    connection.commit()


def _begin_sqlite(connection: Connection) -> None:
    """A writer takes the lock at once: one that has read before it asks for the lock could not wait for it."""
    reading = connection.get_execution_options().get(_READING)
    connection.exec_driver_sql("BEGIN" if reading else "BEGIN IMMEDIATE")


@contextmanager
def transaction(engine: Engine, *, reading: bool = False) -> Iterator[Connection]:
    """One transaction: a snapshot to read, or changes that are all saved together or not at all.

    Raises `StoreUnreachable` where the database cannot be reached, read or written.
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
    """What the database says is the matter, in one line."""
    said: str | None = getattr(getattr(error.orig, "diag", None), "message_primary", None)
    return said or str(error.orig).strip().splitlines()[-1].strip()


def _sentence(url: URL, reason: str) -> str:
    password = str(url.password) if url.password else ""
    hidden = reason.replace(password, "***") if password else reason
    return f"Cannot use {in_words(url)} ({hidden.rstrip('.')}). Check that it is there, and VOUCH_DATABASE_URL."


# Ordered migrations (Alembic), run when a database is opened, each in one transaction of its own.
#
# The revision is read in that transaction too, behind a lock, so that of two processes that open a new database at once
# the second finds it made. One that fails leaves the database as it was before it.

SCRIPTS = Path(__file__).parent / "migrations"
REVISIONS = "vouch_revision"  # the table that says which migration was the last
_LOCK = 0x566F756368  # of PostgreSQL's advisory locks, by a number of our own


def migrate(engine: Engine, scripts: Path = SCRIPTS) -> None:
    """Bring the database to the newest revision. Raises `NewerStore` if it is beyond it.

    Raises `WrongAddress` if it is another program's.
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
    """The revisions that the database has yet to go through."""
    current = MigrationContext.configure(connection, opts={"version_table": REVISIONS}).get_current_revision()
    database = in_words(connection.engine.url)
    if current is None:
        if set(metadata.tables) & set(inspect(connection).get_table_names()):
            raise WrongAddress(f"Another program has tables of the same names in {database}: name an empty database.")
        return order
    if current not in order:
        raise NewerStore(f"A newer version of Vouch made {database}: update Vouch on this machine to open it.")
    return order[order.index(current) + 1 :]


def insert_once(connection: Connection, table: Table, values: Mapping[str, Any]) -> bool:
    """Insert a row; False if one of its key is there, as somebody was faster by a moment."""
    try:
        with connection.begin_nested():
            connection.execute(insert(table).values(**values))
    except IntegrityError:
        return False
    return True
