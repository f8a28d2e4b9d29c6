"""A comparison from the click to its table: engines asked in a thread, one after the other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache, partial
from typing import Any

from core.benchmarks.farebio import GoldSummary, gold_of_report
from core.benchmarks.side_by_side.comparisons import (
    EngineAnswers,
    ask_for_evidence,
    ask_for_judgements,
    ask_for_labels,
    total_cost,
)
from core.benchmarks.side_by_side.model import LETTERS, Comparison, ComparisonTask, Side, Topic
from core.engines import TaskKind, engine_on, open_engine, strategy_of
from core.errors import VouchError
from core.grounding.questions import ReportingRunner
from core.llm import ModelName, Provider, Spending, model_named, open_runner
from core.paper import Paper
from core.progress import Progress
from core.summary import Label
from core.summary.splitting import split_summary
from pages._ui import jobs
from pages._ui.compare.state import BiasQuestion, ComparisonRequest, EvidenceQuestion, SummaryQuestion
from pages._ui.frame import elsewhere
from pages._ui.jobs import BackgroundJob, RunningJob
from pages._ui.state import Session

# ---- engines ----
# The engines of a comparison, asked in its thread: those of this machine, and language models with a key and a seed.


@cache
def _local(task: TaskKind, name: str) -> Any:
    """An engine of this machine. Those that ask a model know a key, and are never shared."""
    return open_engine(task, name)


def check_engine(name: str, task: ComparisonTask) -> ModelName | None:
    """The language model of this name; None for an engine of this machine. Raises `VouchError` if there is neither."""
    kind, model = TaskKind(task), model_named(name)
    if model is None:
        _local(kind, name)
    else:
        strategy_of(kind, model)
    return model


def ask_engine(
    name: str,
    wanted: ComparisonRequest,
    paper: Paper,
    *,
    seed: int,
    key_of: Callable[[Provider], str | None],
    running: BackgroundJob[Any],
    progress: Progress,
) -> EngineAnswers:
    """Ask one engine once. Raises `VouchError`."""
    kind, model = TaskKind(wanted.what.task), model_named(name)
    if model is None:
        return _answer(_local(kind, name), wanted, paper, progress)
    with open_runner(model, key=key_of(model.provider), budget=wanted.budget, seed=seed) as runner:
        running.count(runner)
        return _answer(engine_on(kind, model, ReportingRunner(runner, running.show)), wanted, paper, progress)


def _answer(engine: Any, wanted: ComparisonRequest, paper: Paper, progress: Progress) -> EngineAnswers:
    match wanted.what:
        case EvidenceQuestion(query):
            return ask_for_evidence(engine, paper, query, progress=progress)
        case BiasQuestion(tool, study):
            return ask_for_judgements(engine, paper, tool, study, progress=progress)
        case SummaryQuestion(summary, source):
            return ask_for_labels(engine, paper, summary, source, progress=progress)


# ---- asking ----
# A comparison from the click to its table: made in a thread, engine by engine, and taken once.


def go_on(now: Session) -> BaseException | None:
    """Take what a comparison has brought, and begin the one that was asked for.

    Returns a mistake of ours that the work met, to be raised when the page has been drawn; it is not met again.
    """
    mistake = _take(now)
    if (wanted := now.compare.due()) is None or (opened := now.papers.get(wanted.paper)) is None:
        return mistake
    work = partial(_compare, wanted, opened.paper, now.keys.of)
    now.compare.start(RunningJob(wanted, BackgroundJob(work, watched=jobs.window_is_open())))
    return mistake or _take(now)


def show_progress(now: Session) -> None:
    """How the comparison stands, and a way to stop it, while one is made."""
    if (underway := now.compare.underway) is not None:
        about = elsewhere(now, underway.wanted.paper)
        jobs.show_job(underway.running, key="comparing", stop=now.compare.stop, about=about)


def _take(now: Session) -> BaseException | None:
    if (ended := now.compare.ended()) is None:
        return None
    running = ended.running
    now.tally = now.tally.plus(running.spent)
    opened = now.papers.get(ended.wanted.paper)
    if isinstance(running.error, VouchError):
        if not running.stopped:
            now.problem = str(running.error)
        return None
    if opened is not None and running.result is not None:
        opened.compared.keep(running.result)
    return running.error


def _compare(
    wanted: ComparisonRequest,
    paper: Paper,
    key_of: Callable[[Provider], str | None],
    running: BackgroundJob[Comparison],
) -> Comparison:
    """Ask every engine, one after another. One that fails is told, and the others go on."""
    # An engine of this machine would say the same again.
    times = [wanted.times if model_named(name) else 1 for name in wanted.engines]
    sides = []
    for place, name in enumerate(wanted.engines):
        asks = [
            partial(
                ask_engine, name, wanted, paper, seed=seed, key_of=key_of, running=running,
                progress=_share(running, sum(times[:place]) + seed, sum(times), f"{LETTERS[place]} · {name}"),
            )
            for seed in range(times[place])
        ]  # fmt: skip
        sides.append(_side(LETTERS[place], name, asks, running))
    return replace(_topics(wanted, paper), sides=tuple(sides))


def _share(running: BackgroundJob[Comparison], number: int, of: int, who: str) -> Progress:
    return lambda done, step: running((number + done) / of, f"{who}: {step}")


def _side(
    letter: str, name: str, asks: Sequence[Callable[[], EngineAnswers]], running: BackgroundJob[Comparison]
) -> Side:
    """What all of an engine's answers took and cost together, up to the first that fails."""
    answers: list[EngineAnswers] = []
    error, before = None, running.spent
    try:
        for ask in asks:
            answers.append(ask())
    except VouchError as failure:
        error = str(failure)
    cost = total_cost([answer.cost_usd for answer in answers]) if error is None else _since(before, running.spent)
    if not answers:
        return Side(letter, name, cost_usd=cost, error=error)
    return Side(
        letter,
        name,
        answers[0].given,
        seconds=sum(answer.seconds for answer in answers),
        cost_usd=cost,
        error=error or answers[0].error,
        again=tuple(answer.given for answer in answers[1:]),
    )


def _since(before: Spending, after: Spending) -> float | None:
    """What was spent in between; None: unknown."""
    if after.calls == before.calls:
        return 0.0
    return None if before.usd is None or after.usd is None else after.usd - before.usd


def _topics(wanted: ComparisonRequest, paper: Paper) -> Comparison:
    """What was asked, without the answers."""
    everything = frozenset(sentence.index for sentence in paper.pool)
    match wanted.what:
        case EvidenceQuestion(query, gold):
            pool = frozenset(sentence.index for sentence in query.candidates(paper))
            topic = Topic(query.hypothesis, gold)
            return Comparison(wanted.what.task, query.hypothesis, (topic,), (), pool=pool)
        case BiasQuestion(tool, _, own):
            topics = tuple(
                Topic(domain.name, gold_label=level) for domain, level in zip(tool.domains, own, strict=True)
            )
            return Comparison(wanted.what.task, tool.name, topics, (), tuple(tool.scale), everything)
        case SummaryQuestion(text, _, golds):
            topics = tuple(Topic(one.text, gold_label=_gold_label(one.text, golds)) for one in split_summary(text))
            return Comparison(wanted.what.task, text, topics, (), tuple(Label), everything)


def _gold_label(text: str, golds: Sequence[GoldSummary]) -> str | None:
    """What people said of a sentence, in whichever labelled summary of the paper it stands; None if not in which way it is wrong."""
    found = (gold_of_report(text, gold.sentences) for gold in golds)
    return next((one.labels[0] for one in found if one is not None and len(one.labels) == 1), None)
