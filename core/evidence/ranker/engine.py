"""`offline`: a tree ensemble over what can be known of a sentence in its paper, and a cross-encoder that reads the best.

Embedding models fail at this task because a sentence alone does not tell that it is a result (EvidenceBench,
section 6); its place, its wording and its neighbours do. docs/ranker.md says how the models were trained.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from core.evidence.answer import local_evidence, notes_on
from core.evidence.model import Evidence, EvidenceQuery
from core.evidence.ranker.columns import Vector
from core.evidence.ranker.features import features, meaning_of
from core.evidence.ranker.model import Both, Training, choose_apart, model_for, most_promising, with_reading
from core.evidence.ranker.rationale import READING, Explained, rationales
from core.evidence.ranker.trees import Trees
from core.evidence.results_first import behind, results_before, sets_the_scene, share_of_results
from core.evidence.selection import Choice
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
        progress(0.97, "Reading the most promising sentences")
        vectors = meaning.vectors[[sentence.index for sentence in candidates]]
        read = self._reader(paper, candidates, query.hypothesis)
        if query.results_first and not query.results_only:
            last = sets_the_scene(paper, candidates)
            results, rest = (
                self._ranked(read, query, found.values, vectors, results_only=mode, last=last) for mode in (True, False)
            )
            chosen = results_before(results.chosen, rest.chosen, query.k)
            ahead = share_of_results(query.k)
        else:
            results = rest = self._ranked(read, query, found.values, vectors, results_only=query.results_only)
            chosen, ahead = results.chosen, query.k
        places = [choice.place for choice in chosen]
        known = [ranked.known(found.values, own) for ranked, own in ((results, places[:ahead]), (rest, places[ahead:]))]
        explained = Explained(
            (*found.names, READING),
            np.concatenate([values for values, _ in known]),
            np.concatenate([contributions for _, contributions in known]),
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

    def _reader(
        self, paper: Paper, candidates: Sequence[Sentence], hypothesis: str
    ) -> Callable[[Sequence[int]], Vector]:
        """What gives the cross-encoder's log-odds of some candidates, each read once. Shape: (n, 2), all and results."""
        known: dict[int, Vector] = {}

        def read(places: Sequence[int]) -> Vector:
            missing = [place for place in places if place not in known]
            if self._cross_encoder is None:
                return np.zeros((len(places), 2))
            if missing:
                sentences = [candidates[place] for place in missing]
                known.update(zip(missing, self._cross_encoder.log_odds(paper, sentences, hypothesis), strict=True))
            return np.array([known[place] for place in places]).reshape(len(places), 2)

        return read

    def _ranked(
        self,
        read: Callable[[Sequence[int]], Vector],
        query: EvidenceQuery,
        values: Vector,
        vectors: Vector,
        *,
        results_only: bool,
        last: NDArray[np.bool_] | None = None,
    ) -> _Ranked:
        """The order of one of the models. `read`: see `_reader`; `last`: which candidates stand behind all others."""
        model = model_for(self._training, results_only=results_only)
        trees = model.scores(values)
        if last is not None:
            trees = behind(trees, last)
        promising = most_promising(trees)
        reading = read(promising)[:, int(results_only)]
        both = with_reading(trees, promising, reading, results_only=results_only)
        return _Ranked(model, both, choose_apart(both.scores, vectors, query.k, results_only=results_only))


@dataclass(frozen=True, slots=True)
class _Ranked:
    """The order of one of the models."""

    model: Trees
    both: Both
    chosen: list[Choice]

    def known(self, values: Vector, places: Sequence[int]) -> tuple[Vector, Vector]:
        """What is known of some candidates, and what it moved their scores by: (len(places), features + 1) each."""
        own = values[list(places)]
        return (
            np.column_stack([own, self.both.reading[list(places)]]),
            np.column_stack([self.model.contributions(own), self.both.contributions[list(places)]]),
        )


def _probability(log_odds: float) -> float:
    return float(1 / (1 + np.exp(-log_odds)))
