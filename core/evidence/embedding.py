"""`embedding`: sentences that mean what the hypothesis means, by the cosine of their MiniLM vectors."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import numpy as np

from core.errors import EngineUnavailable
from core.evidence.answer import best, local_evidence, notes_on
from core.evidence.embedding_cache import EmbeddingCache
from core.evidence.embedding_files import MISSING, model_folder
from core.evidence.embedding_model import DIMENSIONS, MODEL_NAME, Encoder, Matrix, load_encoder
from core.evidence.embedding_transformer import in_batches
from core.evidence.model import Evidence, EvidenceQuery
from core.evidence.results_first import behind, sets_the_scene
from core.paper import Paper
from core.progress import Progress, silent

_KEPT_UNFINISHED = 50_000  # vectors, 77 MB


@dataclass(frozen=True, slots=True)
class Similarity:
    """How a paper's sentences resemble the hypothesis and each other."""

    vectors: Matrix  # (sentences, 384), each of length 1
    hypothesis: Matrix  # (384,)

    @property
    def to_hypothesis(self) -> Matrix:
        """Cosines, one a sentence of the pool."""
        cosines: Matrix = self.vectors @ self.hypothesis
        return cosines


class Embedder:
    """Encodes papers, each once: vectors are kept on disk."""

    def __init__(self, encoder: Encoder, cache: EmbeddingCache) -> None:
        self._encoder = encoder
        self._cache = cache
        self._unfinished: dict[str, Matrix] = {}  # what was encoded of papers whose search was cancelled

    @classmethod
    def installed(cls, cache_folder: Path) -> Embedder:
        """The embedder with the installed model. Raises `EngineUnavailable` if there is none."""
        folder = model_folder()
        if folder is None:
            raise EngineUnavailable(MISSING)
        return cls(load_encoder(folder), EmbeddingCache(cache_folder, model=MODEL_NAME))

    def compare(self, paper: Paper, hypothesis: str, *, progress: Progress = silent) -> Similarity:
        """Encode what is not known yet of the paper, and the hypothesis."""
        texts = [sentence.text for sentence in paper.pool]
        vectors = self._cache.load(paper, texts, DIMENSIONS)
        if vectors is None:
            vectors = self._encode(texts, progress)
            self._cache.store(paper, texts, vectors)
            for text in texts:
                self._unfinished.pop(text, None)
        return Similarity(vectors, self._encode([hypothesis], silent)[0])

    def encode(self, texts: Sequence[str]) -> Matrix:
        """Vectors of a few short texts, (len(texts), 384), which are not kept."""
        return self._encode(texts, silent)

    def pieces(self, texts: Sequence[str]) -> list[list[int]]:
        """The encoder's word pieces of each text, the marks at its ends included: the smaller, the more frequent."""
        return self._encoder.pieces(texts)

    def _encode(self, texts: Sequence[str], progress: Progress) -> Matrix:
        """Vectors of the texts, (len(texts), 384); equal texts are encoded once, and short ones together."""
        unique = list(dict.fromkeys(texts))
        found = {text: vector for text in unique if (vector := self._unfinished.get(text)) is not None}
        left = [text for text in unique if text not in found]
        progress(len(found) / max(1, len(unique)), "Reading the words of each sentence")
        pieces = self._encoder.pieces(left)
        try:
            for batch in in_batches([len(text) for text in pieces]):
                progress(len(found) / len(unique), f"Encoding sentences ({len(found):,} of {len(unique):,})")
                vectors = self._encoder.encode([pieces[place] for place in batch])
                found.update(zip((left[place] for place in batch), vectors, strict=True))
        except BaseException:  # cancelled: the next search goes on from here
            self._unfinished = dict(islice((self._unfinished | found).items(), _KEPT_UNFINISHED))
            raise
        return np.stack([found[text] for text in texts]) if texts else np.empty((0, DIMENSIONS), dtype=np.float32)


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
