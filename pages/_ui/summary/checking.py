"""A check from the click to its labels: begun in a thread, shown while it runs, and taken once."""

from __future__ import annotations

from functools import cache, partial

from core.errors import VouchError
from core.paper import Paper
from core.summary import SummaryEngine, check_summary
from core.summary.engines import summary_engine_named
from core.summary.measures import measures
from pages._ui import board
from pages._ui.running import Running
from pages._ui.state import Session
from pages._ui.summary.work import Version, Wanted

_AT_ONCE = 0.5  # seconds: what comes within them is drawn at once, without a board


@cache
def _engine(name: str) -> SummaryEngine:
    return summary_engine_named(name)


def go_on(now: Session) -> BaseException | None:
    """Take what a check has brought, and begin the one that was asked for.

    Returns a mistake of ours that a check met, to be raised when the page has been drawn; it is not met again.
    """
    mistake = _take(now)
    choices = now.summary
    wanted = choices.wanted
    if wanted is None or choices.underway is not None:
        return mistake
    choices.wanted = None
    if (opened := now.papers.get(wanted.paper)) is None:
        return mistake
    running: Running[Version] = Running(partial(_check, wanted, opened.paper), watched=board.watched())
    choices.underway = wanted, running
    running.wait(_AT_ONCE)
    return mistake or _take(now)


def show(now: Session) -> None:
    """How the check stands, and a way to stop it, while one runs."""
    if now.summary.underway is not None:
        _, running = now.summary.underway
        board.show(running, key="checking", stop=now.summary.stop)


def _take(now: Session) -> BaseException | None:
    underway = now.summary.underway
    if underway is None or not underway[1].ended:
        return None
    now.summary.underway = None
    wanted, running = underway
    now.tally = now.tally.plus(running.spent)
    opened = now.papers.get(wanted.paper)
    if isinstance(running.error, VouchError):
        if opened is not None and not running.stopped:
            now.problem = str(running.error)
        return None
    if opened is not None and running.result is not None:
        opened.summary.add(running.result)
    return running.error


def _check(wanted: Wanted, paper: Paper, running: Running[Version]) -> Version:
    report = check_summary(wanted.summary, paper, engine=_engine(wanted.engine), source=wanted.source, progress=running)
    return Version(report, measures(wanted.summary, paper, wanted.source))
