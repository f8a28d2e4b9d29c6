"""Builds comparisons by asking engines, or from saved runs."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from core.benchmarks.model import Item, ItemResult, Run
from core.benchmarks.side_by_side.groups import Rated
from core.benchmarks.side_by_side.model import LETTERS, ComparedTopic, Comparison, Side, TopicAnswer
from core.benchmarks.tasks import gold_of, paper_of
from core.bias import StudyContext, Tool
from core.bias.engine import BiasEngine, DomainOutcome, suggest_each
from core.bias.model import Judgement
from core.engines import TaskKind
from core.evidence.model import EvidenceEngine, EvidenceQuery, candidates
from core.paper import Paper
from core.progress import Progress, silent
from core.summary import SummaryEngine, SummarySource, check_summary

# ---- asked ----
# Ask one engine about all topics of a comparison: its answers, time and cost.


@dataclass(frozen=True, slots=True)
class EngineAnswers:
    """An engine's answers to all topics, asked once."""

    given: tuple[TopicAnswer | None, ...]  # by topic; None: it failed on this one
    seconds: float
    cost_usd: float | None = 0.0  # None: unknown
    error: str | None = None  # the first of its failures


def ask_for_evidence(
    engine: EvidenceEngine, paper: Paper, query: EvidenceQuery, *, progress: Progress = silent
) -> EngineAnswers:
    """Ask for the sentences on the hypothesis, the only topic. Raises what the engine raises."""
    found = engine.find(paper, query, progress=progress)
    return EngineAnswers((TopicAnswer(found.indices),), found.seconds, found.cost_usd)


def ask_for_judgements(
    engine: BiasEngine, paper: Paper, tool: Tool, study: StudyContext, *, progress: Progress = silent
) -> EngineAnswers:
    """Ask for the level and the support of every domain of the tool. A domain that fails has no answer."""
    started = time.perf_counter()
    outcomes = {
        outcome.domain.id: outcome
        for outcome in suggest_each(tool.domains, paper, study, engine=engine, progress=progress)
    }
    suggestions = [outcomes[domain.id].suggestion for domain in tool.domains]
    costs = [suggestion.cost_usd for suggestion in suggestions if suggestion is not None]
    return EngineAnswers(
        tuple(_given(suggestion.judgement) if suggestion else None for suggestion in suggestions),
        time.perf_counter() - started,
        total_cost(costs),
        _first_error([outcomes[domain.id] for domain in tool.domains]),
    )


def ask_for_labels(
    engine: SummaryEngine, paper: Paper, summary: str, source: SummarySource, *, progress: Progress = silent
) -> EngineAnswers:
    """Ask for the label and the support of every sentence of the summary. Raises what the engine raises."""
    report = check_summary(summary, paper, engine=engine, source=source, progress=progress)
    return EngineAnswers(
        tuple(
            TopicAnswer(tuple(found.index for found in check.support if found.index is not None), check.label)
            for check in report.sentences
        ),
        report.seconds,
        report.cost_usd,
    )


def _given(judgement: Judgement) -> TopicAnswer:
    return TopicAnswer(tuple(support.index for support in judgement.support), judgement.level)


def total_cost(costs: Sequence[float | None]) -> float | None:
    """The total cost of several answers; None if any is unknown."""
    return None if None in costs else sum(cost for cost in costs if cost is not None)


def _first_error(outcomes: Sequence[DomainOutcome]) -> str | None:
    return next((f"{outcome.domain.name}: {outcome.error}" for outcome in outcomes if outcome.error), None)


# ---- of runs ----
# Saved runs of one task side by side: all items together, item by item, and a single item marked in its paper.

NO_MERIT = ("best_possible", "gold")  # scores that are the same whatever an engine does


@dataclass(frozen=True, slots=True)
class ItemComparison(Rated):
    """One item in every run. `wrong` is known if its gold is a label, or if every score is 0 or 1."""

    id: str
    results: tuple[ItemResult, ...]  # by run
    scores: tuple[float | None, ...]  # by run, on the task's first metric

    @property
    def disputed(self) -> bool:
        """Whether the engines answered differently: different labels, or different sentences."""
        return len({_answered(result) for result in self.results}) > 1

    @property
    def ahead(self) -> int | None:
        """The index of the only run with the highest score; None if there is no score, or several share it."""
        best = max((score for score in self.scores if score is not None), default=None)
        return self.scores.index(best) if best is not None and self.scores.count(best) == 1 else None


def item_comparisons(runs: Sequence[Run]) -> tuple[ItemComparison, ...]:
    """Every item that all runs have, in the data's order. Needs at least one run."""
    rows = [{item.id: item for item in run.items} for run in runs]
    return tuple(_standing(id, [row[id] for row in rows]) for id in rows[0] if all(id in row for row in rows))


def _standing(id: str, results: Sequence[ItemResult]) -> ItemComparison:
    measure = next((name for name in results[0].scores if name not in NO_MERIT), None)
    scores = tuple(result.scores.get(measure) if measure else None for result in results)
    wrong: tuple[bool, ...] = ()
    if results[0].labels:
        wrong = tuple(result.label not in results[0].labels for result in results)
    elif all(score in (0.0, 1.0) for score in scores):
        wrong = tuple(score == 0.0 for score in scores)
    return ItemComparison(id, tuple(results), scores, wrong=wrong)


def _answered(result: ItemResult) -> object:
    answer = result.response.answer
    return result.label if result.labels else frozenset(answer.sentences)


def comparison_of_runs(runs: Sequence[Run], task: TaskKind) -> Comparison:
    """A comparison whose topics are the items that all runs have, for overall figures.

    There is no kappa over sentences, because without the papers the pool of sentences is unknown.
    """
    items = item_comparisons(runs)
    scale = dict.fromkeys(
        label for item in items for result in item.results if result.labels
        for label in (*result.labels, result.label) if label is not None
    )  # fmt: skip
    sides = tuple(
        Side(
            letter,
            run.engine,
            tuple(_answer_in(item.results[place]) for item in items),
            sum(item.results[place].response.seconds for item in items),
            total_cost([item.results[place].response.cost_usd for item in items]),
        )
        for place, (letter, run) in enumerate(zip(LETTERS, runs, strict=False))
    )
    topics = tuple(ComparedTopic(item.id, gold_label=next(iter(item.results[0].labels), None)) for item in items)
    return Comparison(task, runs[0].task, topics, sides, tuple(scale))


def comparison_of_item(runs: Sequence[Run], item: Item[Any, Any], task: TaskKind, question: str) -> Comparison:
    """A comparison of every run's answer to one item, to mark in its paper."""
    paper = paper_of(item)
    pool = frozenset(sentence.index for sentence in candidates(paper)) if paper else frozenset[int]()
    sides = []
    for letter, run in zip(LETTERS, runs, strict=False):
        result = next(one for one in run.items if one.id == item.id)
        response = result.response
        sides.append(
            Side(letter, run.engine, (_answer_in(result),), response.seconds, response.cost_usd, response.error)
        )
    topic = ComparedTopic(question, gold_of(item), next(iter(item.labels), None))
    given = [one.label for side in sides for one in side.given if one]
    scale = dict.fromkeys(label for label in (*item.labels, *given) if label is not None) if item.labels else {}
    return Comparison(task, question, (topic,), tuple(sides), tuple(scale), pool)


def _answer_in(result: ItemResult) -> TopicAnswer | None:
    """An engine's answer, without negative indices, which stand for quotations that are not in the paper."""
    if result.error is not None:
        return None
    answer = result.response.answer
    return TopicAnswer(tuple(index for index in answer.sentences if index >= 0), result.label)
