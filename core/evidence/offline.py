"""`offline`, the default: words, meaning, place and wording together, and no sentence that says the same again.

Embedding models fail at this task because a sentence alone does not tell that it is a result
(EvidenceBench, section 6); its place and its numbers do. A logistic regression weighs the features
(weights.py says on what it was fitted), then sentences are chosen one by one.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from core.evidence.answer import best, local_evidence, notes_on
from core.evidence.features import describe
from core.evidence.model import Evidence, EvidenceQuery
from core.evidence.results_first import behind, results_before, sets_the_scene
from core.evidence.selection import Choice, Redundancy, choose
from core.evidence.weights import WEIGHTS
from core.evidence.words import content_words
from core.paper import Paper, Sentence
from core.progress import Progress, silent

if TYPE_CHECKING:  # it needs libraries that may be missing
    from core.evidence.embedding import Embedder, Similarity

NO_ENCODER = "The sentence encoder is not installed: sentences were ranked by words, place and wording only."
_SHORTLIST = 300  # sentences among which repetition is looked for
# Cosines of sentences on one topic lie around 0.5; words in common are fewer.
_ALIKE_IN_MEANING = Redundancy(free=0.6, penalty=6.0)
_ALIKE_IN_WORDS = Redundancy(free=0.4, penalty=6.0)


class OfflineEngine:
    """Needs no key, no network and no GPU; without an encoder it goes on with less."""

    name = "offline"

    def __init__(self, embedder: Embedder | None) -> None:
        self._embedder = embedder

    def find(self, paper: Paper, query: EvidenceQuery, *, progress: Progress = silent) -> Evidence:
        started = time.perf_counter()
        candidates = query.candidates(paper)
        similarity = self._embedder.compare(paper, query.hypothesis, progress=progress) if self._embedder else None
        progress(0.95, "Ranking sentences")
        features = _features(paper, candidates, query, similarity)
        if query.results_first and not query.results_only:
            last = sets_the_scene(paper, candidates)
            results, rest = (
                _choose(behind(_scores(features, similarity, results_only=mode), last), candidates, query.k, similarity)
                for mode in (True, False)
            )
            chosen = results_before(results, rest, query.k)
        else:
            scores = _scores(features, similarity, results_only=query.results_only)
            chosen = _choose(scores, candidates, query.k, similarity)
        progress(1.0, "Done")
        return local_evidence(
            self.name,
            query,
            candidates,
            [(choice.place, _probability(choice.score)) for choice in chosen],
            started=started,
            notes=notes_on(similarity.to_hypothesis) if similarity else (NO_ENCODER,),
        )


def _features(
    paper: Paper, candidates: Sequence[Sentence], query: EvidenceQuery, similarity: Similarity | None
) -> Mapping[str, NDArray[np.float64]]:
    cosines = similarity.to_hypothesis.astype(np.float64) if similarity else None
    return describe(paper, candidates, query.hypothesis, cosines)


def _scores(
    features: Mapping[str, NDArray[np.float64]], similarity: Similarity | None, *, results_only: bool
) -> NDArray[np.float64]:
    """The log odds that a candidate is evidence, up to a constant. Shape: (number of candidates,)."""
    weights = WEIGHTS[results_only, similarity is not None]
    scores: NDArray[np.float64] = sum((weights[name] * column for name, column in features.items()), np.zeros(1))
    return scores


def _choose(
    scores: NDArray[np.float64], candidates: Sequence[Sentence], k: int, similarity: Similarity | None
) -> list[Choice]:
    """Up to `k` places among the candidates, none of which says again what one before it says."""
    shortlist = best(scores, max(_SHORTLIST, k))
    likeness = _likeness([candidates[place] for place in shortlist], similarity)
    chosen = choose(scores[shortlist], k, likeness, _ALIKE_IN_MEANING if similarity else _ALIKE_IN_WORDS)
    return [Choice(shortlist[choice.place], choice.score) for choice in chosen]


def _likeness(shortlist: Sequence[Sentence], similarity: Similarity | None) -> Callable[[int], NDArray[np.float64]]:
    """How alike the sentence at a place of the short list is to each of the list, 0 to 1."""
    if similarity is not None:
        vectors = similarity.vectors[[sentence.index for sentence in shortlist]]
        return lambda place: (vectors @ vectors[place]).astype(np.float64)
    words = [set(content_words(sentence.text)) for sentence in shortlist]

    def dice(place: int) -> NDArray[np.float64]:
        """Twice the words in common by all words (Dice 1945); a sentence without words repeats nothing."""
        one = words[place]
        return np.array([2 * len(one & other) / max(1, len(one) + len(other)) for other in words])

    return dice


def _probability(log_odds: float) -> float:
    return float(1 / (1 + np.exp(-log_odds)))
