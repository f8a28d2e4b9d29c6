"""Money and tokens in words. What is unknown is called unknown, and never shown as nothing."""

from __future__ import annotations

from collections.abc import Iterable

from core.evidence import ModelRun
from core.evidence.model import Step
from core.llm import Estimate, Usage, prices_date
from pages._ui.model_choice import Tally


def dollars(usd: float) -> str:
    """An amount, as exact as it is small."""
    if usd >= 1:
        return f"${usd:,.2f}"
    return f"${usd:.4f}" if usd >= 0.00005 else "less than $0.0001" if usd else "$0"


def run_cost(run: ModelRun) -> str:
    """What a run cost, and how many tokens that were."""
    cost = "cost unknown" if run.cost_usd is None else f"cost {dollars(run.cost_usd)}"
    return f"{cost} ({_counted(_tokens(run.steps))})"


def step_cost(step: Step) -> str:
    """What one question used and cost; no amount where it is unknown, which is said once above them all."""
    if step.from_cache:
        return "kept from before"
    if step.cost_usd == 0:
        return "cost nothing"
    tokens = _counted(_tokens([step]))
    return tokens if step.cost_usd is None else f"{tokens}, {dollars(step.cost_usd)}"


def _tokens(steps: Iterable[Step]) -> int | None:
    """Input and output of the steps that cost something, or may have; None if a count is missing."""
    usages = [step.usage or Usage(None, None) for step in steps if step.cost_usd != 0]
    counts = [count for usage in usages for count in (usage.input_tokens, usage.output_tokens)]
    return None if None in counts else sum(count for count in counts if count is not None)


def used(tokens: int) -> str:
    """The tokens of calls that were answered; a server that counts none has not used none."""
    return _counted(tokens or None)


def _counted(tokens: int | None) -> str:
    return "tokens unknown" if tokens is None else f"{tokens:,} tokens"


def estimate_in_words(estimate: Estimate) -> str:
    """What a run will use, before it."""
    calls = f"{estimate.calls} call{'s' * (estimate.calls != 1)}"
    if estimate.least_usd is None or estimate.most_usd is None:
        money = "cost unknown: Vouch has no price for this model"
    else:
        money = f"{dollars(estimate.least_usd)} to {dollars(estimate.most_usd)} at the prices of {prices_date()}"
    return f"About {calls} with {estimate.input_tokens:,} tokens of input, output not counted · {money}"


def tally_in_words(tally: Tally) -> str:
    """What this session has cost so far; empty before its first call."""
    if not tally.calls:
        return ""
    calls = f"{tally.calls} call{'s' * (tally.calls != 1)}, {used(tally.tokens)}"
    if tally.all_known:
        return f"This session so far: {dollars(tally.usd)} ({calls})"
    known = f"{dollars(tally.usd)} and an unknown part" if tally.usd else "cost unknown"
    return f"This session so far: {known} ({calls})"
