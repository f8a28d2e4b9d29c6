"""How well a paper covers the topic of a criterion, by its words and by semantic similarity."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.screening.model import CriterionKind, Fit
from core.screening.offline.criteria import alternatives, topic_words
from core.screening.offline.reading import CriterionFinding, Language, ScreenedPaper, ScreenedPart, quoted
from core.text.encoder import Matrix
from core.text.similarity import Embedder
from core.text.words import as_written, broad_stem

_SENTENCES = 3
_SENTENCES_OF_OUTCOMES = 5  # outcomes are reported in many places
_MOST_CHOICES = 8  # at most so many alternatives are looked for
_PLACES: dict[CriterionKind, tuple[ScreenedPart, ...]] = {
    CriterionKind.POPULATION: (ScreenedPart.TITLE, ScreenedPart.ABSTRACT, ScreenedPart.METHODS, ScreenedPart.TEXT),
    CriterionKind.INTERVENTION: (ScreenedPart.TITLE, ScreenedPart.ABSTRACT, ScreenedPart.METHODS, ScreenedPart.TEXT),
    CriterionKind.COMPARATOR: (ScreenedPart.TITLE, ScreenedPart.ABSTRACT, ScreenedPart.METHODS, ScreenedPart.TEXT),
    CriterionKind.OUTCOME: (
        ScreenedPart.TITLE,
        ScreenedPart.ABSTRACT,
        ScreenedPart.METHODS,
        ScreenedPart.RESULTS,
        ScreenedPart.TEXT,
    ),
    CriterionKind.DESIGN: (ScreenedPart.TITLE, ScreenedPart.ABSTRACT, ScreenedPart.METHODS, ScreenedPart.TEXT),
    CriterionKind.OWN: tuple(ScreenedPart),
}


@dataclass(frozen=True, slots=True)
class TopicCoverage:
    """How a paper covers a topic. Shares are between 0 and 1, the cosine between -1 and 1."""

    words: tuple[str, ...]  # the topic's
    found: tuple[str, ...]  # those in a sentence of the right places
    best_share: float  # of the topic's words, in the best sentence
    share: float  # of the topic's words, in the right places together
    share_anywhere: float
    cosine: float  # of the nearest sentence
    ranked: tuple[tuple[int, float], ...]  # (sentence, score), best first


class CriterionVectors:
    """The vectors of criteria, each encoded once, because all papers get the same criteria. Threads may share it."""

    def __init__(self, embedder: Embedder) -> None:
        self.embedder = embedder
        self._known: dict[str, Matrix] = {}

    def of(self, text: str) -> Matrix:
        """The vector of a text, (384,)."""
        vector = self._known.get(text)
        if vector is None:
            vector = self.embedder.encode([text])[0]
            if len(self._known) >= _KEPT:
                self._known = {}
            self._known[text] = vector
        return vector

    def knows(self, words: Iterable[str]) -> bool:
        """Whether the encoder's vocabulary has at least one of the words as a whole.

        The encoder knows too little of a word that it must split, or of another language, for low similarity to count
        against a paper.
        """
        return any(len(pieces) == _ONE_PIECE for pieces in self.embedder.pieces(list(words)))


_ONE_PIECE = 3  # including the markers at both ends
_KEPT = 2_000  # vectors, 3 MB


def topic_coverage(
    topic: str, kind: CriterionKind, reading: ScreenedPaper, meaning: CriterionVectors | None
) -> TopicCoverage | None:
    """How a paper covers a topic; None if there is nothing to compare."""
    sentences = reading.at(*_PLACES[kind]) or reading.sentences
    words = topic_words(topic)
    if not sentences or not words:
        return None
    wanted = {word: broad_stem(word) for word in words}
    anywhere, there = reading.stems_anywhere, frozenset().union(*(reading.stems[one.index] for one in sentences))
    shares = np.array([sum(s in reading.stems[one.index] for s in wanted.values()) / len(words) for one in sentences])
    cosines = np.zeros(len(sentences))
    if meaning is not None and reading.vectors is not None:
        cosines = (reading.vectors[[one.index for one in sentences]] @ meaning.of(topic)).astype(np.float64)
    scores = shares + cosines
    order = np.argsort(-scores.round(6), kind="stable")[
        : _SENTENCES_OF_OUTCOMES if kind is CriterionKind.OUTCOME else _SENTENCES
    ]
    return TopicCoverage(
        words=tuple(words),
        found=tuple(word for word, stemmed in wanted.items() if stemmed in there),
        best_share=float(shares.max()),
        share=sum(s in there for s in wanted.values()) / len(words),
        share_anywhere=sum(s in anywhere for s in wanted.values()) / len(words),
        cosine=float(cosines.max()),
        ranked=tuple((sentences[place].index, float(scores[place])) for place in order if scores[place] > 0.3),
    )


def covers_of(
    topic: str, kind: CriterionKind, reading: ScreenedPaper, meaning: CriterionVectors | None
) -> list[TopicCoverage]:
    """The coverage of a topic and of the alternatives that it names, best first."""
    choices = dict.fromkeys([topic, *alternatives(topic)[:_MOST_CHOICES]])
    covers = [one for choice in choices if (one := topic_coverage(choice, kind, reading, meaning)) is not None]
    return sorted(covers, key=score, reverse=True)


def score(found: TopicCoverage) -> float:
    """How likely the paper is about the topic, 0 to 1: logistic regression on trials' own and other trials' prompts.

    `python -m core.training criteria --fit` prints its weights, fitted on the development half of the trials.
    """
    seen = (found.best_share, found.share, found.share_anywhere, found.cosine)
    return 1 / (1 + math.exp(-(_CONSTANT + sum(weight * value for weight, value in zip(_WEIGHTS, seen, strict=True)))))


_WEIGHTS, _CONSTANT = (3.6, 1.1, 1.8, 7.7), -9.7
_MET = 0.3  # 97% of trials' own prompts are above it, and 6% of other trials', most of which hold by chance
_WORDS_ALONE = 0.75  # without an encoder, one sentence must have this share of a topic's words
# Below both, a paper is about something else: at most one in five of the topic's words, and nothing similar in meaning.
_FAR_SHARE, _FAR_COSINE = 0.2, 0.3
# Only what a full report must mention can be found missing. A comparator or an outcome may be there in other words, or
# be measured but not reported.
_MUST_BE_NAMED = (CriterionKind.POPULATION, CriterionKind.INTERVENTION)


def about(
    topic: str, kind: CriterionKind, reading: ScreenedPaper, meaning: CriterionVectors | None
) -> CriterionFinding | None:
    """Whether the paper is about a topic or one of the alternatives that it names. None: nothing can be compared."""
    covers = covers_of(topic, kind, reading, meaning)
    if not covers:
        return None
    best, written = covers[0], as_written(topic)
    sentences = tuple(index for index, _ in best.ranked)
    measured = meaning is not None
    if sentences and (score(best) >= _MET if measured else best.best_share >= _WORDS_ALONE):
        place = reading.places[sentences[0]]
        return CriterionFinding(
            Fit.MET, f"{place.says('speak')} of {_listed(best.found, written) or quoted(topic)}", sentences
        )
    far = kind in _MUST_BE_NAMED and all(map(_is_far, covers)) and _is_whole(reading)
    if far and meaning is not None and meaning.knows(best.words):
        return CriterionFinding(
            Fit.NOT_MET, f"the paper is about {quoted(reading.title)} and says nothing near {quoted(topic)}"
        )
    missing = [word for word in best.words if word not in best.found]
    if missing:
        return CriterionFinding(
            Fit.UNCLEAR, f"the paper does not plainly speak of {_listed(missing, written)}", sentences
        )
    return CriterionFinding(
        Fit.UNCLEAR, f"the words {_listed(best.words, written)} stand in the paper, but far apart", sentences
    )


def _is_far(found: TopicCoverage) -> bool:
    return found.share_anywhere <= _FAR_SHARE and found.cosine < _FAR_COSINE


def _is_whole(reading: ScreenedPaper) -> bool:
    return bool(reading.title) and reading.has_methods and reading.language is Language.ENGLISH


def _listed(words: Sequence[str], written: Mapping[str, str]) -> str:
    return ", ".join(quoted(written.get(word, word)) for word in words[:4])
