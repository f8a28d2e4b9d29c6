"""`offline`: checks each sentence of a summary on this machine, and says in words what is wrong."""

from __future__ import annotations

import time
from collections.abc import Sequence

from core.errors import QueryError
from core.evidence.embedding import Embedder
from core.paper import Paper
from core.progress import Progress, silent
from core.summary.checks import MEASURES, TELLING, Finding
from core.summary.examining import Examined, Examiner
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
from core.summary.score import Score, shipped
from core.summary.source import notes_on_source
from core.summary.splitting import SummarySentence, split_summary

OTHER_PAPER = "Hardly a sentence of the summary comes near this paper: it may be a summary of another one."
_NOTHING_NEAR = "No sentence of the paper says this, or comes near enough to it."
_SUPPORTED = "The paper says this in the sentences shown."
_FAR = 0.45  # cosine of the nearest sentence; summaries of a paper lie above, those of others mostly below
_ENCODING = 0.5  # of the progress: a paper that was never encoded
_MOST_SUPPORT = 3
_ADDS = 0.15  # of the words must be new for one more support sentence
_COMMON = frozenset(MEASURES) - TELLING  # findings that are not told beside better ones


class OfflineEngine:
    """Needs no key, no network and no GPU."""

    name = "offline"

    def __init__(self, embedder: Embedder, *, threshold: float | None = None, score: Score | None = None) -> None:
        """`threshold`: the least probability of a supported sentence; None for the one that was chosen.

        Raises `QueryError` if it is no probability.
        """
        if threshold is not None and not 0 <= threshold <= 1:
            raise QueryError(f"The threshold is {threshold}: give a probability between 0 and 1.")
        self._embedder = embedder
        self._score = score or shipped()
        self.threshold = self._score.threshold if threshold is None else threshold

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
        texts = [sentence.text for sentence in judged]
        examiner = Examiner(self._embedder, paper, source, progress=lambda done, step: progress(_ENCODING * done, step))
        found = examiner.examine(texts, progress=lambda done, step: progress(_ENCODING + (1 - _ENCODING) * done, step))
        examined = dict(zip(judged, found, strict=True))
        progress(1.0, "Done")
        return FaithfulnessReport(
            summary=summary,
            paper=paper.id,
            engine=self.name,
            source=source,
            sentences=tuple(
                _not_judged(sentence, reason) if reason else self._judged(sentence, examined[sentence])
                for sentence, reason in zip(sentences, against, strict=True)
            ),
            seconds=time.perf_counter() - started,
            cost_usd=0.0,
            threshold=self.threshold,
            notes=(*notes_on_source(paper, source), *_notes(list(examined.values()))),
        )

    def _judged(self, sentence: SummarySentence, examined: Examined) -> SentenceCheck:
        probability = round(float(self._score.probabilities(examined.features[None, :])[0]), 4)
        flags = () if probability >= self.threshold else _flags(examined.findings)
        label = flags[0].label if flags else Label.SUPPORTED
        return SentenceCheck(
            sentence.text,
            sentence.start,
            sentence.end,
            label,
            probability,
            support=_support(examined),
            part=next((flag.span for flag in flags if flag.span), None),
            flags=flags,
            reason=flags[0].reason if flags else _SUPPORTED,
        )


def _not_judged(sentence: SummarySentence, reason: str) -> SentenceCheck:
    label = Label.CANNOT_TELL if reason == OTHER_LANGUAGE else Label.NOT_JUDGED
    return SentenceCheck(sentence.text, sentence.start, sentence.end, label, None, reason=reason)


def _flags(findings: Sequence[Finding]) -> tuple[Flag, ...]:
    """What is told of a sentence that is not supported: the weightiest first, and never nothing."""
    telling = [finding for finding in findings if finding.measure not in _COMMON] or list(findings)
    telling.sort(key=lambda finding: -finding.weight)
    flags = tuple(finding.flag for finding in telling)
    return flags or (Flag(Check.SUPPORT, _NOTHING_NEAR, Label.NOT_IN_PAPER),)


def _support(examined: Examined) -> tuple[Support, ...]:
    """The best sentence, and those that say what it leaves out."""
    candidates = examined.nearest.candidates
    chosen = [
        Support(candidate.index, score=round(score, 4))
        for place, (candidate, score) in enumerate(zip(candidates, examined.nearest.scores, strict=True))
        if place == 0 or candidate.adds >= _ADDS
    ]
    return tuple(chosen[:_MOST_SUPPORT])


def _notes(examined: Sequence[Examined]) -> tuple[str, ...]:
    cosines = [max((c.cosine for c in one.nearest.candidates), default=0.0) for one in examined]
    far = sum(cosine < _FAR for cosine in cosines)
    return (OTHER_PAPER,) if cosines and far > len(cosines) / 2 else ()
