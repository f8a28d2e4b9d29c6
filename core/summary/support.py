"""The sentences of a source that come nearest to a summary sentence, and what the reader makes of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.entailment import Entailment, Reader, in_context
from core.entailment.nearest import nearest
from core.evidence.embedding import Embedder
from core.paper import Kind, Paper, Sentence
from core.progress import Progress, silent
from core.summary.model import SummarySource, Support
from core.summary.score import SourcesRead
from core.summary.source import source_sentences

READ = 10  # source sentences that are read beside a summary sentence
_TOGETHER = 4  # of them that are read at once
_LIKENESS = 0.5  # how much the cosine counts beside what the reader says
_SHOWN = 3  # to the reviewer


@dataclass(frozen=True, slots=True)
class Beside:
    """A summary sentence's nearest source sentences, nearest first, what was read, and what is shown of them."""

    sentences: tuple[Sentence, ...]
    read: SourcesRead
    support: tuple[Support, ...]


class Sources:
    """One source of one paper. The paper's vectors come from the cache, or are computed once."""

    def __init__(
        self, embedder: Embedder, reader: Reader, paper: Paper, source: SummarySource, *, progress: Progress = silent
    ) -> None:
        self._embedder, self._reader, self._paper = embedder, reader, paper
        self._pool = [one for one in source_sentences(paper, source) if one.kind not in (Kind.HEADING, Kind.TITLE)]
        vectors = embedder.compare(paper, paper.title or "", progress=progress).vectors
        self._vectors = vectors[[sentence.index for sentence in self._pool]]

    def read(self, text: str) -> Beside | None:
        """A summary sentence beside its nearest; None where the source has no sentence."""
        if not self._pool:
            return None
        cosines = (self._vectors @ self._embedder.encode([text])[0]).astype(np.float64)
        near = nearest(text, self._pool, cosines)[:READ]
        sentences = tuple(self._pool[place] for place in near)
        seen = [in_context(self._paper, sentence) for sentence in sentences]
        alone = self._reader.support(text, seen)
        bearing = alone[:, : Entailment.NOT_THERE].sum(axis=1) + _LIKENESS * cosines[near]
        best = [int(place) for place in np.argsort(-bearing.round(6), kind="stable")]
        together = self._reader.support_of_all(text, [[seen[place] for place in best[:_TOGETHER]], seen[:_TOGETHER]])
        return Beside(
            sentences,
            SourcesRead(alone, best=together[0], near=together[1], cosines=cosines[near]),
            tuple(Support(sentences[place].index, score=round(float(bearing[place]), 4)) for place in best[:_SHOWN]),
        )
