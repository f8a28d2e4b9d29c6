"""How much an answer depends on the hypothesis' wording: the same search with a paraphrase and with the negation.

An engine that reads for meaning finds the same sentences for all three, with reversed stances for the negation. Models fall
short of both (EvidenceBench, appendix E: recall under paraphrases; and its reviews: negated hypotheses).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from core.evidence.model import Evidence, EvidenceEngine, Stance
from core.paper import Paper
from core.progress import Progress, silent

if TYPE_CHECKING:  # loads with the first language model
    from core.grounding.questions import Asker


class Rewording(StrEnum):
    """How another wording relates to the hypothesis."""

    PARAPHRASE = "paraphrase"  # the same claim: the same sentences and stances are right
    NEGATION = "negation"  # the opposite claim: the same sentences are right, with reversed stances


_TURNED = {Stance.SUPPORTS: Stance.REFUTES, Stance.REFUTES: Stance.SUPPORTS, Stance.NEUTRAL: Stance.NEUTRAL}


@dataclass(frozen=True, slots=True)
class WordingEffect:
    """What another wording changed, as sentence indices, best first."""

    rewording: Rewording
    evidence: Evidence  # for the other wording
    kept: tuple[int, ...]
    lost: tuple[int, ...]
    gained: tuple[int, ...]
    contradictions: tuple[int, ...]  # of those kept, the sentences whose stances are inconsistent

    @property
    def overlap(self) -> float | None:
        """Shared sentences over all sentences of both answers, 0 to 1 (Jaccard); None if both are empty."""
        union = len(self.kept) + len(self.lost) + len(self.gained)
        return len(self.kept) / union if union else None


def reword(asker: Asker, hypothesis: str) -> dict[Rewording, str]:
    """Ask a model for a paraphrase and a negation, for the reviewer to check before use. Raises `ModelError`."""
    from core.evidence.llm import reworded  # noqa: PLC0415

    paraphrase, negation = reworded(asker, hypothesis)
    return {Rewording.PARAPHRASE: paraphrase, Rewording.NEGATION: negation}


def negated(hypothesis: str) -> str:
    """A negation that needs no model: stiff, and true exactly when the hypothesis is false."""
    return f"It is not the case that {hypothesis.strip().rstrip('.')}."


def other_wordings(engine: EvidenceEngine, hypothesis: str) -> dict[Rewording, str]:
    """The wordings to compare: both by the engine's model, or only the negation without one. Raises `ModelError`."""
    from core.evidence.llm import ModelEvidenceEngine  # noqa: PLC0415

    if isinstance(engine, ModelEvidenceEngine):
        return reword(engine.runner, hypothesis)
    return {Rewording.NEGATION: negated(hypothesis)}


def sensitivity(
    engine: EvidenceEngine,
    paper: Paper,
    original: Evidence,
    wordings: Mapping[Rewording, str],
    *,
    progress: Progress = silent,
) -> tuple[WordingEffect, ...]:
    """Search again with every other wording and the same settings, and compare. Raises what the engine raises."""
    changes = []
    for number, (rewording, wording) in enumerate(wordings.items()):

        def share(done: float, step: str, number: int = number, name: str = rewording.value) -> None:
            progress((number + done) / len(wordings), f"{name.capitalize()}: {step}")

        found = engine.find(paper, replace(original.query, hypothesis=wording), progress=share)
        changes.append(compare(original, found, rewording))
    return tuple(changes)


def compare(original: Evidence, other: Evidence, rewording: Rewording) -> WordingEffect:
    """What the other wording's answer kept, lost, gained and contradicted."""
    before = {found.index: found.stance for found in original.sentences}
    after = {found.index: found.stance for found in other.sentences}
    kept = tuple(index for index in before if index in after)
    return WordingEffect(
        rewording=rewording,
        evidence=other,
        kept=kept,
        lost=tuple(index for index in before if index not in after),
        gained=tuple(index for index in after if index not in before),
        contradictions=tuple(i for i in kept if not _agree(before[i], after[i], rewording)),
    )


def _agree(before: Stance | None, after: Stance | None, rewording: Rewording) -> bool:
    if before is None or after is None:
        return True  # nothing was judged, so nothing is contradicted
    return after is (_TURNED[before] if rewording is Rewording.NEGATION else before)
