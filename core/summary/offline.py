"""`offline`: reads each sentence of a summary with the most similar sentences of the paper, on this machine."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.engines import Opening
from core.entailment import Reader, in_context, installed_reader
from core.errors import QueryError
from core.paper import Kind, Paper, Sentence
from core.progress import Progress, silent
from core.summary.model import (
    Check,
    FaithfulnessReport,
    Flag,
    Label,
    SentenceCheck,
    SummarySource,
    Support,
    notes_on_source,
    source_sentences,
)
from core.summary.numbers import NumberAgreement, PairedNumber, has_figure_of, pair_numbers
from core.summary.score import SourcesRead, decide, read_sources, shipped
from core.summary.splitting import OTHER_LANGUAGE, SummarySentence, reasons_against, split_summary
from core.text.similarity import Embedder, nearest
from core.text.words import as_copied

# ---- support ----
# The source sentences nearest to a summary sentence, and the reader's probabilities for them.

READ = 10  # source sentences that are read beside a summary sentence
_SHOWN = 3  # to the reviewer


@dataclass(frozen=True, slots=True)
class NearestSources:
    """The source sentences nearest to a summary sentence, nearest first; their readings; and those to show."""

    sentences: tuple[Sentence, ...]
    read: SourcesRead
    support: tuple[Support, ...]


class SourceReader:
    """Reads summary sentences against one source of one paper. The paper's vectors are cached or computed once."""

    def __init__(
        self, embedder: Embedder, reader: Reader, paper: Paper, source: SummarySource, *, progress: Progress = silent
    ) -> None:
        self._embedder, self._reader, self._paper = embedder, reader, paper
        self._pool = [one for one in source_sentences(paper, source) if one.kind not in (Kind.HEADING, Kind.TITLE)]
        vectors = embedder.compare(paper, paper.title or "", progress=progress).vectors
        self._vectors = vectors[[sentence.index for sentence in self._pool]]

    def read(self, text: str) -> NearestSources | None:
        """Read a summary sentence with its nearest source sentences; None if the source has no sentence."""
        if not self._pool:
            return None
        cosines = (self._vectors @ self._embedder.encode([text])[0]).astype(np.float64)
        near = nearest(text, self._pool, cosines)[:READ]
        sentences = tuple(self._pool[place] for place in near)
        seen = [in_context(self._paper, sentence) for sentence in sentences]
        bearing = read_sources(self._reader, text, seen, cosines[near], range(len(near)))
        shown = (Support(sentences[at].index, score=round(float(bearing.score[at]), 4)) for at in bearing.best[:_SHOWN])
        return NearestSources(sentences, bearing.read, tuple(shown))


# ---- offline ----
# The engine `offline`.

OTHER_PAPER = "Most sentences of the summary have nothing like them in this paper: it may be a summary of another one."
REASONS = {
    Label.SUPPORTED: "The paper says this in the sentences shown.",
    Label.CONTRADICTS: "The sentences shown say otherwise.",
    Label.NOT_IN_PAPER: "No sentence of the paper says this, or comes near enough to it.",
    Label.CANNOT_TELL: "This cannot be told offline: read it beside the sentences shown.",
}
COPIED = "The paper says this word for word."
CHANGED = "The paper says almost the same, but for “{}”: read it beside the sentences shown."
_FAR = 0.45  # cosine of the nearest sentence: above it for summaries of the paper, mostly below for those of others
_ENCODING = 0.5  # share of the progress for encoding the paper
_NOTHING_TO_READ = "The paper has no sentence to read it beside."


