"""Engines that ask a demo server."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from core.bias import BiasEngine, bias_engine_named
from core.llm.demo import DemoServer
from core.settings import Settings


@pytest.fixture
def named(demo: DemoServer, tmp_path: Path) -> Callable[[str], BiasEngine]:
    """An engine by its name; all of a test share one cache."""
    return lambda name: bias_engine_named(name, settings=Settings(home=tmp_path, data=None))
