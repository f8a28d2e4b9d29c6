"""The server's interpreter: short turns for its threads, and libraries that no collection looks through."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator

import pytest
from streamlit.testing.v1 import AppTest

from pages._ui import interpreter
from run import ROOT

PYTHONS_TURN_S = 0.005


@pytest.fixture
def as_python_starts() -> Iterator[None]:
    sys.setswitchinterval(PYTHONS_TURN_S)
    gc.unfreeze()
    interpreter._pass_over.clear()
    yield
    sys.setswitchinterval(PYTHONS_TURN_S)
    gc.unfreeze()


def test_a_drawn_page_leaves_short_turns_and_nothing_to_look_through(as_python_starts: None) -> None:
    AppTest.from_file(ROOT / "app.py", default_timeout=60).run()
    assert sys.getswitchinterval() < PYTHONS_TURN_S / 5
    assert gc.get_freeze_count() > 10_000  # the libraries' objects
