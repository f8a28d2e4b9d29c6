"""The simple `offline`, for use if the trained ranker cannot run: a logistic regression, and a choice without repetition."""

from __future__ import annotations

import math
import re
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from core.engines import Opening
from core.evidence.model import Evidence, EvidenceEngine, EvidenceQuery
from core.evidence.results_first import behind, results_before, sets_the_scene
from core.evidence.selection import RankedChoice, Redundancy, best, choose, local_evidence, notes_on
from core.evidence.weights import WEIGHTS
from core.paper import Kind, Paper, SectionKind, Sentence
from core.paper.model import PARTS_IN_ORDER
from core.progress import Progress, silent
from core.text.bm25 import bm25_scores
from core.text.encoder_files import why_no_encoder
from core.text.words import content_words

if TYPE_CHECKING:  # needs libraries that may be missing
    from core.text.similarity import Embedder, Similarity


# ---- features ----
# The features of each candidate: its topic, its place in the paper and its wording, as numbers from -1 to 1.

Column = NDArray[np.float64]

_MOST_WORDS = 80  # above these maxima, more words or numbers make no difference
_MOST_NUMBERS = 8
_NUMBER = re.compile(r"\d+(?:\.\d+)?")

# Every repetition is bounded, so that even a hostile sentence is searched in time linear in its length.
_WORDINGS = {
    "statistic": re.compile(
        r"\b[Pp]\s?(?:-?\s?values?\s?)?[<>=≤≥]|\b[Pp] for trend|±|\bCIs?\b|[Cc]onfidence [Ii]nterval"
        r"|\bS\.?[DE]\.?M?\b|\b(?:[Aa]?OR|RR|HR|SIR|SMR|IRR)\b|\b(?:[Oo]dds|[Hh]azard|[Rr]isk|[Rr]ate) ratio"
    ),
    "significance": re.compile(
        r"\bsignifican|\bno (?:difference|effect|association|evidence)|\bnot (?:differ|associated)", re.IGNORECASE
    ),
    "comparison": re.compile(
        r"\b(?:than|compared|versus|vs|higher|lower|greater|fewer|less|more|rise|rose|fell"
        r"|(?:increas|decreas|reduc|improv|elevat|differ|associat|correlat|induc|inhibit)\w*)\b",
        re.IGNORECASE,
    ),
    "group size": re.compile(
        r"\b\d[\d,]{0,9}\s(?:\w{1,30}\s){0,3}(?:patients|subjects|participants|cases|controls|women|men|children|adults|people"
        r"|infants|individuals|workers|animals|rats|mice)\b",
        re.IGNORECASE,
    ),
}


def features_of(
    paper: Paper, candidates: Sequence[Sentence], hypothesis: str, cosines: Column | None
) -> Mapping[str, Column]:
    """Each feature's name -> its values, one per candidate.

    `cosines`, (len(paper.pool),), are those of every sentence to the hypothesis; None if there is no encoder.
    """
    texts = [sentence.text for sentence in candidates]
    words = bm25_scores(texts, hypothesis)
    features = {"shared words": words / max(1.0, float(words.max(initial=0.0)))}
    if cosines is not None:
        places = np.array([sentence.index for sentence in candidates], dtype=np.intp)
        features["meaning"] = cosines[places]
        features["neighbours' meaning"] = _neighbours(cosines)[places]
    parts = _parts(paper)
    for part in (SectionKind.ABSTRACT, *PARTS_IN_ORDER):
        features[part.value] = _flags(parts[sentence.section] is part for sentence in candidates)
    for kind in (Kind.CAPTION, Kind.TABLE):
        features[kind.value] = _flags(sentence.kind is kind for sentence in candidates)
    for name, pattern in _WORDINGS.items():
        features[name] = _flags(pattern.search(text) is not None for text in texts)
    features["numbers"] = np.array([min(len(_NUMBER.findall(t)), _MOST_NUMBERS) / _MOST_NUMBERS for t in texts])
    features["length"] = np.array(
        [math.log1p(min(len(t.split()), _MOST_WORDS)) / math.log1p(_MOST_WORDS) for t in texts]
    )
    return features


def _flags(values: Iterable[bool]) -> Column:
    return np.fromiter(values, dtype=np.float64)


