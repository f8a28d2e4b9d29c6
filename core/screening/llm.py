"""Screening by language models: one question per criterion; every sentence cited is checked against the paper."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import Self

from pydantic import Field

from core.evidence.model import EvidenceSentence
from core.grounding.checking import Part, Pick, VerifiedPicks, check_picks
from core.grounding.model import ModelRun
from core.grounding.questions import (
    ModelEngine,
    Price,
    QuestionResult,
    Stages,
    ask,
    repeated_request,
    run_plan,
    run_together,
)
from core.llm import CostEstimate, ModelName, Reply, ReplySchema, Request, estimate
from core.llm.model import Form, fields, numbers
from core.llm.provider import set_apart
from core.paper import Kind, Paper, Sentence
from core.progress import Progress, silent
from core.prompts import load_prompt
from core.screening.model import CRITERION_SENTENCES, Criterion, CriterionSuggestion, Fit

# ---- answers ----
# The form in which a model answers. The reason comes before the decision, so that it can guide the decision.

FITS = tuple(fit.value for fit in Fit)


class FitPick(Pick):
    """A sentence that a suggestion rests on."""

    why: str = Field(description="In one short sentence, what it shows.")


class JudgedCriterion(ReplySchema):
    """Whether a paper meets a criterion. A word other than those asked for is a fault; the rest can still be read."""

    reason: str = Field(description="In one sentence, what the paper says about the criterion, before any decision.")
    sentences: list[FitPick] = Field(description="What the decision rests on, the most important first.")
    fit: str = Field(description="Whether the paper meets the criterion.", json_schema_extra={"enum": list(FITS)})

    @classmethod
    def from_plain(cls, text: str) -> Self:
        """`REASON: ... SENTENCES: [i, j] DECISION: not met`. The plain form has no quotes to compare."""
        reason, named, fit = fields(text, "REASON", "SENTENCES", "DECISION")
        picks = [FitPick(number=number, quote="", why="") for number in numbers(named, "SENTENCES")]
        return cls(reason=reason, sentences=picks, fit=fit.rstrip(".").lower())


@dataclass(frozen=True, slots=True)
class VerifiedFit(VerifiedPicks[JudgedCriterion, FitPick]):
    """A decision on a criterion."""

    @property
    def fit(self) -> Fit | None:
        """None if the word is not one of those asked for, or if no cited sentence supports it."""
        return None if self.rests_on_nothing or self.said.fit not in FITS else Fit(self.said.fit)

    @property
    def rests_on_nothing(self) -> bool:
        """Whether no sentence supports the decision: none cited is in the paper, or “met” cites none."""
        return not self.checked.right and (bool(self.said.sentences) or self.said.fit == Fit.MET)

    @property
    def faults(self) -> tuple[str, ...]:
        faults = list(self.checked.faults)
        if self.said.fit not in FITS:
            faults.append(f"The decision is none of: {', '.join(FITS)}.")
        elif self.said.fit == Fit.MET and not self.said.sentences:
            faults.append("No sentence was named that shows that the criterion is met.")
        return tuple(faults)


def verify_fit(reply: Reply, shown: Mapping[int, str]) -> VerifiedFit | None:
    """A reply checked against the sentences shown; None if it cannot be used."""
    said = reply.data
    if not isinstance(said, JudgedCriterion):
        return None
    return VerifiedFit(
        said, check_picks(said.sentences, reply.sent(shown), CRITERION_SENTENCES, quoted=reply.form is Form.SCHEMA)
    )


# ---- wording ----
# The words in which a model is asked about a criterion: templates, identified by their hashes.


class ScreeningPrompts:
    """Fills the templates. Raises `PromptError` if a template is wrong.

    System and context are the same for every criterion of a paper, because the provider caches how requests begin.
    """

    def __init__(self) -> None:
        self._frame = load_prompt(
            "screening-frame", variables=("part", "title", "sentences"), parts=("system", "context")
        )
        self._task = load_prompt(
            "screening-criterion", variables=("kind", "criterion", "k", "fits"), parts=("task", "plain")
        )
        self._again = load_prompt("screening-again", variables=("task", "answer", "faults"))

    @property
    def hashes(self) -> tuple[tuple[str, str], ...]:
        """(name, hash) of every template."""
        return tuple((prompt.name, prompt.hash) for prompt in (self._frame, self._task, self._again))

    def question(self, criterion: Criterion, part: Part, title: str, *, cached: bool) -> Request:
        """Ask whether the paper meets a criterion. `cached`: the context will be sent again for the next criterion."""
        return Request(
            system=self._frame.fill("system"),
            context=self._frame.fill("context", part=part.title, title=_line(title), sentences=part.listing),
            task=self._task.fill(
                "task",
                kind=criterion.kind.value,
                criterion=set_apart(_line(criterion.text)),
                k=CRITERION_SENTENCES,
                fits=", ".join(FITS),
            ),
            schema=JudgedCriterion,
            plain=self._task.fill("plain"),
            cache_context=cached,
            label=_line(criterion.text)[:80],
        )

    def once_more(self, request: Request, said: ReplySchema, faults: Iterable[str]) -> Request:
        """Ask again, naming the faults of the first answer."""
        return repeated_request(self._again, request, faults, answer=set_apart(said.model_dump_json()))


def _line(text: str) -> str:
    return " ".join(text.split())


# ---- engine ----
# The engines that ask a language model whether a paper meets a criterion.


class ScreeningStrategy(StrEnum):
    """How much of a paper a model is shown. The first is the default."""

    WHOLE = "whole"  # the whole paper at once
    ABSTRACT = "abstract"  # only title and abstract, as for references; the whole paper if it has no abstract


_NO_TEXT = "The paper holds no sentence to judge by."


class ModelScreeningEngine(ModelEngine[ScreeningStrategy]):
    """Criteria judged by a language model."""

    strategies = ScreeningStrategy
    task = "for screening"

    def suggest(self, criterion: Criterion, paper: Paper, *, progress: Progress = silent) -> CriterionSuggestion:
        """Raises `NoAnswer`, with every step that was made."""
        shown = _shown(paper, self.strategy)
        if not shown:
            return CriterionSuggestion(self.name, criterion.id, None, _NO_TEXT)
        part = Part.chosen(paper, [one.index for one in shown])
        wording = ScreeningPrompts()
        request = _question(criterion, paper, part, wording, self.strategy)
        outcome = run_plan(self._plan(request, part, wording, self.runner.cost_of), self.runner, progress)
        run = self.run_of(wording.hashes, (outcome.step,), error=outcome.error)
        return self._suggestion(criterion, outcome, run)

    def _plan(
        self, request: Request, part: Part, wording: ScreeningPrompts, price: Price
    ) -> Stages[QuestionResult[VerifiedFit]]:
        exchange = ask(
            request,
            partial(verify_fit, shown=part.shown),
            lambda answer: wording.once_more(request, answer.said, answer.faults),
            price,
        )
        [outcome] = yield from run_together([exchange])
        return outcome

    def _suggestion(
        self, criterion: Criterion, outcome: QuestionResult[VerifiedFit], run: ModelRun
    ) -> CriterionSuggestion:
        answer = outcome.answer
        assert answer is not None  # an outcome without an answer has an error, which was raised  # noqa: S101
        picks = answer.checked.right
        return CriterionSuggestion(
            self.name,
            criterion.id,
            answer.fit,
            " ".join(filter(None, (_reason(answer), run.shortened))),
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


def estimate_run(model: ModelName, criterion: Criterion, paper: Paper) -> CostEstimate:
    """What a criterion will use if it need not be asked again. Nothing is sent."""
    strategy = ModelScreeningEngine.strategy_of(model)
    part = Part.chosen(paper, [one.index for one in _shown(paper, strategy)])
    requests = [_question(criterion, paper, part, ScreeningPrompts(), strategy)] if part.shown else []
    return estimate(requests, f"{model.provider}:{model.model}")


def _question(
    criterion: Criterion, paper: Paper, part: Part, wording: ScreeningPrompts, strategy: ScreeningStrategy
) -> Request:
    cached = strategy is ScreeningStrategy.WHOLE
    return wording.question(criterion, part, paper.title or paper.name, cached=cached)


def _shown(paper: Paper, strategy: ScreeningStrategy) -> Sequence[Sentence]:
    """The sentences that the model reads and may cite. The title is included, because it often decides."""
    named = [one for one in paper.pool if one.kind is not Kind.HEADING and one.text.strip()]
    abstract = [one for one in named if one.kind in (Kind.TITLE, Kind.ABSTRACT)]
    has_abstract = any(one.kind is Kind.ABSTRACT for one in abstract)
    return abstract if strategy is ScreeningStrategy.ABSTRACT and has_abstract else named


def _reason(answer: VerifiedFit) -> str:
    said = " ".join(answer.reasoning.split())
    if answer.fit is not None:
        return said
    why = (
        "the model named no sentence that stands in the paper"
        if answer.rests_on_nothing
        else f"the model gave none of the words {', '.join(FITS)}"
    )
    return f"No suggestion: {why}. {said}".strip()
