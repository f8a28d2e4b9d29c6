"""`embedding`: sentences that mean what the hypothesis means, by the cosine of their MiniLM vectors."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from core.errors import EngineUnavailable
from core.evidence.answer import best, local_evidence
from core.evidence.embedding_cache import EmbeddingCache
from core.evidence.embedding_files import MISSING, model_folder
from core.evidence.embedding_model import DIMENSIONS, MODEL_NAME, Encoder, Matrix, load_encoder
from core.evidence.model import Evidence, EvidenceQuery
from core.paper import Paper
from core.progress import Progress, silent

_BATCH_PIECES = 768  # word pieces a batch, padding included: keeps a layer's rows in the processor's cache


@dataclass(frozen=True, slots=True)
class Similarity:
    """How a paper's sentences resemble the hypothesis and each other."""

    vectors: Matrix  # (sentences, 384), each of length 1
    hypothesis: Matrix  # (384,)

    @property
    def to_hypothesis(self) -> Matrix:
        """Cosines, one a sentence of the paper."""
        cosines: Matrix = self.vectors @ self.hypothesis
        return cosines


class Embedder:
    """Encodes papers, each once: vectors are kept on disk."""

    def __init__(self, encoder: Encoder, cache: EmbeddingCache) -> None:
        self._encoder = encoder
        self._cache = cache

    @classmethod
    def installed(cls, cache_folder: Path) -> Embedder:
        """The embedder with the installed model. Raises `EngineUnavailable` if there is none."""
        folder = model_folder()
        if folder is None:
            raise EngineUnavailable(MISSING)
        return cls(load_encoder(folder), EmbeddingCache(cache_folder, model=MODEL_NAME))

    def compare(self, paper: Paper, hypothesis: str, *, progress: Progress = silent) -> Similarity:
        """Encode what is not known yet of the paper, and the hypothesis."""
        texts = [sentence.text for sentence in paper.sentences]
        vectors = self._cache.load(paper, texts, DIMENSIONS)
        if vectors is None:
            vectors = self._encode(texts, progress)
            self._cache.store(paper, texts, vectors)
        return Similarity(vectors, self._encode([hypothesis], silent)[0])

    def encode(self, texts: Sequence[str]) -> Matrix:
        """Vectors of a few short texts, (len(texts), 384), which are not kept."""
        return self._encode(texts, silent)

    def _encode(self, texts: Sequence[str], progress: Progress) -> Matrix:
        """Vectors of the texts, (len(texts), 384); equal texts are encoded once, and short ones together."""
        unique = list(dict.fromkeys(texts))
        progress(0.0, "Reading the words of each sentence")
        pieces = self._encoder.pieces(unique)
        order = sorted(range(len(unique)), key=lambda i: len(pieces[i]))
        found = np.empty((len(unique), DIMENSIONS), dtype=np.float32)
        done = 0
        while done < len(order):
            progress(done / len(order), f"Encoding sentences ({done:,} of {len(order):,})")
            end = done + 1
            while end < len(order) and (end + 1 - done) * len(pieces[order[end]]) <= _BATCH_PIECES:
                end += 1
            batch = order[done:end]
            found[batch] = self._encoder.encode([pieces[i] for i in batch])
            done = end
        row = {text: i for i, text in enumerate(unique)}
        return found[[row[text] for text in texts]]


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
        ranked = [(place, float(scores[place])) for place in best(scores, query.k)]
        progress(1.0, "Done")
        return local_evidence(self.name, query, candidates, ranked, started=started)
