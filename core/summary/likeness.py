"""How much of a summary sentence its support says, in numbers: what the score weighs beside the checks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from core.evidence.embedding import Embedder
from core.evidence.embedding_model import Matrix
from core.summary.checks.direction import agreement
from core.summary.checks.model import Claim
from core.summary.lexicon.general import GENERAL
from core.summary.support import covered
from core.summary.words import is_of_medicine, stem, topic, words_of

_GENERAL = frozenset(stem(word) for word in GENERAL)
# BERT's word pieces are numbered by how frequent they are in English. Up to this number they carry no topic of their
# own, unless medicine has a term for them.
_COMMON = 8000
LIKENESS = (
    "cosine", "cosine_third", "share", "share_nearest", "share_source", "order", "meant", "foreign",
    "agreement",
)  # fmt: skip


class WordVectors:
    """The meaning of single words, each encoded once."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._known: dict[str, Matrix] = {}
        self._common: dict[str, bool] = {}

    def learn(self, words: Sequence[str]) -> None:
        """Encode the words that are not known yet, together."""
        new = [word for word in dict.fromkeys(words) if word not in self._known]
        if new:
            self._known.update(zip(new, self._embedder.encode(new), strict=True))

    def is_common(self, word: str) -> bool:
        """Whether a word is among the most frequent of English."""
        if word not in self._common:
            pieces = self._embedder.pieces([word])[0][1:-1]
            self._common[word] = len(pieces) == 1 and pieces[0] < _COMMON and not is_of_medicine(word)
        return self._common[word]

    def closest(self, word: str, others: Sequence[str]) -> float:
        """The cosine of a word to the most like of others; 0 if there is none."""
        if not others:
            return 0.0
        self.learn([word, *others])
        return float(max(self._known[other] @ self._known[word] for other in others))


def likeness(claim: Claim, rarity: Mapping[str, float], vectors: WordVectors) -> dict[str, float]:
    """One number for each of `LIKENESS`."""
    wanted = topic(claim.text)
    nearest = claim.nearest
    cosines = sorted((candidate.cosine for candidate in nearest), reverse=True) or [0.0]
    together = frozenset[str]().union(*(topic(candidate.text) for candidate in nearest))
    top = max(nearest, key=lambda candidate: candidate.share, default=None)
    meant, foreign = _uncovered(claim, together, vectors)
    return {
        "cosine": cosines[0],
        "cosine_third": cosines[min(2, len(cosines) - 1)],
        "share": top.share if top else 0.0,
        "share_nearest": covered(wanted, together, rarity),
        "share_source": covered(wanted, claim.source.topics, rarity),
        "order": _out_of_order(claim.text, top.text) if top else 0.0,
        "meant": meant,
        "foreign": foreign,
        "agreement": agreement(claim),
    }


def _uncovered(claim: Claim, together: frozenset[str], vectors: WordVectors) -> tuple[float, float]:
    """Of the words that no near sentence has: how near the nearest word comes, on the average and at worst; 1 if none."""
    missing = [
        word.text
        for word in words_of(claim.text)
        if len(word.text) > 2
        and not word.text[0].isdigit()
        and topic(word.text)
        and not topic(word.text) & together
        and stem(word.text) in topic(claim.text)
        and stem(word.text) not in _GENERAL
        and not vectors.is_common(word.text)
    ]
    if not missing:
        return 1.0, 1.0
    there = [word.text for candidate in claim.nearest for word in words_of(candidate.text) if len(word.text) > 2]
    near = [vectors.closest(word, there) for word in missing]
    return float(np.mean(near)), min(near)


def _stems(text: str) -> tuple[str, ...]:
    return tuple(stem(word.text) for word in words_of(text))


def _out_of_order(one: str, two: str) -> float:
    """The share of pairs of words, once in each text, that stand the other way round in the other."""
    first, second = _stems(one), _stems(two)
    places = {word: second.index(word) for word in set(second) if second.count(word) == 1}
    common = [places[word] for word in first if word in places and first.count(word) == 1]
    pairs = len(common) * (len(common) - 1) // 2
    turned = sum(common[j] < common[i] for i in range(len(common)) for j in range(i + 1, len(common)))
    return turned / pairs if pairs else 0.0
