"""What the engines that rank on this machine have in common: the best k, and the answer made of them."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from core.evidence.model import Evidence, EvidenceQuery, EvidenceSentence
from core.paper import Sentence

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
