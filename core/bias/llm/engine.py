"""The engine that asks a language model: RoBBR's strategies (sections 4.2, 6.3, 6.4) as plans, and cost estimates."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from typing import TypeVar

from core.bias.assessment import Suggestion
from core.bias.llm import answers
from core.bias.llm.answers import verify_answers, verify_judgement, verify_option
from core.bias.llm.cutting import CutResult, cut_plan
from core.bias.llm.wording import BiasPrompts, ShownText, search_label
from core.bias.model import Domain, Judgement, Picked, Retrieved, StudyContext, Support
from core.errors import ModelError
from core.evidence.model import candidates
from core.grounding.checking import Part, choose
from core.grounding.model import Match, ModelRun, Step
from core.grounding.questions import ModelEngine, Price, Stages, ask, run_plan, run_together
from core.llm import CostEstimate, ModelName, Request, estimate
from core.paper import Paper
from core.progress import Progress, silent

# ---- the strategies as plans: which requests to make, and how to use the answers ----

RETRIEVED = 8  # sentences that a search returns for a judgement


class BiasStrategy(StrEnum):
    """How a paper is shown to a model for a judgement. The first is the default."""

    WHOLE = "whole"  # the whole paper at once
    RETRIEVED = "retrieved"  # a search of the paper, then only the sentences found
    HIGHLIGHTS = "highlights"  # a search of the paper, then the whole paper with the numbers of the sentences found


@dataclass(frozen=True, slots=True)
class JudgementResult:
    """The result of a judgement plan. If there is an `error`, there is no judgement, but `steps` has the steps so far."""

    judgement: Judgement | None
    steps: tuple[Step, ...]
    error: ModelError | None = None


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The result of a search."""

    support: tuple[Support, ...]
    steps: tuple[Step, ...]
    error: ModelError | None = None

    @property
    def repaired(self) -> frozenset[int]:
        """The sentences that the model named correctly only when asked again."""
        return frozenset(one.index for one in self.support if one.match is Match.REPAIRED)


@dataclass(frozen=True, slots=True)
class OptionResult:
    """The result of a choice among support judgements. `place` is an index; None if none was named or there is an error."""

    place: int | None
    steps: tuple[Step, ...]
    error: ModelError | None = None


def labels(strategy: BiasStrategy, domains: Iterable[Domain]) -> tuple[str, ...]:
    """The labels of all questions on these domains, including those that follow a search."""
    searched = strategy is not BiasStrategy.WHOLE
    return tuple(label for one in domains for label in ([search_label(one), one.name] if searched else [one.name]))


def judgement_plan(
    strategy: BiasStrategy, domain: Domain, paper: Paper, wording: BiasPrompts, price: Price
) -> Stages[JudgementResult]:
    """Judge one domain of a paper."""
    whole = Part.whole(paper, candidates(paper))
    if not whole.shown:
        return JudgementResult(Judgement(domain.id, None, "No judgement: the paper holds no sentence to judge by."), ())
    if strategy is BiasStrategy.WHOLE:
        result = yield from _judged(domain, whole, ShownText.WHOLE, wording, price)
        return _with_proof(result, paper)
    found = yield from support_plan(domain, paper, RETRIEVED, wording, price)
    if found.error is not None:
        return JudgementResult(None, found.steps, found.error)
    numbers = [one.index for one in found.support]
    if strategy is BiasStrategy.HIGHLIGHTS:
        result = yield from _judged(domain, whole, ShownText.HIGHLIGHTS, wording, price, highlighted=numbers)
    else:
        result = yield from _judged(domain, Part.chosen(paper, numbers), ShownText.RETRIEVED, wording, price)
    return _with_proof(_after(found, result), paper)


def support_plan(domain: Domain, paper: Paper, k: int, wording: BiasPrompts, price: Price) -> Stages[SearchResult]:
    """Find the `k` sentences most informative about a domain."""
    part = Part.whole(paper, candidates(paper))
    if not part.shown:
        return SearchResult((), ())
    [outcome] = yield from run_together([choose(wording.support(domain, part, k), part, k, wording.once_more, price)])
    if outcome.answer is None:
        return SearchResult((), (outcome.step,), outcome.error)
    return SearchResult(answers.support_of(outcome.answer.numbers, outcome.match), (outcome.step,))


