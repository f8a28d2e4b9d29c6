"""The engines that ask a language model about a summary, a question a sentence."""

from __future__ import annotations

import time

from core.evidence.llm.asking import Asker, Outcome, Price, Stages, carry_out, together
from core.evidence.model import ModelRun, NoAnswer
from core.llm import Estimate, ModelName, Request, estimate, strategy_among
from core.paper import Paper
from core.progress import Progress, silent
from core.summary.llm.judging import HEADING, HeldJudgement, checked, judge, unjudged
from core.summary.llm.wording import Strategy, Wording
from core.summary.matching import Matcher
from core.summary.model import FaithfulnessReport, Label, QuoteStatus, SentenceCheck, SummarySource
from core.summary.source import notes_on_source, source_sentences
from core.summary.splitting import SummarySentence, split_summary


class ModelEngine:
    """Summaries checked by a language model. Safe to share between threads, as its runner is."""

    def __init__(self, model: ModelName, runner: Asker) -> None:
        """Raises `EngineError` if the name asks for an unknown strategy."""
        self.strategy = strategy_of(model)
        self.runner = runner
        self.name = f"{runner.name}@{self.strategy}"

    def check(
        self,
        summary: str,
        paper: Paper,
        *,
        source: SummarySource = SummarySource.WHOLE,
        progress: Progress = silent,
    ) -> FaithfulnessReport:
        """A label for each sentence; where there is no answer it cannot be told, and its step tells why.

        Raises `NoAnswer` if no sentence has one. What failed can be tried again by the same call: the rest comes from
        the cache and costs nothing.
        """
        started = time.perf_counter()
        wording = Wording(self.strategy, paper, source_sentences(paper, source))
        outcomes = carry_out(plan(summary, paper, source, wording, self.runner.cost_of), self.runner, progress)
        run = ModelRun(self.runner.name, self.strategy, wording.hashes, tuple(outcome.step for outcome in outcomes))
        answers = iter(outcomes)
        sentences = tuple(
            unjudged(sentence, Label.NOT_JUDGED, HEADING) if sentence.heading else checked(sentence, next(answers))
            for sentence in split_summary(summary)
        )
        errors = [outcome.error for outcome in outcomes if outcome.error is not None]
        if errors and len(errors) == len(outcomes):
            raise NoAnswer(errors[0], run) from errors[0]
        return FaithfulnessReport(
            summary=summary,
            paper=paper.id,
            engine=self.name,
            source=source,
            sentences=sentences,
            seconds=time.perf_counter() - started,
            cost_usd=run.cost_usd,
            notes=(*notes_on_source(paper, source), *_notes(run, sentences)),
            run=run,
        )


def plan(
    summary: str, paper: Paper, source: SummarySource, wording: Wording, price: Price
) -> Stages[list[Outcome[HeldJudgement]]]:
    """A question for each sentence of a summary but its headings.

    The first one goes ahead: the source is then in the provider's cache, and costs the others a tenth.
    """
    matcher = Matcher(paper, source_sentences(paper, source))
    exchanges = [judge(request, sentence, wording, matcher, price) for request, sentence in questions(summary, wording)]
    first = yield from together(exchanges[:1])
    return first + (yield from together(exchanges[1:]))


def questions(summary: str, wording: Wording) -> list[tuple[Request, SummarySentence]]:
    """The questions about a summary, each with its sentence. Headings claim nothing, and are not asked about."""
    sentences = split_summary(summary)
    return [
        (wording.judgement(sentence, sentences[:place], label=f"Sentence {place + 1}"), sentence)
        for place, sentence in enumerate(sentences)
        if not sentence.heading
    ]


def estimate_check(model: ModelName, summary: str, paper: Paper, source: SummarySource) -> Estimate:
    """What a check will use if no answer has to be asked for again and none is in the cache. Nothing is sent."""
    wording = Wording(strategy_of(model), paper, source_sentences(paper, source))
    return estimate([request for request, _ in questions(summary, wording)], f"{model.provider}:{model.model}")


def strategy_of(model: ModelName) -> Strategy:
    """The strategy in an engine's name, or the default. Raises `EngineError` if there is none of that name."""
    return strategy_among(Strategy, model, "for summaries")


def _notes(run: ModelRun, sentences: tuple[SentenceCheck, ...]) -> list[str]:
    """What a reviewer should know, in words."""
    notes = []
    if run.from_cache:
        notes.append("Every reply was kept from an earlier run: this one cost nothing.")
    if run.failed:
        labels = ", ".join(step.label.lower() for step in run.failed)
        notes.append(f"Not judged: {labels}. {run.failed[0].error}")
    again = sum(bool(step.faults) for step in run.steps)
    if again:
        notes.append(f"{again} of {len(run.steps)} answers had faults and were asked for again.")
    wrong = sum(support.status is QuoteStatus.NOT_IN_PAPER for sentence in sentences for support in sentence.support)
    if wrong:
        what = "one quotation" if wrong == 1 else f"{wrong} quotations"
        notes.append(f"The model gave {what} not found in the paper; none is shown as the paper's.")
    return notes
