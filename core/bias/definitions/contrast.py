"""What sets the sentences that a definition asks for apart from all others, by sentences of trials that nobody labelled.

The sentences of other trials that are nearest to a definition stand for what it asks for. Fisher's linear discriminant (Fisher
1936) between them and all sentences then tells them apart: what every report says counts for little, what only they say
for much. The sentences are kept as numbers only, shortened by principal components.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.bias.definitions.words import Vectors, of_length_1, packed, unpacked
from core.evidence.ranker.sentence_features import standardised
from core.evidence.selection import best

Matrix = NDArray[np.float64]

FILE = Path(__file__).parent / "trial_sentences.npz"
_NEAREST = 10  # sentences that stand for a definition
_BY_MEANING = 0.3  # how much the encoder's likeness counts beside that by words
_RIDGE = 0.002  # added to each variance: those of few sentences are uncertain
_KEPT = 192  # principal components


@dataclass(frozen=True)
class TrialSentences:
    """Sentences by `rows` (m, k) in a `basis` (d, k) around their `mean` (d,), d being both kinds of vectors side by side."""

    rows: Matrix
    basis: Matrix
    mean: Matrix

    @classmethod
    def of(cls, words: Vectors, meaning: Vectors) -> TrialSentences:
        """From the sentences' vectors by `TrialWords` and by the encoder, (m, 200) and (m, 384)."""
        both = np.hstack([words, meaning]).astype(np.float64)
        mean = both.mean(axis=0)
        _, directions = np.linalg.eigh(np.cov(both.T))
        basis = directions[:, ::-1][:, :_KEPT]
        return cls((both - mean) @ basis, basis, mean)

    def told_apart(self, wide: Vectors, meaning: Vectors) -> tuple[Matrix, Vectors]:
        """A definition's weights for both vectors of a sentence, (d,), and the nearest sentences' mean meaning, of length 1.

        `wide`: the widened vector by words; `meaning`: the encoder's.
        """
        by_words, by_meaning = self.basis[: len(wide)], self.basis[len(wide) :]
        likeness = standardised(self.rows @ (by_words.T @ wide))
        likeness = likeness + _BY_MEANING * standardised(self.rows @ (by_meaning.T @ meaning))
        middle = self.rows[list(best(likeness, _NEAREST))].mean(axis=0)
        weights: Matrix = self.basis @ (self._less_common @ (middle - self.rows.mean(axis=0)))
        near = of_length_1((self.mean[len(wide) :] + by_meaning @ middle).astype(np.float32))
        return weights, near

    @cached_property
    def _less_common(self) -> Matrix:
        """The inverse of the sentences' covariance. Shape: (k, k)."""
        spread = np.cov(self.rows.T) + _RIDGE * np.eye(self.rows.shape[1])
        return np.linalg.inv(spread).astype(np.float64)


@cache
def load_trial_sentences() -> TrialSentences:
    """The shipped sentences, read once per process."""
    with np.load(FILE, allow_pickle=False) as kept:
        rows = unpacked(kept["rows"], kept["rows_scale"])
        return TrialSentences(*(part.astype(np.float64) for part in (rows, kept["basis"], kept["mean"])))


def save_trial_sentences(found: TrialSentences, file: Path = FILE) -> None:
    """Write them, each number of a sentence in eight bits with a scale a row, the basis in half precision."""
    rows, scale = packed(found.rows.astype(np.float32))
    np.savez_compressed(
        file, rows=rows, rows_scale=scale, basis=found.basis.astype(np.float16), mean=found.mean.astype(np.float32)
    )
