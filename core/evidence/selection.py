"""Choosing the best sentences that say different things, and the answer made of them."""

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
SimilarityTo = Callable[[int], Scores]  # a place in the short list -> its likeness, 0 to 1, to each of the short list

_CAREFUL = 300  # sentences that are chosen one by one


@dataclass(frozen=True, slots=True)
class RankedChoice:
    """One chosen sentence: its place in the short list, and its score less what it repeats of those before it."""

    place: int
    score: float


@dataclass(frozen=True, slots=True)
class Redundancy:
    """What it costs to say again what was said: likeness up to `free` costs nothing, a copy costs `penalty`.

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


def choose(scores: Scores, k: int, likeness_to: SimilarityTo, redundancy: Redundancy) -> list[RankedChoice]:
    """Up to `k` of the short list, best first, each the highest score less the cost of its likeness to one chosen before.

    Maximal marginal relevance (Carbonell and Goldstein 1998), with a range of likeness that costs nothing: two
    sentences on one hypothesis are always somewhat alike. Scores never rise along the answer; ties go to the first
    of the list. After the first few hundred nobody looks for repetition: the rest follow by what they are worth then.
    Shapes: `scores` (n,); time n for each of those, and no matrix of all pairs.
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
# What the engines that rank on this machine have in common: the best k, and the answer made of them.

# Of 48 EvidenceBench papers, the sentence nearest to the paper's own hypothesis never had a cosine below 0.44. To
# hypotheses about other things (another paper's, two made up) it had one below 0.4 in six cases of seven.
_CLOSE = 0.4
_NOTHING_CLOSE = "No sentence of this paper comes close to the hypothesis: these are the nearest there are."


def best(scores: NDArray[np.float64], k: int) -> list[int]:
    """The places of the `k` highest scores, highest first; ties go to the first."""
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
    """The answer of an engine that costs nothing. `ranked`: (place in `candidates`, score), best first."""
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
    """What a reviewer should know where the paper seems to be about something else than the hypothesis.

    `cosines`: (sentences,), each sentence's to the hypothesis.
    """
    return () if cosines.max(initial=-1.0) >= _CLOSE else (_NOTHING_CLOSE,)
