"""MiniLM's transformer, run by ONNX Runtime, which imports and starts in a fraction of a second.

Six BERT layers (Devlin et al. 2019; Wang et al. 2020), mean pooling over word pieces. The sentence encoder runs them as
they ship, the cross-encoder with layers tuned on the same embeddings. `minilm.onnx` holds what is computed, without any
weights (`core/training/minilm_graph.py` makes it).
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
import onnxruntime
from numpy.typing import NDArray

Matrix = NDArray[np.float32]

DIMENSIONS = 384
GRAPH = Path(__file__).parent / "minilm.onnx"
_BATCH_PIECES = 768  # word pieces a batch, padding included: keeps a layer's rows in the processor's cache

onnxruntime.disable_telemetry_events()


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


def threads(environment: Mapping[str, str] = os.environ) -> int:
    """How many threads compute: as many as other libraries are told to use, a worker's one, or else one a processor."""
    told = environment.get("OMP_NUM_THREADS", "")
    return int(told) if told.isdecimal() and int(told) else os.cpu_count() or 1


class Embeddings:
    """The vectors of word pieces, of their positions, and of the first and the second text of a pair, added up."""

    def __init__(self, weights: Mapping[str, Matrix]) -> None:
        self._words = weights["embeddings.word_embeddings.weight"]
        kinds = weights["embeddings.token_type_embeddings.weight"]
        self._places = weights["embeddings.position_embeddings.weight"] + kinds[0]
        self._of_second = kinds[1] - kinds[0]
        self.norm = {name: weights[name] for name in weights if name.startswith("embeddings.LayerNorm.")}

    def __call__(
        self, pieces: Sequence[Sequence[int]], second: Sequence[int] | None
    ) -> tuple[Matrix, NDArray[np.int32]]:
        """One batch, padded: the pieces' vectors, (texts, longest, 384), and 1 for those that are real, (texts, longest)."""
        shape = len(pieces), max(map(len, pieces))
        ids, real = np.zeros(shape, dtype=np.int32), np.zeros(shape, dtype=np.int32)
        for row, text in enumerate(pieces):
            ids[row, : len(text)] = text
            real[row, : len(text)] = 1
        vectors: Matrix = self._words[ids] + self._places[: shape[1]]
        for row, start in enumerate(second or ()):
            vectors[row, start:] += self._of_second
        return vectors, real


class Transformer:
    """Six layers over given embeddings. Holds no state between calls, so threads may share it."""

    def __init__(self, embeddings: Embeddings, weights: Mapping[str, Matrix]) -> None:
        self._embeddings = embeddings
        layers = {name: tensor for name, tensor in weights.items() if name.startswith("encoder.")}
        self._weights = embeddings.norm | layers  # kept: the runtime does not promise a copy
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads()
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")  # idle threads leave the processors
        options.add_session_config_entry("session.disable_prepacking", "1")  # a second copy, which gains no time here
        tensors = [onnxruntime.OrtValue.ortvalue_from_numpy(tensor) for tensor in self._weights.values()]
        options.add_external_initializers(list(self._weights), tensors)
        self._session = onnxruntime.InferenceSession(GRAPH, options, providers=["CPUExecutionProvider"])

    def pooled(self, pieces: Sequence[Sequence[int]], *, second: Sequence[int] | None = None) -> Matrix:
        """The mean over the word pieces of each of one batch of texts. Shape: (len(pieces), 384).

        `second`: where the second text of each begins, if they are pairs.
        """
        embedded, real = self._embeddings(pieces, second)
        means: Matrix = self._session.run(["means"], {"embedded": embedded, "real": real})[0]
        return means
