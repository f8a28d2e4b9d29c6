"""The engines that ask a language model: a strategy's plan, put to a model live."""

from __future__ import annotations

import time

from core.evidence.llm.asking import Asker, carry_out
from core.evidence.llm.strategies import plan
from core.evidence.llm.wording import Strategy, Wording
from core.evidence.model import Evidence, EvidenceQuery, ModelRun, NoAnswer
from core.llm import ModelName, strategy_among
from core.paper import Paper
from core.progress import Progress, silent


class ModelEngine:
    """Evidence from a language model. Safe to share between threads, as its runner is."""

    def __init__(self, model: ModelName, runner: Asker) -> None:
        """Raises `EngineError` if the name asks for an unknown strategy."""
        self.strategy = strategy_of(model)
        self.runner = runner
        self.name = f"{runner.name}@{self.strategy}"

    def find(self, paper: Paper, query: EvidenceQuery, *, progress: Progress = silent) -> Evidence:
        """At most `query.k` sentences, the most important first. Raises `NoAnswer` with what was learned on the way.

        What failed can be tried again by the same call: the steps that went well come from the cache and cost nothing.
        """
        started = time.perf_counter()
        wording = Wording(self.strategy, paper, query)
        result = carry_out(plan(self.strategy, paper, query, wording, self.runner.cost_of), self.runner, progress)
        run = ModelRun(self.runner.name, self.strategy, wording.hashes, result.steps, result.verdict)
        if result.error is not None:
            raise NoAnswer(result.error, run) from result.error
        return Evidence(
            engine=self.name,
            query=query,
            sentences=result.sentences,
            seconds=time.perf_counter() - started,
            cost_usd=run.cost_usd,
            notes=tuple(_notes(run)),
            run=run,
        )


def strategy_of(model: ModelName) -> Strategy:
    """The strategy in an engine's name, or the default. Raises `EngineError` if there is none of that name."""
    return strategy_among(Strategy, model)


def _notes(run: ModelRun) -> list[str]:
    """What a reviewer should know, in words."""
    notes = []
    if run.from_cache:
        notes.append("Every reply was kept from an earlier run: this one cost nothing.")
    if run.failed:
        labels = ", ".join(f"“{step.label}”" for step in run.failed)
        notes.append(f"Not read: {labels}. {run.failed[0].error}")
    again = sum(bool(step.faults) for step in run.steps)
    if again:
        notes.append(f"{again} of {len(run.steps)} answers had faults and were asked for again.")
    wrong = sum(len(step.not_in_paper) for step in run.steps)
    if wrong:
        named = f"{wrong} sentences that are" if wrong > 1 else "a sentence that is"
        notes.append(f"The model named {named} not in this paper; none is shown.")
    if not run.steps:
        notes.append(
            "The paper holds no sentence that can be chosen: it is all headings, or tables that were left out."
        )
    return notes
