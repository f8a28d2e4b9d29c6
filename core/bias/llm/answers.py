"""The reply schemas, the verification of each answer, and the judgement that follows from it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Self

from pydantic import BaseModel, ConfigDict, Field, create_model

from core.bias.model import Answer, Domain, Judgement, Level, Support
from core.grounding.checking import CheckedPicks, Pick, VerifiedPicks, WithoutSentences, check_picks
from core.grounding.model import Match
from core.llm import Reply, ReplySchema
from core.llm.model import Form, NotPlain, fields, numbers

# ---- reply schemas: reasons come before decisions, so that they can guide them ----


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
        """Parse `REASON: ... SENTENCES: [i, j] DECISION: low`. The plain form has no quotations to compare."""
        reason, named, level = fields(text, "REASON", "SENTENCES", "DECISION")
        picks = [SupportPick(number=number, quote="", why="") for number in numbers(named, "SENTENCES")]
        return cls(reason=reason, sentences=picks, level=level.rstrip(".").lower())


@cache
def judged_on(scale: tuple[Level, ...]) -> type[JudgedDomain]:
    """The schema for a scale. A level outside the scale is a fault, but the rest of the answer stays readable."""
    level = Field(description="The level of risk of bias.", json_schema_extra={"enum": list(scale)})
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
        """Parse `QUESTION: 1.1 REASON: ... SENTENCES: [i, j] ANSWER: PY`, for each question."""
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
        """Parse `REASON: ... DECISION: C`."""
        reason, decision = fields(text, "REASON", "DECISION")
        return cls(reason=reason, decision=decision)


# ---- answers verified against what was shown and asked ----

JUDGEMENT_SENTENCES = 5  # at most, for a level
ANSWER_SENTENCES = 3  # at most, for an answer


@dataclass(frozen=True, slots=True)
class VerifiedJudgement(VerifiedPicks[JudgedDomain, SupportPick]):
    """A verified level by criteria."""

    scale: tuple[Level, ...]

    @property
    def level(self) -> Level | None:
        """The level; None if it is not on the scale, or if every sentence it is based on was named wrongly."""
        if self.rests_on_nothing or self.said.level not in self.scale:
            return None
        return Level(self.said.level)

    @property
    def rests_on_nothing(self) -> bool:
        """Whether sentences were named, but none of them is in the text."""
        return bool(self.said.sentences) and not self.checked.right

    @property
    def faults(self) -> tuple[str, ...]:
        if self.said.level in self.scale:
            return self.checked.faults
        return (*self.checked.faults, f"The level is none of: {', '.join(self.scale)}.")


def verify_judgement(reply: Reply, shown: Mapping[int, str], scale: tuple[Level, ...]) -> VerifiedJudgement | None:
    """Verify a reply against the sentences shown and the scale."""
    said = reply.data
    if not isinstance(said, JudgedDomain):
        return None
    checked = check_picks(said.sentences, reply.sent(shown), JUDGEMENT_SENTENCES, quoted=reply.form is Form.SCHEMA)
    return VerifiedJudgement(said, checked, scale)


@dataclass(frozen=True)
class VerifiedAnswers:
    """Verified answers to a domain's signalling questions. Answers to questions that do not apply are ignored."""

    domain: Domain
    data: AnsweredQuestions  # as the model gave them
    said: Mapping[str, QuestionAnswer]  # the first answer to each of the domain's questions
    checked: Mapping[str, CheckedPicks[Pick]]
    beside: tuple[str, ...]  # faults: answers to unknown questions, and second answers

    @cached_property
    def answers(self) -> Mapping[str, Answer]:
        """The valid answers: allowed, to questions that apply, and not based only on wrongly named sentences."""
        given = {
            question.id: Answer(said.answer)
            for question in self.domain.questions
            if (said := self.said.get(question.id)) is not None
            and said.answer in question.allowed
            and (self.checked[question.id].right or not said.sentences)
        }
        return {q.id: given[q.id] for q in self.domain.applicable(given) if q.id in given}

    @cached_property
    def asked(self) -> tuple[str, ...]:
        """The questions that apply."""
        return tuple(question.id for question in self.domain.applicable(self.answers))

    @property
    def reasoning(self) -> str:
        return " ".join(f"{id}: {self.said[id].reason}" for id in self.asked if id in self.said)

    @cached_property
    def numbers(self) -> tuple[int, ...]:
        """The sentences of all valid answers."""
        return tuple(dict.fromkeys(pick.number for id in self.answers for pick in self.checked[id].right))

    @cached_property
    def faults(self) -> tuple[str, ...]:
        found = list(self.beside)
        for question in self.domain.applicable(self.answers):
            said = self.said.get(question.id)
            if said is None:
                found.append(f"Question {question.id} applies and has no answer.")
                continue
            if said.answer not in question.allowed:
                found.append(f"The answer to question {question.id} is none of: {', '.join(question.allowed)}.")
            found += [f"Question {question.id}: {fault}" for fault in self.checked[question.id].faults]
        return tuple(found)

    @property
    def not_in_paper(self) -> tuple[str, ...]:
        return tuple(text for id in self.asked if id in self.checked for text in self.checked[id].not_in_paper)


