"""What the language models of a plan will use over the rest of a review, before they are asked."""

from __future__ import annotations

from collections.abc import Iterator

from core.bias.llm.engine import estimate_run as estimate_bias
from core.evidence import EvidenceQuery
from core.evidence.llm import estimate_run as estimate_evidence
from core.findings.finding import K
from core.llm import CostEstimate, model_named
from core.paper import Paper
from core.review.jobs import with_full_names
from core.review.planning import MissingAnswers, by_outcome, missing
from core.store import Project, StoreReader, tool_of

_SAMPLE = 3  # papers whose requests are counted; they stand for the others


def estimate_rest(now: StoreReader, project: Project) -> CostEstimate | None:
    """An estimate of all hypotheses and domains that are open, by those of the first papers.

    None where nothing of the kind is open. Criteria are not in it: how they are asked depends on one another. Raises
    `EngineError` for an engine's name that is none.
    """
    plan = with_full_names(project.plan)
    open_ = [one for one in missing(now, project, plan) if one.hypotheses or one.domains]
    found = []
    for one in open_[:_SAMPLE]:
        if (paper := now.text(project.id, one.item)) is not None:
            found += list(_estimates(project, one, paper))
    if not found:
        return None
    times = len(open_) / min(len(open_), _SAMPLE)

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
    """Of one paper, the tasks that a language model has."""
    plan = project.plan
    if (evidence := model_named(plan.evidence or "")) is not None:
        for hypothesis in one.hypotheses:
            query = EvidenceQuery(hypothesis, k=K, results_only=True)
            yield estimate_evidence(evidence, paper, query)
    if (bias := model_named(plan.bias or "")) is not None and one.domains:
        for outcome, domains in by_outcome(tool_of(project), one.domains):
            yield estimate_bias(bias, domains, paper, project.study.for_outcome(outcome))
