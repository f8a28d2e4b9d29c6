"""Estimates what the language models of a plan will use for the rest of a review, before they are asked."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from core.bias.llm.engine import estimate_run as estimate_bias
from core.evidence import EvidenceQuery
from core.evidence.llm import estimate_run as estimate_evidence
from core.findings.finding import K
from core.llm import CostEstimate, model_named
from core.paper import Paper
from core.review.jobs import with_full_names
from core.review.planning import MissingAnswers, by_outcome, missing
from core.store import Project, StoreReader, tool_of

_SAMPLE = 3  # papers whose requests are counted, as a sample of the others


def estimate_rest(now: StoreReader, project: Project) -> CostEstimate | None:
    """An estimate for all open hypotheses and domains, extrapolated from the first papers with a text.

    None if there are none. Criteria are left out, because how one is asked depends on the others. Raises `EngineError`
    for an unknown engine.
    """
    plan = with_full_names(project.plan)
    open_ = [one for one in missing(now, project, plan) if one.hypotheses or one.domains]
    read = ((one, paper) for one in open_ if (paper := now.text(project.id, one.item)) is not None)
    sample = tuple(islice(read, _SAMPLE))
    found = [estimate for one, paper in sample for estimate in _estimates(project, one, paper)]
    if not found:
        return None
    times = len(open_) / len(sample)

    def scaled(values: list[int]) -> int:
        return round(times * sum(values))

    def money(values: list[float | None]) -> float | None:
        known = [value for value in values if value is not None]
        return times * sum(known) if len(known) == len(values) else None

    return CostEstimate(
        scaled([one.calls for one in found]),
        scaled([one.input_tokens for one in found]),
        scaled([one.least_output_tokens for one in found]),
        scaled([one.most_output_tokens for one in found]),
        money([one.least_usd for one in found]),
        money([one.most_usd for one in found]),
    )


def _estimates(project: Project, one: MissingAnswers, paper: Paper) -> Iterator[CostEstimate]:
    """The estimates for one paper's tasks that a language model does."""
    plan = project.plan
    if (evidence := model_named(plan.evidence or "")) is not None:
        for hypothesis in one.hypotheses:
            query = EvidenceQuery(hypothesis, k=K, results_only=True)
            yield estimate_evidence(evidence, paper, query)
    if (bias := model_named(plan.bias or "")) is not None and one.domains:
        for outcome, domains in by_outcome(tool_of(project), one.domains):
            yield estimate_bias(bias, domains, paper, project.study.for_outcome(outcome))
