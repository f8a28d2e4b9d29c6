"""`offline`, the default: words, meaning and place in the paper together, without repeating itself."""

from __future__ import annotations

import time

import numpy as np

from core.evidence.answer import answer, best
from core.evidence.bm25 import bm25_scores
from core.evidence.embedding import Embedder
from core.evidence.model import Evidence, EvidenceQuery
from core.paper import Paper
from core.progress import Progress, silent

_NO_ENCODER = "The sentence encoder is not installed: sentences were ranked by words and place in the paper only."


class OfflineEngine:
    """Rank by a sum of a few measures, then choose so that no sentence says the same again."""

    name = "offline"

    def __init__(self, embedder: Embedder | None) -> None:
        self._embedder = embedder

    def find(self, paper: Paper, query: EvidenceQuery, *, progress: Progress = silent) -> Evidence:
        started = time.perf_counter()
        candidates = query.candidates(paper)
        scores = bm25_scores([sentence.text for sentence in candidates], query.hypothesis)
        scores /= max(1.0, scores.max(initial=0.0))
        notes: tuple[str, ...] = (_NO_ENCODER,)
        if self._embedder is not None:
            notes = ()
            similarity = self._embedder.compare(paper, query.hypothesis, progress=progress)
            scores += similarity.to_hypothesis([sentence.index for sentence in candidates])
        order = best(np.asarray(scores), query.k)
        return answer(
            self.name, query, candidates, scores, started=started, order=order, notes=notes, progress=progress
        )
