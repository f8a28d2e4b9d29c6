"""Judgements of one paper as the JSON document of `bias --json`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from core.bias import Domain, Judgement, Tool
from core.bias.suggesting import Outcome
from core.evidence.model import NoAnswer
from core.export.model_run import run_document
from core.paper import Paper


def as_document(
    tool: Tool, outcomes: Sequence[Outcome], paper: Paper, engine: str, *, cost_usd: float | None
) -> dict[str, object]:
    """The outcomes as the JSON document of `bias --json`; a level that is missing is null."""
    levels = {one.domain.id: one.suggestion.judgement.level if one.suggestion else None for one in outcomes}
    return {
        "tool": tool.id,
        "engine": engine,
        "title": paper.title,
        "domains": [_domain_document(one, paper) for one in outcomes],
        "overall": tool.overall_level(levels),
        "cost_usd": cost_usd,
    }


def cost_of(outcomes: Iterable[Outcome]) -> float | None:
    """What all of them cost, those that failed too; None if that of any is unknown."""
    costs = [_cost(one) for one in outcomes]
    return None if None in costs else sum(cost for cost in costs if cost is not None)


def _cost(one: Outcome) -> float | None:
    if one.suggestion is not None:
        return one.suggestion.cost_usd
    return one.error.run.cost_usd if isinstance(one.error, NoAnswer) else 0.0


def judgement_document(domain: Domain, judgement: Judgement, sentences: Sequence[str]) -> dict[str, Any]:
    """A judgement; support points into `sentences`."""
    return {
        "domain": domain.id,
        "judgement": judgement.level,
        "rationale": judgement.rationale,
        "support": [
            {
                "index": support.index,
                "text": sentences[support.index],
                "score": support.score,
                "reason": support.reason or None,
                "match": support.match,
            }
            for support in judgement.support
        ],
        "answers": dict(judgement.answers),
        "deciding_words": list(judgement.deciding_words),
        "not_in_paper": list(judgement.not_in_paper),
    }


def _domain_document(one: Outcome, paper: Paper) -> dict[str, Any]:
    run = one.suggestion.run if one.suggestion else one.error.run if isinstance(one.error, NoAnswer) else None
    judgement = one.suggestion.judgement if one.suggestion else Judgement(one.domain.id, None, "")
    return {
        **judgement_document(one.domain, judgement, [sentence.text for sentence in paper.sentences]),
        "name": one.domain.name,
        "searched": list(judgement.searched),
        "rejected": [{"index": index, "text": paper.sentences[index].text} for index in judgement.rejected],
        "error": str(one.error) if one.error else None,
        "run": run_document(run),
    }
