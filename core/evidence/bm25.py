"""`bm25`: sentences that share the hypothesis' rarer words (Robertson and Zaragoza 2009, by rank_bm25)."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from rank_bm25 import BM25Okapi

from core.evidence.answer import best, local_evidence
from core.evidence.model import Evidence, EvidenceQuery
from core.evidence.results_first import behind, sets_the_scene
from core.evidence.words import content_words
from core.paper import Paper
from core.progress import Progress, silent

Scores = NDArray[np.float64]

NO_SHARED_WORD = "No sentence shares a word with the hypothesis: the order is the paper's own."


class Bm25Engine:
    """Rank the candidates by BM25 against the hypothesis."""

    name = "bm25"

    def find(self, paper: Paper, query: EvidenceQuery, *, progress: Progress = silent) -> Evidence:
        started = time.perf_counter()
        progress(0.0, "Matching words")
        candidates = query.candidates(paper)
        scores = bm25_scores([sentence.text for sentence in candidates], query.hypothesis)
        notes = () if scores.any() else (NO_SHARED_WORD,)
        if query.results_first:
            scores = behind(scores, sets_the_scene(paper, candidates))
        ranked = [(place, float(scores[place])) for place in best(scores, query.k)]
        progress(1.0, "Done")
        return local_evidence(self.name, query, candidates, ranked, started=started, notes=notes)


def bm25_scores(texts: Sequence[str], hypothesis: str) -> Scores:
    """The BM25 score of each text, 0 where it shares no word with the hypothesis. Shape: (len(texts),)."""
    return Bm25Index(texts).scores(hypothesis)


class Bm25Index:
    """Texts ready to be scored for one query after another."""

    def __init__(self, texts: Sequence[str]) -> None:
        documents = [content_words(text) for text in texts]
        self._count = len(texts)
        self._index = _Bm25(documents) if any(documents) else None  # rank_bm25 divides by the corpus' length

    def scores(self, query: str) -> Scores:
        """The BM25 score of each text, 0 where it shares no word with the query. Shape: (number of texts,)."""
        words = content_words(query)
        if self._index is None or not words:
            return np.zeros(self._count)
        return np.asarray(self._index.get_scores(words), dtype=np.float64)


class _Bm25(BM25Okapi):  # type: ignore[misc]  # rank_bm25 has no types
    """Okapi BM25 with the never negative IDF of Lucene: in one paper the topic's own words are in most sentences."""

    def _calc_idf(self, nd: dict[str, int]) -> None:
        self.idf = {word: math.log(1 + (self.corpus_size - n + 0.5) / (n + 0.5)) for word, n in nd.items()}
