"""A search while it runs: progress, time left, and a way to stop it."""

from __future__ import annotations

import time

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.errors import VouchError
from core.evidence import EvidenceEngine, engine_named
from pages._ui.escape import plain
from pages._ui.state import Session, session

_EVERY = 0.1  # seconds between two reports: each one travels to the browser


@st.cache_resource(show_spinner=False)
def _engine(name: str) -> EvidenceEngine:
    return engine_named(name)


def run_pending(now: Session, slot: DeltaGenerator) -> None:
    """Run the search that was asked for, if there is one, and keep its evidence with the paper.

    It stays pending until it is done or cancelled: a rerun for another reason, which breaks it off, starts it again.
    Progress goes to `slot`; the rest of the page has been drawn before, so that it can be read meanwhile.
    """
    search = now.pending
    if search is None or (opened := now.papers.get(search.paper)) is None:
        return
    with slot.container(key="searching", horizontal=True, vertical_alignment="center"):
        bar = st.progress(0.0, text="Starting")
        st.button("Cancel", key="cancel", on_click=cancel)
    try:
        opened.evidence = _engine(search.engine).find(opened.paper, search.query, progress=_Reporter(bar))
        opened.answers += 1
        now.problem = None
    except VouchError as error:
        now.problem = str(error)
    except Exception:
        now.pending = None  # our own mistake stays visible, and is not met again at every click
        raise
    now.pending = None
    st.rerun()


def cancel() -> None:
    """Forget the search. The click alone has stopped it: Streamlit ends the run at its next report."""
    session().pending = None


class _Reporter:
    """Shows progress in a bar, with the time left once it can be told."""

    def __init__(self, bar: DeltaGenerator) -> None:
        self._bar = bar
        self._started = time.monotonic()
        self._shown = 0.0

    def __call__(self, done: float, step: str) -> None:
        now = time.monotonic()
        if now - self._shown < _EVERY and done < 1:
            return
        self._shown = now
        self._bar.progress(min(1.0, max(0.0, done)), text=plain(step) + time_left(now - self._started, done))


def time_left(elapsed: float, done: float) -> str:
    """How long the rest will take at the pace so far, in words; nothing while that is a guess."""
    if elapsed < 2 or not 0.002 < done < 1:
        return ""
    left = elapsed * (1 - done) / done
    return f" · about {left:.0f} s left" if left < 90 else f" · about {left / 60:.0f} min left"
