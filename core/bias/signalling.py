"""Answers to signalling questions as algorithms read them, and what follows from them: what would change a level, and a
provisional level from incomplete answers.
"""

from __future__ import annotations

from dataclasses import dataclass

from core.bias.model import Answer, Answers, Domain, Level, Question

# ---- what was answered ----
# An answer that does not apply is not there, and is neither.


def said_yes(answers: Answers, question: str) -> bool:
    """Yes or probably yes."""
    return question in answers and answers[question].yes


def said_no(answers: Answers, question: str) -> bool:
    """No or probably no."""
    return question in answers and answers[question].no


def not_told(answers: Answers, question: str) -> bool:
    """No information."""
    return answers.get(question) is Answer.NO_INFORMATION


# ---- what would flip a level ----

# One of each group that the algorithms tell apart.
_GROUPS = (Answer.YES, Answer.NO, Answer.NO_INFORMATION)


@dataclass(frozen=True, slots=True)
class Flip:
    """Another answer to one question. `level` is None where it would open questions without an answer, or decide nothing."""

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
            if level != now:
                found.append(Flip(question, other, level, opens))
    return tuple(found)


def _same_group(one: Answer, other: Answer) -> bool:
    return one is other or (one.yes and other.yes) or (one.no and other.no)


# ---- a level from incomplete answers ----

# What a missing answer is taken as: the first of these that the question allows.
_MISSING = (Answer.NO_INFORMATION, Answer.NO, Answer.YES)


def provisional_level(domain: Domain, answers: Answers) -> Level | None:
    """The level that these answers give as far as they go; None where it would rest on what nobody has answered.

    Missing answers are taken as "no information" (or, where that is not allowed, as the answer that is worse). The level
    stands only if some given answer, were it otherwise, would change it, and if no missing one would make it better.
    """
    if not answers:
        return None
    complete = _filled(domain, answers)
    level = domain.level(complete)
    if level is None:
        return None
    rests_on_an_answer = any(flip.question.id in answers for flip in flips(domain, complete))
    rests_on_silence = any(
        _better(domain, domain.level(_filled(domain, {**complete, question.id: other})), level)
        for question in domain.applicable(complete)
        if question.id not in answers
        for other in question.allowed
    )
    return level if rests_on_an_answer and not rests_on_silence else None


def _filled(domain: Domain, answers: Answers) -> dict[str, Answer]:
    """With "no information" for what is missing, question by question, since one opens another."""
    known = dict(answers)
    while missing := domain.missing(known):
        question = missing[0]
        known[question.id] = next(answer for answer in _MISSING if answer in question.allowed)
    return known


def _better(domain: Domain, one: Level | None, other: Level) -> bool:
    return one is not None and domain.scale.index(one) < domain.scale.index(other)
