"""Runs from the click to their results: begun in a thread, shown while they last, and taken once."""

from __future__ import annotations

from functools import partial

from core.errors import VouchError
from core.runs.order import Order, carry_out
from core.store import Runs
from core.work.standing import Standing
from pages._ui import board
from pages._ui.benchmarks.work import RunningSeries, Series, SeriesOutcome
from pages._ui.review.stored import the_store
from pages._ui.running import Running
from pages._ui.state import Session


def go_on(now: Session) -> BaseException | None:
    """Take what runs have brought, and begin those that were asked for.

    Returns a mistake of ours that one met, to be raised when the page has been drawn; it is not met again.
    """
    mistake = _take(now)
    if (series := now.bench.due()) is None:
        return mistake
    try:
        runs = the_store().runs
    except VouchError as error:
        now.problem = str(error)
        return mistake
    outcome = SeriesOutcome()
    work = partial(_carry_out, series, runs, outcome)
    now.bench.start(RunningSeries(series, Running(work, watched=board.watched()), outcome))
    return mistake or _take(now)


def show(now: Session) -> None:
    """How the runs stand, and a way to stop them, while they last."""
    if (underway := now.bench.underway) is not None:
        task = underway.wanted.orders[0].task
        board.show(underway.running, key="benchmarking", stop=now.bench.stop, about=task, tells_time=True)


def _take(now: Session) -> BaseException | None:
    if (ended := now.bench.ended()) is None:
        return None
    outcome = ended.outcome
    now.bench.tables += 1
    if outcome.finished:
        now.bench.show(tuple(outcome.finished))
    if outcome.refused:
        now.problem = " ".join(outcome.refused)
    return ended.running.error


def _carry_out(series: Series, runs: Runs, outcome: SeriesOutcome, running: Running[None]) -> None:
    """One run after the other, in their thread. What one cannot be run for keeps no other from it."""
    for number, order in enumerate(series.orders):
        running(number / len(series.orders), f"{order.engine}: getting ready")
        try:
            report = partial(_report, running, order, number, len(series.orders))
            complete = carry_out(order, runs, retry=series.retry, report=report)
        except VouchError as error:
            outcome.refused.append(f"{order.engine}: {error}")
        else:
            outcome.finished.append(complete.setup.id)


def _report(running: Running[None], order: Order, number: int, of: int, standing: Standing) -> None:
    running((number + standing.share) / of, f"{order.engine}: {standing.in_words}")
