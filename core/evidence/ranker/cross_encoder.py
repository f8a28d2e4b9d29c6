"""A cross-encoder: reads the hypothesis and a sentence together, which two vectors side by side cannot.

MiniLM's six layers, tuned on experts' evidence (docs/ranker.md), over its word vectors as they ship. It costs as much
a sentence as encoding does, so that it reads only the sentences that the trees think most of.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np

from core.evidence.embedding_files import model_folder
from core.evidence.embedding_model import Encoder, Matrix, load_encoder, load_weights
from core.evidence.embedding_transformer import Transformer, in_batches
from core.evidence.ranker.columns import Vector
from core.evidence.ranker.model import Training, cross_encoder_path
from core.evidence.ranker.pairs import pairs
from core.paper import Paper, Sentence

_DECIMALS = 3  # of log-odds: sums that differ by their last bits give the same ranking on every machine


@cache
def cross_encoder_for(training: Training) -> CrossEncoder | None:
    """The shipped cross-encoder, loaded once per process; None if its file or the word vectors are missing."""
    path, folder = cross_encoder_path(training), model_folder()
    return CrossEncoder.from_file(path, load_encoder(folder)) if folder and path.is_file() else None


class CrossEncoder:
    """Log-odds that a sentence is evidence. Holds no state between calls, so threads may share it."""

    def __init__(self, encoder: Encoder, weights: dict[str, Matrix]) -> None:
        self._encoder = encoder
        self._transformer = Transformer(encoder.embeddings, weights)
        self._head = weights["head.weight"].T, weights["head.bias"]

    @classmethod
    def from_file(cls, path: Path, encoder: Encoder) -> CrossEncoder:
        """The cross-encoder whose layers are in a safetensors file; its word vectors are those of `encoder`."""
        return cls(encoder, load_weights(path))

    def log_odds(self, paper: Paper, sentences: Sequence[Sentence], hypothesis: str) -> Vector:
        """How likely each sentence covers evidence, and how likely results. Shape: (len(sentences), 2)."""
        rows = pairs(paper, sentences, hypothesis, self._encoder.pieces)
        found = np.empty((len(rows), 2))
        for places in in_batches([len(row.pieces) for row in rows]):
            some = [rows[place] for place in places]
            pooled = self._transformer.pooled([row.pieces for row in some], second=[row.second for row in some])
            found[places] = pooled @ self._head[0] + self._head[1]
        return found.round(_DECIMALS)
