"""An encoder for tests that need no model: it counts what it is asked to encode."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from core.text.encoder import DIMENSIONS, EmbeddingCache, Encoder, Matrix
from core.text.similarity import Embedder
from core.text.words import content_words


class CountingEncoder(Encoder):
    """Bags of hashed words: sentences with the same words have the same vector."""

    def __init__(self) -> None:
        self.encoded = 0
        self.batches: list[int] = []

    def pieces(self, texts: Sequence[str]) -> list[list[int]]:
        self.encoded += len(texts)
        return [[sum(map(ord, word)) % (DIMENSIONS - 1) + 1 for word in content_words(text)] or [0] for text in texts]

    def encode(self, pieces: Sequence[Sequence[int]]) -> Matrix:
        self.batches.append(len(pieces))
        vectors = np.zeros((len(pieces), DIMENSIONS), dtype=np.float32)
        for row, words in enumerate(pieces):
            np.add.at(vectors[row], words, 1)
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        return vectors


def fake_embedder(folder: Path) -> tuple[Embedder, CountingEncoder]:
    """An embedder with its cache in `folder`, and the encoder that it uses."""
    encoder = CountingEncoder()
    return Embedder(encoder, EmbeddingCache(folder, model="counting")), encoder
