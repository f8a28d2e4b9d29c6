"""Fit the weights that find support sentences, and score them on papers that they have not seen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy import sparse
from sklearn.linear_model import LogisticRegression

from core.benchmarks.consort_tm import ITEMS_OF, LabelledPaper
from core.bias.ranker.features import Described, Matrix, describe
from core.bias.ranker.model import SupportModel, Vocabulary
from core.paper import Paper

FOLDS = 5
SEEDS = (0, 1, 2)  # of the splits
_SPREAD = 3  # papers that use a term: a rarer one tells of its own trial, not of trials
_INVERSE_REGULARISATION = 1.0
# Beyond the domains that are scored: what may bias a trial otherwise (baseline data, early stopping, funding).
TOPICS: Mapping[str, frozenset[str]] = {**ITEMS_OF, "other": frozenset({"14b", "15", "25"})}


@dataclass(frozen=True, slots=True)
class Example:
    """A paper as numbers, and its labels, which meet only here."""

    labelled: LabelledPaper
    described: Described

    @classmethod
    def of(cls, labelled: LabelledPaper) -> Example:
        return cls(labelled, describe(labelled.paper))

    def target(self, topic: str) -> Matrix:
        """1 for a sentence with one of the topic's items. Shape: (sentences,)."""
        return np.array([bool(items & TOPICS[topic]) for items in self.labelled.items], dtype=np.float64)


def fit(examples: Sequence[Example], *, sha256: Mapping[str, str] | None = None) -> SupportModel:
    """One logistic regression a topic, rare sentences weighed up, over the features of all the papers' sentences."""
    words = _vocabulary([example.described.words for example in examples])
    headings = _vocabulary([example.described.headings for example in examples])
    rows = sparse.vstack([_rows(example.described, words, headings) for example in examples]).tocsr()
    weights, intercepts = [], []
    for topic in TOPICS:
        target = np.concatenate([example.target(topic) for example in examples])
        model = LogisticRegression(C=_INVERSE_REGULARISATION, class_weight="balanced", solver="liblinear")
        model.fit(rows, target)
        weights.append(model.coef_[0])
        intercepts.append(float(model.intercept_[0]))
    stacked = np.stack(weights, axis=1)
    word_end, heading_end = len(words.place), len(words.place) + len(headings.place)
    return SupportModel(
        topics=tuple(TOPICS),
        words=words,
        word_weights=stacked[:word_end],
        headings=headings,
        heading_weights=stacked[word_end:heading_end],
        column_weights=stacked[heading_end:],
        intercepts=np.array(intercepts),
        sha256=sha256 or {},
    )


def cross_validated(examples: Sequence[Example], *, seed: int) -> dict[str, Matrix]:
    """Each paper's scores by a model that has seen nothing of it: paper -> (sentences, topics)."""
    fold_of = folds([example.labelled.paper for example in examples], FOLDS, seed)
    scores: dict[str, Matrix] = {}
    for fold in range(FOLDS):
        seen = [example for example in examples if fold_of[example.labelled.paper.id] != fold]
        unseen = [example for example in examples if fold_of[example.labelled.paper.id] == fold]
        check_apart(seen, unseen)
        model = fit(seen)
        scores |= {example.labelled.id: model.scores(example.described) for example in unseen}
    return scores


def folds(papers: Iterable[Paper], count: int, seed: int) -> dict[str, int]:
    """Paper -> fold, drawn at random."""
    ids = sorted({paper.id for paper in papers})
    np.random.default_rng(seed).shuffle(ids)
    return {id: number % count for number, id in enumerate(ids)}


def check_apart(seen: Sequence[Example], unseen: Sequence[Example]) -> None:
    """Raises `ValueError` if a paper is on both sides."""
    common = {example.labelled.paper.id for example in seen} & {example.labelled.paper.id for example in unseen}
    if common:
        raise ValueError(f"{len(common)} papers are in training and test at once")


def _vocabulary(papers: Sequence[Sequence[Sequence[str]]]) -> Vocabulary:
    """The terms that stand in several papers, in alphabetical order, and their rarity among all sentences."""
    spread = Counter(term for paper in papers for term in {term for sentence in paper for term in sentence})
    place = {term: number for number, term in enumerate(sorted(t for t in spread if spread[t] >= _SPREAD))}
    sentences = Counter(term for paper in papers for sentence in paper for term in set(sentence))
    count = sum(map(len, papers))
    rarity = np.array([np.log((count + 1) / (sentences[term] + 1)) + 1 for term in place])
    return Vocabulary(place, rarity)


def _rows(described: Described, words: Vocabulary, headings: Vocabulary) -> sparse.csr_matrix:
    return sparse.hstack(
        [_weighed(described.words, words), _weighed(described.headings, headings), sparse.csr_matrix(described.columns)]
    )


def _weighed(texts: Sequence[Sequence[str]], vocabulary: Vocabulary) -> sparse.csr_matrix:
    places, weights, ends = [], [], [0]
    for terms in texts:
        found, values = vocabulary.weigh(terms)
        places += found
        weights += values.tolist()
        ends.append(len(places))
    return sparse.csr_matrix((weights, places, ends), shape=(len(texts), len(vocabulary.place)))
