"""Which sentences are worth reading beside a question: those most like it in meaning and in words."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from core.paper import Sentence

_WORDS = 0.5  # how much shared words count beside the cosine
_STEM = 6  # letters of a word by which it is known
_WORD = re.compile(r"[a-z0-9]{3,}")


def nearest(question: str, pool: Sequence[Sentence], cosines: NDArray[np.float64]) -> list[int]:
    """Places in the pool, nearest first. `cosines`: (len(pool),), of each sentence to the question."""
    asked = stems(question)
    likeness = cosines + _WORDS * np.array([share(asked, stems(one.text)) for one in pool])
    return [int(place) for place in np.argsort(-likeness.round(6), kind="stable")]


def stems(text: str) -> frozenset[str]:
    """The words of a text, each by its first letters."""
    return frozenset(word[:_STEM] for word in _WORD.findall(text.lower()))


def share(wanted: frozenset[str], words: frozenset[str]) -> float:
    """How many of the wanted words are there, 0 to 1."""
    return len(wanted & words) / len(wanted) if wanted else 0.0
