"""The form in which a model answers. The reason comes before the decision, so that it can guide it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

from pydantic import Field

from core.evidence.llm.answers import Pick
from core.evidence.llm.checking import HeldPicks, check
from core.llm import Reply, ReplySchema
from core.llm.model import Form
from core.llm.plain import fields, numbers
from core.screening.engine import CRITERION_SENTENCES
from core.screening.model import Fit

FITS = tuple(fit.value for fit in Fit)


class FitPick(Pick):
    """A sentence that a suggestion rests on."""

    why: str = Field(description="In one short sentence, what it shows.")


class JudgedCriterion(ReplySchema):
    """Whether a paper meets a criterion. A word beside those asked for is a fault, and leaves the rest readable."""

    reason: str = Field(description="In one sentence, what the paper says about the criterion, before any decision.")
    sentences: list[FitPick] = Field(description="What the decision rests on, the most important first.")
    fit: str = Field(description="Whether the paper meets the criterion.", json_schema_extra={"enum": list(FITS)})

    @classmethod
    def from_plain(cls, text: str) -> Self:
        """`REASON: ... SENTENCES: [i, j] DECISION: not met`; the plain form has no words to compare."""
        reason, named, fit = fields(text, "REASON", "SENTENCES", "DECISION")
        picks = [FitPick(number=number, quote="", why="") for number in numbers(named, "SENTENCES")]
        return cls(reason=reason, sentences=picks, fit=fit.rstrip(".").lower())


@dataclass(frozen=True, slots=True)
class HeldFit(HeldPicks[JudgedCriterion, FitPick]):
    """A decision on a criterion."""

    @property
    def fit(self) -> Fit | None:
        """None where the word is none of those asked for, or every sentence that it rests on was named wrongly."""
        return None if self.rests_on_nothing or self.said.fit not in FITS else Fit(self.said.fit)

    @property
    def rests_on_nothing(self) -> bool:
        """Whether sentences were named and none stands in the paper; or none was, for a decision that needs one."""
        return not self.checked.right and (bool(self.said.sentences) or self.said.fit == Fit.MET)

    @property
    def faults(self) -> tuple[str, ...]:
        faults = list(self.checked.faults)
        if self.said.fit not in FITS:
            faults.append(f"The decision is none of: {', '.join(FITS)}.")
        elif self.said.fit == Fit.MET and not self.said.sentences:
            faults.append("No sentence was named that shows that the criterion is met.")
        return tuple(faults)


def held_fit(reply: Reply, shown: Mapping[int, str]) -> HeldFit | None:
    """A reply held against the sentences shown; None: it cannot be used."""
    said = reply.data
    if not isinstance(said, JudgedCriterion):
        return None
    return HeldFit(said, check(said.sentences, shown, CRITERION_SENTENCES, quoted=reply.form is Form.SCHEMA))
