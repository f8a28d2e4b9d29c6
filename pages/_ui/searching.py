"""A search while it runs: progress, and a way to stop it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.errors import VouchError
from core.evidence import EvidenceEngine, NoAnswer, engine_named
from core.evidence.llm.engine import ModelEngine, strategy_of
from core.evidence.llm.live import WatchedRunner
from core.evidence.sensitivity import sensitivity
from core.llm import Budget, ModelName, ModelRunner, model_named, open_runner
from pages._ui.live import Board
from pages._ui.search import Search, Unanswered
from pages._ui.state import OpenPaper, Session, session


@st.cache_resource(show_spinner=False)
def _local_engine(name: str) -> EvidenceEngine:
    """An engine of this machine. Those that ask a model know a key, and are never shared."""
    return engine_named(name)


def run_pending(now: Session, slot: DeltaGenerator) -> None:
    """Run the search that was asked for, if there is one, and keep its evidence with the paper.

    It stays pending until it is done or cancelled: a rerun for another reason, which breaks it off, starts it again;
    a language model's replies are then in the cache. Progress goes to `slot`; the rest of the page has been drawn
    before, so that it can be read meanwhile.
    """
    search = now.pending
    if search is None or (opened := now.papers.get(search.paper)) is None:
        return
    with slot.container(key="searching", gap="xxsmall"):
        with st.container(horizontal=True, vertical_alignment="center"):
            bar = st.progress(0.0, text="Starting")
            st.button("Cancel", key="cancel", on_click=cancel, help="What has been answered by then is kept")
        board = Board(bar, st.empty())
    try:
        _carry_out(now, search, opened, board)
        now.problem = None
    except VouchError as error:
        now.problem = str(error)
        if isinstance(error, NoAnswer) and search.wordings is None:
            opened.unanswered, opened.newest = Unanswered(search, error.run), "reasoning"
            opened.answers += 1
    except Exception:
        now.pending = None  # our own mistake stays visible, and is not met again at every click
        raise
    now.pending = None
    st.rerun()


def _carry_out(now: Session, search: Search, opened: OpenPaper, board: Board) -> None:
    with engine_for(now, search, board) as engine:
        if search.wordings is not None and opened.evidence is not None:
            opened.changes = sensitivity(engine, opened.paper, opened.evidence, search.wordings, progress=board)
            opened.newest = "wordings"
        else:
            opened.evidence = engine.find(opened.paper, search.query, progress=board)
            opened.search, opened.unanswered, opened.changes, opened.newest = search, None, (), "evidence"
        opened.answers += 1


@contextmanager
def engine_for(now: Session, search: Search, board: Board | None = None) -> Iterator[EvidenceEngine]:
    """The engine of a search. One that asks a model lives for this search only: it holds this session's key.

    What it used counts in the session's tally however the search ends.
    """
    name = model_named(search.engine)
    if name is None:
        yield _local_engine(search.engine)
        return
    with _runner(now, name, search) as runner:
        if board is None:
            yield ModelEngine(name, runner)
            return
        board.runner = runner
        yield ModelEngine(name, WatchedRunner(runner, strategy_of(name), board.show))


@contextmanager
def _runner(now: Session, name: ModelName, search: Search) -> Iterator[ModelRunner]:
    runner = open_runner(name, key=now.keys.of(name.provider), budget=search.budget or Budget())
    try:
        yield runner
    finally:
        runner.close()  # calls that a cancel gives up are counted by then
        now.tally = now.tally.plus(runner.spent)


def cancel() -> None:
    """Forget the search. The click alone has stopped it: Streamlit ends the run at its next report."""
    session().pending = None
