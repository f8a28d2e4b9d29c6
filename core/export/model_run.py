"""How a language model came to its answer, as a document: enough to repeat the run and to check every step."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from core.evidence.model import ModelRun


def run_document(run: ModelRun | None) -> dict[str, Any] | None:
    """The run for JSON; None where no model was asked. It holds no key, since a run knows none."""
    if run is None:
        return None
    verdict = run.verdict
    return {
        "model": run.model,
        "strategy": run.strategy,
        "prompts": dict(run.prompts),
        "cost_usd": run.cost_usd,
        "verdict": None
        if verdict is None
        else {
            "judgement": verdict.judgement.value,
            "strongest_for": verdict.strongest_for,
            "strongest_against": verdict.strongest_against,
        },
        "steps": [asdict(step) for step in run.steps],
    }
