"""`offline`: a tree ensemble over what can be known of a sentence in its paper, and a cross-encoder that reads the best.

Embedding models fail at this task because a sentence alone does not tell that it is a result (EvidenceBench,
section 6); its place, its wording and its neighbours do. docs/ranker.md says how the models were trained.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from core.evidence.answer import local_evidence, notes_on
from core.evidence.model import Evidence, EvidenceQuery
from core.evidence.ranker.columns import Vector
from core.evidence.ranker.features import features, meaning_of
from core.evidence.ranker.model import Training, choose_apart, model_for, most_promising, with_reading
from core.evidence.ranker.rationale import READING, Explained, rationales
from core.paper import Paper, Sentence
from core.progress import Progress, silent

if TYPE_CHECKING:  # it needs libraries that may be missing
    from core.evidence.embedding import Embedder
    from core.evidence.ranker.cross_encoder import CrossEncoder


class RankerEngine:
    """Score each candidate by a model trained on experts' evidence, then choose sentences that cover more together."""

    name = "offline"

    def __init__(self, embedder: Embedder, training: Training, cross_encoder: CrossEncoder | None) -> None:
        """Without a cross-encoder the trees rank alone."""
        self._embedder = embedder
        self._training = training
        self._cross_encoder = cross_encoder

    def find(self, paper: Paper, query: EvidenceQuery, *, progress: Progress = silent) -> Evidence:
        started = time.perf_counter()
        candidates = query.candidates(paper)
        if not candidates:
            return local_evidence(self.name, query, candidates, (), started=started)
        meaning = meaning_of(self._embedder, paper, query.hypothesis, progress=progress)
        progress(0.95, "Ranking sentences")
        found = features(paper, candidates, query.hypothesis, meaning)
        model = model_for(self._training, results_only=query.results_only)
        trees = model.scores(found.values)
        promising = most_promising(trees)
        progress(0.97, "Reading the most promising sentences")
        reading = self._read(paper, [candidates[place] for place in promising], query)
        both = with_reading(trees, promising, reading, results_only=query.results_only)
        vectors = meaning.vectors[[sentence.index for sentence in candidates]]
        chosen = choose_apart(both.scores, vectors, query.k, results_only=query.results_only)
        places = [choice.place for choice in chosen]
        explained = Explained(
            (*found.names, READING),
            np.column_stack([found.values[places], both.reading[places]]),
            np.column_stack([model.contributions(found.values[places]), both.contributions[places]]),
        )
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

    def _read(self, paper: Paper, sentences: Sequence[Sentence], query: EvidenceQuery) -> Vector:
        """The cross-encoder's log-odds for the question asked. Shape: (len(sentences),)."""
        if self._cross_encoder is None:
            return np.zeros(len(sentences))
        return self._cross_encoder.log_odds(paper, sentences, query.hypothesis)[:, int(query.results_only)]


def _probability(log_odds: float) -> float:
    return float(1 / (1 + np.exp(-log_odds)))
