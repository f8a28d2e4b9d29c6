"""What an answer makes of a domain. A level is given by criteria, or derived from answers by the tool's algorithm."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from core.bias.llm.holding import HeldAnswers, HeldJudgement
from core.bias.model import Domain, Judgement, Support
from core.evidence.model import Match

MatchOf = Callable[[int], Match]  # how sure it is that the model meant a sentence


def support_of(numbers: Iterable[int], match: MatchOf) -> tuple[Support, ...]:
    """The sentences, the most important first; the score says no more than their order."""
    ordered = list(numbers)
    return tuple(
        Support(number, round(1 - place / len(ordered), 6), match=match(number)) for place, number in enumerate(ordered)
    )


def by_level(domain: Domain, answer: HeldJudgement, match: MatchOf) -> Judgement:
    """A level as the model gave it, if it can count."""
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


def by_answers(domain: Domain, answer: HeldAnswers, match: MatchOf) -> Judgement:
    """The level that the algorithm makes of the answers; None while one that is required is missing."""
    reasons = [f"{id} {given}: {answer.said[id].reason.strip()}" for id, given in answer.answers.items()]
    missing = ", ".join(question.id for question in domain.missing(answer.answers))
    if missing:
        reasons.append(f"No judgement: the model gave no answer that can be used to {missing}.")
    return Judgement(
        domain.id,
        domain.level(answer.answers),
        "\n".join(reasons),
        _support_of_answers(answer, match),
        answers=answer.answers,
        not_in_paper=answer.not_in_paper,
    )


def _support_of_answers(answer: HeldAnswers, match: MatchOf) -> tuple[Support, ...]:
    """The sentences in the order of the questions, each with those that it answers."""
    answered: dict[int, list[str]] = {}
    for id in answer.answers:
        for pick in answer.checked[id].right:
            answered.setdefault(pick.number, []).append(id)
    return tuple(
        Support(number, round(1 - place / len(answered), 6), f"Bears on {', '.join(ids)}.", match(number))
        for place, (number, ids) in enumerate(answered.items())
    )
