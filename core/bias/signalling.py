"""Answers to signalling questions: how algorithms read them, what would change a level, and provisional levels."""

from __future__ import annotations

from dataclasses import dataclass

from core.bias.model import Answer, Answers, Domain, Level, Question

# ---- what was answered ----
# An answer to a question that does not apply is absent, so it is neither yes nor no.


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

# One answer of each group that the algorithms distinguish.
_GROUPS = (Answer.YES, Answer.NO, Answer.NO_INFORMATION)


@dataclass(frozen=True, slots=True)
class Flip:
    """Another answer to one question, and the level it would give.

    `level` is None if the answer would open unanswered questions, or if the answers would not decide.
    """

    question: Question
    answer: Answer
    level: Level | None
    opens: tuple[str, ...] = ()  # ids of the questions that it would open


def flips(domain: Domain, answers: Answers) -> tuple[Flip, ...]:
    """Every change of a single answer that would change the judgement; none while the answers are incomplete.

    The questions in the result are the deciding ones: changing any other answer alone makes no difference.
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

# A missing answer is taken as the first of these that the question allows.
_MISSING = (Answer.NO_INFORMATION, Answer.NO, Answer.YES)


def provisional_level(domain: Domain, answers: Answers) -> Level | None:
    """The level that incomplete answers give; None if it would depend on questions that nobody has answered.

    Missing answers are taken as "no information" or, if that is not allowed, "no", else "yes". The level is returned only if
    changing some given answer would change it, and no missing answer could make it better.
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
    """Fill in missing answers from `_MISSING`, one question at a time, because an answer may open another question."""
    known = dict(answers)
    while missing := domain.missing(known):
        question = missing[0]
        known[question.id] = next(answer for answer in _MISSING if answer in question.allowed)
    return known


def _better(domain: Domain, one: Level | None, other: Level) -> bool:
    return one is not None and domain.scale.index(one) < domain.scale.index(other)
