"""The strategies as plans: which requests to make, and what their answers come to (EvidenceBench, section 4.1)."""

from __future__ import annotations

from dataclasses import dataclass, replace

from core.errors import ModelError
from core.evidence.llm import parts
from core.evidence.llm.answers import Choice, JudgedPick
from core.evidence.llm.asking import Exchange, Outcome, Price, Stages, together
from core.evidence.llm.choosing import HeldChoice, choose
from core.evidence.llm.wording import Strategy, Wording
from core.evidence.model import (
    EvidenceQuery,
    EvidenceSentence,
    Match,
    PaperVerdict,
    Stance,
    Step,
    Verdict,
)
from core.llm import Request
from core.paper import Paper

FINAL_CHOICE = "Final choice"  # the label of the last question, where sections come first


def to_come(strategy: Strategy) -> tuple[str, ...]:
    """The labels of the questions that follow from the first answers."""
    return (FINAL_CHOICE,) if strategy is Strategy.SECTIONS else ()


@dataclass(frozen=True, slots=True)
class Result:
    """What a plan comes to. With an `error` there is no answer, and `steps` hold what was learned on the way."""

    sentences: tuple[EvidenceSentence, ...]
    steps: tuple[Step, ...]
    verdict: Verdict | None = None
    error: ModelError | None = None


def plan(strategy: Strategy, paper: Paper, query: EvidenceQuery, wording: Wording, price: Price) -> Stages[Result]:
    """The plan of a strategy for one paper."""
    if strategy is Strategy.SECTIONS:
        return _sections(paper, query, wording, price)
    return _at_once(paper, query, wording, price)


def _at_once(paper: Paper, query: EvidenceQuery, wording: Wording, price: Price) -> Stages[Result]:
    part = parts.whole(paper, query.candidates(paper))
    if not part.shown:
        return Result((), ())
    return (yield from _final(part, (), wording, price, label="Whole paper"))


def _sections(paper: Paper, query: EvidenceQuery, wording: Wording, price: Price) -> Stages[Result]:
    answers = yield from together(
        _ask(wording.selection(part), part, wording, price) for part in parts.sections(paper, query.candidates(paper))
    )
    steps = tuple(answer.step for answer in answers)
    failed = [answer.error for answer in answers if answer.error is not None]
    numbers = {number for answer in answers for number in answer.step.chosen}
    if not numbers:  # that there is nothing can be said only where all was read
        return Result((), steps, _of_nothing(steps), error=failed[0] if failed else None)
    repaired = {n for answer in answers for n in answer.step.chosen if answer.match(n) is Match.REPAIRED}
    part = parts.chosen(paper, numbers)
    return (yield from _final(part, steps, wording, price, label=FINAL_CHOICE, repaired=repaired))


def _final(
    part: parts.Part,
    before: tuple[Step, ...],
    wording: Wording,
    price: Price,
    *,
    label: str,
    repaired: set[int] | frozenset[int] = frozenset(),
) -> Stages[Result]:
    """The last question: which sentences, how each bears on the hypothesis, and what the paper says."""
    [outcome] = yield from together([_ask(wording.choice(part, label=label), part, wording, price)])
    steps = (*before, outcome.step)
    if outcome.answer is None:
        return Result((), steps, error=outcome.error)
    sentences, verdict = _sentences(outcome, outcome.answer, repaired), _verdict(outcome.answer)
    if (
        verdict and verdict.judgement is PaperVerdict.NOT_REPORTED
    ):  # then none is for or against, whatever was said of it
        sentences = tuple(replace(one, stance=one.stance and Stance.NEUTRAL) for one in sentences)
    return Result(sentences, steps, verdict)


def _ask(request: Request, part: parts.Part, wording: Wording, price: Price) -> Exchange[Outcome[HeldChoice]]:
    return choose(request, part, wording.query.k, wording.once_more, price)


def _sentences(
    outcome: Outcome[HeldChoice], answer: HeldChoice, repaired: set[int] | frozenset[int]
) -> tuple[EvidenceSentence, ...]:
    """The chosen sentences; the score says no more than their order."""
    picks = answer.checked.right
    return tuple(
        EvidenceSentence(
            pick.number,
            round(1 - place / len(picks), 6),
            stance=Stance(pick.stance) if isinstance(pick, JudgedPick) and pick.stance else None,
            rationale=(pick.why.strip() or None) if isinstance(pick, JudgedPick) else None,
            match=Match.REPAIRED if pick.number in repaired else outcome.match(pick.number),
        )
        for place, pick in enumerate(picks)
    )


def _of_nothing(steps: tuple[Step, ...]) -> Verdict | None:
    """What a paper says of which no section gave a sentence: no result, if nothing was named wrongly or left unread."""
    if any(step.error or step.not_in_paper for step in steps):
        return None
    return Verdict(PaperVerdict.NOT_REPORTED, None, None)


def _verdict(answer: HeldChoice) -> Verdict | None:
    """The verdict; a strongest sentence counts only if it was chosen, and not for the opposite.

    None too where every sentence it rests on was named wrongly.
    """
    said, right = answer.said, answer.checked.right
    if not isinstance(said, Choice) or said.verdict is None or (said.decision and not right):
        return None
    stances = {pick.number: pick.stance for pick in right if isinstance(pick, JudgedPick)}

    judgement = PaperVerdict(said.verdict)

    def strongest(number: int | None, stance: str) -> int | None:
        if number is None or judgement is PaperVerdict.NOT_REPORTED:
            return None
        return number if stances.get(number) == stance else None

    return Verdict(
        judgement,
        strongest(said.strongest_for, "supports"),
        strongest(said.strongest_against, "refutes"),
    )
