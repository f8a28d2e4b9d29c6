"""A plain summary checked against its paper, sentence by sentence (FaReBio, section 3.3): the interface of all engines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum
from itertools import zip_longest
from math import exp, log
from statistics import mean
from typing import Protocol

from core.engines import is_trained
from core.errors import QueryError
from core.grounding.model import ModelRun
from core.paper import Kind, Paper, SectionKind, Sentence
from core.progress import Progress, silent
from core.text.words import letters_and_digits

_SUREST = 0.001  # scores are clipped to this distance from 0 and 1

# ---- model ----
# A plain summary checked against its paper, sentence by sentence (FaReBio, section 3.3).


class Label(StrEnum):
    """Whether the source supports a summary sentence."""

    SUPPORTED = "supported"
    CONTRADICTS = "contradicts the paper"
    NOT_IN_PAPER = "not in the paper"  # may still be true: FaReBio's factual hallucination
    CANNOT_TELL = "cannot tell"  # the engine is not sure enough, or gave no answer; not flagged
    NOT_JUDGED = "not judged"  # not a claim about the paper: a heading, a question, common knowledge

    @property
    def flagged(self) -> bool:
        """Whether the label says that the sentence is wrong."""
        return self in WRONG


WRONG = (Label.CONTRADICTS, Label.NOT_IN_PAPER)  # what FaReBio calls unfaithful


class QuoteStatus(StrEnum):
    """How certain it is that a support sentence comes from the paper."""

    EXACT = "exact"  # chosen among the paper's sentences, or quoted verbatim
    REPAIRED = "repaired"  # quoted with small differences, but found in the paper
    NOT_IN_PAPER = "not in the paper"  # shown as invented, never highlighted


class Check(StrEnum):
    """The subject of a flag."""

    NUMBER = "number"  # including unit, per cent and p-value
    # The others are in reports of earlier versions, which the store still has; no engine makes them now.
    DIRECTION = "direction"
    ROLE = "role"  # population, intervention, comparator or time
    CERTAINTY = "certainty"
    ABSOLUTE = "absolute"
    ENTITY = "entity"
    SUPPORT = "support"  # no sentence of the source is similar


class SummarySource(StrEnum):
    """The part of the paper that a summary is checked against."""

    FRONT = "front"  # title, authors, abstract and first section (FaReBio, section 3.1)
    WHOLE = "whole"  # every sentence of the candidate pool


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of a sentence: `sentence.text[start:end]`."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Support:
    """A sentence of the paper that an engine returns for a summary sentence."""

    index: int | None  # into `Paper.sentences`; None: the quotation is not in the paper
    status: QuoteStatus = QuoteStatus.EXACT
    score: float | None = None  # higher is better; comparable within one summary sentence only
    quoted: str | None = None  # as a language model quoted it; None: it was chosen among the paper's sentences


@dataclass(frozen=True, slots=True)
class Flag:
    """One problem with a summary sentence, in words."""

    check: Check
    reason: str  # one sentence for the reviewer
    label: Label  # contradicts the paper, or not in the paper
    span: Span | None = None  # in the summary sentence
    index: int | None = None  # the sentence of the paper that says otherwise
    paper_span: Span | None = None  # in that sentence


@dataclass(frozen=True, slots=True)
class SentenceCheck:
    """One sentence of a summary. `summary[start:end] == text` always holds."""

    text: str
    start: int
    end: int
    label: Label
    score: float | None  # the probability that it is supported; None: the engine gives none
    support: tuple[Support, ...] = ()  # best first
    part: Span | None = None  # the inconsistent part of `text`
    flags: tuple[Flag, ...] = ()
    reason: str = ""  # why it has this label, in words


@dataclass(frozen=True, slots=True)
class FaithfulnessReport:
    """An engine's result for a whole summary."""

    summary: str
    paper: str  # `Paper.id`
    engine: str
    source: SummarySource
    sentences: tuple[SentenceCheck, ...]  # in the summary's order
    seconds: float
    cost_usd: float | None = None  # None: unknown; 0.0: free
    threshold: float | None = None  # minimum score of a supported sentence; None: the engine does not label by score
    notes: tuple[str, ...] = ()  # what a reviewer should know about this run, one sentence each
    run: ModelRun | None = None  # None: no language model was asked

    def labelled(self, *labels: Label) -> tuple[SentenceCheck, ...]:
        """The sentences that have one of these labels."""
        return tuple(sentence for sentence in self.sentences if sentence.label in labels)

    def standing(self, own: Mapping[int, Label]) -> tuple[Label, ...]:
        """The label of every sentence, with the reviewer's `own` labels (by sentence index) replacing the engine's."""
        return tuple(own.get(index, sentence.label) for index, sentence in enumerate(self.sentences))

    def in_words(self, label: Label) -> str:
        """A label in words. "Cannot tell" by the trained engine becomes "cannot tell offline": a language model might."""
        return "cannot tell offline" if label is Label.CANNOT_TELL and is_trained(self.engine) else label.value

    @property
    def faithful(self) -> bool | None:
        """Whether every judged sentence is supported (FaReBio, section 3.3).

        None if no sentence is wrong, but one cannot be told or none is supported.
        """
        if self.labelled(*WRONG):
            return False
        return True if self.labelled(Label.SUPPORTED) and not self.labelled(Label.CANNOT_TELL) else None

    @property
    def mean_score(self) -> float | None:
        """The mean of the sentences' scores, taken over their log-odds; None if no sentence has a score.

        Experts' probabilities are pooled in the same way: a sentence that is surely right or wrong counts for more than an
        uncertain one.
        """
        scores = [sentence.score for sentence in self.sentences if sentence.score is not None]
        inside = [min(max(score, _SUREST), 1 - _SUREST) for score in scores]
        return 1 / (1 + exp(-mean(log(one / (1 - one)) for one in inside))) if inside else None


