"""BM25 over the sentences of a paper (Robertson and Zaragoza 2009, by rank_bm25)."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from rank_bm25 import BM25Okapi

from core.text.words import content_words

Scores = NDArray[np.float64]


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
    """Okapi BM25 with Lucene's IDF, which is never negative: a paper's topic words are in most of its sentences."""

    def _calc_idf(self, nd: dict[str, int]) -> None:
        self.idf = {word: math.log(1 + (self.corpus_size - n + 0.5) / (n + 0.5)) for word, n in nd.items()}