def collected_plan(
    domain: Domain, sentences: Sequence[str], wording: BiasPrompts, price: Price
) -> Stages[JudgementResult]:
    """Judge one domain from the given sentences only; support indices point into them."""
    return (yield from _judged(domain, Part.given(sentences), ShownText.COLLECTED, wording, price))


def option_plan(
    domain: Domain, paper: Paper, options: Sequence[str], wording: BiasPrompts, price: Price
) -> Stages[OptionResult]:
    """Choose which of several support judgements fits the study."""
    letters = letters_for(options)
    request = wording.choice(domain, Part.whole(paper, candidates(paper)), options, letters)
    hold = partial(verify_option, letters=letters)
    [outcome] = yield from run_together(
        [ask(request, hold, lambda answer: wording.once_more(request, answer.said, answer.faults), price)]
    )
    if outcome.answer is None:
        return OptionResult(None, (outcome.step,), outcome.error)
    return OptionResult(outcome.answer.place, (outcome.step,))


def letters_for(options: Sequence[str]) -> list[str]:
    """The letters that name the options."""
    return [chr(ord("A") + place) for place in range(len(options))]


def _judged(
    domain: Domain, part: Part, view: ShownText, wording: BiasPrompts, price: Price, *, highlighted: Iterable[int] = ()
) -> Stages[JudgementResult]:
    """Ask for the level, or for the answers that determine it."""
    request = wording.judgement(domain, part, view, highlighted=highlighted)
    if domain.questions:
        [answered] = yield from run_together(
            [
                ask(
                    request,
                    partial(verify_answers, shown=part.shown, domain=domain),
                    lambda answer: wording.once_more(request, answer.data, answer.faults),
                    price,
                )
            ]
        )
        if answered.answer is None:
            return JudgementResult(None, (answered.step,), answered.error)
        return JudgementResult(answers.by_answers(domain, answered.answer, answered.match), (answered.step,))
    [judged] = yield from run_together(
        [
            ask(
                request,
                partial(verify_judgement, shown=part.shown, scale=domain.scale),
                lambda answer: wording.once_more(request, answer.said, answer.faults),
                price,
            )
        ]
    )
    if judged.answer is None:
        return JudgementResult(None, (judged.step,), judged.error)
    return JudgementResult(answers.by_level(domain, judged.answer, judged.match), (judged.step,))


def _after(found: SearchResult, result: JudgementResult) -> JudgementResult:
    """Add the search's steps to a result, and mark a sentence as repaired if the search named it wrongly at first."""
    steps = (*found.steps, *result.steps)
    if result.judgement is None:
        return replace(result, steps=steps)
    support = tuple(
        replace(one, match=Match.REPAIRED) if one.index in found.repaired else one for one in result.judgement.support
    )
    missing = tuple(text for step in steps for text in step.not_in_paper)
    return replace(result, judgement=replace(result.judgement, support=support, not_in_paper=missing), steps=steps)


def _with_proof(result: JudgementResult, paper: Paper) -> JudgementResult:
    """If a judgement has no support, add the titles of the sections that were searched."""
    if result.judgement is None or result.judgement.support:
        return result
    searched = tuple(section.title for section in paper.sections)
    return replace(result, judgement=replace(result.judgement, searched=searched))


# ---- the engine: runs a strategy's plan with a model ----

T = TypeVar("T", OptionResult, JudgementResult, SearchResult)


