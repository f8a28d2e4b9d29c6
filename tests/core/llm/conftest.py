"""A demo server for each test that asks a model."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.llm.demo import DemoServer
from core.llm.runner import ReplyCache


@pytest.fixture
def demo() -> Iterator[DemoServer]:
    """A server that answers at once."""
    with DemoServer() as server:
        yield server


@pytest.fixture
def slow_demo() -> Iterator[DemoServer]:
    """A server that takes 0.2 seconds for each answer."""
    with DemoServer(latency=0.2) as server:
        yield server


@pytest.fixture
def cache(tmp_path: Path) -> ReplyCache:
    """An empty cache."""
    return ReplyCache(tmp_path / "replies")
