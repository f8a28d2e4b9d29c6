"""Choosing sentences that say different things."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Scores = NDArray[np.float64]
LikenessTo = Callable[[int], Scores]  # a place in the short list -> its likeness, 0 to 1, to each of the short list

_CAREFUL = 300  # sentences that are chosen one by one


@dataclass(frozen=True, slots=True)
class Choice:
    """One chosen sentence: its place in the short list, and its score less what it repeats of those before it."""

    place: int
    score: float


@dataclass(frozen=True, slots=True)
class Redundancy:
    """How dear repetition is: likeness up to `free` costs nothing, a copy costs `penalty`.

    In between the cost rises slowly at first, then steeply, the more so the higher the `power`: sentences on one
    result are alike, and each may be needed.
    """

    free: float
    penalty: float
    power: float = 4.0

    def cost(self, likeness: Scores) -> Scores:
        """The cost of each likeness."""
        beyond: Scores = np.clip((likeness - self.free) / (1 - self.free), 0, 1)
        return self.penalty * beyond**self.power


def choose(scores: Scores, k: int, likeness_to: LikenessTo, redundancy: Redundancy) -> list[Choice]:
    """Up to `k` of the short list, best first, each the highest score less the cost of its likeness to one chosen before.

    Maximal marginal relevance (Carbonell and Goldstein 1998), with a range of likeness that costs nothing: two
    sentences on one hypothesis are always somewhat alike. Scores never rise along the answer; ties go to the first
    of the list. After the first few hundred nobody looks for repetition: the rest follow by what they are worth then.
    Shapes: `scores` (n,); time n for each of those, and no matrix of all pairs.
    """
    left = scores.astype(np.float64)
    cost = np.zeros(len(left))
    chosen: list[Choice] = []
    while len(chosen) < min(k, len(left)):
        worth = (left - cost).round(6)  # rounded, so that sums that differ by their last bits tie on every machine
        if len(chosen) == _CAREFUL:
            rest = np.argsort(-worth, kind="stable")[: min(k, len(left)) - _CAREFUL]
            return [*chosen, *(Choice(int(place), float(worth[place])) for place in rest)]
        place = int(np.argmax(worth))
        chosen.append(Choice(place, float(worth[place])))
        left[place] = -np.inf
        cost = np.maximum(cost, redundancy.cost(likeness_to(place)))
    return chosen
