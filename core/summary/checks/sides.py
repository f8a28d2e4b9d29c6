"""Which things a sentence sets against each other: what stands on either side of "than"."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from core.summary.words import topic

HINGE = re.compile(
    r"\b(?:than|(?:as )?compared (?:with|to)|in comparison (?:with|to)|versus|vs\.?|relative to|rather than|instead of"
    r"|as opposed to|against|over that of)(?!\w)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Sides:
    """The topic words on either side, without those on both."""

    left: frozenset[str]
    right: frozenset[str]
    start: int
    end: int


@lru_cache(maxsize=16384)
def sides_of(sentence: str) -> Sides | None:
    """What the first comparison of a sentence sets against each other; None if it makes none."""
    hinge = HINGE.search(sentence)
    if hinge is None:
        return None
    left, right = topic(sentence[: hinge.start()]), topic(sentence[hinge.end() :])
    return Sides(left - right, right - left, *hinge.span())


@lru_cache(maxsize=16384)
def orientation(one: str, two: str) -> int:
    """1 if two sentences compare the same things the same way round, -1 the other way round, 0 if neither is plain."""
    here, there = sides_of(one), sides_of(two)
    if here is None or there is None:
        return 0
    # What follows the hinge is what is compared with; before it stands the rest of the sentence too.
    straight = 2 * len(here.right & there.right)
    turned = len(here.left & there.right), len(here.right & there.left)
    crossed = sum(turned)
    if crossed > straight and all(turned):
        return -1
    return 1 if straight > crossed else 0
