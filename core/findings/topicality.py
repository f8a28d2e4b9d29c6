"""Whether a paper speaks of what a hypothesis is about: elsewhere no result of it counts, whichever way it points.

The likeness is that of screening (`core.screening.offline.topics.score`): words and meaning of the whole paper's
sentences. Trials' own interventions and outcomes have scores above 0.6, and nine in ten of other trials' below 0.3.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from core.evidence.embedding import Embedder
from core.evidence.engines import encoder_for
from core.findings.claim import Claim
from core.findings.drug_classes import names_used
from core.paper import Paper
from core.screening.model import CriterionKind
from core.screening.offline.reading import Place, Reading, read
from core.screening.offline.stems import stem
from core.screening.offline.topics import Meaning, covers_of, score
from core.screening.offline.wording import topic_words
from core.settings import load_settings
from core.summary.words import topic as stems_of

_LEAST = 0.03  # of likeness; what stands below it is nowhere near in words and meaning
_NEAR = 0.45  # cosine of a sentence: another name for an outcome, such as death for mortality
_PREFIX = 5  # letters of a word by which it is found where there is no encoder: nap, napping
_ANY = frozenset(
    "intervention interventions treatment treatments therapy therapies drug drugs control exposure procedure group it this".split()
)  # words that name no topic by themselves
_WITH_MEANING = ("offline", "embedding")  # engines that encode the paper's sentences anyway


def missing_topics(paper: Paper, claim: Claim, engine: str) -> tuple[str, ...]:
    """What the hypothesis is about and the paper does not speak of, by these names or those of its drugs' classes: what is
    studied, the outcome, or both.
    """
    meaning = meaning_for(engine)
    reading = reading_of(paper, meaning.embedder if meaning else None)
    told = _told(reading)
    return tuple(
        topic
        for topic, kind in _topics(claim)
        if not (_speaks_of(topic, kind, reading, meaning) if meaning else _names(topic, reading))
        and not names_used(topic, told)
        and not _in_other_words(topic, told)
    )


def _in_other_words(topic: str, told: str) -> bool:
    """Whether a paper names all of a topic by plain words or by the terms of medicine: death for mortality."""
    wanted = stems_of(topic)
    return bool(wanted) and wanted <= stems_of(told)


def _told(reading: Reading) -> str:
    """What a paper says of itself first, where it names the drugs that it is about."""
    return " ".join(one.text for one in reading.at(Place.TITLE, Place.ABSTRACT) or reading.sentences)


def _topics(claim: Claim) -> Iterator[tuple[str, CriterionKind]]:
    for topic, kind in ((claim.studied, CriterionKind.INTERVENTION), (claim.about, CriterionKind.OUTCOME)):
        if not _ANY.issuperset(topic_words(topic)):
            yield topic, kind


def _speaks_of(topic: str, kind: CriterionKind, reading: Reading, meaning: Meaning) -> bool:
    """What is studied must be what the paper is about; an outcome need only be named, or be near in meaning."""
    covers = covers_of(topic, kind, reading, meaning)
    if kind is CriterionKind.OUTCOME and any(one.best_share == 1 or one.cosine >= _NEAR for one in covers):
        return True
    return not covers or any(score(one) >= _LEAST for one in covers)


def _names(topic: str, reading: Reading) -> bool:
    """Whether any of the topic's words stands in the paper, whatever its ending."""
    starts = tuple(stem(word)[:_PREFIX] for word in topic_words(topic))
    return any(one.startswith(starts) for one in reading.stems_anywhere)


def meaning_for(engine: str) -> Meaning | None:
    """What tells likeness of meaning; None for an engine that knows words alone, and where there is no encoder."""
    return _meaning() if engine in _WITH_MEANING else None


@lru_cache(maxsize=1)
def _meaning() -> Meaning | None:
    embedder = encoder_for(load_settings())
    return Meaning(embedder) if embedder is not None else None


@lru_cache(maxsize=4)  # hypotheses of one paper come one after another
def reading_of(paper: Paper, embedder: Embedder | None) -> Reading:
    """The paper's sentences with their vectors, where there is an encoder."""
    return read(paper, embedder)
