"""A search from the click to its evidence: begun in a thread, shown while it runs, and taken once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, partial

from core.errors import VouchError
from core.evidence import Evidence, EvidenceEngine, NoAnswer, engine_named
from core.evidence.llm.engine import ModelEngine, strategy_of
from core.evidence.llm.live import WatchedRunner
from core.evidence.llm.strategies import to_come
from core.evidence.sensitivity import sensitivity
from core.llm import Budget, Provider, model_named, open_runner
from core.paper import Paper
from pages._ui import board
from pages._ui.frame import elsewhere
from pages._ui.open_paper import OpenPaper
from pages._ui.running import Running
from pages._ui.search import Found, Search, Unanswered
from pages._ui.state import Session
from pages._ui.underway import Underway


@cache
def _local_engine(name: str) -> EvidenceEngine:
    """An engine of this machine. Those that ask a model know a key, and are never shared."""
    return engine_named(name)


def go_on(now: Session) -> BaseException | None:
    """Take what a search has brought, and begin the one that was asked for. One of a session runs at a time.

    Returns a mistake of ours that a search met, to be raised when the page has been drawn; it is not met again.
    """
    mistake = _take(now)
    if (search := now.searches.due()) is None or (opened := now.papers.get(search.paper)) is None:
        return mistake
    work = partial(_find, search, opened.paper, opened.evidence, now.keys.of)
    now.searches.start(Underway(search, Running(work, watched=board.watched())))
    return mistake or _take(now)


def show(now: Session) -> None:
    """How the search stands, and a way to stop it, while one runs."""
    if (underway := now.searches.underway) is not None:
        about = elsewhere(now, underway.wanted.paper)
        board.show(underway.running, key="searching", stop=now.searches.stop, about=about)


def _take(now: Session) -> BaseException | None:
    """Keep the outcome of a search that has ended with its paper. Returns a mistake of ours."""
    if (ended := now.searches.ended()) is None:
        return None
    search, running = ended.wanted, ended.running
    now.tally = now.tally.plus(running.spent)
    opened = now.papers.get(search.paper)
    if isinstance(running.error, VouchError):
        if opened is not None and not running.stopped:
            _keep_failure(now, search, opened, running.error)
        return None
    if opened is not None and running.result is not None:
        _keep(search, opened, running.result)
    return running.error


def _keep(search: Search, opened: OpenPaper, found: Found) -> None:
    if isinstance(found, Evidence):
        opened.evidence = found
        opened.search, opened.unanswered, opened.changes, opened.newest = search, None, (), "evidence"
    elif opened.evidence is not None:
        opened.changes, opened.newest = found, "wordings"
    opened.answers += 1


def _keep_failure(now: Session, search: Search, opened: OpenPaper, error: VouchError) -> None:
    about = elsewhere(now, search.paper)
    now.problem = f"The search in {about} failed. {error}" if about else str(error)
    if isinstance(error, NoAnswer) and search.wordings is None:
        opened.unanswered, opened.newest = Unanswered(search, error.run), "reasoning"
        opened.answers += 1


def _find(
    search: Search,
    paper: Paper,
    before: Evidence | None,
    key_of: Callable[[Provider], str | None],
    running: Running[Found],
) -> Found:
    """Carry a search out, in its thread. `before`: the answer that other wordings are compared with."""
    name = model_named(search.engine)
    if name is None:
        return _ask(_local_engine(search.engine), search, paper, before, running)
    with open_runner(name, key=key_of(name.provider), budget=search.budget or Budget()) as runner:
        running.count(runner)
        engine = ModelEngine(name, WatchedRunner(runner, running.show, to_come=to_come(strategy_of(name))))
        return _ask(engine, search, paper, before, running)


def _ask(
    engine: EvidenceEngine, search: Search, paper: Paper, before: Evidence | None, running: Running[Found]
) -> Found:
    if search.wordings is not None and before is not None:
        return sensitivity(engine, paper, before, search.wordings, progress=running)
    return engine.find(paper, search.query, progress=running)


@contextmanager
def engine_for(now: Session, search: Search) -> Iterator[EvidenceEngine]:
    """The engine of a search, for a short question within a script run; what it used counts in the session's tally.

    One that asks a model lives for this question only: it holds this session's key.
    """
    name = model_named(search.engine)
    if name is None:
        yield _local_engine(search.engine)
        return
    runner = open_runner(name, key=now.keys.of(name.provider), budget=search.budget or Budget())
    try:
        yield ModelEngine(name, runner)
    finally:
        runner.close()  # calls that are given up are counted by then
        now.tally = now.tally.plus(runner.spent)