class OfflineSummaryEngine:
    """Needs no key, no network and no GPU."""

    name = "offline"

    def __init__(self, embedder: Embedder, reader: Reader, *, threshold: float | None = None) -> None:
        """`threshold` is the minimum probability of a supported sentence; None means the shipped model's.

        Raises `QueryError` if it is not a probability.
        """
        if threshold is not None and not 0 <= threshold <= 1:
            raise QueryError(f"The threshold is {threshold}: give a probability between 0 and 1.")
        self._embedder = embedder
        self._reader = reader
        self._model = shipped()
        self.threshold = self._model.supported_from if threshold is None else threshold

    def check(
        self,
        summary: str,
        paper: Paper,
        *,
        source: SummarySource = SummarySource.WHOLE,
        progress: Progress = silent,
    ) -> FaithfulnessReport:
        """Check every sentence of the summary, in order."""
        started = time.perf_counter()
        sentences = split_summary(summary)
        against = reasons_against(sentences, paper.text)
        judged = [sentence for sentence, reason in zip(sentences, against, strict=True) if reason is None]
        sources = SourceReader(
            self._embedder, self._reader, paper, source, progress=lambda done, step: progress(_ENCODING * done, step)
        )
        checked = {}
        for number, sentence in enumerate(judged):
            step = f"Reading sentence {number + 1} of {len(judged)}"
            progress(_ENCODING + (1 - _ENCODING) * number / len(judged), step)
            checked[sentence] = self._judged(sentence, sources.read(sentence.text), paper)
        progress(1.0, "Done")
        return FaithfulnessReport(
            summary=summary,
            paper=paper.id,
            engine=self.name,
            source=source,
            sentences=tuple(
                checked[sentence].check if reason is None else _not_judged(sentence, reason)
                for sentence, reason in zip(sentences, against, strict=True)
            ),
            seconds=time.perf_counter() - started,
            cost_usd=0.0,
            threshold=self.threshold,
            notes=(*notes_on_source(paper, source), *_notes([one.closest for one in checked.values()])),
        )

    def _judged(self, sentence: SummarySentence, found: NearestSources | None, paper: Paper) -> _Judged:
        if found is None:
            return _Judged(_not_judged(sentence, _NOTHING_TO_READ, Label.CANNOT_TELL), 0.0)
        closest = float(found.read.cosines.max())
        numbers = pair_numbers(sentence.text, [(one.index, one.text) for one in found.sentences])
        decision = decide(
            sentence.text,
            [one.text for one in found.sentences],
            found.read,
            numbers,
            self._model,
            supported_from=self.threshold,
        )
        if copied := next((one for one in found.sentences if as_copied(one.text) == as_copied(sentence.text)), None):
            # At most just over the threshold: a summary's score averages these, and a 1 would outweigh its other sentences.
            probability = round(max(decision.probability, self.threshold), 4)
            return _Judged(_copied_from(copied, sentence, found.support, probability), closest)
        label = decision.label
        shown = {one.index for one in found.support if one.index is not None}
        # “Not in the paper” would contradict a support sentence that shows the same number.
        if label is Label.NOT_IN_PAPER and has_figure_of(sentence.text, numbers, shown):
            label = Label.CANNOT_TELL
        flags = _flags(sentence.text, numbers, paper) if label.flagged else ()
        check = SentenceCheck(
            sentence.text,
            sentence.start,
            sentence.end,
            label,
            round(decision.probability, 4),
            support=found.support,
            part=next((flag.span for flag in flags), None),
            flags=flags,
            reason=CHANGED.format(decision.changed) if decision.changed else REASONS[label],
        )
        return _Judged(check, closest)


@dataclass(frozen=True, slots=True)
class _Judged:
    """A checked sentence, and the cosine of the most similar source sentence."""

    check: SentenceCheck
    closest: float


def _copied_from(
    original: Sentence, sentence: SummarySentence, shown: Sequence[Support], probability: float
) -> SentenceCheck:
    """The check of a sentence copied from the paper: supported, with the original as the first support."""
    support = (Support(original.index, score=shown[0].score), *(one for one in shown if one.index != original.index))
    return SentenceCheck(
        sentence.text,
        sentence.start,
        sentence.end,
        Label.SUPPORTED,
        probability,
        support=support[:_SHOWN],
        reason=COPIED,
    )


def _not_judged(sentence: SummarySentence, reason: str, label: Label = Label.NOT_JUDGED) -> SentenceCheck:
    label = Label.CANNOT_TELL if reason == OTHER_LANGUAGE else label
    return SentenceCheck(sentence.text, sentence.start, sentence.end, label, None, reason=reason)


def _flags(text: str, numbers: Sequence[PairedNumber], paper: Paper) -> tuple[Flag, ...]:
    """Flags for the numbers of a wrong sentence that differ from the paper's."""
    flags = []
    for number in numbers:
        if number.agreement is NumberAgreement.DIFFERS and number.index is not None:
            stands, said = number.stands[0], number.said
            written = paper.sentences[number.index].text[stands.start : stands.end]
            reason = f"The paper has “{written}” where the summary has “{text[said.start : said.end]}”."
            flags.append(Flag(Check.NUMBER, reason, Label.CONTRADICTS, said, number.index, stands))
    return tuple(flags)


def _notes(closest: Sequence[float]) -> tuple[str, ...]:
    far = sum(cosine < _FAR for cosine in closest)
    return (OTHER_PAPER,) if closest and far > len(closest) / 2 else ()


def open_offline(opening: Opening) -> OfflineSummaryEngine:
    """See `core.engines`."""
    return OfflineSummaryEngine(
        Embedder.installed(opening.settings.embeddings), installed_reader(), threshold=opening.threshold
    )
