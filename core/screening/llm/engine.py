"""The engines that ask a language model whether a paper meets a criterion."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from functools import partial

from core.evidence.llm import parts
from core.evidence.llm.asking import Asker, Outcome, Price, Stages, ask, carry_out, together
from core.evidence.llm.parts import Part
from core.evidence.model import EvidenceSentence, ModelRun, NoAnswer
from core.llm import ModelName, strategy_among
from core.paper import Kind, Paper, Sentence
from core.progress import Progress, silent
from core.screening.llm.answers import FITS, HeldFit, held_fit
from core.screening.llm.wording import Wording
from core.screening.model import Criterion, CriterionSuggestion


class Strategy(StrEnum):
    """How a paper is put to a model. The first is the default."""

    WHOLE = "whole"  # the whole paper at once
    ABSTRACT = "abstract"  # title and abstract alone, as references are screened; the whole where there is no abstract


_NO_TEXT = "The paper holds no sentence to judge by."


class ModelScreeningEngine:
    """Criteria judged by a language model. Safe to share between threads, as its runner is.

    What failed can be tried again by the same call: the steps that went well come from the cache and cost nothing.
    """

    def __init__(self, model: ModelName, runner: Asker) -> None:
        """Raises `EngineError` if the name asks for an unknown strategy."""
        self.strategy = strategy_of(model)
        self.runner = runner
        self.name = f"{runner.name}@{self.strategy}"

    def suggest(self, criterion: Criterion, paper: Paper, *, progress: Progress = silent) -> CriterionSuggestion:
        """Raises `NoAnswer` with what was learned on the way."""
        shown = _shown(paper, self.strategy)
        if not shown:
            return CriterionSuggestion(self.name, criterion.id, None, _NO_TEXT)
        part = parts.chosen(paper, [one.index for one in shown])
        wording = Wording()
        outcome = carry_out(self._plan(criterion, paper, part, wording, self.runner.cost_of), self.runner, progress)
        run = ModelRun(self.runner.name, self.strategy, wording.hashes, (outcome.step,))
        if outcome.error is not None:
            raise NoAnswer(outcome.error, run) from outcome.error
        return self._suggestion(criterion, outcome, run)

    def _plan(
        self, criterion: Criterion, paper: Paper, part: Part, wording: Wording, price: Price
    ) -> Stages[Outcome[HeldFit]]:
        request = wording.question(criterion, part, paper.title or paper.name, cached=self.strategy is Strategy.WHOLE)
        exchange = ask(
            request,
            partial(held_fit, shown=part.shown),
            lambda answer: wording.once_more(request, answer.said, answer.faults),
            price,
        )
        [outcome] = yield from together([exchange])
        return outcome

    def _suggestion(self, criterion: Criterion, outcome: Outcome[HeldFit], run: ModelRun) -> CriterionSuggestion:
        answer = outcome.answer
        assert answer is not None  # an outcome without an answer has an error, which was raised  # noqa: S101
        picks = answer.checked.right
        return CriterionSuggestion(
            self.name,
            criterion.id,
            answer.fit,
            _reason(answer),
            tuple(
                EvidenceSentence(
                    pick.number,
                    round(1 - place / len(picks), 6),
                    rationale=pick.why.strip() or None,
                    match=outcome.match(pick.number),
                )
                for place, pick in enumerate(picks)
            ),
            prompts=run.prompts,
            cost_usd=run.cost_usd,
        )


def strategy_of(model: ModelName) -> Strategy:
    """The strategy in an engine's name, or the default. Raises `EngineError` if there is none of that name."""
    return strategy_among(Strategy, model, "for screening")


def _shown(paper: Paper, strategy: Strategy) -> Sequence[Sentence]:
    """The sentences that the model reads, and may name: the title counts here, for it often decides."""
    named = [one for one in paper.pool if one.kind is not Kind.HEADING and one.text.strip()]
    abstract = [one for one in named if one.kind in (Kind.TITLE, Kind.ABSTRACT)]
    has_abstract = any(one.kind is Kind.ABSTRACT for one in abstract)
    return abstract if strategy is Strategy.ABSTRACT and has_abstract else named


def _reason(answer: HeldFit) -> str:
    said = " ".join(answer.reasoning.split())
    if answer.fit is not None:
        return said
    why = (
        "the model named no sentence that stands in the paper"
        if answer.rests_on_nothing
        else f"the model gave none of the words {', '.join(FITS)}"
    )
    return f"No suggestion: {why}. {said}".strip()
