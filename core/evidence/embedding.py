"""`embedding`: sentences that mean what the hypothesis means, by the cosine of their MiniLM vectors."""

from __future__ import annotations

import time

import numpy as np

from core.evidence.model import Evidence, EvidenceQuery
from core.evidence.results_first import behind, sets_the_scene
from core.evidence.selection import best, local_evidence, notes_on
from core.paper import Paper
from core.progress import Progress, silent
from core.text.similarity import Embedder


class EmbeddingEngine:
    """Rank the candidates by cosine similarity to the hypothesis."""

    name = "embedding"

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder

    def find(self, paper: Paper, query: EvidenceQuery, *, progress: Progress = silent) -> Evidence:
        started = time.perf_counter()
        candidates = query.candidates(paper)
        similarity = self._embedder.compare(paper, query.hypothesis, progress=progress)
        scores = similarity.to_hypothesis[[sentence.index for sentence in candidates]].astype(np.float64)
        if query.results_first:
            scores = behind(scores, sets_the_scene(paper, candidates))
        ranked = [(place, float(scores[place])) for place in best(scores, query.k)]
        progress(1.0, "Done")
        return local_evidence(
            self.name, query, candidates, ranked, started=started, notes=notes_on(similarity.to_hypothesis)
        )
