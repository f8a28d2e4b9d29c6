"""Summaries checked by language models (FaReBio, sections 3.1 and 4, appendices C and D): prompts, answers, engine."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import Literal, Self

from pydantic import Field

from core.grounding.model import ModelRun
from core.grounding.questions import (
    Exchange,
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
from core.llm.model import NotPlain, fields
from core.llm.provider import set_apart
from core.paper import Kind, Paper, Sentence
from core.progress import Progress, silent
from core.prompts import load_prompt
from core.summary.matching import Matcher
from core.summary.model import (
    FaithfulnessReport,
    Label,
    QuoteStatus,
    SentenceCheck,
    Span,
    SummarySource,
    Support,
    notes_on_source,
    source_sentences,
)
from core.summary.splitting import SummarySentence, split_summary

# ---- answers ----
# The reply schemas for judging a summary sentence. The evidence comes before the label, so that it can guide the label.

LabelWord = Literal["supported", "contradicts the paper", "not in the paper", "not judged"]


class LabelAlone(ReplySchema):
    """Nothing but the label."""

    label: LabelWord

    @classmethod
    def from_plain(cls, text: str) -> Self:
        (label,) = fields(text, "LABEL")
        return cls.model_validate({"label": _word(label)})


class LabelAndSentences(ReplySchema):
    """The label and the sentences that it rests on."""

    sentences: list[str] = Field(
        description="Sentences of the source, copied letter by letter, the most important first."
    )
    reason: str = Field(description="In one or two sentences, what they show.")
    label: LabelWord

    @classmethod
    def from_plain(cls, text: str) -> Self:
        sentences, reason, label = fields(text, "SENTENCES", "REASON", "LABEL")
        return cls.model_validate({"sentences": _lines(sentences), "reason": reason, "label": _word(label)})


class LabelAndParts(LabelAndSentences):
    """The same, and what of the sentence is wrong."""

    part: str | None = Field(description="The words of the summary sentence that are wrong; null where none are.")

    @classmethod
    def from_plain(cls, text: str) -> Self:
        sentences, reason, label, part = fields(text, "SENTENCES", "REASON", "LABEL", "PART")
        judged = {"sentences": _lines(sentences), "reason": reason, "label": _word(label)}
        return cls.model_validate(judged | {"part": _or_none(part)})


def _word(value: str) -> str:
    return value.strip(" .“”\"'").lower()


def _or_none(value: str) -> str | None:
    return None if _word(value) in {"", "none"} else value


def _lines(text: str) -> list[str]:
    """Parse a list with a hyphen before each sentence, or “none”. Raises `NotPlain` for anything else."""
    if _or_none(text) is None:
        return []
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if not all(line.startswith("- ") for line in lines):
        raise NotPlain("after SENTENCES: there is something other than lines with a hyphen")
    return [line.removeprefix("- ").strip() for line in lines]


# ---- wording ----
# The prompts for a summary sentence: templates are chosen, filled and recorded by hash.

_BEFORE = 3  # sentences of the summary that are shown before the one to check


class SummaryStrategy(StrEnum):
    """What a model is asked for (FaReBio, appendix D; the third follows section 3.3). The first is the default."""

    SUPPORT = "support"  # the label and the sentences that it is based on
    LABEL = "label"  # only the label
    PARTS = "parts"  # the same as SUPPORT, and the inconsistent part


_SCHEMAS: dict[SummaryStrategy, type[ReplySchema]] = {
    SummaryStrategy.SUPPORT: LabelAndSentences,
    SummaryStrategy.LABEL: LabelAlone,
    SummaryStrategy.PARTS: LabelAndParts,
}


class SummaryPrompts:
    """Fills the templates for one source. Raises `PromptError` if a template is wrong."""

    def __init__(self, strategy: SummaryStrategy, paper: Paper, source: Iterable[Sentence]) -> None:
        self._schema = _SCHEMAS[strategy]
        self._frame = load_prompt(
            "summary-frame",
            variables=("title", "authors", "text", "before", "sentence"),
            parts=("system", "context", "summary"),
        )
        self._question = load_prompt(f"summary-{strategy}", variables=(), parts=("task", "plain"))
        self._again = load_prompt("summary-again", variables=("task", "faults"))
        self._context = self._frame.fill("context", **source_fields(paper, source))
        self.hashes = tuple((prompt.name, prompt.hash) for prompt in (self._frame, self._question, self._again))

    def judgement(self, sentence: SummarySentence, before: Sequence[SummarySentence], *, label: str) -> Request:
        """Ask about one sentence. The sentences before it are shown as context."""
        told = " ".join(one_line(other.text) for other in before[-_BEFORE:]) or "(nothing)"
        shown = set_apart(self._frame.fill("summary", before=told, sentence=one_line(sentence.text)))
        return Request(
            system=self._frame.fill("system"),
            context=self._context,
            task=f"{shown}\n\n{self._question.fill('task')}",
            schema=self._schema,
            plain=self._question.fill("plain"),
            cache_context=True,  # the source is sent again for each sentence
            label=label,
        )

    def once_more(self, request: Request, faults: Iterable[str]) -> Request:
        """Ask again, naming the faults of the first answer."""
        return repeated_request(self._again, request, faults)


def source_fields(paper: Paper, source: Iterable[Sentence]) -> dict[str, str]:
    """The source as fields for the templates (FaReBio, appendix C): title, authors, and text with a sentence per line."""
    lines = [
        f"\n## {one_line(sentence.text)}" if sentence.kind is Kind.HEADING else one_line(sentence.text)
        for sentence in source
        if sentence.kind is not Kind.TITLE
    ]
    return {
        "title": one_line(paper.title or paper.name),
        "authors": ", ".join(map(one_line, paper.authors)) or "not named",
        "text": "\n".join(lines).strip(),
    }


def one_line(text: str) -> str:
    """Text without line breaks."""
    return " ".join(text.split())


# ---- judging ----
# A model's judgement of one summary sentence, verified against the paper.

HEADING = "A heading claims nothing."
WITHOUT_SUPPORT = "The model calls it supported, and no sentence that it copied for it stands in the paper."
_NO_SENTENCE = "The sentence is called supported, and no sentence was copied that stands in the source."
_NO_PART = "The words that are wrong were not copied from the sentence to check."


@dataclass(frozen=True, slots=True)
class VerifiedLabel:
    """An answer after verification, with its faults."""

    label: Label
    reasoning: str
    support: tuple[Support, ...]  # all copied sentences, whether found in the paper or not
    without_support: bool  # labelled supported, but no copied sentence is in the paper, although they were asked for
    part: Span | None
    faults: tuple[str, ...]

    @property
    def numbers(self) -> tuple[int, ...]:
        return tuple(found.index for found in self.support if found.index is not None)

    @property
    def not_in_paper(self) -> tuple[str, ...]:
        return tuple(found.quoted or "" for found in self.support if found.status is QuoteStatus.NOT_IN_PAPER)


def judge(
    request: Request, sentence: SummarySentence, wording: SummaryPrompts, matcher: Matcher, price: Price
) -> Exchange[QuestionResult[VerifiedLabel]]:
    """Ask about a sentence, and once more if the answer has faults."""

    def once_more(answer: VerifiedLabel) -> Request:
        return wording.once_more(request, answer.faults)

    return ask(request, partial(_held, sentence.text, matcher), once_more, price)


def checked(sentence: SummarySentence, outcome: QuestionResult[VerifiedLabel]) -> SentenceCheck:
    """Turn a judgement into a check. Without an answer, or without the support it needs, the label is "cannot tell"."""
    answer = outcome.answer
    if answer is None:
        return unjudged(sentence, Label.CANNOT_TELL, f"There is no answer. {outcome.error}")
    if answer.without_support:
        return unjudged(sentence, Label.CANNOT_TELL, WITHOUT_SUPPORT, answer.support)
    return SentenceCheck(
        sentence.text,
        sentence.start,
        sentence.end,
        answer.label,
        score=None,
        support=answer.support,
        part=answer.part,
        reason=answer.reasoning,
    )


def unjudged(sentence: SummarySentence, label: Label, reason: str, support: tuple[Support, ...] = ()) -> SentenceCheck:
    """A sentence that is neither supported nor wrong, and why."""
    return SentenceCheck(sentence.text, sentence.start, sentence.end, label, None, support=support, reason=reason)


def span_of(words: str, sentence: str) -> Span | None:
    """Find words in a sentence, ignoring case, quotation marks around them and spacing; None if they are not there."""
    pattern = r"\s+".join(re.escape(word) for word in words.strip(" \t\n“”\"'").split())
    found = re.search(pattern, sentence, re.IGNORECASE) if pattern else None
    return Span(found.start(), found.end()) if found else None


def _held(sentence: str, matcher: Matcher, reply: Reply) -> VerifiedLabel | None:
    said = reply.data
    if not isinstance(said, LabelAlone | LabelAndSentences):
        return None
    label, faults = Label(said.label), []
    support: tuple[Support, ...] = ()
    without_support = False
    if isinstance(said, LabelAndSentences):
        support = _found(said.sentences, matcher)
        without_support = label is Label.SUPPORTED and all(found.index is None for found in support)
        faults += [_NO_SENTENCE] if without_support else []
    part = None
    if isinstance(said, LabelAndParts) and label.flagged:
        part = span_of(said.part or "", sentence)
        faults += [_NO_PART] if part is None else []
    reason = said.reason.strip() if isinstance(said, LabelAndSentences) else ""
    return VerifiedLabel(label, reason, support, without_support, part, tuple(faults))


def _found(copied: Sequence[str], matcher: Matcher) -> tuple[Support, ...]:
    """The copied sentences without duplicates; those that are not in the paper come last."""
    supports = [support for quotation in copied for support in matcher.find(quotation)]
    there = {support.index: support for support in reversed(supports) if support.index is not None}
    in_order = dict.fromkeys(support.index for support in supports if support.index is not None)
    invented = [support for support in supports if support.index is None]
    return (*(there[index] for index in in_order), *invented)


# ---- engine ----
# The engine that asks a language model about a summary, with one question per sentence.


class ModelSummaryEngine(ModelEngine[SummaryStrategy]):
    """Summaries checked by a language model."""

    strategies = SummaryStrategy
    task = "for summaries"

    def check(
        self,
        summary: str,
        paper: Paper,
        *,
        source: SummarySource = SummarySource.WHOLE,
        progress: Progress = silent,
    ) -> FaithfulnessReport:
        """Label each sentence. One without an answer is labelled "cannot tell", and its step has the reason.

        Raises `NoAnswer` if no sentence has an answer. Repeat the call to retry what failed: the rest comes from the cache
        and costs nothing.
        """
        started = time.perf_counter()
        wording = SummaryPrompts(self.strategy, paper, source_sentences(paper, source))
        outcomes = run_plan(plan(summary, paper, source, wording, self.runner.cost_of), self.runner, progress)
        errors = [outcome.error for outcome in outcomes if outcome.error is not None]
        none = errors[0] if errors and len(errors) == len(outcomes) else None
        run = self.run_of(wording.hashes, [outcome.step for outcome in outcomes], error=none)
        answers = iter(outcomes)
        sentences = tuple(
            unjudged(sentence, Label.NOT_JUDGED, HEADING) if sentence.heading else checked(sentence, next(answers))
            for sentence in split_summary(summary)
        )
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
    summary: str, paper: Paper, source: SummarySource, wording: SummaryPrompts, price: Price
) -> Stages[list[QuestionResult[VerifiedLabel]]]:
    """A question for each sentence of a summary, except headings.

    The first is sent alone. The source is then in the provider's cache, and costs a tenth in the others.
    """
    matcher = Matcher(paper, source_sentences(paper, source))
    exchanges = [judge(request, sentence, wording, matcher, price) for request, sentence in questions(summary, wording)]
    first = yield from run_together(exchanges[:1])
    return first + (yield from run_together(exchanges[1:]))


def questions(summary: str, wording: SummaryPrompts) -> list[tuple[Request, SummarySentence]]:
    """The questions about a summary, each with its sentence. Headings claim nothing and are skipped."""
    sentences = split_summary(summary)
    return [
        (wording.judgement(sentence, sentences[:place], label=f"Sentence {place + 1}"), sentence)
        for place, sentence in enumerate(sentences)
        if not sentence.heading
    ]


def estimate_check(model: ModelName, summary: str, paper: Paper, source: SummarySource) -> CostEstimate:
    """Estimate the cost of a check, assuming no repeated questions and an empty cache. Nothing is sent."""
    wording = SummaryPrompts(ModelSummaryEngine.strategy_of(model), paper, source_sentences(paper, source))
    return estimate([request for request, _ in questions(summary, wording)], f"{model.provider}:{model.model}")


def _notes(run: ModelRun, sentences: tuple[SentenceCheck, ...]) -> list[str]:
    """What a reviewer should know, in words."""
    notes = [run.shortened] if run.shortened else []
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
