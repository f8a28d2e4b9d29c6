"""From the settings to a database: SQLite in one file, or PostgreSQL for a team on several machines."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from core.errors import StoreUnreachable, WrongAddress
from core.settings import Settings

SQLITE_WAIT_S = 30  # for another process that writes
_READING = "vouch_reading"
_FORM = "write postgresql://USER:PASSWORD@HOST:PORT/NAME, or sqlite:///FILE, or leave it out for a file in VOUCH_HOME."
# SQLite's names for what is the matter with the file or the disk, not with the statement (sqlite.org/rescode.html).
_SQLITE_OUTSIDE = ("BUSY", "LOCKED", "READONLY", "IOERR", "CORRUPT", "FULL", "CANTOPEN", "NOTADB", "PERM", "AUTH")
# Classes of SQLSTATE that tell of the connection, the server's means or an operator, not of the statement.
_POSTGRESQL_OUTSIDE = ("08", "28", "3D", "40", "53", "57", "58")


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
        return create_engine(url, pool_pre_ping=True, connect_args={"connect_timeout": 10}, hide_parameters=True)
    try:
        Path(str(url.database)).parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreUnreachable(_sentence(url, error.strerror or str(error))) from None
    engine = create_engine(url, connect_args={"timeout": SQLITE_WAIT_S}, hide_parameters=True)
    event.listen(engine, "connect", _prepare_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _prepare_sqlite(connection: Any, record: object) -> None:
    """Transactions begin where we say, so that they hold a migration's DDL too (SQLAlchemy, "pysqlite" dialect)."""
    connection.isolation_level = None
    connection.execute("PRAGMA foreign_keys = ON")
    if connection.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
        connection.execute("PRAGMA journal_mode = WAL")  # those who read never wait for one who writes


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
        raise StoreUnreachable("The database is busy with other changes. Wait a moment and try again.") from None
    except DBAPIError as error:
        if reason := _outside(error):
            raise StoreUnreachable(_sentence(engine.url, reason)) from None  # the client's words may hold the address
        raise


def _outside(error: DBAPIError) -> str | None:
    """What is the matter with the database or the way there, in its own words; None: the statement is wrong."""
    name: str | None = getattr(error.orig, "sqlite_errorname", None)
    state: str | None = getattr(error.orig, "sqlstate", None)
    if name:
        outside = name.removeprefix("SQLITE_").startswith(_SQLITE_OUTSIDE)
    elif state:
        outside = state.startswith(_POSTGRESQL_OUTSIDE)
    else:  # no answer at all
        outside = isinstance(error, OperationalError)
    return str(error.orig).strip().splitlines()[-1].strip() if outside else None


def _sentence(url: URL, reason: str) -> str:
    password = str(url.password) if url.password else ""
    hidden = reason.replace(password, "***") if password else reason
    return f"Cannot use {in_words(url)} ({hidden.rstrip('.')}). Check that it is there, and VOUCH_DATABASE_URL."
