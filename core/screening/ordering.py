"""Which paper to read next: those most worth reading first, from what was decided so far.

As long as the decisions are all of one kind, or there are none, papers go by BM25 of the review's question. Then a
linear support vector machine over the words and pairs of words of title and abstract learns from each decision, as in
ASReview's default model (ELAS u4; van de Schoot et al. 2021); BM25 of the question still counts, because it knows what
few decisions cannot tell yet. Measured in docs/screening-order.md.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.paper import Kind, Paper
from core.text.bm25 import Bm25Index, Scores

# Of ELAS u4, which was tuned on the published reviews of SYNERGY.
_COST = 0.11  # of the support vector machine
_RATIO = 9.8  # the weight of all included papers together, to that of all excluded ones
_QUESTION_WEIGHT = 0.25  # of BM25 next to the learner, both in standard deviations

QUIET = 50  # papers
_INSTEAD = 10  # sentences of the body, where there is no abstract


def title_and_abstract(paper: Paper) -> str:
    """What papers are ordered by; the first sentences of the body where the paper has no abstract."""
    sentences = [sentence.text for sentence in paper.pool if sentence.kind is Kind.ABSTRACT]
    if not sentences:
        sentences = [sentence.text for sentence in paper.pool if sentence.kind is Kind.BODY][:_INSTEAD]
    return "\n".join([paper.title or "", *sentences])


class Corpus:
    """The papers of a review, ready to be put in order again after each decision. Can be pickled."""

    def __init__(self, texts: Sequence[str]) -> None:
        """`texts`: title and abstract of each paper; a paper without either is an empty text, and waits its turn."""
        self._texts = tuple(texts)
        self._asked: tuple[str, Scores] | None = None

    def __len__(self) -> int:
        return len(self._texts)

    def order(self, decisions: Mapping[int, bool | None], *, question: str = "", seed: int = 0) -> tuple[int, ...]:
        """The papers without a decision, most promising first; equal ones in the order of the texts.

        `decisions`: a paper's place among the texts -> whether it was included; None where it was read and neither
        included nor excluded: it is not learnt from. Raises `IndexError` for a place that no text has.
        `question`: the review's objective and criteria, in words. `seed`: of the learner's solver.
        """
        if wrong := [place for place in decisions if not 0 <= place < len(self)]:
            raise IndexError(f"there are {len(self)} texts, and decisions on numbers {wrong}")
        scores = self._scores(decisions, question, seed)
        left = np.array([place for place in range(len(self)) if place not in decisions], dtype=np.intp)
        return tuple(left[np.argsort(-scores[left], kind="stable")].tolist())

    def _scores(self, decisions: Mapping[int, bool | None], question: str, seed: int) -> Scores:
        """How promising each text is; only the order of the scores means something. Shape: (len(texts),)."""
        by_question = self._by_question(question)
        read = sorted(place for place, included in decisions.items() if included is not None)  # whatever came first
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
        """TF-IDF of words and pairs of words, sparse, (len(texts), terms); None where no two texts share one.

        A term of one text alone tells nothing of any other.
        """
        from sklearn.feature_extraction.text import TfidfVectorizer  # noqa: PLC0415  # takes a second to import

        vectorizer = TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True, min_df=min(2, len(self)))
        try:
            return vectorizer.fit_transform(self._texts)
        except ValueError:  # no term is left
            return None


def may_stop(decisions: Sequence[bool | None], *, quiet: int = QUIET) -> bool:
    """A hint that little may be left to find: the last `quiet` papers read held none to include, and earlier ones did.

    `decisions`: in the order they were made, on papers read in the learner's order; None where neither was decided.
    A rule of thumb (one of those of SAFE, Boetje and van de Schoot 2024) that promises no recall: Callaghan and
    Müller-Hansen (2020) found what such rules miss to differ much from review to review.
    """
    return any(decisions[:-quiet]) and not any(decisions[-quiet:])


def _learnt(features: Any, read: Sequence[int], included: NDArray[np.bool_], seed: int) -> Scores:
    """Distance from the border between included and excluded papers, of every text. Shape: (len(texts),)."""
    from sklearn.svm import LinearSVC  # noqa: PLC0415  # takes a second to import

    weights = np.where(included, 1.0, included.sum() / (_RATIO * (~included).sum()))
    weights *= len(weights) / weights.sum()
    machine = LinearSVC(C=_COST, random_state=seed).fit(features[read], included, sample_weight=weights)
    return np.asarray(machine.decision_function(features), dtype=np.float64)


def _standardised(scores: Scores) -> Scores:
    """In standard deviations from the mean; 0 where all are equal."""
    spread = float(scores.std())
    return (scores - scores.mean()) / spread if spread else np.zeros_like(scores)
