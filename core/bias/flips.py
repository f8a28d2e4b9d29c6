"""What would flip a judgement: every single answer that could be otherwise, and the level that it would give."""

from __future__ import annotations

from dataclasses import dataclass

from core.bias.model import Answer, Answers, Domain, Level, Question

# One of each group that the algorithms tell apart.
_GROUPS = (Answer.YES, Answer.NO, Answer.NO_INFORMATION)


@dataclass(frozen=True, slots=True)
class Flip:
    """Another answer to one question. `level` is None where it would open questions that have no answer yet."""

    question: Question
    answer: Answer
    level: Level | None
    opens: tuple[str, ...] = ()  # ids of the questions that it would open


def flips(domain: Domain, answers: Answers) -> tuple[Flip, ...]:
    """Every single change of an answer that changes the judgement; none while the answers are not complete.

    The questions among them are those that decided: no other answer, alone, makes a difference.
    """
    now = domain.level(answers)
    if now is None:
        return ()
    found = []
    for question in domain.applicable(answers):
        for other in _GROUPS:
            if other not in question.allowed or _same_group(other, answers[question.id]):
                continue
            changed = {**answers, question.id: other}
            opens = tuple(missing.id for missing in domain.missing(changed))
            level = domain.level(changed)
            if level is not now:
                found.append(Flip(question, other, level, opens))
    return tuple(found)


def _same_group(one: Answer, other: Answer) -> bool:
    return one is other or (one.yes and other.yes) or (one.no and other.no)
