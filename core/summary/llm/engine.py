"""The engines that ask a language model about a summary, a question a sentence."""

from __future__ import annotations

import time

from core.errors import EngineError, ModelError
from core.evidence.llm.asking import Asker, Stages, carry_out, together
from core.evidence.model import ModelRun, NoAnswer
from core.llm import Estimate, ModelName, estimate
from core.paper import Paper
from core.progress import Progress, silent
from core.summary.llm.judging import HEADING, checked, judge, unjudged
from core.summary.llm.wording import Strategy, Wording
from core.summary.matching import Matcher
from core.summary.model import FaithfulnessReport, QuoteStatus, SentenceCheck, SummarySource
from core.summary.source import notes_on_source, source_sentences
from core.summary.splitting import split_summary


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
        """A label for each sentence; one without an answer is not judged, and its step tells why.

        Raises `NoAnswer` if no sentence has one. What failed can be tried again by the same call: the rest comes from
        the cache and costs nothing.
        """
        started = time.perf_counter()
        wording = Wording(self.strategy, paper, source_sentences(paper, source))
        run, sentences, error = carry_out(self._plan(summary, paper, source, wording), self.runner, progress)
        if error is not None and len(run.failed) == len(run.steps):
            raise NoAnswer(error, run) from error
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

    def estimate(self, summary: str, paper: Paper, source: SummarySource) -> Estimate:
        """What a check will use if no answer has to be asked for again and none is in the cache. Nothing is sent."""
        wording = Wording(self.strategy, paper, source_sentences(paper, source))
        return estimate(next(self._plan(summary, paper, source, wording), ()), self.runner.name)

    def _plan(
        self, summary: str, paper: Paper, source: SummarySource, wording: Wording
    ) -> Stages[tuple[ModelRun, tuple[SentenceCheck, ...], ModelError | None]]:
        """The run, its sentences, and the first error."""
        matcher = Matcher(paper, source_sentences(paper, source))
        sentences = split_summary(summary)
        asked = [sentence for sentence in sentences if not sentence.heading]
        outcomes = yield from together(
            judge(sentence, summary, wording, matcher, self.runner.cost_of, label=f"Sentence {number}")
            for number, sentence in enumerate(sentences, 1)
            if not sentence.heading
        )
        answers = {
            sentence.start: checked(sentence, outcome) for sentence, outcome in zip(asked, outcomes, strict=True)
        }
        run = ModelRun(self.runner.name, self.strategy, wording.hashes, tuple(outcome.step for outcome in outcomes))
        error = next((outcome.error for outcome in outcomes if outcome.error is not None), None)
        return run, tuple(answers.get(s.start) or unjudged(s, HEADING) for s in sentences), error


def strategy_of(model: ModelName) -> Strategy:
    """The strategy in an engine's name, or the default. Raises `EngineError` if there is none of that name."""
    if model.strategy is None:
        return next(iter(Strategy))
    if model.strategy not in set(Strategy):
        raise EngineError(
            f"There is no strategy called “{model.strategy}” for summaries. Choose one of: {', '.join(Strategy)}."
        )
    return Strategy(model.strategy)


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
