"""Choosing sentences that say different things: maximal marginal relevance."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

Scores = NDArray[np.float64]
LikenessTo = Callable[[int], Scores]  # a candidate's position -> its likeness (0..1) to each of the short list


def select(scores: Scores, k: int, *, shortlist: Sequence[int], likeness_to: LikenessTo, penalty: float) -> list[int]:
    """Up to `k` positions of `shortlist`, each the best score less `penalty` times its likeness to one already chosen.

    Maximal marginal relevance (Carbonell and Goldstein 1998). `scores`: (len(shortlist),). Linear in the list for each
    sentence chosen: no matrix of all pairs is made. Ties go to the first of the list.
    """
    left = scores.astype(np.float64).copy()
    repeated = np.zeros(len(left))
    chosen: list[int] = []
    while len(chosen) < min(k, len(left)):
        place = int(np.argmax((left - penalty * repeated).round(6)))
        chosen.append(shortlist[place])
        left[place] = -np.inf
        repeated = np.maximum(repeated, likeness_to(place))
    return chosen
