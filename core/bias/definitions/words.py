"""Word vectors from trial reports, and query expansion with the nearest sentences of those reports.

A word's vector comes from the words around it in the sentences of 246 trial reports: positive pointwise mutual information,
reduced in dimension (Levy and Goldberg 2014). So "know" is near "unaware", and "draw" near "envelope". A query is widened by
the sentences of those reports that are nearest to it (Rocchio 1971). Of these sentences, only the vectors are kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.evidence.selection import best
from core.text.words import broad_stem, content_words

Vectors = NDArray[np.float32]

FILE = Path(__file__).parent / "trial_words.npz"
_LONGEST = 1500  # characters examined: a table row may run on for pages
_NUMBER = "#"  # the term that replaces every number
_NEAREST = 20  # sentences of other trials that widen a query
_STEPS = 127  # the greatest value of an int8


@lru_cache(maxsize=50_000)
def terms_of(text: str) -> tuple[str, ...]:
    """The stems of a text's content words, with one term for all numbers; single letters are left out."""
    stems = (_NUMBER if word[0].isdigit() else broad_stem(word) for word in content_words(text[:_LONGEST]))
    return tuple(stem for stem in stems if len(stem) > 1 or stem == _NUMBER)


@dataclass(frozen=True)
class TrialWords:
    """Vectors of `words`, (words, d), each word's rarity among sentences, and vectors of trial `sentences`, (m, d)."""

    words: tuple[str, ...]
    rarity: NDArray[np.float64]
    vectors: Vectors
    sentences: Vectors

    @cached_property
    def _place(self) -> dict[str, int]:
        return {word: place for place, word in enumerate(self.words)}

    @cached_property
    def _common(self) -> Vectors:
        """The component that all texts share: the direction of the most frequent words."""
        return of_length_1((self.vectors * np.exp(-self.rarity)[:, None].astype(np.float32)).sum(axis=0))

    def known(self, text: str) -> list[int]:
        """The indices of a text's known words, without duplicates."""
        return [self._place[term] for term in dict.fromkeys(terms_of(text)) if term in self._place]

    def vector(self, text: str) -> Vectors:
        """The mean of the words' vectors, weighted by rarity, without `_common`; of length 1, or 0 if no word is known."""
        places = self.known(text)
        mean = (self.vectors[places] * (self.rarity[places, None] - 1)).sum(axis=0).astype(np.float32)
        mean = of_length_1(mean)
        return of_length_1(mean - (mean @ self._common) * self._common)

    def vectors_of(self, texts: Sequence[str]) -> Vectors:
        """One vector per text, (texts, d)."""
        return np.stack([self.vector(text) for text in texts])

    def widened(self, vector: Vectors) -> Vectors:
        """The vector, moved halfway to the mean of the nearest trial sentences."""
        nearest = best((self.sentences @ vector).astype(np.float64), _NEAREST)
        return of_length_1(vector + of_length_1(self.sentences[nearest].mean(axis=0)))

    def coverage(self, asked: str, texts: Sequence[frozenset[int]]) -> NDArray[np.float64]:
        """The share of the query's words that each text contains, weighted by rarity, 0 to 1. Shape: (texts,).

        `texts` holds the word indices of each text.
        """
        weight = {place: float(self.rarity[place]) - 1 for place in self.known(asked)}
        whole = sum(weight.values()) or 1.0
        return np.array([sum(weight[place] for place in weight.keys() & text) / whole for text in texts])


def of_length_1(vector: Vectors) -> Vectors:
    """The vector scaled to length 1; a zero vector stays zero."""
    length = float(np.linalg.norm(vector))
    result: Vectors = vector / length if length else vector
    return result


@cache
def load_trial_words() -> TrialWords:
    """The shipped vectors, read once per process."""
    with np.load(FILE, allow_pickle=False) as kept:
        return TrialWords(
            tuple(kept["words"].tolist()),
            kept["rarity"].astype(np.float64),
            unpacked(kept["vectors"], kept["vectors_scale"]),
            unpacked(kept["sentences"], kept["sentences_scale"]),
        )


def save_trial_words(found: TrialWords, file: Path = FILE) -> None:
    """Write them as int8 with a scale per row."""
    vectors, vectors_scale = packed(found.vectors)
    sentences, sentences_scale = packed(found.sentences)
    np.savez_compressed(
        file,
        words=np.array(found.words),
        rarity=found.rarity.astype(np.float32),
        vectors=vectors,
        vectors_scale=vectors_scale,
        sentences=sentences,
        sentences_scale=sentences_scale,
    )


def packed(rows: Vectors) -> tuple[NDArray[np.int8], Vectors]:
    """The rows as int8, and a scale per row."""
    scale = np.maximum(np.abs(rows).max(axis=1), 1e-9).astype(np.float32) / _STEPS
    return np.rint(rows / scale[:, None]).astype(np.int8), scale


def unpacked(rows: NDArray[np.int8], scale: Vectors) -> Vectors:
    """Reverse `packed`, up to its rounding errors."""
    return rows.astype(np.float32) * scale[:, None]
