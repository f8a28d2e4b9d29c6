"""`offline`: a tree ensemble over what can be known of a sentence in its paper, without a key or a network."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import numpy as np

from core.evidence.model import Evidence, EvidenceQuery, EvidenceSentence
from core.evidence.ranker.features import features, meaning_of
from core.evidence.ranker.model import REPETITION_COST, Training, model_for
from core.evidence.ranker.rationale import Explained, rationales
from core.evidence.ranker.selection import choose
from core.paper import Paper
from core.progress import Progress, silent

if TYPE_CHECKING:  # it needs libraries that may be missing
    from core.evidence.embedding import Embedder


class RankerEngine:
    """Score each candidate by a model trained on experts' evidence, then choose sentences that cover more together."""

    name = "offline"

    def __init__(self, embedder: Embedder, training: Training) -> None:
        self._embedder = embedder
        self._training = training

    def find(self, paper: Paper, query: EvidenceQuery, *, progress: Progress = silent) -> Evidence:
        started = time.perf_counter()
        candidates = query.candidates(paper)
        if not candidates:
            notes = (
                "The paper holds no sentence that can be chosen: it is all headings, or tables that were left out.",
            )
            return Evidence(self.name, query, (), time.perf_counter() - started, 0.0, notes)
        meaning = meaning_of(self._embedder, paper, query.hypothesis, progress=progress)
        progress(0.95, "Ranking")
        found = features(paper, candidates, query.hypothesis, meaning)
        model = model_for(self._training, results_only=query.results_only)
        scores = model.scores(found.values)
        chosen = choose(
            scores,
            meaning.vectors[[sentence.index for sentence in candidates]],
            query.k,
            cost=REPETITION_COST[query.results_only],
        )
        explained = Explained(found.names, found.values[chosen], model.contributions(found.values[chosen]))
        reasons = rationales(paper, [candidates[place] for place in chosen], query.hypothesis, explained)
        progress(1.0, "Done")
        return Evidence(
            engine=self.name,
            query=query,
            sentences=tuple(
                EvidenceSentence(candidates[place].index, round(_probability(scores[place]), 6), rationale=reason)
                for place, reason in zip(chosen, reasons, strict=True)
            ),
            seconds=time.perf_counter() - started,
            cost_usd=0.0,
            notes=_notes(query, len(candidates)),
        )


def _probability(score: float) -> float:
    return float(1 / (1 + np.exp(-score)))


def _notes(query: EvidenceQuery, available: int) -> tuple[str, ...]:
    if query.k <= available:
        return ()
    return (f"k is {query.k}, but only {available} sentences can be chosen: all of them are listed.",)
