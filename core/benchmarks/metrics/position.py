"""Where in the paper the evidence lies: whether an engine gets lost in the middle (EvidenceBench, section 6).

EvidenceBench sets the papers whose first 10 and last 10 sentences cover over 80% of the aspects beside those where they
cover less than 20%, and finds models far better on the first.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from core.benchmarks.aspect_recall import aspect_recall
from core.benchmarks.gold import Gold

_EDGE = 10  # sentences at either end
_MOST, _FEW = 0.8, 0.2


class Place(StrEnum):
    """Where a paper has what a hypothesis asks for."""

    EDGES = "edges"  # the first and last sentences cover over 80% of the aspects
    MIDDLE = "middle"  # they cover less than 20%
    BETWEEN = "between"  # the paper counts to neither group


def place_of(gold: Gold, sentences: int) -> Place:
    """The group of a task instance whose candidate pool has so many sentences, headings included.

    Raises `DatasetError` if the gold holds no aspect.
    """
    ends = {*range(min(_EDGE, sentences)), *range(max(0, sentences - _EDGE), sentences)}
    share = aspect_recall(ends, gold.aspects)
    if share > _MOST:
        return Place.EDGES
    return Place.MIDDLE if share < _FEW else Place.BETWEEN


def relative_positions(indices: Iterable[int], sentences: int) -> tuple[float, ...]:
    """Where sentences stand, from 0 (the first of the pool) to 1 (the last), as in EvidenceBench's figure 4."""
    return tuple(index / max(1, sentences - 1) for index in indices)
