"""The sentences of the source that stand nearest to each sentence of a summary: by meaning, by rare words, by what they add."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import log

import numpy as np
from numpy.typing import NDArray

from core.evidence.answer import best
from core.evidence.bm25 import Bm25Index
from core.evidence.embedding import Embedder
from core.paper import Kind, Paper, Sentence
from core.progress import Progress, silent
from core.summary.words import topic

Vector = NDArray[np.float64]

NEAREST = 6  # by likeness
_ADDED = 2  # more, for what those leave out
_WORDS_WEIGHT = 0.5  # of a BM25 score, as a share of the best, beside a cosine
_WORTH_ADDING = 0.12  # of the summary sentence's words, weighed by rarity
_LONGEST = 4000  # characters of a sentence that are looked at: a table row may have more


@dataclass(frozen=True, slots=True)
class Candidate:
    """A sentence of the source beside the summary sentence."""

    index: int
    text: str
    share: float  # of the summary sentence's topic words that it has, 0 to 1, rare words counting for more
    adds: float  # of them, those that no candidate before it has
    cosine: float


@dataclass(frozen=True, slots=True)
class Nearest:
    """What stands nearest to one summary sentence, best first."""

    candidates: tuple[Candidate, ...]
    scores: tuple[float, ...]


class Retrieval:
    """Finds support in one source. The paper's vectors come from the cache, or are computed once."""

    def __init__(
        self, embedder: Embedder, paper: Paper, sentences: Sequence[Sentence], *, progress: Progress = silent
    ) -> None:
        self._embedder = embedder
        self._sentences = [sentence for sentence in sentences if sentence.kind is not Kind.HEADING]
        self._texts = [sentence.text[:_LONGEST] for sentence in self._sentences]
        self._topics = [topic(text) for text in self._texts]
        self._words = Bm25Index(self._texts)
        vectors = embedder.compare(paper, paper.title or "", progress=progress).vectors
        self._vectors = vectors[[sentence.index for sentence in self._sentences]].astype(np.float64)
        self._rarity = _rarity(self._topics)

    def nearest(self, texts: Sequence[str]) -> list[Nearest]:
        """The nearest sentences to each of the texts."""
        if not self._sentences:
            return [Nearest((), ()) for _ in texts]
        cosines = self._embedder.encode(texts).astype(np.float64) @ self._vectors.T
        return [self._nearest(text, row) for text, row in zip(texts, cosines, strict=True)]

    def _nearest(self, text: str, cosines: Vector) -> Nearest:
        words = self._words.scores(text)
        scores = cosines + _WORDS_WEIGHT * words / max(1e-9, words.max())
        places = best(scores, NEAREST)
        places += self._adding(topic(text), places)
        return Nearest(
            tuple(self._candidates(topic(text), places, cosines)),
            tuple(float(scores[place]) for place in places),
        )

    def _candidates(self, wanted: frozenset[str], places: Sequence[int], cosines: Vector) -> Iterator[Candidate]:
        left = wanted
        for place in places:
            words = self._topics[place]
            adds = _weight(left & words, self._rarity) / max(1e-9, _weight(wanted, self._rarity))
            left -= words
            share = covered(wanted, words, self._rarity)
            yield Candidate(self._sentences[place].index, self._texts[place], share, adds, float(cosines[place]))

    def _adding(self, wanted: frozenset[str], chosen: Sequence[int]) -> list[int]:
        """The sentences that say most of what the chosen ones leave out: a summary sentence may join two of a paper."""
        left = wanted.difference(*(self._topics[place] for place in chosen))
        added: list[int] = []
        for _ in range(_ADDED):
            gains = [_weight(left & words, self._rarity) for words in self._topics]
            place = int(np.argmax(gains))
            if gains[place] < _WORTH_ADDING * _weight(wanted, self._rarity) or not left:
                break
            added.append(place)
            left -= self._topics[place]
        return added


def covered(wanted: frozenset[str], words: frozenset[str], rarity: Mapping[str, float]) -> float:
    """How much of the wanted words is among others, 0 to 1, rare words counting for more; 1 if none is wanted."""
    return _weight(wanted & words, rarity) / _weight(wanted, rarity) if wanted else 1.0


def _weight(words: frozenset[str], rarity: Mapping[str, float]) -> float:
    most = rarity.get("", 1.0)
    return sum(rarity.get(word, most) for word in words)


def _rarity(topics: Sequence[frozenset[str]]) -> dict[str, float]:
    """The weight of each word: the log of how many sentences there are for each that has it. Under "": of unseen words."""
    counts: dict[str, int] = {}
    for words in topics:
        for word in words:
            counts[word] = counts.get(word, 0) + 1
    return {word: log(1 + len(topics) / count) for word, count in counts.items()} | {"": log(1 + len(topics))}
