"""How the one Python interpreter of the server is shared by its windows and the queue."""

from __future__ import annotations

import gc
import sys

import streamlit as st

_TURN_S = 0.0005


def take_short_turns() -> None:
    """Let a thread that waits for another one go on soon.

    A thread that reads from SQLite gives its turn away with every row, and gets it back only when the other thread's is
    over. With Python's own turns of 5 ms a table of 500 papers takes 3.5 s beside one busy thread; with these, 0.6 s.
    """
    sys.setswitchinterval(_TURN_S)


def pass_libraries_over() -> None:
    """After a page was drawn: what its libraries left in memory is never looked through for garbage again.

    With all of them loaded a whole collection stops everything for 0.15 s, often in the middle of a page.
    """
    _pass_over(len(sys.modules) // 100)


@st.cache_resource(show_spinner=False)
def _pass_over(hundreds: int) -> None:
    """Once a server for every hundred modules that it has loaded."""
    gc.collect()
    gc.freeze()
