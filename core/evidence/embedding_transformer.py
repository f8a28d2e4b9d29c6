"""MiniLM's transformer as a plain forward pass in numpy, which starts in a fraction of a second.

Six BERT layers (Devlin et al. 2019; Wang et al. 2020), mean pooling over word pieces. The sentence encoder runs them as
they ship, the cross-encoder with layers tuned on the same embeddings.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float32]

DIMENSIONS = 384
LAYERS = 6
_HEADS = 12
_EPSILON = np.float32(1e-12)
_FAR_BELOW = np.float32(-1e9)  # attention to padding
_BATCH_PIECES = 768  # word pieces a batch, padding included: keeps a layer's rows in the processor's cache


def in_batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    """The places of texts of these lengths, in word pieces, that go through the layers together: short ones first."""
    batch: list[int] = []
    for place in sorted(range(len(lengths)), key=lambda place: lengths[place]):
        if batch and (len(batch) + 1) * lengths[place] > _BATCH_PIECES:
            yield batch
            batch = []
        batch.append(place)
    if batch:
        yield batch


class Embeddings:
    """The vectors of word pieces, of their positions, and of the first and the second text of a pair."""

    def __init__(self, weights: Mapping[str, Matrix]) -> None:
        self._words = weights["embeddings.word_embeddings.weight"]
        kinds = weights["embeddings.token_type_embeddings.weight"]
        self._places = weights["embeddings.position_embeddings.weight"] + kinds[0]
        self._of_second = kinds[1] - kinds[0]
        self._scale = weights["embeddings.LayerNorm.weight"]
        self._shift = weights["embeddings.LayerNorm.bias"]

    def __call__(
        self, pieces: Sequence[Sequence[int]], second: Sequence[int] | None
    ) -> tuple[Matrix, NDArray[np.bool_]]:
        """One batch, padded: the pieces' vectors, (texts * longest, 384), and which are real, (texts, longest)."""
        count, longest = len(pieces), max(map(len, pieces))
        ids = np.zeros((count, longest), dtype=np.int64)
        real = np.zeros((count, longest), dtype=np.bool_)
        for row, text in enumerate(pieces):
            ids[row, : len(text)] = text
            real[row, : len(text)] = True
        vectors: Matrix = self._words[ids] + self._places[:longest]
        for row, start in enumerate(second or ()):
            vectors[row, start:] += self._of_second
        return _normalise(vectors.reshape(count * longest, DIMENSIONS), self._scale, self._shift), real


class Transformer:
    """Six layers over given embeddings. Holds no state between calls, so threads may share it."""

    def __init__(self, embeddings: Embeddings, weights: Mapping[str, Matrix]) -> None:
        self._embeddings = embeddings
        self._layers = [_Layer(weights, f"encoder.layer.{number}.") for number in range(LAYERS)]

    def pooled(self, pieces: Sequence[Sequence[int]], *, second: Sequence[int] | None = None) -> Matrix:
        """The mean over the word pieces of each of one batch of texts. Shape: (len(pieces), 384).

        `second`: where the second text of each begins, if they are pairs.
        """
        hidden, real = self._embeddings(pieces, second)
        unseen = np.where(real, np.float32(0), _FAR_BELOW)[:, None, None, :]
        for layer in self._layers:
            hidden = layer(hidden, unseen)
        summed = (hidden.reshape(*real.shape, DIMENSIONS) * real[:, :, None]).sum(axis=1)
        means: Matrix = summed / real.sum(axis=1, keepdims=True).astype(np.float32)
        return means


class _Layer:
    """One transformer layer over the rows of a padded batch."""

    def __init__(self, weights: Mapping[str, Matrix], prefix: str) -> None:
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
