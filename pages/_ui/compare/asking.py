"""A comparison from the click to its table: a thread asks the engines one after another."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from core.benchmarks.farebio import GoldSummary, gold_of_report
from core.benchmarks.side_by_side.comparisons import (
    EngineAnswers,
    ask_for_evidence,
    ask_for_judgements,
    ask_for_labels,
    total_cost,
)
from core.benchmarks.side_by_side.model import LETTERS, ComparedTopic, Comparison, Side
from core.engines import TaskKind, check_name, strategy_of
from core.errors import VouchError
from core.llm import ModelName, Spending, model_named
from core.paper import Paper
from core.progress import Progress
from core.summary import Label
from core.summary.splitting import split_summary
from core.summary.writing import written_summary
from pages._ui.compare.state import (
    CompareChoices,
    CompareWork,
    ComparisonRequest,
    HypothesisToCompare,
    SummaryToCompare,
    ToolToCompare,
)
from pages._ui.jobs import BackgroundJob, JobSlot
from pages._ui.model_choice import Keys
from pages._ui.open_paper import OpenPaper
from pages._ui.page_jobs import PaperJob, Work
from pages._ui.state import Session


def check_engine(name: str, task: TaskKind) -> ModelName | None:
    """The language model of this name; None if it is an engine of this machine. Raises `VouchError` for other names."""
    model = model_named(name)
    if model is None:
        check_name(task, name)
    else:
        strategy_of(task, model)
    return model


def ask_engine(
    name: str,
    request: ComparisonRequest,
    paper: Paper,
    *,
    seed: int,
    keys: Keys,
    job: BackgroundJob[Comparison],
    progress: Progress,
) -> EngineAnswers:
    """Ask one engine once. Raises `VouchError`."""
    with job.engine(request.what.task, name, keys, request.budget, seed=seed) as engine:
        return _answer(engine, request, paper, progress)


def _answer(engine: Any, request: ComparisonRequest, paper: Paper, progress: Progress) -> EngineAnswers:
    match request.what:
        case HypothesisToCompare(query):
            return ask_for_evidence(engine, paper, query, progress=progress)
        case ToolToCompare(tool, study):
            return ask_for_judgements(engine, paper, tool, study, progress=progress)
        case SummaryToCompare(summary, source):
            return ask_for_labels(engine, paper, summary, source, progress=progress)


# ---- comparison ----


class _Comparing(PaperJob[ComparisonRequest, Comparison]):
    key = "comparing"

    def slot(self, session: Session) -> JobSlot[ComparisonRequest, Comparison]:
        return session.part(CompareChoices).comparisons

    def work_on(self, session: Session, opened: OpenPaper, request: ComparisonRequest) -> Work[Comparison]:
        return partial(_compare, request, opened.paper, session.keys)

    def keep_with(self, session: Session, opened: OpenPaper, request: ComparisonRequest, result: Comparison) -> None:
        opened.part(CompareWork).keep(result)


COMPARING = _Comparing()


def _compare(request: ComparisonRequest, paper: Paper, keys: Keys, job: BackgroundJob[Comparison]) -> Comparison:
    """Ask every engine, one after another. A failure is reported with its engine, and the others go on."""
    request = _with_summaries(request, paper, keys, job)
    # an engine of this machine would give the same answer again
    times = [request.times if model_named(name) else 1 for name in request.engines]
    sides = []
    for place, name in enumerate(request.engines):
        asks = [
            partial(
                ask_engine, name, request, paper, seed=seed, keys=keys, job=job,
                progress=_share(job, sum(times[:place]) + seed, sum(times), f"{LETTERS[place]} · {name}"),
            )
            for seed in range(times[place])
        ]  # fmt: skip
        sides.append(_side(LETTERS[place], name, asks, job))
    return replace(_topics(request, paper), sides=tuple(sides))


def _with_summaries(
    request: ComparisonRequest, paper: Paper, keys: Keys, job: BackgroundJob[Comparison]
) -> ComparisonRequest:
    """The request with its writers' summaries, made one after another. Raises `VouchError` if all writers fail."""
    what = request.what
    if not isinstance(what, SummaryToCompare) or not what.writers:
        return request
    summary = ""
    parts: list[tuple[str, int]] = []
    failed: list[str] = []
    for name in what.writers:
        job(0.0, f"{name} writes a summary")
        model = model_named(name)
        assert model is not None  # checked when it was asked for  # noqa: S101
        try:
            with job.asking(model, keys, request.budget) as asker:
                text = written_summary(paper, writer=asker, source=what.source)
        except VouchError as error:
            failed.append(f"{name} wrote no summary: {error}")
            if len(failed) == len(what.writers):
                raise
            continue
        summary = "\n\n".join(filter(None, (summary, text.strip())))  # so that no sentence crosses two parts
        parts.append((name, len(summary)))
    return replace(request, what=replace(what, summary=summary, parts=tuple(parts), failed=tuple(failed)))


def _share(job: BackgroundJob[Comparison], number: int, of: int, who: str) -> Progress:
    return lambda done, step: job((number + done) / of, f"{who}: {step}")


def _side(letter: str, name: str, asks: Sequence[Callable[[], EngineAnswers]], job: BackgroundJob[Comparison]) -> Side:
    """Combine an engine's answers, with their time and cost, up to the first failure."""
    answers: list[EngineAnswers] = []
    error, before = None, job.spent
    try:
        for ask in asks:
            answers.append(ask())
    except VouchError as failure:
        error = str(failure)
    cost = total_cost([answer.cost_usd for answer in answers]) if error is None else _since(before, job.spent)
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
    """What was spent in between; None if that is unknown."""
    if after.calls == before.calls:
        return 0.0
    return None if before.usd is None or after.usd is None else after.usd - before.usd


def _topics(request: ComparisonRequest, paper: Paper) -> Comparison:
    """A comparison with the topics that are asked about, but without answers."""
    everything = frozenset(sentence.index for sentence in paper.pool)
    match request.what:
        case HypothesisToCompare(query, gold):
            pool = frozenset(sentence.index for sentence in query.candidates(paper))
            topic = ComparedTopic(query.hypothesis, gold)
            return Comparison(request.what.task, query.hypothesis, (topic,), (), pool=pool)
        case ToolToCompare(tool, _, own):
            topics = tuple(
                ComparedTopic(domain.name, gold_label=level) for domain, level in zip(tool.domains, own, strict=True)
            )
            return Comparison(request.what.task, tool.name, topics, (), tuple(tool.scale), everything)
        case SummaryToCompare(text, _, golds, parts=parts, failed=failed):
            topics = tuple(
                ComparedTopic(
                    one.text,
                    gold_label=_gold_label(one.text, golds),
                    author=next((name for name, end in parts if one.start < end), ""),
                )
                for one in split_summary(text)
            )
            return Comparison(request.what.task, text, topics, (), tuple(Label), everything, failed)


def _gold_label(text: str, golds: Sequence[GoldSummary]) -> str | None:
    """The gold label of a sentence in any labelled summary of the paper; None unless there is exactly one label."""
    found = (gold_of_report(text, gold.sentences) for gold in golds)
    return next((one.labels[0] for one in found if one is not None and len(one.labels) == 1), None)
