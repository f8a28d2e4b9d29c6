"""Stems of words: what a criterion and a paper may write differently and mean alike."""

from __future__ import annotations

import re
from functools import lru_cache

from core.evidence.words import content_words

_SPELLINGS = (("isation", "ization"), ("ise", "ize"), ("aemi", "emi"), ("oea", "ea"), ("paed", "ped"), ("oed", "ed"))
_ENDINGS = re.compile(
    r"(?:izations?|ations?|ements?|ments?|ities|ity|ically|ical|ics?|ions?|ing|ed|ers?|ors?|ies|es|al|ia|ive|ant|ent|y|e|s)$"
)
_SHORTEST = 4  # letters that stay


def stems(text: str) -> frozenset[str]:
    """The stems of a text's content words."""
    return frozenset(stem(word) for word in content_words(text))


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """A word in lower case without its ending: "hypertensive" and "hypertension" are one."""
    for british, american in _SPELLINGS:
        word = word.replace(british, american)
    cut = _ENDINGS.sub("", word)
    return cut if len(cut) >= _SHORTEST else word
