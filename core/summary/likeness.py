"""How much of a summary sentence its support says, in numbers: what the score weighs beside the checks."""

from __future__ import annotations

from collections.abc import Sequence

from core.evidence.embedding import Embedder
from core.evidence.embedding_model import Matrix
from core.summary.checks.direction import agreement
from core.summary.checks.model import Claim
from core.summary.lexicon.general import GENERAL
from core.summary.words import is_of_medicine, stem, topic, words_of

_GENERAL = frozenset(stem(word) for word in GENERAL)
# BERT's word pieces are numbered by how frequent they are in English. Up to this number they carry no topic of their
# own, unless medicine has a term for them.
_COMMON = 8000
# Not among them: how many of its words the support has. Free rewordings that are right share few.
LIKENESS = ("cosine", "order", "foreign", "agreement")


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


def likeness(claim: Claim, vectors: WordVectors) -> dict[str, float]:
    """One number for each of `LIKENESS`."""
    top = max(claim.nearest, key=lambda candidate: candidate.share, default=None)
    return {
        "cosine": max((candidate.cosine for candidate in claim.nearest), default=0.0),
        "order": _out_of_order(claim.text, top.text) if top else 0.0,
        "foreign": _most_foreign(claim, vectors),
        "agreement": agreement(claim),
    }


def _most_foreign(claim: Claim, vectors: WordVectors) -> float:
    """Of the words that no near sentence has: how near to one of theirs the farthest comes; 1 if there is none."""
    together = frozenset[str]().union(*(topic(candidate.text) for candidate in claim.nearest))
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
    there = [word.text for candidate in claim.nearest for word in words_of(candidate.text) if len(word.text) > 2]
    return min((vectors.closest(word, there) for word in missing), default=1.0)


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
