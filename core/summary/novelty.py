"""Abstractiveness: how much of a summary is worded otherwise than its source (FaReBio, section 4, RQ2)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator

SIZES = (1, 2, 3)  # of n-grams, as in FaReBio's figure 3a
_WORD = re.compile(r"\d+(?:[.,]\d+)*|[^\W_]+(?:'[^\W_]+)*")

NGram = tuple[str, ...]


def novelty(summary: Iterable[str], source: Iterable[str], n: int) -> float | None:
    """The share of a summary's n-grams that its source does not have, from 0 to 1 (See, Liu and Manning 2017).

    Both are given as sentences, over whose ends no n-gram reaches: a sentence taken over whole has none that is new.
    An n-gram counts as often as it occurs; case does not matter. None if the summary has no n-gram of this size.
    """
    known = {ngram for sentence in source for ngram in _ngrams(sentence, n)}
    found = [ngram not in known for sentence in summary for ngram in _ngrams(sentence, n)]
    return sum(found) / len(found) if found else None


def _ngrams(sentence: str, n: int) -> Iterator[NGram]:
    plain = unicodedata.normalize("NFKC", sentence).casefold().replace("’", "'")
    words = _WORD.findall(plain)
    return (tuple(words[place : place + n]) for place in range(len(words) - n + 1))
