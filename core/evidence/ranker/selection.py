"""Choosing sentences that together cover more, instead of the highest scores."""

from __future__ import annotations

import numpy as np

from core.evidence.ranker.columns import Vector

_SHORT_LIST = 400  # no sentence further down is ever worth more than one of these


def choose(scores: Vector, vectors: Vector, k: int, *, cost: float) -> list[int]:
    """Up to `k` places, best first: each has the highest expected gain in coverage given those before it.

    A score is the log-odds that a sentence covers an aspect, so a sentence as like a chosen one as its cosine says
    is worth exp(-cost x cosine) of its odds: what it covers is then likely to be covered already. The form is maximal
    marginal relevance (Carbonell and Goldstein 1998) on log-odds. `scores`: (n,); `vectors`: (n, d), of length 1.
    Ties go to the first in the paper.
    """
    rounded = scores.round(6)  # so that sums that differ in their last bits tie on every machine
    listed = np.sort(np.argsort(-rounded, kind="stable")[: max(_SHORT_LIST, 2 * k)])
    left, likeness, found = rounded[listed].copy(), np.zeros(len(listed)), vectors[listed]
    chosen: list[int] = []
    while len(chosen) < min(k, len(listed)):
        place = int(np.argmax((left - cost * likeness).round(5)))
        chosen.append(int(listed[place]))
        left[place] = -np.inf
        likeness = np.maximum(likeness, found @ found[place])
    return chosen
