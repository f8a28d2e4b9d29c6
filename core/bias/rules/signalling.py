"""Signalling questions of RoB 2 that a rule of RoB 1 answers where it is sure; all others stay without an answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from core.bias.model import Answer, Level
from core.bias.rules.model import Finding
from core.bias.rules.performance import UNLIKELY_TO_MATTER


@dataclass(frozen=True, slots=True)
class Answered:
    """The rulebook that a question is answered by, and the answer that each of its levels makes."""

    rulebook: str
    answers: Mapping[Level, Answer]

    def by(self, finding: Finding | None) -> Answer | None:
        """The answer, or None: unclear is no answer, and that blinding does not matter is none to who was blinded."""
        if finding is None or finding.reason == UNLIKELY_TO_MATTER.reason:
            return None
        return self.answers.get(finding.level)


_RIGHT = {Level.LOW: Answer.YES, Level.HIGH: Answer.NO}
_AWARE = {Level.LOW: Answer.NO, Level.HIGH: Answer.YES}
ANSWERED_BY: Mapping[str, Answered] = {
    "1.1": Answered("sequence", _RIGHT),
    "1.2": Answered("concealment", _RIGHT),
    "2.1": Answered("performance", _AWARE),
    "2.2": Answered("performance", _AWARE),
    "3.1": Answered("attrition", {Level.LOW: Answer.PROBABLY_YES, Level.HIGH: Answer.PROBABLY_NO}),
    "4.3": Answered("detection", _AWARE),
}
