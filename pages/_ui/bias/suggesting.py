"""Suggestions from the click to the desk: made in a thread, domain by domain, and taken as they come."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from queue import Empty, SimpleQueue

from core.bias.engine import BiasEngine
from core.bias.engines import bias_engine_named
from core.bias.llm.engine import ModelBiasEngine, strategy_of
from core.bias.llm.strategies import labels
from core.bias.suggesting import Outcome, suggest_each
from core.errors import VouchError
from core.evidence.llm.live import WatchedRunner
from core.llm import Budget, Provider, model_named, open_runner
from core.paper import Paper
from pages._ui import board
from pages._ui.bias.work import Suggesting, Wanted
from pages._ui.frame import elsewhere
from pages._ui.review.stored import the_store
from pages._ui.running import Running
from pages._ui.state import Session


@cache
def _local_engine(name: str) -> BiasEngine:
    """An engine of this machine. Those that ask a model know a key, and are never shared."""
    return bias_engine_named(name)


def go_on(now: Session) -> BaseException | None:
    """Keep the suggestions that have come, and begin to make those that were asked for.

    Returns a mistake of ours that the work met, to be raised when the page has been drawn; it is not met again.
    """
    mistake = _take(now)
    if (wanted := now.bias.due()) is None or (opened := now.papers.get(wanted.paper)) is None:
        return mistake
    came: SimpleQueue[Outcome] = SimpleQueue()
    work = partial(_make, wanted, opened.paper, came, now.keys.of)
    now.bias.start(Suggesting(wanted, Running(work, watched=board.watched()), came))
    return mistake or _take(now)


def show(now: Session) -> None:
    """How far it is, and a way to stop it, while suggestions are made."""
    underway = now.bias.underway
    if underway is None:
        return
    board.show(
        underway.running,
        key="suggesting",
        stop=now.bias.stop,
        about=elsewhere(now, underway.wanted.paper),
        has_news=lambda: not underway.came.empty(),
    )


def _take(now: Session) -> BaseException | None:
    """Keep what has come with its paper. Returns a mistake of ours."""
    underway = now.bias.underway
    if underway is None:
        return None
    ended = underway.running.ended  # asked first: what comes after this is taken the next time
    try:
        while True:
            outcome = underway.came.get_nowait()
            _keep(now, underway.wanted, outcome)
            if outcome.error is not None:
                underway.failed.append(outcome)
    except Empty:
        pass
    except VouchError as error:  # the store does not answer
        now.problem = str(error)
    if not ended:
        return None
    now.bias.underway = None
    running = underway.running
    now.tally = now.tally.plus(running.spent)
    if isinstance(running.error, VouchError):
        now.problem = str(running.error)
        return None
    if underway.failed and not running.stopped:
        now.problem = _failures(underway.failed)
    return running.error


def _keep(now: Session, wanted: Wanted, outcome: Outcome) -> None:
    """Raises `StoreError`."""
    opened = now.papers.get(wanted.paper)
    if wanted.sheet is None and opened is not None:
        opened.bias.with_tool(wanted.tool).keep(outcome, wanted.engine)
    elif wanted.sheet is not None and outcome.suggestion is not None:
        wanted.sheet.keep_suggestion(the_store(), outcome.suggestion)


def _failures(failed: list[Outcome]) -> str:
    """Why there is no suggestion, in a sentence or two."""
    causes = {str(outcome.error) for outcome in failed}
    names = ", ".join(f"“{outcome.domain.name}”" for outcome in failed)
    others = " For the others the cause is another." if len(causes) > 1 else ""
    return f"No suggestion for {names}: {failed[0].error}{others}"


def _make(
    wanted: Wanted,
    paper: Paper,
    came: SimpleQueue[Outcome],
    key_of: Callable[[Provider], str | None],
    running: Running[None],
) -> None:
    """Make them, in the thread."""
    name = model_named(wanted.engine)
    if name is None:
        _judge(_local_engine(wanted.engine), wanted, paper, came, running)
        return
    with open_runner(name, key=key_of(name.provider), budget=wanted.budget or Budget()) as runner:
        running.count(runner)
        to_come = labels(strategy_of(name), wanted.tool.domains)
        engine = ModelBiasEngine(name, WatchedRunner(runner, running.show, to_come=to_come))
        _judge(engine, wanted, paper, came, running)


def _judge(
    engine: BiasEngine, wanted: Wanted, paper: Paper, came: SimpleQueue[Outcome], running: Running[None]
) -> None:
    for outcome in suggest_each(wanted.tool.domains, paper, wanted.study, engine=engine, progress=running):
        came.put(outcome)
