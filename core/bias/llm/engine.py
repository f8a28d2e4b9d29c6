"""The engines that ask a language model about risk of bias: a strategy's plan, put to a model live."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from core.bias.assessment import Suggestion
from core.bias.llm.strategies import (
    Chosen,
    Result,
    Sentences,
    Strategy,
    collected_plan,
    judgement_plan,
    option_plan,
    support_plan,
)
from core.bias.llm.wording import Wording
from core.bias.model import Domain, Picked, Retrieved, StudyContext
from core.evidence.llm.asking import Asker, Stages, carry_out
from core.evidence.model import ModelRun, NoAnswer
from core.llm import ModelName, strategy_among
from core.paper import Paper
from core.progress import Progress, silent

T = TypeVar("T", Chosen, Result, Sentences)


class ModelBiasEngine:
    """Risk of bias by a language model. Safe to share between threads, as its runner is.

    What failed can be tried again by the same call: the steps that went well come from the cache and cost nothing.
    """

    def __init__(self, model: ModelName, runner: Asker) -> None:
        """Raises `EngineError` if the name asks for an unknown strategy."""
        self.strategy = strategy_of(model)
        self.runner = runner
        self.name = f"{runner.name}@{self.strategy}"

    def support(
        self, domain: Domain, paper: Paper, study: StudyContext, *, k: int, progress: Progress = silent
    ) -> Retrieved:
        """One question on the whole paper, whatever the strategy."""
        wording = Wording(study, _title(paper))
        plan = support_plan(domain, paper, k, wording, self.runner.cost_of)
        found, run = self._run(plan, wording, progress)
        return Retrieved(found.support, run)

    def suggest(self, domain: Domain, paper: Paper, study: StudyContext, *, progress: Progress = silent) -> Suggestion:
        wording = Wording(study, _title(paper))
        plan = judgement_plan(self.strategy, domain, paper, wording, self.runner.cost_of)
        return self._suggestion(*self._run(plan, wording, progress))

    def suggest_from_sentences(
        self, domain: Domain, sentences: Sequence[str], *, progress: Progress = silent
    ) -> Suggestion:
        """One question, whatever the strategy."""
        wording = Wording(StudyContext())
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
        wording = Wording(study, _title(paper))
        chosen, run = self._run(option_plan(domain, paper, options, wording, self.runner.cost_of), wording, progress)
        return Picked(chosen.place, run.steps[-1].reasoning, run)

    def _suggestion(self, result: Result, run: ModelRun) -> Suggestion:
        assert result.judgement is not None  # `_run` has raised otherwise  # noqa: S101
        return Suggestion(self.name, result.judgement, run)

    def _run(self, plan: Stages[T], wording: Wording, progress: Progress) -> tuple[T, ModelRun]:
        """Carry a plan out. Raises `NoAnswer` with what was learned on the way."""
        result = carry_out(plan, self.runner, progress)
        run = ModelRun(self.runner.name, self.strategy, wording.hashes, result.steps)
        if result.error is not None:
            raise NoAnswer(result.error, run) from result.error
        return result, run


def strategy_of(model: ModelName) -> Strategy:
    """The strategy in an engine's name, or the default. Raises `EngineError` if there is none of that name."""
    return strategy_among(Strategy, model, "for risk of bias")


def _title(paper: Paper) -> str:
    return paper.title or paper.name
