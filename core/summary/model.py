"""A plain summary checked against its paper, sentence by sentence (FaReBio, section 3.3)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from core.evidence.model import ModelRun
from core.paper import Paper
from core.progress import Progress, silent


class Label(StrEnum):
    """Whether the source says what a summary sentence says."""

    SUPPORTED = "supported"
    NOT_SUPPORTED = "not supported"
    NOT_JUDGEABLE = "not judgeable"  # asserts nothing, cannot be understood, or the engine cannot tell; with a reason


class Inconsistency(StrEnum):
    """What is wrong with a sentence that is not supported."""

    CONTRADICTS = "contradicts the paper"
    NOT_IN_PAPER = "not in the paper"  # it may be true elsewhere: FaReBio's factual hallucination


class QuoteStatus(StrEnum):
    """How sure it is that a support sentence is the paper's own."""

    EXACT = "exact"  # chosen among the paper's sentences, or quoted letter for letter
    REPAIRED = "repaired"  # quoted with small differences, and found
    NOT_IN_PAPER = "not in the paper"  # shown as an invention, never highlighted


class Check(StrEnum):
    """What a flag is about."""

    NUMBER = "number"  # or unit, per cent, p-value
    DIRECTION = "direction"
    ROLE = "role"  # population, intervention, comparator or time
    CERTAINTY = "certainty"
    ABSOLUTE = "absolute"
    ENTITY = "entity"
    SUPPORT = "support"  # no sentence of the source comes near


class SummarySource(StrEnum):
    """What of the paper a summary is held against."""

    FRONT = "front"  # title, authors, abstract and first section (FaReBio, section 3.1)
    WHOLE = "whole"  # every sentence of the candidate pool


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of a sentence: `sentence.text[start:end]`."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Support:
    """A sentence of the paper that an engine gives for a summary sentence."""

    index: int | None  # into `Paper.sentences`; None: what was quoted is not in the paper
    status: QuoteStatus = QuoteStatus.EXACT
    score: float | None = None  # higher is better; comparable within one summary sentence only
    quoted: str | None = None  # what a model wrote down; None: it was chosen by its number


@dataclass(frozen=True, slots=True)
class Flag:
    """One thing that speaks against a summary sentence, in words."""

    check: Check
    reason: str  # one sentence for the reviewer
    kind: Inconsistency
    span: Span | None = None  # in the summary sentence
    index: int | None = None  # the sentence of the paper that says otherwise
    paper_span: Span | None = None  # in that sentence


@dataclass(frozen=True, slots=True)
class SentenceCheck:
    """One sentence of a summary. `summary[start:end] == text`, always."""

    text: str
    start: int
    end: int
    label: Label
    score: float | None  # the probability that it is supported; None: the engine gives none
    support: tuple[Support, ...] = ()  # best first
    kind: Inconsistency | None = None  # of a sentence that is not supported; None: not told
    part: Span | None = None  # the inconsistent part of `text`
    flags: tuple[Flag, ...] = ()
    reason: str = ""  # for the label, in words


@dataclass(frozen=True, slots=True)
class OwnLabel:
    """A reviewer's own word on a summary sentence, in place of the engine's or confirming it."""

    label: Label
    kind: Inconsistency | None = None  # of a sentence that is not supported


@dataclass(frozen=True, slots=True)
class FaithfulnessReport:
    """An engine's word on a whole summary."""

    summary: str
    paper: str  # `Paper.id`
    engine: str
    source: SummarySource
    sentences: tuple[SentenceCheck, ...]  # in the summary's order
    seconds: float
    cost_usd: float | None = None  # None: unknown; 0.0: free
    threshold: float | None = None  # a lower score is not supported; None: the engine does not label by score
    notes: tuple[str, ...] = ()  # what a reviewer should know about this run, one sentence each
    run: ModelRun | None = None  # None: no language model was asked

    def labelled(self, label: Label) -> tuple[SentenceCheck, ...]:
        """The sentences of one label."""
        return tuple(sentence for sentence in self.sentences if sentence.label is label)

    def standing(self, own: Mapping[int, OwnLabel]) -> tuple[OwnLabel, ...]:
        """Every sentence's label and kind after a reviewer has looked at them. `own`: the reviewer's, by sentence."""
        return tuple(
            own.get(index, OwnLabel(sentence.label, sentence.kind)) for index, sentence in enumerate(self.sentences)
        )

    @property
    def faithful(self) -> bool | None:
        """Whether all that can be judged is supported (FaReBio, section 3.3); None if nothing can."""
        judged = [sentence for sentence in self.sentences if sentence.label is not Label.NOT_JUDGEABLE]
        return all(sentence.label is Label.SUPPORTED for sentence in judged) if judged else None

    @property
    def mean_score(self) -> float | None:
        """The mean over the sentences that have a score; None if none has."""
        scores = [sentence.score for sentence in self.sentences if sentence.score is not None]
        return sum(scores) / len(scores) if scores else None


@dataclass(frozen=True, slots=True)
class Readability:
    """Three estimates of the years of school in the United States that a text asks of its reader; higher is harder."""

    flesch_kincaid: float
    coleman_liau: float
    dale_chall: float  # a score of its own: 4.9 and below is the fourth year, 10 and above is university


@dataclass(frozen=True, slots=True)
class Measures:
    """Readability, and the share of 1-, 2- and 3-grams that the source lacks; None where a text has none to count."""

    readability: Readability | None
    novelty: tuple[float | None, ...]


class SummaryEngine(Protocol):
    """A named way of checking a summary."""

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
        """Every sentence of `splitting.split_summary(summary)`, in order."""
        ...
