"""Every test of the store runs on SQLite and on PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest

from core.settings import Settings
from core.store import Store, open_store
from tests.core.store import postgresql


@pytest.fixture(scope="session")
def postgresql_port() -> Iterator[int]:
    """The port of a PostgreSQL server; skips where there is none, unless VOUCH_REQUIRE_POSTGRESQL is set."""
    with postgresql.server() as port:
        yield port


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)])
def settings(request: pytest.FixtureRequest, tmp_path: Path) -> Settings:
    """Settings that name a database nobody has opened yet."""
    url = None
    if request.param == "postgresql":
        url = postgresql.address(request.getfixturevalue("postgresql_port"), f"t{uuid4().hex}")
    return Settings(home=tmp_path / "a home", data=None, database_url=url)


@pytest.fixture
def store(settings: Settings) -> Iterator[Store]:
    """An empty store."""
    opened = open_store(settings)
    yield opened
    opened.close()


@pytest.fixture
def elsewhere(tmp_path: Path) -> Iterator[Store]:
    """An empty store on another machine."""
    opened = open_store(Settings(home=tmp_path / "elsewhere", data=None))
    yield opened
    opened.close()
