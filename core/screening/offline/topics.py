"""How well a paper covers what a criterion is about: by its words, and by likeness of meaning."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.evidence.embedding import Embedder
from core.screening.model import CriterionKind, Fit
from core.screening.offline.findings import Finding, quoted
from core.screening.offline.reading import Place, Reading
from core.screening.offline.stems import stem
from core.screening.offline.wording import alternatives, topic_words

_SENTENCES = 3
_PLACES: dict[CriterionKind, tuple[Place, ...]] = {
    CriterionKind.POPULATION: (Place.TITLE, Place.ABSTRACT, Place.METHODS, Place.TEXT),
    CriterionKind.INTERVENTION: (Place.TITLE, Place.ABSTRACT, Place.METHODS, Place.TEXT),
    CriterionKind.COMPARATOR: (Place.TITLE, Place.ABSTRACT, Place.METHODS, Place.TEXT),
    CriterionKind.OUTCOME: (Place.TITLE, Place.ABSTRACT, Place.METHODS, Place.RESULTS, Place.TEXT),
    CriterionKind.DESIGN: (Place.TITLE, Place.ABSTRACT, Place.METHODS, Place.TEXT),
    CriterionKind.OWN: tuple(Place),
}


@dataclass(frozen=True, slots=True)
class Cover:
    """How a paper covers a topic. All shares and cosines lie between 0 and 1, or -1 and 1."""

    words: tuple[str, ...]  # the topic's
    found: tuple[str, ...]  # those that a sentence of the right places has
    best_share: float  # of the topic's words, in the best sentence
    share: float  # of the topic's words, in the right places together
    share_anywhere: float
    cosine: float  # of the nearest sentence
    ranked: tuple[tuple[int, float], ...]  # (sentence, score), best first


def cover(topic: str, kind: CriterionKind, reading: Reading, embedder: Embedder | None) -> Cover | None:
    """None where no sentence can be looked at."""
    sentences = reading.at(*_PLACES[kind]) or reading.sentences
    words = topic_words(topic)
    if not sentences or not words:
        return None
    wanted = {word: stem(word) for word in words}
    shares = np.array([sum(s in reading.stems[one.index] for s in wanted.values()) / len(words) for one in sentences])
    there = frozenset().union(*(reading.stems[one.index] for one in sentences))
    anywhere = frozenset().union(*reading.stems.values())
    cosines = np.zeros(len(sentences))
    if embedder is not None and reading.vectors is not None:
        cosines = (reading.vectors[[one.index for one in sentences]] @ embedder.encode([topic])[0]).astype(np.float64)
    scores = shares + cosines
    order = np.argsort(-scores.round(6), kind="stable")[:_SENTENCES]
    return Cover(
        words=tuple(words),
        found=tuple(word for word, stemmed in wanted.items() if stemmed in there),
        best_share=float(shares.max()),
        share=sum(s in there for s in wanted.values()) / len(words),
        share_anywhere=sum(s in anywhere for s in wanted.values()) / len(words),
        cosine=float(cosines.max()),
        ranked=tuple((sentences[place].index, float(scores[place])) for place in order if scores[place] > 0.3),
    )


def score(found: Cover) -> float:
    """How likely the paper is about the topic, 0 to 1."""
    return (found.best_share + found.share + found.cosine) / 3


_MET = 0.6


def about(topic: str, kind: CriterionKind, reading: Reading, embedder: Embedder | None) -> Finding | None:
    """Whether the paper is about a topic, or one of the alternatives that it names."""
    choices = [topic, *alternatives(topic)] if kind is not CriterionKind.POPULATION else [topic]
    covers = [one for choice in dict.fromkeys(choices) if (one := cover(choice, kind, reading, embedder)) is not None]
    if not covers:
        return None
    best = max(covers, key=score)
    sentences = tuple(index for index, _ in best.ranked)
    if score(best) >= _MET and sentences:
        place = reading.places[sentences[0]]
        return Finding(Fit.MET, f"the {place} speaks of {_listed(best.found) or quoted(topic)}", sentences)
    missing = [word for word in best.words if word not in best.found]
    reason = f"the paper does not clearly speak of {_listed(missing) or quoted(topic)}"
    return Finding(Fit.UNCLEAR, reason, sentences)


def _listed(words: list[str] | tuple[str, ...]) -> str:
    return ", ".join(quoted(word) for word in words[:4])
