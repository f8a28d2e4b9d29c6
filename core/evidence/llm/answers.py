"""The forms in which a model answers. Reasons come before decisions, so that they can guide them."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, Field

from core.llm import ReplySchema
from core.llm.plain import reason_and_numbers

_REASON = Field(description="Your reasoning, in a few sentences, before any decision.")
_NUMBER = Field(description="The number in square brackets before the sentence.")
_QUOTE = Field(description="The sentence's first five to ten words, copied letter by letter.")


class Pick(BaseModel):
    """A chosen sentence."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    number: int = _NUMBER
    quote: str = _QUOTE  # empty only where the plain form has no place for it


class JudgedPick(Pick):
    """A chosen sentence, and how it bears on the hypothesis."""

    why: str = Field(description="In one short sentence, how it bears on the hypothesis.")
    stance: Literal["supports", "refutes", "neutral"] | None  # None: the plain form has no place for it


class Selection(ReplySchema):
    """A choice of sentences alone."""

    reason: str = _REASON
    decision: list[Pick] = Field(description="The chosen sentences, the most important first.")

    @classmethod
    def from_plain(cls, text: str) -> Self:
        """The numbers alone: the plain form has no words to compare."""
        reason, decision = reason_and_numbers(text)
        return cls(reason=reason, decision=[Pick(number=number, quote="") for number in decision])


class Choice(ReplySchema):
    """The final choice, with stances and a verdict on the paper."""

    reason: str = _REASON
    decision: list[JudgedPick] = Field(description="The chosen sentences, the most important first.")
    verdict: Literal["supports", "refutes", "mixed", "not reported", "unclear"] | None
    strongest_for: int | None = Field(description="Number of the strongest chosen sentence for the hypothesis.")
    strongest_against: int | None = Field(description="Number of the strongest chosen sentence against it.")

    @classmethod
    def from_plain(cls, text: str) -> Self:
        """The numbers alone, with nothing judged."""
        reason, decision = reason_and_numbers(text)
        picks = [JudgedPick(number=number, quote="", why="", stance=None) for number in decision]
        return cls(reason=reason, decision=picks, verdict=None, strongest_for=None, strongest_against=None)