class ModelBiasEngine(ModelEngine[BiasStrategy]):
    """Risk of bias by a language model."""

    strategies = BiasStrategy
    task = "for risk of bias"

    def support(
        self, domain: Domain, paper: Paper, study: StudyContext, *, k: int, progress: Progress = silent
    ) -> Retrieved:
        """One question on the whole paper, whatever the strategy."""
        wording = BiasPrompts(study, _title(paper))
        plan = support_plan(domain, paper, k, wording, self.runner.cost_of)
        found, run = self._run(plan, wording, progress)
        return Retrieved(found.support, run)

    def suggest(self, domain: Domain, paper: Paper, study: StudyContext, *, progress: Progress = silent) -> Suggestion:
        wording = BiasPrompts(study, _title(paper))
        plan = judgement_plan(self.strategy, domain, paper, wording, self.runner.cost_of)
        return self._suggestion(*self._run(plan, wording, progress))

    def suggest_from_sentences(
        self, domain: Domain, sentences: Sequence[str], *, progress: Progress = silent
    ) -> Suggestion:
        """One question, whatever the strategy."""
        wording = BiasPrompts(StudyContext())
        plan = collected_plan(domain, sentences, wording, self.runner.cost_of)
        return self._suggestion(*self._run(plan, wording, progress))

    def pick(
        self,
        domain: Domain,
        paper: Paper,
        study: StudyContext,
        options: Sequence[str],
        *,
        progress: Progress = silent,
    ) -> Picked:
        """One question on the whole paper, whatever the strategy."""
        wording = BiasPrompts(study, _title(paper))
        chosen, run = self._run(option_plan(domain, paper, options, wording, self.runner.cost_of), wording, progress)
        return Picked(chosen.place, run.steps[-1].reasoning, run)

    def cut(self, passage: str, *, progress: Progress = silent) -> tuple[CutResult, ModelRun]:
        """Cut a passage of a methods section into definitions. One question, whatever the strategy."""
        result = run_plan(cut_plan(passage, self.runner.cost_of), self.runner, progress)
        return result, self.run_of(result.prompts, result.steps, error=result.error)

    def _suggestion(self, result: JudgementResult, run: ModelRun) -> Suggestion:
        assert result.judgement is not None  # `_run` has raised otherwise  # noqa: S101
        rationale = " ".join(filter(None, (result.judgement.rationale, *run.gaps)))
        return Suggestion(self.name, replace(result.judgement, rationale=rationale), run, run.cost_usd, run.prompts)

    def _run(self, plan: Stages[T], wording: BiasPrompts, progress: Progress) -> tuple[T, ModelRun]:
        """Run a plan. Raises `NoAnswer`, with the steps so far, if it fails."""
        result = run_plan(plan, self.runner, progress)
        return result, self.run_of(wording.hashes, result.steps, error=result.error)


def _title(paper: Paper) -> str:
    return paper.title or paper.name


# ---- cost estimates before the first answer; nothing is sent ----


def estimate_run(model: ModelName, domains: Iterable[Domain], paper: Paper, study: StudyContext) -> CostEstimate:
    """Estimate the cost of judging these domains, assuming no repeated questions and an empty cache."""
    return _estimate(model, expected_requests(ModelBiasEngine.strategy_of(model), domains, paper, study))


def estimate_support(model: ModelName, domain: Domain, paper: Paper, study: StudyContext, k: int) -> CostEstimate:
    """Estimate the cost of a search for support sentences."""
    return _estimate(model, [_wording(paper, study).support(domain, _whole(paper), k)])


def estimate_from_sentences(model: ModelName, domain: Domain, sentences: Sequence[str]) -> CostEstimate:
    """Estimate the cost of a judgement on given sentences."""
    return _estimate(model, [BiasPrompts(StudyContext()).judgement(domain, Part.given(sentences), ShownText.COLLECTED)])


def estimate_pick(
    model: ModelName, domain: Domain, paper: Paper, study: StudyContext, options: Sequence[str]
) -> CostEstimate:
    """Estimate the cost of a choice among support judgements."""
    request = _wording(paper, study).choice(domain, _whole(paper), options, letters_for(options))
    return _estimate(model, [request])


def expected_requests(
    strategy: BiasStrategy, domains: Iterable[Domain], paper: Paper, study: StudyContext
) -> Iterator[Request]:
    """The requests of a run.

    The sentences that a search finds depend on the answers, so the paper's longest ones stand in for them.
    """
    wording, whole = _wording(paper, study), _whole(paper)
    longest = sorted(whole.shown, key=lambda number: -len(whole.shown[number]))[:RETRIEVED]
    if not whole.shown:
        return
    for domain in domains:
        if strategy is BiasStrategy.WHOLE:
            yield wording.judgement(domain, whole, ShownText.WHOLE)
            continue
        yield wording.support(domain, whole, RETRIEVED)
        if strategy is BiasStrategy.HIGHLIGHTS:
            yield wording.judgement(domain, whole, ShownText.HIGHLIGHTS, highlighted=longest)
        else:
            yield wording.judgement(domain, Part.chosen(paper, longest), ShownText.RETRIEVED)


def _estimate(model: ModelName, requests: Iterable[Request]) -> CostEstimate:
    return estimate(requests, f"{model.provider}:{model.model}")


def _wording(paper: Paper, study: StudyContext) -> BiasPrompts:
    return BiasPrompts(study, paper.title or paper.name)


def _whole(paper: Paper) -> Part:
    return Part.whole(paper, candidates(paper))
