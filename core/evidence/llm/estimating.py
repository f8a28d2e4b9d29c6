"""What a run will ask, as far as that can be told before the first answer. Nothing is sent."""

from __future__ import annotations

from core.evidence.llm import parts
from core.evidence.llm.strategies import FINAL_CHOICE, plan
from core.evidence.llm.wording import Strategy, Wording
from core.evidence.model import EvidenceQuery
from core.llm import Estimate, ModelName, Request, estimate
from core.paper import Paper


def estimate_run(model: ModelName, strategy: Strategy, paper: Paper, query: EvidenceQuery) -> Estimate:
    """What a run will use if no answer has to be asked for again and none is in the cache."""
    return estimate(expected_requests(strategy, paper, query), f"{model.provider}:{model.model}")


def expected_requests(strategy: Strategy, paper: Paper, query: EvidenceQuery) -> tuple[Request, ...]:
    """The requests of the first stage and, where sections come first, one final choice.

    Which sentences that one will show depends on the answers: here it shows the first k of every section.
    """
    wording = Wording(strategy, paper, query)
    first = next(plan(strategy, paper, query, wording, lambda reply: None), ())
    if not first or strategy is not Strategy.SECTIONS:
        return first
    numbers = [
        number for part in parts.sections(paper, query.candidates(paper)) for number in list(part.shown)[: query.k]
    ]
    return (*first, wording.choice(parts.chosen(paper, numbers), label=FINAL_CHOICE))
