"""A store for the tests of a review."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.settings import Settings
from core.store import Store, open_store
from tests.conftest import copy_database


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Vouch's folder, for other processes too."""
    monkeypatch.setenv("VOUCH_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("VOUCH_DATABASE_URL", raising=False)
    return tmp_path / "home"


@pytest.fixture
def store(home: Path, migrated_file: Path) -> Iterator[Store]:
    """An empty store in it."""
    settings = Settings(home=home, data=None)
    copy_database(migrated_file, settings)
    opened = open_store(settings)
    yield opened
    opened.close()
