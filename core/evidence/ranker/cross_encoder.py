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
# The cross-encoder's input: a hypothesis, and one sentence with its place in the paper.
#
# It is made from the paper and the hypothesis only: no gold label, no aspect, no direction of an effect.

LONGEST = 96  # word pieces of a pair, including the three special tokens
_HYPOTHESIS = 40  # of these, at most, for the hypothesis
_TITLE = 40  # characters kept of a section's title
_SENTENCE = 800  # characters kept of a sentence: more would not fit into the word pieces

Pieces = Callable[[Sequence[str]], list[list[int]]]  # texts -> their word pieces, with a special token at both ends


@dataclass(frozen=True, slots=True)
class Pair:
    """The word pieces of one pair; `second` is the index where the sentence begins."""

    pieces: tuple[int, ...]
    second: int


def pairs(paper: Paper, sentences: Sequence[Sentence], hypothesis: str, pieces: Pieces) -> list[Pair]:
    """One pair per sentence, in order."""
    first = pieces([hypothesis])[0]
    start, stop = first[0], first[-1]
    left = (start, *first[1:-1][:_HYPOTHESIS], stop)
    return [
        Pair((*left, *right[1:-1][: LONGEST - len(left) - 1], stop), len(left))
        for right in pieces(in_context(paper, sentences))
    ]


def in_context(paper: Paper, sentences: Sequence[Sentence]) -> list[str]:
    """Each sentence, preceded by its kind, its section's title and its position in the paper in tenths."""
    roles = paper.section_roles
    last = max(1, len(paper.pool) - 1)
    texts = []
    for sentence in sentences:
        kind = sentence.kind if sentence.kind in (Kind.TABLE, Kind.CAPTION) else roles[sentence.section]
        title = paper.sections[sentence.section].title[:_TITLE]
        texts.append(f"{kind.value}, {title}, {10 * sentence.index // last}: {sentence.text[:_SENTENCE]}")
    return texts


# ---- cross encoder ----
# A cross-encoder reads the hypothesis and a sentence together, which comparing two vectors cannot do.
#
# MiniLM's six layers, fine-tuned on experts' evidence (docs/ranker.md), over its unchanged word vectors. Reading a sentence
# costs as much as encoding it, so it reads only the sentences with the highest tree scores.

_DECIMALS = 3  # log-odds are rounded so that the ranking is the same on every machine, whatever their last bits


@cache
def cross_encoder_for(training: Training) -> CrossEncoder | None:
    """The shipped cross-encoder, loaded once per process; None if its file or the word vectors are missing."""
    path, folder = cross_encoder_path(training), model_folder()
    return CrossEncoder.from_file(path, load_encoder(folder)) if folder and path.is_file() else None


class CrossEncoder:
    """Computes log-odds that a sentence is evidence. Holds no state between calls, so threads may share it."""

    def __init__(self, encoder: Encoder, weights: dict[str, Matrix]) -> None:
        self._encoder = encoder
        self._transformer = Transformer(encoder.embeddings, weights)
        self._head = weights["head.weight"].T, weights["head.bias"]

    @classmethod
    def from_file(cls, path: Path, encoder: Encoder) -> CrossEncoder:
        """Load the layers from a safetensors file; the word vectors are those of `encoder`."""
        return cls(encoder, load_weights(path))

    def log_odds(self, paper: Paper, sentences: Sequence[Sentence], hypothesis: str) -> Vector:
        """The log-odds that each sentence covers evidence, and that it covers results. Shape: (len(sentences), 2)."""
        rows = pairs(paper, sentences, hypothesis, self._encoder.pieces)
        found = np.empty((len(rows), 2))
        for places in in_batches([len(row.pieces) for row in rows]):
            some = [rows[place] for place in places]
            pooled = self._transformer.pooled([row.pieces for row in some], second=[row.second for row in some])
            found[places] = pooled @ self._head[0] + self._head[1]
        return found.round(_DECIMALS)
