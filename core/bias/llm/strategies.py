"""The strategies as plans: which requests to make, and what their answers come to (RoBBR, sections 4.2, 6.3 and 6.4)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial

from core.bias.llm import judging
from core.bias.llm.holding import held_answers, held_judgement, held_option
from core.bias.llm.wording import View, Wording, scale_of, search_label
from core.bias.model import Domain, Judgement, Support
from core.errors import ModelError
from core.evidence.llm import parts
from core.evidence.llm.asking import Price, Stages, ask, together
from core.evidence.llm.choosing import choose
from core.evidence.llm.parts import Part
from core.evidence.model import Match, Step, candidates
from core.paper import Paper

RETRIEVED = 8  # sentences that a search brings for a judgement


class Strategy(StrEnum):
    """How a paper is put to a model for a judgement. The first is the default."""

    WHOLE = "whole"  # the whole paper at once
    RETRIEVED = "retrieved"  # a search of the paper, then its sentences alone
    HIGHLIGHTS = "highlights"  # a search of the paper, then the whole with what it brought


@dataclass(frozen=True, slots=True)
class Result:
    """What a plan comes to. With an `error` there is no judgement, and `steps` hold what was learned on the way."""

    judgement: Judgement | None
    steps: tuple[Step, ...]
    error: ModelError | None = None


@dataclass(frozen=True, slots=True)
class Sentences:
    """What a search came to."""

    support: tuple[Support, ...]
    steps: tuple[Step, ...]
    error: ModelError | None = None

    @property
    def repaired(self) -> frozenset[int]:
        """The sentences that were named rightly only when asked again."""
        return frozenset(one.index for one in self.support if one.match is Match.REPAIRED)


@dataclass(frozen=True, slots=True)
class Chosen:
    """What a choice among support judgements came to: its place among them, from 0; None with the error."""

    place: int | None
    steps: tuple[Step, ...]
    error: ModelError | None = None


def labels(strategy: Strategy, domains: Iterable[Domain]) -> tuple[str, ...]:
    """The labels of all questions on these domains, those that follow from answers included."""
    searched = strategy is not Strategy.WHOLE
    return tuple(label for one in domains for label in ([search_label(one), one.name] if searched else [one.name]))


def judgement_plan(strategy: Strategy, domain: Domain, paper: Paper, wording: Wording, price: Price) -> Stages[Result]:
    """One domain of a paper."""
    whole = parts.whole(paper, candidates(paper))
    if not whole.shown:
        return Result(Judgement(domain.id, None, "No judgement: the paper holds no sentence to judge by."), ())
    if strategy is Strategy.WHOLE:
        result = yield from _judged(domain, whole, View.WHOLE, wording, price)
        return _with_proof(result, paper)
    found = yield from support_plan(domain, paper, RETRIEVED, wording, price)
    if found.error is not None:
        return Result(None, found.steps, found.error)
    numbers = [one.index for one in found.support]
    if strategy is Strategy.HIGHLIGHTS:
        result = yield from _judged(domain, whole, View.HIGHLIGHTS, wording, price, highlighted=numbers)
    else:
        result = yield from _judged(domain, parts.chosen(paper, numbers), View.RETRIEVED, wording, price)
    return _with_proof(_after(found, result), paper)


def support_plan(domain: Domain, paper: Paper, k: int, wording: Wording, price: Price) -> Stages[Sentences]:
    """The `k` sentences that tell most about a domain."""
    part = parts.whole(paper, candidates(paper))
    if not part.shown:
        return Sentences((), ())
    [outcome] = yield from together([choose(wording.support(domain, part, k), part, k, wording.once_more, price)])
    if outcome.answer is None:
        return Sentences((), (outcome.step,), outcome.error)
    return Sentences(judging.support_of(outcome.answer.numbers, outcome.match), (outcome.step,))


def collected_plan(domain: Domain, sentences: Sequence[str], wording: Wording, price: Price) -> Stages[Result]:
    """The same from given sentences alone; indices point into them."""
    return (yield from _judged(domain, parts.given(sentences), View.COLLECTED, wording, price))


def option_plan(domain: Domain, paper: Paper, options: Sequence[str], wording: Wording, price: Price) -> Stages[Chosen]:
    """Which of several support judgements fits the study."""
    letters = letters_for(options)
    request = wording.choice(domain, parts.whole(paper, candidates(paper)), options, letters)
    hold = partial(held_option, letters=letters)
    [outcome] = yield from together(
        [ask(request, hold, lambda answer: wording.once_more(request, answer.said, answer.faults), price)]
    )
    if outcome.answer is None:
        return Chosen(None, (outcome.step,), outcome.error)
    return Chosen(outcome.answer.place, (outcome.step,))


def letters_for(options: Sequence[str]) -> list[str]:
    """The letters by which options are called."""
    return [chr(ord("A") + place) for place in range(len(options))]


def _judged(
    domain: Domain, part: Part, view: View, wording: Wording, price: Price, *, highlighted: Iterable[int] = ()
) -> Stages[Result]:
    """Ask for the level, or for the answers that give it."""
    request = wording.judgement(domain, part, view, highlighted=highlighted)
    if domain.questions:
        [answered] = yield from together(
            [
                ask(
                    request,
                    partial(held_answers, shown=part.shown, domain=domain),
                    lambda answer: wording.once_more(request, answer.data, answer.faults),
                    price,
                )
            ]
        )
        if answered.answer is None:
            return Result(None, (answered.step,), answered.error)
        return Result(judging.by_answers(domain, answered.answer, answered.match), (answered.step,))
    [judged] = yield from together(
        [
            ask(
                request,
                partial(held_judgement, shown=part.shown, scale=scale_of(domain)),
                lambda answer: wording.once_more(request, answer.said, answer.faults),
                price,
            )
        ]
    )
    if judged.answer is None:
        return Result(None, (judged.step,), judged.error)
    return Result(judging.by_level(domain, judged.answer, judged.match), (judged.step,))


def _after(found: Sentences, result: Result) -> Result:
    """The result with the search's step before its own; a sentence that either named wrongly at first is repaired."""
    steps = (*found.steps, *result.steps)
    if result.judgement is None:
        return replace(result, steps=steps)
    support = tuple(
        replace(one, match=Match.REPAIRED) if one.index in found.repaired else one for one in result.judgement.support
    )
    missing = tuple(text for step in steps for text in step.not_in_paper)
    return replace(result, judgement=replace(result.judgement, support=support, not_in_paper=missing), steps=steps)


def _with_proof(result: Result, paper: Paper) -> Result:
    """Where nothing was found, the sections that were searched."""
    if result.judgement is None or result.judgement.support:
        return result
    searched = tuple(section.title for section in paper.sections)
    return replace(result, judgement=replace(result.judgement, searched=searched))
