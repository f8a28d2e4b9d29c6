"""A check from the click to its labels: begun in a thread, shown while it runs, and taken once."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial

from core.errors import VouchError
from core.evidence.llm.live import WatchedRunner
from core.llm import Budget, Provider, model_named, open_runner
from core.paper import Paper
from core.summary import SummaryEngine, check_summary
from core.summary.engines import summary_engine_named
from core.summary.llm.engine import ModelEngine
from core.summary.measures import measures
from core.summary.writing import repair_summary, write_summary
from pages._ui import board
from pages._ui.running import Running
from pages._ui.state import Session
from pages._ui.summary.work import Version, Wanted
from pages._ui.underway import Underway

_AT_ONCE = 0.5  # seconds: a check on this machine takes a little longer than a search


@cache
def _local_engine(name: str) -> SummaryEngine:
    """An engine of this machine. Those that ask a model know a key, and are never shared."""
    return summary_engine_named(name)


def go_on(now: Session) -> BaseException | None:
    """Take what a check has brought, and begin the one that was asked for.

    Returns a mistake of ours that a check met, to be raised when the page has been drawn; it is not met again.
    """
    mistake = _take(now)
    if (wanted := now.summary.due()) is None or (opened := now.papers.get(wanted.paper)) is None:
        return mistake
    work = partial(_carry_out, wanted, opened.paper, now.keys.of)
    now.summary.start(Underway(wanted, Running(work, watched=board.watched())), at_once=_AT_ONCE)
    return mistake or _take(now)


def show(now: Session) -> None:
    """How the check stands, and a way to stop it, while one runs."""
    if (underway := now.summary.underway) is not None:
        board.show(underway.running, key="checking", stop=now.summary.stop)


def _take(now: Session) -> BaseException | None:
    if (ended := now.summary.ended()) is None:
        return None
    running = ended.running
    now.tally = now.tally.plus(running.spent)
    opened = now.papers.get(ended.wanted.paper)
    if isinstance(running.error, VouchError):
        if opened is not None and not running.stopped:
            now.problem = str(running.error)
        return None
    if opened is not None and running.result is not None:
        opened.summary.add(running.result)
    return running.error


def _carry_out(
    wanted: Wanted, paper: Paper, key_of: Callable[[Provider], str | None], running: Running[Version]
) -> Version:
    """Do what was asked for, in the thread."""
    name = model_named(wanted.writer or wanted.checker)
    if name is None:
        return _checked(wanted, paper, _local_engine(wanted.checker), running)
    with open_runner(name, key=key_of(name.provider), budget=wanted.budget or Budget()) as runner:
        running.count(runner)
        watched = WatchedRunner(runner, running.show)
        if wanted.writer is None:
            return _checked(wanted, paper, ModelEngine(name, watched), running)
        return _written(wanted, paper, watched, running)


def _checked(wanted: Wanted, paper: Paper, engine: SummaryEngine, running: Running[Version]) -> Version:
    report = check_summary(wanted.summary, paper, engine=engine, source=wanted.source, progress=running)
    return Version(report, measures(wanted.summary, paper, wanted.source))


def _written(wanted: Wanted, paper: Paper, writer: WatchedRunner, running: Running[Version]) -> Version:
    checker = _local_engine(wanted.checker)
    if wanted.version is None:
        made = write_summary(
            paper, writer=writer, checker=checker, source=wanted.source, level=wanted.level, progress=running
        )
        return Version(made.report, made.measures, made=f"written by {writer.name}", level=made.level)
    before = wanted.version
    made = repair_summary(before.reviewed, paper, writer=writer, checker=checker, level=before.level, progress=running)
    return Version(made.report, made.measures, made=f"repaired by {writer.name}", level=made.level)
