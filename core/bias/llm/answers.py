"""The forms in which a model answers. Reasons come before decisions, so that they can guide them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Self

from pydantic import BaseModel, ConfigDict, Field, create_model

from core.bias.model import Answer, Level
from core.evidence.llm.answers import Pick
from core.llm import ReplySchema
from core.llm.plain import NotPlain, fields, numbers


class SupportPick(Pick):
    """A sentence that a judgement rests on."""

    why: str = Field(description="In one short sentence, what it shows.")


class JudgedDomain(ReplySchema):
    """A domain's level with its sentences. Which words are levels, `judged_on` says to the server."""

    reason: str = Field(description="Your reasoning, in a few sentences, before any decision.")
    sentences: list[SupportPick] = Field(description="What the judgement rests on, the most important first.")
    level: str = Field(description="The level of risk of bias.")

    @classmethod
    def from_plain(cls, text: str) -> Self:
        """`REASON: ... SENTENCES: [i, j] DECISION: low`; the plain form has no words to compare."""
        reason, named, level = fields(text, "REASON", "SENTENCES", "DECISION")
        picks = [SupportPick(number=number, quote="", why="") for number in numbers(named, "SENTENCES")]
        return cls(reason=reason, sentences=picks, level=level.rstrip(".").lower())


@cache
def judged_on(scale: tuple[Level, ...]) -> type[JudgedDomain]:
    """The form for a scale. A level beside it is a fault, and does not make the rest unreadable."""
    level = Field(
        description="The level of risk of bias.", json_schema_extra={"enum": [level.value for level in scale]}
    )
    return create_model("JudgedDomain", __base__=JudgedDomain, level=(str, level))


class QuestionAnswer(BaseModel):
    """The answer to one signalling question. One that is not allowed is a fault, as above."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    question: str = Field(description="The number of the question, such as 1.1.")
    reason: str = Field(description="Your reasoning, in one to three sentences, before the answer.")
    sentences: list[Pick] = Field(description="What the answer rests on, the most important first.")
    answer: str = Field(
        description="NA only where the question's condition does not hold.",
        json_schema_extra={"enum": [answer.value for answer in Answer]},
    )


class AnsweredQuestions(ReplySchema):
    """The answers to a domain's signalling questions."""

    answers: list[QuestionAnswer] = Field(description="One for each question whose condition holds, in their order.")

    @classmethod
    def from_plain(cls, text: str) -> Self:
        """`QUESTION: 1.1 REASON: ... SENTENCES: [i, j] ANSWER: PY`, for each question."""
        before, *blocks = text.split("QUESTION:")
        if before.strip() or not blocks:
            raise NotPlain("it is not “QUESTION: ... REASON: ... SENTENCES: ... ANSWER: ...” for each question")
        return cls(answers=[_answer(*_four(block)) for block in blocks])


def _four(block: str) -> Sequence[str]:
    return fields(f"QUESTION:{block}", "QUESTION", "REASON", "SENTENCES", "ANSWER")


def _answer(question: str, reason: str, named: str, answer: str) -> QuestionAnswer:
    picks = [Pick(number=number, quote="") for number in numbers(named, "SENTENCES")]
    return QuestionAnswer(question=question, reason=reason, sentences=picks, answer=answer.rstrip(".").upper())


class ChosenOption(ReplySchema):
    """Which of several support judgements fits."""

    reason: str = Field(description="Your reasoning, in a few sentences, before the decision.")
    decision: str = Field(description="The letter of the one that fits, alone.")

    @classmethod
    def from_plain(cls, text: str) -> Self:
        """`REASON: ... DECISION: C`."""
        reason, decision = fields(text, "REASON", "DECISION")
        return cls(reason=reason, decision=decision)
