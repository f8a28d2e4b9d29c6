"""The reader: what one sentence of a paper says of what is asked, read by a small cross-encoder.

MiniLM's six layers over its own word vectors (as `core.evidence.ranker.cross_encoder`), tuned on trials that people and
careful readers have labelled, with one head a task. docs/reader.md says how it was trained, what it is worth and what it
is bad at.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from enum import IntEnum
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import load_file

from core.entailment.pairs import InContext, Writer
from core.errors import EngineUnavailable
from core.evidence.embedding_files import MISSING, model_folder
from core.evidence.embedding_model import Encoder, Matrix, load_encoder
from core.evidence.embedding_transformer import Transformer, in_batches
from core.evidence.ranker.pairs import Pair

WEIGHTS = Path(__file__).parent / "reader.safetensors"
CARD = WEIGHTS.with_suffix(".json")
_SCALE = ".scale"  # after the name of a tensor in whole numbers: what each of its rows is multiplied by
_DECIMALS = 4  # of probabilities: their last bits differ between machines
_LEAST = 1e-4  # of a probability: shares of what is left beside a sure one stay defined

Probabilities = NDArray[np.float64]


class Direction(IntEnum):
    """What a sentence says of an outcome under an intervention against a comparator: columns of `Reader.directions`."""

    NOT_ON_THIS = 0  # not a result on this question
    UP = 1
    DOWN = 2
    SAME = 3  # no significant difference


class Entailment(IntEnum):
    """What source sentences say of a claim: columns of `Reader.support`."""

    SUPPORTED = 0
    CONTRADICTED = 1
    NOT_THERE = 2


class Reader:
    """Holds no state between calls, so threads may share it."""

    def __init__(self, encoder: Encoder, weights: Mapping[str, Matrix]) -> None:
        self._writer = Writer(encoder.pieces)
        self._transformer = Transformer(encoder.embeddings, weights)
        self._heads = {
            name.split(".")[1]: (weights[name].T, weights[name.removesuffix("weight") + "bias"])
            for name in weights
            if name.startswith("head.") and name.endswith(".weight")
        }

    def directions(self, question: str, sentences: Sequence[InContext]) -> Probabilities:
        """What each sentence says of the question's outcome. Shape: (len(sentences), 4), by `Direction`."""
        return self._read("D", self._writer.pairs(question, sentences))

    def support(self, claim: str, sentences: Sequence[InContext]) -> Probabilities:
        """What each sentence by itself says of the claim. Shape: (len(sentences), 3), by `Entailment`."""
        return self._read("S", self._writer.pairs(claim, sentences))

    def of_hypothesis(self, hypothesis: str, sentences: Sequence[InContext]) -> tuple[Probabilities, Probabilities]:
        """`directions` and `support` of the same pairs, which are read once."""
        pooled = self._pooled(self._writer.pairs(hypothesis, sentences))
        return self._headed("D", pooled), self._headed("S", pooled)

    def claimed(self, hypothesis: str) -> Probabilities:
        """Which way the hypothesis claims its outcome to go. Shape: (4,), by `Direction`; the first is always 0."""
        found: Probabilities = self._read("C", self._writer.pairs(hypothesis, [InContext("")]))[0]
        found[Direction.NOT_ON_THIS] = 0.0
        shares: Probabilities = found / found.sum()
        return shares

    def support_of_all(self, claim: str, several: Sequence[Sequence[InContext]]) -> Probabilities:
        """What the sentences of each set together say of the claim. Shape: (len(several), 3), by `Entailment`."""
        return self._read("S", [self._writer.of_several(claim, sentences) for sentences in several])

    def _read(self, head: str, pairs: Sequence[Pair]) -> Probabilities:
        return self._headed(head, self._pooled(pairs))

    def _headed(self, head: str, pooled: Matrix) -> Probabilities:
        weight, bias = self._heads[head]
        logits = (pooled @ weight + bias).astype(np.float64)
        odds = np.exp(logits - logits.max(axis=1, keepdims=True))
        found: Probabilities = (odds / odds.sum(axis=1, keepdims=True)).round(_DECIMALS)
        return np.maximum(found, _LEAST)

    def _pooled(self, pairs: Sequence[Pair]) -> Matrix:
        found = np.empty((len(pairs), next(iter(self._heads.values()))[0].shape[0]), dtype=np.float32)
        for places in in_batches([len(pair.pieces) for pair in pairs]):
            some = [pairs[place] for place in places]
            found[places] = self._transformer.pooled(
                [pair.pieces for pair in some], second=[pair.second for pair in some]
            )
        return found


@cache
def reader() -> Reader | None:
    """The shipped reader, loaded once per process; None where the encoder's word vectors are not installed."""
    folder = model_folder()
    return Reader(load_encoder(folder), unpacked(load_file(WEIGHTS))) if folder else None


def installed_reader() -> Reader:
    """The shipped reader. Raises `EngineUnavailable` where the encoder's word vectors are not installed."""
    found = reader()
    if found is None:
        raise EngineUnavailable(MISSING)
    return found


def was_trained_on(sha256: str) -> bool:
    """Whether a file with this checksum was among what the shipped reader learned from."""
    return sha256 in json.loads(CARD.read_text(encoding="utf-8"))["trained_on"].values()


def packed(weights: Mapping[str, Matrix]) -> dict[str, NDArray[np.generic]]:
    """Layers for shipping: matrices as whole numbers of eight bits with a scale a row, all else in half precision."""
    found: dict[str, NDArray[np.generic]] = {}
    for name, tensor in weights.items():
        if tensor.ndim == 2 and not name.startswith("head."):
            scale = np.abs(tensor).max(axis=1) / 127
            found[name] = np.rint(tensor / scale[:, None]).astype(np.int8)
            found[name + _SCALE] = scale.astype(np.float32)
        else:
            found[name] = tensor.astype(np.float32 if name.startswith("head.") else np.float16)
    return found


def unpacked(shipped: Mapping[str, NDArray[np.generic]]) -> dict[str, Matrix]:
    """What `packed` was given, but for what the rounding took."""
    found = {}
    for name, tensor in shipped.items():
        if not name.endswith(_SCALE):
            scale = shipped.get(name + _SCALE)
            full = tensor.astype(np.float32)
            found[name] = full if scale is None else full * scale.astype(np.float32)[:, None]
    return found
