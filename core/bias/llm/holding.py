"""Answers held against what was shown and asked: what of them counts, and what is wrong with them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from core.bias.llm.answers import AnsweredQuestions, ChosenOption, JudgedDomain, QuestionAnswer, SupportPick
from core.bias.model import Answer, Domain, Level
from core.evidence.llm.answers import Pick
from core.evidence.llm.checking import Checked, HeldPicks, check
from core.llm import Reply
from core.llm.model import Form

JUDGEMENT_SENTENCES = 5  # at most, for a level
ANSWER_SENTENCES = 3  # at most, for an answer


@dataclass(frozen=True, slots=True)
class HeldJudgement(HeldPicks[JudgedDomain, SupportPick]):
    """A level by criteria."""

    scale: tuple[Level, ...]

    @property
    def level(self) -> Level | None:
        """None where the word is none of the scale, or every sentence that it rests on was named wrongly."""
        if self.rests_on_nothing or self.said.level not in self.scale:
            return None
        return Level(self.said.level)

    @property
    def rests_on_nothing(self) -> bool:
        """Whether sentences were named, and none of them stands in the text."""
        return bool(self.said.sentences) and not self.checked.right

    @property
    def faults(self) -> tuple[str, ...]:
        if self.said.level in self.scale:
            return self.checked.faults
        return (*self.checked.faults, f"The level is none of: {', '.join(self.scale)}.")


def held_judgement(reply: Reply, shown: Mapping[int, str], scale: tuple[Level, ...]) -> HeldJudgement | None:
    """A reply held against the sentences shown, and the scale."""
    said = reply.data
    if not isinstance(said, JudgedDomain):
        return None
    checked = check(said.sentences, shown, JUDGEMENT_SENTENCES, quoted=reply.form is Form.SCHEMA)
    return HeldJudgement(said, checked, scale)


@dataclass(frozen=True)
class HeldAnswers:
    """Answers to a domain's signalling questions. Those that do not apply are as if they had not been given."""

    domain: Domain
    data: AnsweredQuestions  # as the model gave them
    said: Mapping[str, QuestionAnswer]  # the first to each of the domain's questions
    checked: Mapping[str, Checked[Pick]]
    beside: tuple[str, ...]  # faults of answers that were not asked for

    @cached_property
    def answers(self) -> Mapping[str, Answer]:
        """Those that count: allowed, to questions that apply, and not resting on misnamed sentences alone."""
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
        """Of all answers that count."""
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


def held_answers(reply: Reply, shown: Mapping[int, str], domain: Domain) -> HeldAnswers | None:
    """A reply held against the sentences shown and the domain's questions."""
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
    quoted = reply.form is Form.SCHEMA
    checked = {id: check(one.sentences, shown, ANSWER_SENTENCES, quoted=quoted) for id, one in said.items()}
    return HeldAnswers(domain, data, said, checked, tuple(beside))


@dataclass(frozen=True, slots=True)
class HeldOption:
    """A choice among lettered options."""

    said: ChosenOption
    letters: Sequence[str]

    @property
    def place(self) -> int | None:
        """Which option, from 0; None where the letter is none of them."""
        letter = self.said.decision.strip().rstrip(".").upper()
        return self.letters.index(letter) if letter in self.letters else None

    @property
    def reasoning(self) -> str:
        return self.said.reason

    @property
    def numbers(self) -> tuple[int, ...]:
        return ()

    @property
    def faults(self) -> tuple[str, ...]:
        return () if self.place is not None else (f"The decision is none of: {', '.join(self.letters)}.",)

    @property
    def not_in_paper(self) -> tuple[str, ...]:
        return ()


def held_option(reply: Reply, letters: Sequence[str]) -> HeldOption | None:
    """A reply held against the letters."""
    return HeldOption(reply.data, letters) if isinstance(reply.data, ChosenOption) else None
