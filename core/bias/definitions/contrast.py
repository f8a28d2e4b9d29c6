"""A contrast between sentences that answer a definition and all others, learned from unlabelled sentences of trials.

The sentences of other trials that are nearest to a definition stand in for its answers. Fisher's linear discriminant
(Fisher 1936) separates them from all sentences: what every report says counts little, and what only these sentences say
counts much. The sentences are kept only as vectors, reduced by principal components.
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
_NEAREST = 10  # sentences that stand in for a definition's answers
_BY_MEANING = 0.3  # weight of the similarity by the encoder, relative to that by words
_RIDGE = 0.002  # added to each variance, to regularise the covariance
_KEPT = 192  # principal components


@dataclass(frozen=True)
class TrialSentences:
    """Sentences as `rows` (m, k) in a `basis` (d, k) around their `mean` (d,). The d dimensions join both kinds of vectors."""

    rows: Matrix
    basis: Matrix
    mean: Matrix

    @classmethod
    def of(cls, words: Vectors, meaning: Vectors) -> TrialSentences:
        """Build it from the sentences' vectors by `TrialWords` and by the encoder, (m, 200) and (m, 384)."""
        both = np.hstack([words, meaning]).astype(np.float64)
        mean = both.mean(axis=0)
        _, directions = np.linalg.eigh(np.cov(both.T))
        basis = directions[:, ::-1][:, :_KEPT]
        return cls((both - mean) @ basis, basis, mean)

    def told_apart(self, wide: Vectors, meaning: Vectors) -> tuple[Matrix, Vectors]:
        """A definition's weights for both vectors of a sentence, (d,), and the nearest sentences' mean encoder vector.

        `wide` is the definition's widened word vector, and `meaning` its encoder vector. The mean has length 1.
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
    """Write them: sentences as int8 with a scale per row, the basis in half precision, the mean in single precision."""
    rows, scale = packed(found.rows.astype(np.float32))
    np.savez_compressed(
        file, rows=rows, rows_scale=scale, basis=found.basis.astype(np.float16), mean=found.mean.astype(np.float32)
    )
