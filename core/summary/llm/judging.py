"""A model's judgement of one summary sentence, held against the paper."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from core.evidence.llm.asking import Exchange, Outcome, Price, ask
from core.llm import Reply, Request
from core.summary.llm.answers import LabelAlone, LabelAndParts, LabelAndSentences
from core.summary.llm.wording import Wording
from core.summary.matching import Matcher
from core.summary.model import Label, QuoteStatus, SentenceCheck, Span, Support
from core.summary.splitting import SummarySentence

HEADING = "A heading claims nothing."
WITHOUT_SUPPORT = "The model calls it supported, and copied no sentence for it that stands in the paper."
_NO_SENTENCE = "The sentence is called supported, and no sentence was copied that stands in the source."
_NO_PART = "The words that are wrong were not copied from the sentence to check."


@dataclass(frozen=True, slots=True)
class HeldJudgement:
    """What of an answer is right, and what is wrong with it."""

    label: Label
    reasoning: str
    support: tuple[Support, ...]  # all that was copied, found in the paper or not
    without_support: bool  # called supported by nothing that is in the paper, where sentences were asked for
    part: Span | None
    faults: tuple[str, ...]

    @property
    def numbers(self) -> tuple[int, ...]:
        return tuple(found.index for found in self.support if found.index is not None)

    @property
    def not_in_paper(self) -> tuple[str, ...]:
        return tuple(found.quoted or "" for found in self.support if found.status is QuoteStatus.NOT_IN_PAPER)


def judge(
    request: Request, sentence: SummarySentence, wording: Wording, matcher: Matcher, price: Price
) -> Exchange[Outcome[HeldJudgement]]:
    """Ask about a sentence, and once more if the answer has faults."""

    def once_more(answer: HeldJudgement) -> Request:
        return wording.once_more(request, answer.faults)

    return ask(request, partial(_held, sentence.text, matcher), once_more, price)


def checked(sentence: SummarySentence, outcome: Outcome[HeldJudgement]) -> SentenceCheck:
    """What a judgement comes to. Without an answer, or supported by nothing, it cannot be told."""
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
    """Where words stand in a sentence, whatever their case, quotation marks and spaces; None if they do not."""
    pattern = r"\s+".join(re.escape(word) for word in words.strip(" \t\n“”\"'").split())
    found = re.search(pattern, sentence, re.IGNORECASE) if pattern else None
    return Span(found.start(), found.end()) if found else None


def _held(sentence: str, matcher: Matcher, reply: Reply) -> HeldJudgement | None:
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
    return HeldJudgement(label, reason, support, without_support, part, tuple(faults))


def _found(copied: Sequence[str], matcher: Matcher) -> tuple[Support, ...]:
    """The sentences that were copied, each once; those that are not in the paper last."""
    supports = [support for quotation in copied for support in matcher.find(quotation)]
    there = {support.index: support for support in reversed(supports) if support.index is not None}
    in_order = dict.fromkeys(support.index for support in supports if support.index is not None)
    invented = [support for support in supports if support.index is None]
    return (*(there[index] for index in in_order), *invented)
