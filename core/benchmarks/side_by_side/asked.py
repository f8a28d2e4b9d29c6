"""One engine asked about all topics of a comparison: what it gave, how long it took, and what it cost."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from core.benchmarks.side_by_side.model import Given
from core.bias import StudyContext, Tool
from core.bias.engine import BiasEngine
from core.bias.model import Judgement
from core.bias.suggesting import Outcome, suggest_each
from core.evidence.model import EvidenceEngine, EvidenceQuery
from core.paper import Paper
from core.progress import Progress, silent
from core.summary import SummaryEngine, SummarySource, check_summary


@dataclass(frozen=True, slots=True)
class Asked:
    """What came of asking once."""

    given: tuple[Given | None, ...]  # by topic; None: it failed on this one
    seconds: float
    cost_usd: float | None = 0.0  # None: unknown
    error: str | None = None  # the first of its failures


def ask_for_evidence(
    engine: EvidenceEngine, paper: Paper, query: EvidenceQuery, *, progress: Progress = silent
) -> Asked:
    """The sentences for the hypothesis, the only topic. Raises what the engine raises."""
    found = engine.find(paper, query, progress=progress)
    return Asked((Given(found.indices),), found.seconds, found.cost_usd)


def ask_for_judgements(
    engine: BiasEngine, paper: Paper, tool: Tool, study: StudyContext, *, progress: Progress = silent
) -> Asked:
    """The level and the support of every domain of the tool. A domain that fails is one without an answer."""
    started = time.perf_counter()
    outcomes = {
        outcome.domain.id: outcome
        for outcome in suggest_each(tool.domains, paper, study, engine=engine, progress=progress)
    }
    suggestions = [outcomes[domain.id].suggestion for domain in tool.domains]
    costs = [suggestion.cost_usd for suggestion in suggestions if suggestion is not None]
    return Asked(
        tuple(_given(suggestion.judgement) if suggestion else None for suggestion in suggestions),
        time.perf_counter() - started,
        total_cost(costs),
        _first_error([outcomes[domain.id] for domain in tool.domains]),
    )


def ask_for_labels(
    engine: SummaryEngine, paper: Paper, summary: str, source: SummarySource, *, progress: Progress = silent
) -> Asked:
    """The label and the support of every sentence of the summary. Raises what the engine raises."""
    report = check_summary(summary, paper, engine=engine, source=source, progress=progress)
    return Asked(
        tuple(
            Given(tuple(found.index for found in check.support if found.index is not None), check.label)
            for check in report.sentences
        ),
        report.seconds,
        report.cost_usd,
    )


def _given(judgement: Judgement) -> Given:
    return Given(tuple(support.index for support in judgement.support), judgement.level)


def total_cost(costs: Sequence[float | None]) -> float | None:
    """What several answers cost together; None if any of it is unknown."""
    return None if None in costs else sum(cost for cost in costs if cost is not None)


def _first_error(outcomes: Sequence[Outcome]) -> str | None:
    return next((f"{outcome.domain.name}: {outcome.error}" for outcome in outcomes if outcome.error), None)
