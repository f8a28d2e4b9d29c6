"""The cross-encoder: reads a hypothesis and a sentence with its context together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from core.evidence.ranker.model import Training, cross_encoder_path
from core.evidence.ranker.sentence_features import Vector
from core.paper import Kind, Paper, Sentence
from core.text.encoder import Encoder, Matrix, Transformer, in_batches, load_encoder, load_weights
from core.text.encoder_files import model_folder

# ---- pairs ----
# What the cross-encoder reads: a hypothesis, and one sentence with where it stands in its paper.
#
# Nothing but the paper and the hypothesis comes in: no gold, no aspect, no direction of an effect.

LONGEST = 96  # word pieces of a pair, its three marks included
_HYPOTHESIS = 40  # of them at most for the hypothesis
_TITLE = 40  # characters of a section's title
_SENTENCE = 800  # characters: no more fit into the pieces

Pieces = Callable[[Sequence[str]], list[list[int]]]  # texts -> their word pieces, a mark at both ends of each


@dataclass(frozen=True, slots=True)
class Pair:
    """Word pieces of one pair; `second` is where the sentence begins."""

    pieces: tuple[int, ...]
    second: int


def pairs(paper: Paper, sentences: Sequence[Sentence], hypothesis: str, pieces: Pieces) -> list[Pair]:
    """One pair a sentence, in their order."""
    first = pieces([hypothesis])[0]
    start, stop = first[0], first[-1]
    left = (start, *first[1:-1][:_HYPOTHESIS], stop)
    return [
        Pair((*left, *right[1:-1][: LONGEST - len(left) - 1], stop), len(left))
        for right in pieces(in_context(paper, sentences))
    ]


def in_context(paper: Paper, sentences: Sequence[Sentence]) -> list[str]:
    """Each sentence after its kind, its section and how far into the paper it stands, in tenths."""
    roles = paper.section_roles
    last = max(1, len(paper.pool) - 1)
    texts = []
    for sentence in sentences:
        kind = sentence.kind if sentence.kind in (Kind.TABLE, Kind.CAPTION) else roles[sentence.section]
        title = paper.sections[sentence.section].title[:_TITLE]
        texts.append(f"{kind.value}, {title}, {10 * sentence.index // last}: {sentence.text[:_SENTENCE]}")
    return texts


# ---- cross encoder ----
# A cross-encoder: reads the hypothesis and a sentence together, which two vectors side by side cannot.
#
# MiniLM's six layers, tuned on experts' evidence (docs/ranker.md), over its word vectors as they ship. It costs as much
# a sentence as encoding does, so that it reads only the sentences that the trees think most of.

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
