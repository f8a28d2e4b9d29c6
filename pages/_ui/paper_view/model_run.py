"""How a language model came to its answer, and what other wordings changed, as the desk's scripts expect it."""

from __future__ import annotations

from collections.abc import Sequence

from core.evidence import Evidence, ModelRun
from core.evidence.model import Step
from core.evidence.sensitivity import Change
from pages._ui.money import step_cost


def run_payload(run: ModelRun | None, *, answered: bool) -> dict[str, object] | None:
    """Every question with the model's reasoning and what was wrong with its answer; None where no model was asked."""
    if run is None:
        return None
    return {"model": run.model, "answered": answered, "steps": [_step(step) for step in run.steps]}


def _step(step: Step) -> dict[str, object]:
    return {
        "label": step.label,
        "reasoning": step.reasoning,
        "chosen": step.chosen,
        "faults": step.faults,
        "notInPaper": step.not_in_paper,
        "error": step.error,
        "text": step.text,
        "cost": step_cost(step),
    }


def verdict_payload(evidence: Evidence | None) -> dict[str, object] | None:
    """What the model makes of the paper, with its strongest sentences; None where it was not asked for."""
    verdict = evidence.run.verdict if evidence and evidence.run else None
    if verdict is None:
        return None
    return {
        "judgement": verdict.judgement.value,
        "for": verdict.strongest_for,
        "against": verdict.strongest_against,
    }


def changes_payload(changes: Sequence[Change], evidence: Evidence | None) -> list[dict[str, object]]:
    """For each other wording what it kept, lost and gained, and both stances of every contradiction."""
    before = {found.index: found.stance for found in evidence.sentences} if evidence else {}
    shown: list[dict[str, object]] = []
    for change in changes:
        after = {found.index: found.stance for found in change.evidence.sentences}
        shown.append(
            {
                "rewording": change.rewording.value,
                "hypothesis": change.evidence.query.hypothesis,
                "kept": len(change.kept),
                "lost": change.lost,
                "gained": change.gained,
                "contradictions": [(index, before[index], after[index]) for index in change.contradictions],
                "judged": any(after.values()) and any(before.values()),
            }
        )
    return shown
