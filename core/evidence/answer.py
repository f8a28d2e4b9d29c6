"""From scored candidates to an answer: the best k, ties in the paper's order."""

from __future__ import annotations

import time
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from core.evidence.model import Evidence, EvidenceQuery, EvidenceSentence
from core.paper import Sentence
from core.progress import Progress


def answer(
    engine: str,
    query: EvidenceQuery,
    candidates: Sequence[Sentence],
    scores: NDArray[np.float64],
    *,
    started: float,
    order: Sequence[int] | None = None,
    notes: tuple[str, ...] = (),
    progress: Progress,
) -> Evidence:
    """The answer of a free local engine. `scores`: (n,), one a candidate.

    `order` holds positions in `candidates`, best first; without it the highest scores are taken.
    """
    if order is None:
        order = best(scores, query.k)
    if query.k > len(candidates):
        notes = (*notes, f"k is {query.k}, but only {len(candidates)} sentences can be chosen: all of them are listed.")
    progress(1.0, "Done")
    return Evidence(
        engine=engine,
        query=query,
        sentences=tuple(EvidenceSentence(candidates[i].index, round(float(scores[i]), 6)) for i in order),
        seconds=time.perf_counter() - started,
        cost_usd=0.0,
        notes=notes,
    )


def best(scores: NDArray[np.float64], k: int) -> list[int]:
    """The positions of the `k` highest scores, highest first, ties by position."""
    # Rounded, so that scores that differ by the last bits of a sum tie on every machine.
    return [int(i) for i in np.argsort(-scores.round(6), kind="stable")[:k]]
