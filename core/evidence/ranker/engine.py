"""`offline`: a tree ensemble over what can be known of a sentence in its paper, without a key or a network.

Embedding models fail at this task because a sentence alone does not tell that it is a result (EvidenceBench,
section 6); its place, its wording and its neighbours do. docs/ranker.md says how the models were trained.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import numpy as np

from core.evidence.answer import local_evidence, notes_on
from core.evidence.model import Evidence, EvidenceQuery
from core.evidence.ranker.features import features, meaning_of
from core.evidence.ranker.model import Training, choose_apart, model_for
from core.evidence.ranker.rationale import Explained, rationales
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
            return local_evidence(self.name, query, candidates, (), started=started)
        meaning = meaning_of(self._embedder, paper, query.hypothesis, progress=progress)
        progress(0.95, "Ranking sentences")
        found = features(paper, candidates, query.hypothesis, meaning)
        model = model_for(self._training, results_only=query.results_only)
        vectors = meaning.vectors[[sentence.index for sentence in candidates]]
        chosen = choose_apart(model.scores(found.values), vectors, query.k, results_only=query.results_only)
        places = [choice.place for choice in chosen]
        explained = Explained(found.names, found.values[places], model.contributions(found.values[places]))
        progress(1.0, "Done")
        return local_evidence(
            self.name,
            query,
            candidates,
            [(choice.place, _probability(choice.score)) for choice in chosen],
            rationales=rationales(paper, [candidates[place] for place in places], query.hypothesis, explained),
            started=started,
            notes=notes_on(meaning.vectors @ meaning.hypothesis),
        )


def _probability(log_odds: float) -> float:
    return float(1 / (1 + np.exp(-log_odds)))