def verify_answers(reply: Reply, shown: Mapping[int, str], domain: Domain) -> VerifiedAnswers | None:
    """Verify a reply against the sentences shown and the domain's questions."""
    data = reply.data
    if not isinstance(data, AnsweredQuestions):
        return None
    known = {question.id for question in domain.questions}
    said: dict[str, QuestionAnswer] = {}
    beside = []
    for one in data.answers:
        if one.question not in known:
            beside.append("A question was answered that was not asked.")
        elif one.question in said:
            beside.append(f"Question {one.question} was answered twice.")
        else:
            said[one.question] = one
    quoted, sent = reply.form is Form.SCHEMA, reply.sent(shown)
    checked = {id: check_picks(one.sentences, sent, ANSWER_SENTENCES, quoted=quoted) for id, one in said.items()}
    return VerifiedAnswers(domain, data, said, checked, tuple(beside))


@dataclass(frozen=True)
class VerifiedOption(WithoutSentences[ChosenOption]):
    """A verified choice among lettered options."""

    letters: Sequence[str]

    @property
    def place(self) -> int | None:
        """The option's index; None if the letter is none of theirs."""
        letter = self.said.decision.strip().rstrip(".").upper()
        return self.letters.index(letter) if letter in self.letters else None

    @property
    def faults(self) -> tuple[str, ...]:
        return () if self.place is not None else (f"The decision is none of: {', '.join(self.letters)}.",)


def verify_option(reply: Reply, letters: Sequence[str]) -> VerifiedOption | None:
    """Verify a reply against the letters."""
    return VerifiedOption(reply.data, letters) if isinstance(reply.data, ChosenOption) else None


# ---- the judgement that follows: a level by criteria, or from answers by the tool's algorithm ----

MatchOf = Callable[[int], Match]  # how certain it is that the model meant the sentence with this number


def support_of(numbers: Iterable[int], match: MatchOf) -> tuple[Support, ...]:
    """The sentences, most important first. The score only expresses their order."""
    ordered = list(numbers)
    return tuple(
        Support(number, round(1 - place / len(ordered), 6), match=match(number)) for place, number in enumerate(ordered)
    )


def by_level(domain: Domain, answer: VerifiedJudgement, match: MatchOf) -> Judgement:
    """The judgement by criteria: the model's level if it is valid, else None with the reason."""
    picks = answer.checked.right
    support = tuple(
        Support(pick.number, round(1 - place / len(picks), 6), pick.why.strip(), match(pick.number))
        for place, pick in enumerate(picks)
    )
    reason = answer.reasoning.strip()
    if answer.level is None:
        why = (
            "none of the sentences that the model named stands in the text"
            if answer.rests_on_nothing
            else f"the model gave none of the levels {', '.join(answer.scale)}"
        )
        reason = f"No judgement: {why}. {reason}"
    return Judgement(domain.id, answer.level, reason, support, not_in_paper=answer.not_in_paper)


def by_answers(domain: Domain, answer: VerifiedAnswers, match: MatchOf) -> Judgement:
    """The judgement by answers: the algorithm's level, or None if a required answer is missing or they do not decide."""
    reasons = [f"{id} {given}: {answer.said[id].reason.strip()}" for id, given in answer.answers.items()]
    missing, level = ", ".join(question.id for question in domain.missing(answer.answers)), domain.level(answer.answers)
    if missing:
        reasons.append(f"No judgement: the model gave no answer that can be used to {missing}.")
    elif level is None:
        reasons.append("No judgement: these answers do not decide. Judge by the criteria.")
    return Judgement(
        domain.id,
        level,
        "\n".join(reasons),
        _support_of_answers(answer, match),
        answers=answer.answers,
        not_in_paper=answer.not_in_paper,
    )


def _support_of_answers(answer: VerifiedAnswers, match: MatchOf) -> tuple[Support, ...]:
    """The sentences in the order of the questions, each with the questions that it bears on."""
    answered: dict[int, list[str]] = {}
    for id in answer.answers:
        for pick in answer.checked[id].right:
            answered.setdefault(pick.number, []).append(id)
    return tuple(
        Support(number, round(1 - place / len(answered), 6), f"Bears on {', '.join(ids)}.", match(number))
        for place, (number, ids) in enumerate(answered.items())
    )
