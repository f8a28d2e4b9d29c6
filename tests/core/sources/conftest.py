"""A stand-in on loopback for each test, and a client that asks it without waiting between two tries."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import stamina

from core.settings import Settings
from core.sources.client import SourceClient
from core.sources.stand_in import StandIn


@pytest.fixture(autouse=True)
def no_waiting() -> Iterator[None]:
    """As many tries as ever, at once."""
    with stamina.set_testing(True, attempts=4, cap=True):
        yield


@pytest.fixture
def stand_in() -> Iterator[StandIn]:
    """An invented literature of 24 papers, seven on a page."""
    with StandIn(24, largest_page=7) as server:
        yield server


@pytest.fixture
def settings(stand_in: StandIn, tmp_path: Path) -> Settings:
    """Vouch's own folder, the stand-in and a mail address."""
    return Settings(home=tmp_path / "home", data=None, sources_url=stand_in.address, mail="ann@example.org")


@pytest.fixture
def client(settings: Settings) -> Iterator[SourceClient]:
    """A client with a cache of its own."""
    with SourceClient(settings) as opened:
        yield opened
