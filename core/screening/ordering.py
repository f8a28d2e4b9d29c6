"""Which paper to read next: orders the papers, most promising first, by the decisions so far.

Until there is a decision of each kind, papers are ordered by BM25 for the review's question. Then a linear support
vector machine on the words and word pairs of title and abstract learns from each decision, as in ASReview's default
model (ELAS u4; van de Schoot et al. 2021). BM25 still counts, because it knows what few decisions cannot tell yet.
Measured in docs/screening-order.md.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.paper import Kind, Paper
from core.text.bm25 import Bm25Index, Scores

# From ELAS u4, which was tuned on the published reviews of SYNERGY.
_COST = 0.11  # C of the support vector machine
_RATIO = 9.8  # total weight of the included papers over that of the excluded
_QUESTION_WEIGHT = 0.25  # of BM25 relative to the learner, both in standard deviations

QUIET = 50  # papers
_INSTEAD = 10  # sentences of the body used if there is no abstract


def title_and_abstract(paper: Paper) -> str:
    """The text that papers are ordered by. Without an abstract it has the first sentences of the body."""
    sentences = [sentence.text for sentence in paper.pool if sentence.kind is Kind.ABSTRACT]
    if not sentences:
        sentences = [sentence.text for sentence in paper.pool if sentence.kind is Kind.BODY][:_INSTEAD]
    return "\n".join([paper.title or "", *sentences])


class Corpus:
    """The papers of a review, which can be ordered again after each decision. Can be pickled."""

    def __init__(self, texts: Sequence[str]) -> None:
        """`texts`: title and abstract of each paper; an empty text for a paper that has neither."""
        self._texts = tuple(texts)
        self._asked: tuple[str, Scores] | None = None

    def __len__(self) -> int:
        return len(self._texts)

    def order(self, decisions: Mapping[int, bool | None], *, question: str = "", seed: int = 0) -> tuple[int, ...]:
        """The papers without a decision, most promising first; equal ones in the order of the texts.

        `decisions`: a paper's index in the texts -> whether it was included. A paper with None was read without a
        decision, and is not learnt from. Raises `IndexError` for an index outside the texts.
        `question`: the review's objective and criteria, in words. `seed`: of the learner's solver.
        """
        if wrong := [place for place in decisions if not 0 <= place < len(self)]:
            raise IndexError(f"there are {len(self)} texts, and decisions on numbers {wrong}")
        scores = self._scores(decisions, question, seed)
        left = np.array([place for place in range(len(self)) if place not in decisions], dtype=np.intp)
        return tuple(left[np.argsort(-scores[left], kind="stable")].tolist())

    def _scores(self, decisions: Mapping[int, bool | None], question: str, seed: int) -> Scores:
        """How promising each text is; only the order of the scores matters. Shape: (len(texts),)."""
        by_question = self._by_question(question)
        read = sorted(place for place, included in decisions.items() if included is not None)  # in any order
        included = np.array([bool(decisions[place]) for place in read])
        if included.all() or not included.any() or self._features is None:
            return by_question
        learnt = _learnt(self._features, read, included, seed)
        return _standardised(learnt) + _QUESTION_WEIGHT * _standardised(by_question)

    def _by_question(self, question: str) -> Scores:
        if self._asked is None or self._asked[0] != question:
            self._asked = question, self._index.scores(question)
        return self._asked[1]

    @cached_property
    def _index(self) -> Bm25Index:
        return Bm25Index(self._texts)

    @cached_property
    def _features(self) -> Any | None:
        """TF-IDF of words and word pairs, sparse, (len(texts), terms); None if no two texts share a term.

        A term that only one text has tells nothing about the others.
        """
        from sklearn.feature_extraction.text import TfidfVectorizer  # noqa: PLC0415  # takes a second to import

        vectorizer = TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True, min_df=min(2, len(self)))
        try:
            return vectorizer.fit_transform(self._texts)
        except ValueError:  # there is no shared term
            return None


def may_stop(decisions: Sequence[bool | None], *, quiet: int = QUIET) -> bool:
    """A hint that few papers to include may be left: none of the last `quiet` papers was included, but an earlier was.

    `decisions`: in the order they were made, on papers read in the learner's order; None where there was no decision.
    A rule of thumb (one of those of SAFE, Boetje and van de Schoot 2024) that promises no recall: Callaghan and
    Müller-Hansen (2020) found that what such rules miss differs much from review to review.
    """
    return any(decisions[:-quiet]) and not any(decisions[-quiet:])


def _learnt(features: Any, read: Sequence[int], included: NDArray[np.bool_], seed: int) -> Scores:
    """The distance of every text from the border between included and excluded papers. Shape: (len(texts),)."""
    from sklearn.svm import LinearSVC  # noqa: PLC0415  # takes a second to import

    weights = np.where(included, 1.0, included.sum() / (_RATIO * (~included).sum()))
    weights *= len(weights) / weights.sum()
    machine = LinearSVC(C=_COST, random_state=seed).fit(features[read], included, sample_weight=weights)
    return np.asarray(machine.decision_function(features), dtype=np.float64)


def _standardised(scores: Scores) -> Scores:
    """The scores in standard deviations from the mean; 0 if all are equal."""
    spread = float(scores.std())
    return (scores - scores.mean()) / spread if spread else np.zeros_like(scores)
