"""From what a reader makes of a sentence and its nearest source sentences to a label, and how often the label is right.

The thresholds are chosen for at most one false alarm in ten right sentences.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.evidence.ranker.columns import Vector
from core.summary.agreement import Agreement, PairedNumber
from core.summary.model import Label

SUPPORTED_FROM = 0.5  # probability that it is supported
WRONG_FROM = 0.95  # probability that it is not
_IF_A_NUMBER_DIFFERS = 0.5  # factors of the probability that it is supported
_IF_A_NUMBER_IS_NOT_FOUND = 0.9

# Of 100 sentences, measured by papers that nothing was chosen on (`bench summary/sentences`). None: not measured yet.
RIGHT_FLAGGED: int | None = None  # of right ones
WRONG_FOUND: int | None = None  # of wrong ones


@dataclass(frozen=True, slots=True)
class Decision:
    """What is said of a summary sentence."""

    label: Label
    probability: float  # that it is supported


def decide(readings: Vector, numbers: Sequence[PairedNumber], *, supported_from: float = SUPPORTED_FROM) -> Decision:
    """The label. `readings`: (source sentences, 3), each row the probabilities that this source sentence supports it,
    contradicts it, or does not tell; no row where the paper has no sentence to read it with.
    """
    supported, contradicted = (float(readings[:, column].max(initial=0.0)) for column in (0, 1))
    absent = float(readings[:, 2].min(initial=1.0))
    probability = supported / max(supported + contradicted + absent, 1e-9)
    told = {number.agreement for number in numbers}
    if Agreement.DIFFERS in told:
        probability *= _IF_A_NUMBER_DIFFERS
    elif Agreement.NOT_FOUND in told:
        probability *= _IF_A_NUMBER_IS_NOT_FOUND
    if probability >= supported_from:
        return Decision(Label.SUPPORTED, probability)
    if 1 - probability < WRONG_FROM:
        return Decision(Label.CANNOT_TELL, probability)
    contradicts = contradicted >= absent or Agreement.DIFFERS in told
    return Decision(Label.CONTRADICTS if contradicts else Label.NOT_IN_PAPER, probability)


def how_often_right() -> str:
    """How far the labels of `offline` can be trusted, in one sentence for the reviewer."""
    if RIGHT_FLAGGED is None or WRONG_FOUND is None:
        return "Offline, how often these labels are right has not been measured: read the sentences beside each other."
    return (
        f"Offline, {RIGHT_FLAGGED} in 100 right sentences are flagged, and {WRONG_FOUND} in 100 wrong ones are found: "
        "read the sentences beside each other."
    )