def _neighbours(cosines: Column) -> Column:
    """The mean over the two sentences before and the two after; at the ends, the first or last one is repeated."""
    padded = np.pad(cosines, 2, mode="edge")
    return (padded[:-4] + padded[1:-3] + padded[3:-1] + padded[4:]) / 4


def _parts(paper: Paper) -> list[SectionKind]:
    """The part that each section belongs to. A section of unknown kind belongs to the main part before it.

    In `Paper.section_roles` it may also belong to the abstract; this engine's weights were fitted without that.
    """
    parts: list[SectionKind] = []
    current = SectionKind.OTHER
    for section in paper.sections:
        if section.kind in PARTS_IN_ORDER:
            current = section.kind
        parts.append(current if section.kind is SectionKind.OTHER else section.kind)
    return parts


# ---- offline ----
# `offline` without the trained ranker: words, meaning, place and wording together, without repetition.
#
# Embedding models fail at this task because a sentence alone does not show that it is a result (EvidenceBench, section 6);
# its place and its numbers do. A logistic regression weighs the features (weights.py says on what it was fitted), then
# sentences are chosen one by one.

NO_ENCODER = "The sentence encoder is not installed: sentences were ranked by words, place and wording only."
_SHORTLIST = 300  # sentences checked for repetition
# Cosines of sentences on one topic are around 0.5; the share of common words is lower.
_ALIKE_IN_MEANING = Redundancy(free=0.6, penalty=6.0)
_ALIKE_IN_WORDS = Redundancy(free=0.4, penalty=6.0)


class SimpleOfflineEngine:
    """Needs no key, no network and no GPU. Without an encoder it uses fewer features."""

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
    return features_of(paper, candidates, query.hypothesis, cosines)


def _scores(
    features: Mapping[str, NDArray[np.float64]], similarity: Similarity | None, *, results_only: bool
) -> NDArray[np.float64]:
    """The log-odds that a candidate is evidence, up to a constant. Shape: (number of candidates,)."""
    weights = WEIGHTS[results_only, similarity is not None]
    scores: NDArray[np.float64] = sum((weights[name] * column for name, column in features.items()), np.zeros(1))
    return scores


def _choose(
    scores: NDArray[np.float64], candidates: Sequence[Sentence], k: int, similarity: Similarity | None
) -> list[RankedChoice]:
    """Choose up to `k` candidates, with a cost for repeating an earlier one."""
    shortlist = best(scores, max(_SHORTLIST, k))
    likeness = _likeness([candidates[place] for place in shortlist], similarity)
    chosen = choose(scores[shortlist], k, likeness, _ALIKE_IN_MEANING if similarity else _ALIKE_IN_WORDS)
    return [RankedChoice(shortlist[choice.place], choice.score) for choice in chosen]


def _likeness(shortlist: Sequence[Sentence], similarity: Similarity | None) -> Callable[[int], NDArray[np.float64]]:
    """A function from an index in the shortlist to its similarity to each sentence of the list, 0 to 1."""
    if similarity is not None:
        vectors = similarity.vectors[[sentence.index for sentence in shortlist]]
        return lambda place: (vectors @ vectors[place]).astype(np.float64)
    words = [set(content_words(sentence.text)) for sentence in shortlist]

    def dice(place: int) -> NDArray[np.float64]:
        """Twice the common words divided by all words (Dice 1945); 0 for a sentence without words."""
        one = words[place]
        return np.array([2 * len(one & other) / max(1, len(one) + len(other)) for other in words])

    return dice


def _probability(log_odds: float) -> float:
    return float(1 / (1 + np.exp(-log_odds)))


# ---- opening ----


def open_offline(opening: Opening) -> EvidenceEngine:
    """The trained ranker, or the simple engine if the encoder or the ranker's models are missing."""
    settings = opening.settings
    if why_no_encoder():
        return SimpleOfflineEngine(None)
    from core.evidence.ranker.cross_encoder import cross_encoder_for  # noqa: PLC0415
    from core.evidence.ranker.engine import RankerEngine  # noqa: PLC0415
    from core.evidence.ranker.model import is_installed, training_named  # noqa: PLC0415
    from core.text.similarity import Embedder  # noqa: PLC0415

    training, embedder = training_named(settings.ranker), Embedder.installed(settings.embeddings)
    if not is_installed(training):
        return SimpleOfflineEngine(embedder)
    return RankerEngine(embedder, training, cross_encoder_for(training))
