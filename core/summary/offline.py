"""`offline`: reads each sentence of a summary beside the sentences of the paper that come nearest, on this machine."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Protocol

import numpy as np

from core.errors import QueryError
from core.evidence.embedding import Embedder
from core.evidence.ranker.columns import Vector
from core.paper import Paper, Sentence
from core.progress import Progress, silent
from core.summary.agreement import Agreement, PairedNumber, pair_numbers
from core.summary.judgeable import OTHER_LANGUAGE, reasons_against
from core.summary.model import (
    Check,
    FaithfulnessReport,
    Flag,
    Label,
    SentenceCheck,
    SummarySource,
    Support,
)
from core.summary.score import SUPPORTED_FROM, decide
from core.summary.source import notes_on_source, source_sentences
from core.summary.splitting import SummarySentence, split_summary
from core.summary.support import Nearest, Retrieval

OTHER_PAPER = "Hardly a sentence of the summary comes near this paper: it may be a summary of another one."
REASONS = {
    Label.SUPPORTED: "The paper says this in the sentences shown.",
    Label.CONTRADICTS: "The sentences shown say otherwise.",
    Label.NOT_IN_PAPER: "No sentence of the paper says this, or comes near enough to it.",
    Label.CANNOT_TELL: "This cannot be told offline: read it beside the sentences shown.",
}
_FAR = 0.45  # cosine of the nearest sentence; summaries of a paper lie above, those of others mostly below
_ENCODING = 0.5  # of the progress: a paper that was never encoded
_MOST_SUPPORT = 3
_LEAST_SUPPORT = 2
_ADDS = 0.15  # of the words must be new for one more support sentence


class Reader(Protocol):
    """Reads a summary sentence beside one of the paper."""

    def read(self, paper: Paper, pairs: Sequence[tuple[str, Sentence]], *, progress: Progress = silent) -> Vector:
        """The probabilities that the paper's sentence supports the other, contradicts it, does not tell: (pairs, 3)."""
        ...


class OfflineEngine:
    """Needs no key, no network and no GPU."""

    name = "offline"

    def __init__(self, embedder: Embedder, reader: Reader, *, threshold: float | None = None) -> None:
        """`threshold`: the least probability of a supported sentence; None for the one that was chosen.

        Raises `QueryError` if it is no probability.
        """
        if threshold is not None and not 0 <= threshold <= 1:
            raise QueryError(f"The threshold is {threshold}: give a probability between 0 and 1.")
        self._embedder = embedder
        self._reader = reader
        self.threshold = SUPPORTED_FROM if threshold is None else threshold

    def check(
        self,
        summary: str,
        paper: Paper,
        *,
        source: SummarySource = SummarySource.WHOLE,
        progress: Progress = silent,
    ) -> FaithfulnessReport:
        """Every sentence of the summary, in order."""
        started = time.perf_counter()
        sentences = split_summary(summary)
        against = reasons_against(sentences, paper.text)
        judged = [sentence for sentence, reason in zip(sentences, against, strict=True) if reason is None]
        retrieval = Retrieval(
            self._embedder,
            paper,
            source_sentences(paper, source),
            progress=lambda done, step: progress(_ENCODING * done, step),
        )
        found = retrieval.nearest([sentence.text for sentence in judged])
        pairs = [
            (sentence.text, paper.sentences[candidate.index])
            for sentence, nearest in zip(judged, found, strict=True)
            for candidate in nearest.candidates
        ]
        readings = self._reader.read(
            paper, pairs, progress=lambda done, step: progress(_ENCODING + (1 - _ENCODING) * done, step)
        )
        ends = np.cumsum([len(nearest.candidates) for nearest in found], dtype=np.intp)
        checked = {
            sentence: self._judged(sentence, nearest, paper, readings[end - len(nearest.candidates) : end])
            for sentence, nearest, end in zip(judged, found, ends, strict=True)
        }
        progress(1.0, "Done")
        return FaithfulnessReport(
            summary=summary,
            paper=paper.id,
            engine=self.name,
            source=source,
            sentences=tuple(
                checked[sentence] if reason is None else _not_judged(sentence, reason)
                for sentence, reason in zip(sentences, against, strict=True)
            ),
            seconds=time.perf_counter() - started,
            cost_usd=0.0,
            threshold=self.threshold,
            notes=(*notes_on_source(paper, source), *_notes(found)),
        )

    def _judged(self, sentence: SummarySentence, nearest: Nearest, paper: Paper, readings: Vector) -> SentenceCheck:
        numbers = pair_numbers(sentence.text, [(candidate.index, candidate.text) for candidate in nearest.candidates])
        decision = decide(readings, numbers, supported_from=self.threshold)
        flags = _flags(sentence.text, numbers, paper) if decision.label.flagged else ()
        return SentenceCheck(
            sentence.text,
            sentence.start,
            sentence.end,
            decision.label,
            round(decision.probability, 4),
            support=_support(nearest),
            part=next((flag.span for flag in flags), None),
            flags=flags,
            reason=REASONS[decision.label],
        )


def _not_judged(sentence: SummarySentence, reason: str) -> SentenceCheck:
    label = Label.CANNOT_TELL if reason == OTHER_LANGUAGE else Label.NOT_JUDGED
    return SentenceCheck(sentence.text, sentence.start, sentence.end, label, None, reason=reason)


def _flags(text: str, numbers: Sequence[PairedNumber], paper: Paper) -> tuple[Flag, ...]:
    """The numbers of a wrong sentence that differ from the paper's."""
    flags = []
    for number in numbers:
        if number.agreement is Agreement.DIFFERS and number.index is not None:
            stands, said = number.stands[0], number.said
            written = paper.sentences[number.index].text[stands.start : stands.end]
            reason = f"The paper has “{written}” where the summary has “{text[said.start : said.end]}”."
            flags.append(Flag(Check.NUMBER, reason, Label.CONTRADICTS, said, number.index, stands))
    return tuple(flags)


def _support(nearest: Nearest) -> tuple[Support, ...]:
    """The best sentences: two, and a third that says what they leave out."""
    chosen = [
        Support(candidate.index, score=round(score, 4))
        for place, (candidate, score) in enumerate(zip(nearest.candidates, nearest.scores, strict=True))
        if place < _LEAST_SUPPORT or candidate.adds >= _ADDS
    ]
    return tuple(chosen[:_MOST_SUPPORT])


def _notes(nearest: Sequence[Nearest]) -> tuple[str, ...]:
    cosines = [max((c.cosine for c in one.candidates), default=0.0) for one in nearest]
    far = sum(cosine < _FAR for cosine in cosines)
    return (OTHER_PAPER,) if cosines and far > len(cosines) / 2 else ()
