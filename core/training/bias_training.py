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
from core.bias.ranker.ranking import odds_by
from core.paper import Paper

FOLDS = 5
_SPREAD = 3  # papers, or one in so many, that use a term: a rarer one tells of its own trial, not of trials
_ONE_IN = 25
_INVERSE_REGULARISATION = 1.0
_OTHERS = 6  # of a trial that was read, one in so many of the sentences that decide nothing: all would tell little more
# Beyond the domains that are scored: what may bias a trial otherwise (baseline data, early stopping, funding).
TOPICS: Mapping[str, frozenset[str]] = {**ITEMS_OF, "other": frozenset({"14b", "15", "25"})}
# Topic -> the domain of RoB 1 whose deciding sentences it takes from trials that were read.
READ_TOPICS: Mapping[str, str] = {
    f"read {domain}": domain
    for domain in ("sequence", "concealment", "performance", "detection", "attrition", "reporting")
}


@dataclass(frozen=True, slots=True)
class Example:
    """A paper as numbers, and for each topic 1 for a sentence on it, shape (sentences,). They meet only here."""

    id: str
    paper: Paper
    described: Described
    targets: Mapping[str, Matrix]
    labelled: LabelledPaper | None = None  # of CONSORT-TM

    @property
    def rows(self) -> list[int]:
        """The sentences to learn from."""
        if self.labelled is not None:
            return list(range(len(self.paper.sentences)))
        decides = np.sum(list(self.targets.values()), axis=0) > 0
        return [index for index in range(len(self.paper.sentences)) if decides[index] or index % _OTHERS == 0]

    @classmethod
    def of(cls, labelled: LabelledPaper) -> Example:
        """A paper of CONSORT-TM."""
        targets = {
            topic: np.array([bool(items & wanted) for items in labelled.items], dtype=np.float64)
            for topic, wanted in TOPICS.items()
        }
        return cls(labelled.id, labelled.paper, describe(labelled.paper), targets, labelled)

    @classmethod
    def read(cls, id: str, paper: Paper, support: Mapping[str, Iterable[int]]) -> Example:
        """A paper whose deciding sentences a reader named, by domain of RoB 1."""
        targets = {}
        for topic, domain in READ_TOPICS.items():
            targets[topic] = np.zeros(len(paper.sentences))
            targets[topic][list(support.get(domain, ()))] = 1
        return cls(id, paper, describe(paper), targets)


def fit(examples: Sequence[Example], *, sha256: Mapping[str, str] | None = None) -> SupportModel:
    """One logistic regression a topic, rare sentences weighed up, over the features of all the papers' sentences.

    The papers must be labelled with the same topics.
    """
    words = _vocabulary([example.described.words for example in examples])
    headings = _vocabulary([example.described.headings for example in examples])
    rows = sparse.vstack([_rows(example.described, words, headings, example.rows) for example in examples]).tocsr()
    topics = tuple(examples[0].targets)
    weights, intercepts = [], []
    for topic in topics:
        target = np.concatenate([example.targets[topic][example.rows] for example in examples])
        model = LogisticRegression(C=_INVERSE_REGULARISATION, class_weight="balanced", solver="liblinear", tol=1e-3)
        model.fit(rows, target)
        weights.append(model.coef_[0])
        intercepts.append(float(model.intercept_[0]))
    stacked = np.stack(weights, axis=1)
    word_end, heading_end = len(words.place), len(words.place) + len(headings.place)
    return SupportModel(
        topics=topics,
        words=words,
        word_weights=stacked[:word_end],
        headings=headings,
        heading_weights=stacked[word_end:heading_end],
        column_weights=stacked[heading_end:],
        intercepts=np.array(intercepts),
        sha256=sha256 or {},
    )


def cross_validated(examples: Sequence[Example], *, seed: int) -> dict[str, dict[str, Matrix]]:
    """Each paper's log-odds by a model that has seen nothing of it: id -> topic -> (sentences,)."""
    fold_of = folds([example.paper for example in examples], FOLDS, seed)
    scores: dict[str, dict[str, Matrix]] = {}
    for fold in range(FOLDS):
        seen = [example for example in examples if fold_of[example.paper.id] != fold]
        unseen = [example for example in examples if fold_of[example.paper.id] == fold]
        check_apart(seen, unseen)
        model = fit(seen)
        scores |= {example.id: odds_by([model], example.described) for example in unseen}
    return scores


def folds(papers: Iterable[Paper], count: int, seed: int) -> dict[str, int]:
    """Paper -> fold, drawn at random."""
    ids = sorted({paper.id for paper in papers})
    np.random.default_rng(seed).shuffle(ids)
    return {id: number % count for number, id in enumerate(ids)}


def check_apart(seen: Sequence[Example], unseen: Sequence[Example]) -> None:
    """Raises `ValueError` if a paper is on both sides."""
    common = {example.paper.id for example in seen} & {example.paper.id for example in unseen}
    if common:
        raise ValueError(f"{len(common)} papers are in training and test at once")


def _vocabulary(papers: Sequence[Sequence[Sequence[str]]]) -> Vocabulary:
    """The terms that stand in several papers, in alphabetical order, and their rarity among all sentences."""
    spread = Counter(term for paper in papers for term in {term for sentence in paper for term in sentence})
    fewest = max(_SPREAD, len(papers) // _ONE_IN)
    place = {term: number for number, term in enumerate(sorted(t for t in spread if spread[t] >= fewest))}
    sentences = Counter(term for paper in papers for sentence in paper for term in set(sentence))
    count = sum(map(len, papers))
    rarity = np.array([np.log((count + 1) / (sentences[term] + 1)) + 1 for term in place])
    return Vocabulary(place, rarity)


def _rows(described: Described, words: Vocabulary, headings: Vocabulary, rows: Sequence[int]) -> sparse.csr_matrix:
    """Shape: (len(rows), terms + terms of headings + columns)."""
    return sparse.hstack(
        [
            weighed([described.words[row] for row in rows], words),
            weighed([described.headings[row] for row in rows], headings),
            sparse.csr_matrix(described.columns[list(rows)]),
        ]
    ).tocsr()


def weighed(texts: Sequence[Sequence[str]], vocabulary: Vocabulary) -> sparse.csr_matrix:
    """The terms' weights of each text. Shape: (texts, terms)."""
    places, weights, ends = [], [], [0]
    for terms in texts:
        found, values = vocabulary.weigh(terms)
        places += found
        weights += values.tolist()
        ends.append(len(places))
    return sparse.csr_matrix((weights, places, ends), shape=(len(texts), len(vocabulary.place)))
