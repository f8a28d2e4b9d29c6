"""The baselines: `bm25`, sentences that share the hypothesis' rarer words, and `embedding`, sentences that mean the same."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import numpy as np

from core.engines import Opening
from core.evidence.model import Evidence, EvidenceQuery
from core.evidence.results_first import behind, sets_the_scene
from core.evidence.selection import Scores, best, local_evidence, notes_on
from core.paper import Paper, Sentence
from core.progress import Progress, silent
from core.text.bm25 import bm25_scores

if TYPE_CHECKING:  # imports ONNX Runtime, which `bm25` does not need
    from core.text.similarity import Embedder

NO_SHARED_WORD = "No sentence shares a word with the hypothesis: the order is the paper's own."


class Bm25Engine:
    """Ranks the candidates by BM25 against the hypothesis (Robertson and Zaragoza 2009, by rank_bm25)."""

    name = "bm25"

    def find(self, paper: Paper, query: EvidenceQuery, *, progress: Progress = silent) -> Evidence:
        started = time.perf_counter()
        progress(0.0, "Matching words")
        candidates = query.candidates(paper)
        scores = bm25_scores([sentence.text for sentence in candidates], query.hypothesis)
        notes = () if scores.any() else (NO_SHARED_WORD,)
        chosen = ranked(paper, candidates, scores, query)
        progress(1.0, "Done")
        return local_evidence(self.name, query, candidates, chosen, started=started, notes=notes)


class EmbeddingEngine:
    """Ranks the candidates by the cosine of their MiniLM vectors to the hypothesis'."""

    name = "embedding"

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder

    def find(self, paper: Paper, query: EvidenceQuery, *, progress: Progress = silent) -> Evidence:
        started = time.perf_counter()
        candidates = query.candidates(paper)
        cosines = self._embedder.compare(paper, query.hypothesis, progress=progress).to_hypothesis
        scores = cosines[[sentence.index for sentence in candidates]].astype(np.float64)
        chosen = ranked(paper, candidates, scores, query)
        progress(1.0, "Done")
        return local_evidence(self.name, query, candidates, chosen, started=started, notes=notes_on(cosines))


def ranked(
    paper: Paper, candidates: tuple[Sentence, ...], scores: Scores, query: EvidenceQuery
) -> list[tuple[int, float]]:
    """The best candidates as (index, score), best first."""
    if query.results_first:
        scores = behind(scores, sets_the_scene(paper, candidates))
    return [(place, float(scores[place])) for place in best(scores, query.k)]


def open_bm25(opening: Opening) -> Bm25Engine:
    """See `core.engines`."""
    return Bm25Engine()


def open_embedding(opening: Opening) -> EmbeddingEngine:
    """See `core.engines`."""
    from core.text.similarity import Embedder  # noqa: PLC0415

    return EmbeddingEngine(Embedder.installed(opening.settings.embeddings))
