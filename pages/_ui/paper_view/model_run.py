"""How a language model came to its answer, and what other wordings changed, as the desk's scripts expect it."""

from __future__ import annotations

from collections import Counter
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
        "faults": _counted(step.faults),
        "notInPaper": _counted(step.not_in_paper),
        "error": step.error,
        "text": step.text,
        "cost": step_cost(step),
    }


def _counted(texts: Sequence[str]) -> list[tuple[str, int]]:
    """Every text once, with how often it is there."""
    return list(Counter(texts).items())


def verdict_payload(evidence: Evidence | None) -> dict[str, object] | None:
    """What the model makes of the paper, with its strongest sentences and what it did not read; None where it was not asked for."""
    run = evidence.run if evidence else None
    if run is None or run.verdict is None:
        return None
    verdict = run.verdict
    return {
        "judgement": verdict.judgement.value,
        "for": verdict.strongest_for,
        "against": verdict.strongest_against,
        "unread": [step.label for step in run.failed],
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
