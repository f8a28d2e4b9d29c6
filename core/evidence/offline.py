"""`offline`, the default: words, meaning, place and wording together, and no sentence that says the same again.

Embedding models fail at this task because a sentence alone does not tell that it is a result
(EvidenceBench, section 6); its place and its numbers do. A logistic regression weighs the features
(weights.py says on what it was fitted), then sentences are chosen one by one.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from core.evidence.answer import best, local_evidence, notes_on
from core.evidence.features import describe
from core.evidence.model import Evidence, EvidenceQuery
from core.evidence.selection import Redundancy, choose
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
        scores = _scores(paper, candidates, query, similarity)
        shortlist = best(scores, max(_SHORTLIST, query.k))
        chosen = choose(
            scores[shortlist],
            query.k,
            _likeness([candidates[place] for place in shortlist], similarity),
            _ALIKE_IN_MEANING if similarity else _ALIKE_IN_WORDS,
        )
        progress(1.0, "Done")
        return local_evidence(
            self.name,
            query,
            candidates,
            [(shortlist[choice.place], _probability(choice.score)) for choice in chosen],
            started=started,
            notes=notes_on(similarity.to_hypothesis) if similarity else (NO_ENCODER,),
        )


def _scores(
    paper: Paper, candidates: Sequence[Sentence], query: EvidenceQuery, similarity: Similarity | None
) -> NDArray[np.float64]:
    """The log odds that a candidate is evidence, up to a constant. Shape: (len(candidates),)."""
    cosines = similarity.to_hypothesis.astype(np.float64) if similarity else None
    features = describe(paper, candidates, query.hypothesis, cosines)
    weights = WEIGHTS[query.results_only, similarity is not None]
    scores = np.zeros(len(candidates))
    for name, column in features.items():
        scores += weights[name] * column
    return scores


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
