"""Choosing the best sentences that say different things, and building the answer from them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.evidence.model import Evidence, EvidenceQuery, EvidenceSentence
from core.paper import Sentence

# ---- selection ----
# Choosing sentences that say different things.

Scores = NDArray[np.float64]
SimilarityTo = Callable[[int], Scores]  # an index in the shortlist -> its similarity, 0 to 1, to each of the shortlist

_CAREFUL = 300  # sentences that are chosen one by one, with regard to repetition


@dataclass(frozen=True, slots=True)
class RankedChoice:
    """One chosen sentence: its index in the shortlist, and its score minus the cost of repeating earlier ones."""

    place: int
    score: float


@dataclass(frozen=True, slots=True)
class Redundancy:
    """The cost of repetition: similarity up to `free` costs nothing, and a copy costs `penalty`.

    In between, the cost rises slowly at first and then steeply, the more so the higher the `power`: sentences on one result
    are similar, and each may be needed.
    """

    free: float
    penalty: float
    power: float = 4.0

    def cost(self, likeness: Scores) -> Scores:
        """The cost of each similarity."""
        beyond: Scores = np.clip((likeness - self.free) / (1 - self.free), 0, 1)
        return self.penalty * beyond**self.power


def choose(scores: Scores, k: int, likeness_to: SimilarityTo, redundancy: Redundancy) -> list[RankedChoice]:
    """Choose up to `k` of the shortlist, best first: each has the highest score minus the cost of repeating a chosen one.

    This is maximal marginal relevance (Carbonell and Goldstein 1998), with a range of similarity that costs nothing, because
    two sentences on one hypothesis are always somewhat similar. Scores never rise along the answer; ties go to the first of
    the list. After `_CAREFUL` sentences the costs are frozen, and the rest follow in the order of their scores at that point.
    `scores` has shape (n,). Each choice takes time O(n), and no matrix of all pairs is needed.
    """
    left = scores.astype(np.float64)
    cost = np.zeros(len(left))
    chosen: list[RankedChoice] = []
    while len(chosen) < min(k, len(left)):
        worth = (left - cost).round(6)  # rounded, so that sums that differ by their last bits tie on every machine
        if len(chosen) == _CAREFUL:
            rest = np.argsort(-worth, kind="stable")[: min(k, len(left)) - _CAREFUL]
            return [*chosen, *(RankedChoice(int(place), float(worth[place])) for place in rest)]
        place = int(np.argmax(worth))
        chosen.append(RankedChoice(place, float(worth[place])))
        left[place] = -np.inf
        cost = np.maximum(cost, redundancy.cost(likeness_to(place)))
    return chosen


# ---- answer ----
# What the engines that rank on this machine share: the best k, and the answer built from them.

# In 48 EvidenceBench papers, the sentence nearest to the paper's own hypothesis never had a cosine below 0.44. For
# hypotheses about other things (another paper's, two invented), it was below 0.4 in six cases of seven.
_CLOSE = 0.4
_NOTHING_CLOSE = "No sentence of this paper comes close to the hypothesis: these are the nearest there are."


def best(scores: NDArray[np.float64], k: int) -> list[int]:
    """The indices of the `k` highest scores, highest first; ties go to the first."""
    # Rounded, so that sums that differ by their last bits tie on every machine.
    return [int(place) for place in np.argsort(-scores.round(6), kind="stable")[:k]]


def local_evidence(
    engine: str,
    query: EvidenceQuery,
    candidates: Sequence[Sentence],
    ranked: Iterable[tuple[int, float]],
    *,
    started: float,
    rationales: Sequence[str] | None = None,
    notes: Iterable[str] = (),
) -> Evidence:
    """The answer of an engine that costs nothing. `ranked`: (index into `candidates`, score), best first."""
    notes = tuple(notes)
    ranked = list(ranked)
    reasons: Sequence[str | None] = rationales or [None] * len(ranked)
    if query.k > len(candidates):
        notes += (_too_many(query.k, len(candidates)),)
    return Evidence(
        engine=engine,
        query=query,
        sentences=tuple(
            EvidenceSentence(candidates[place].index, round(score, 6), rationale=reason)
            for (place, score), reason in zip(ranked, reasons, strict=True)
        ),
        seconds=time.perf_counter() - started,
        cost_usd=0.0,
        notes=notes,
    )


def _too_many(k: int, available: int) -> str:
    if available == 0:
        return "The paper holds no sentence that can be chosen: it is all headings, or tables that were left out."
    return f"k is {k}, but only {available} sentences can be chosen: all of them are listed."


def notes_on(cosines: NDArray[np.floating]) -> tuple[str, ...]:
    """A note for the reviewer if the paper seems to be about something other than the hypothesis.

    `cosines`, (sentences,), are those of each sentence to the hypothesis.
    """
    return () if cosines.max(initial=-1.0) >= _CLOSE else (_NOTHING_CLOSE,)
