"""Every test of the store runs on SQLite and on PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from uuid import uuid4

import pytest

from core.settings import Settings
from core.store import Store, open_store
from tests.conftest import copy_database
from tests.core.store import postgresql


@pytest.fixture(scope="session")
def postgresql_port() -> Iterator[int]:
    """The port of a PostgreSQL server; skips where there is none, unless VOUCH_REQUIRE_POSTGRESQL is set."""
    with postgresql.server() as port:
        yield port


@pytest.fixture(scope="session")
def migrated_database(postgresql_port: int) -> str:
    """The name of such a database on the PostgreSQL server."""
    with postgresql.connect(postgresql_port) as connection:
        connection.execute("CREATE DATABASE migrated")
    url = postgresql.database(postgresql_port, "migrated")
    open_store(Settings(home=Path("unused"), data=None, database_url=url)).close()
    return "migrated"


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)])
def settings(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Settings]:
    """Settings that name an empty database, which nobody has opened yet unless the test has a `store` too.

    A store's database is a copy of one with all migrations, because these take most of a test's time.
    """
    made, migrated = Settings(home=tmp_path / "a home", data=None), "store" in request.fixturenames
    if request.param == "sqlite":
        if migrated:
            copy_database(request.getfixturevalue("migrated_file"), made)
        yield made
        return
    port, name = request.getfixturevalue("postgresql_port"), f"t{uuid4().hex}"
    if migrated:
        with postgresql.copied(port, name, request.getfixturevalue("migrated_database")) as url:
            yield replace(made, database_url=url)
    else:
        yield replace(made, database_url=postgresql.address(port, name))


@pytest.fixture
def store(settings: Settings) -> Iterator[Store]:
    """An empty store."""
    opened = open_store(settings)
    yield opened
    opened.close()


@pytest.fixture
def elsewhere(tmp_path: Path, migrated_file: Path) -> Iterator[Store]:
    """An empty store on another machine."""
    settings = Settings(home=tmp_path / "elsewhere", data=None)
    copy_database(migrated_file, settings)
    opened = open_store(settings)
    yield opened
    opened.close()
