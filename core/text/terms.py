"""Terms: words and pairs of words, every number as 0, and how much each weighs in a text."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

LONGEST = 1500  # characters looked at: a table row may run on for pages
_NUMBER = re.compile(r"\d[\d,.·]*")
_WORD = re.compile(r"[a-z]+|0|%|:")


def words_of(text: str) -> tuple[str, ...]:
    """The words of a text. Every number becomes 0, because a trial's own numbers say nothing about another's."""
    return tuple(_WORD.findall(_NUMBER.sub("0", text[:LONGEST].lower())))


def terms_of(text: str) -> tuple[str, ...]:
    """The words of a text, and its pairs of adjacent words."""
    words = words_of(text)
    return words + tuple(f"{one} {other}" for one, other in pairwise(words))


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The terms that count, each with its place and its rarity (inverse document frequency)."""

    place: Mapping[str, int]
    rarity: NDArray[np.float64]  # (terms,)

    def weigh(self, terms: Sequence[str]) -> tuple[list[int], NDArray[np.float64]]:
        """The known terms' places and weights; the weights' squares sum to 1 (tf-idf, Salton and Buckley 1988)."""
        counts = Counter(place for term in terms if (place := self.place.get(term)) is not None)
        places = list(counts)
        weights = self.rarity[places] * [1 + math.log(count) for count in counts.values()]
        length = float(np.linalg.norm(weights))
        return places, weights / length if length else weights