@dataclass(frozen=True, slots=True)
class Readability:
    """Three estimates of the years of US schooling that a text requires; higher is harder."""

    flesch_kincaid: float
    coleman_liau: float
    dale_chall: float  # on its own scale: 4.9 and below is the fourth year, 10 and above is university


@dataclass(frozen=True, slots=True)
class Measures:
    """Readability, and the share of 1-, 2- and 3-grams that the source lacks; None if there is nothing to count."""

    readability: Readability | None
    novelty: tuple[float | None, ...]


class SummaryEngine(Protocol):
    """An engine that checks summaries."""

    @property
    def name(self) -> str: ...

    def check(
        self,
        summary: str,
        paper: Paper,
        *,
        source: SummarySource = SummarySource.WHOLE,
        progress: Progress = silent,
    ) -> FaithfulnessReport:
        """Check every sentence of `splitting.split_summary(summary)`, in order."""
        ...


# ---- check ----
# The one task of every engine.


def check_summary(
    summary: str,
    paper: Paper,
    *,
    engine: SummaryEngine,
    source: SummarySource = SummarySource.WHOLE,
    progress: Progress = silent,
) -> FaithfulnessReport:
    """Check each sentence of a summary against the paper.

    Raises `QueryError` if the summary has no letter or digit.
    """
    if not any(map(str.isalnum, summary)):
        raise QueryError("The summary is empty. Write or paste at least one sentence about the paper.")
    return engine.check(summary, paper, source=source, progress=progress)


# ---- source ----
# What a summary is checked against: the whole paper, or the part that FaReBio's summarisers and doctors saw.

NO_ABSTRACT = "The paper has no abstract: the summary was held against the title and the first section alone."


def source_sentences(paper: Paper, source: SummarySource) -> tuple[Sentence, ...]:
    """The sentences of the source in the paper's order, including title and headings.

    `FRONT` (FaReBio, section 3.1) is the title, the abstract, and the first section with its subsections; the authors
    are in `Paper.authors`.
    """
    if source is SummarySource.WHOLE:
        return paper.pool
    first = first_section(paper)
    return tuple(
        sentence
        for sentence in paper.pool
        if sentence.kind in (Kind.TITLE, Kind.ABSTRACT) or in_abstract(paper, sentence) or sentence.section in first
    )


def in_abstract(paper: Paper, sentence: Sentence) -> bool:
    """Whether a sentence is in the abstract, including its headings."""
    return sentence.kind is Kind.ABSTRACT or paper.section_of(sentence).kind is SectionKind.ABSTRACT


def first_section(paper: Paper) -> range:
    """The indices of the first section of the body that has text, with its subsections."""
    holds_text = {sentence.section for sentence in paper.pool if sentence.kind is Kind.BODY}
    for section in paper.sections:
        if section.kind is SectionKind.ABSTRACT:
            continue
        last = next(
            (other.index for other in paper.sections[section.index + 1 :] if other.level <= section.level),
            len(paper.sections),
        )
        if holds_text.intersection(range(section.index, last)):
            return range(section.index, last)
    return range(0)


def notes_on_source(paper: Paper, source: SummarySource) -> tuple[str, ...]:
    """What a reviewer should know about the source."""
    has_abstract = any(in_abstract(paper, sentence) for sentence in paper.pool)
    return () if has_abstract or source is SummarySource.WHOLE else (NO_ABSTRACT,)


# ---- changes: the differences between two summaries of a paper ----


@dataclass(frozen=True, slots=True)
class SentenceChange:
    """A sentence of one summary and its counterpart in the other; None if it has none."""

    before: SentenceCheck | None
    after: SentenceCheck | None

    @property
    def kept(self) -> bool:
        """Whether the sentence is the same in both."""
        return self.before is not None and self.after is not None and _same(self.before) == _same(self.after)


def changes(before: FaithfulnessReport, after: FaithfulnessReport) -> tuple[SentenceChange, ...]:
    """The sentences of two summaries in order, in pairs that align the unchanged ones."""
    return tuple(_changes(before.sentences, after.sentences))


def _changes(before: tuple[SentenceCheck, ...], after: tuple[SentenceCheck, ...]) -> Iterator[SentenceChange]:
    alike = SequenceMatcher(None, [_same(one) for one in before], [_same(one) for one in after], autojunk=False)
    for _, first, last, start, end in alike.get_opcodes():
        for one, other in zip_longest(before[first:last], after[start:end]):
            yield SentenceChange(one, other)


def _same(sentence: SentenceCheck) -> str:
    return letters_and_digits(sentence.text)
