"""One review screened in simulation, and what its order was worth."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.evidence.bm25 import bm25_scores
from core.screening.ordering import Corpus, may_stop

RECALL = 0.95

# A corpus, its texts' relevance and a question -> the order in which all texts are read.
Reader = Callable[[Corpus, Sequence[str], Sequence[bool], str], Sequence[int]]


def by_learner(corpus: Corpus, texts: Sequence[str], relevant: Sequence[bool], question: str) -> list[int]:
    """As the app does: the first paper of the order is read and decided, then the rest is ordered anew."""
    decisions: dict[int, bool | None] = {}
    while len(decisions) < len(texts):
        place = corpus.order(decisions, question=question)[0]
        decisions[place] = relevant[place]
    return list(decisions)


def by_learner_without_question(
    corpus: Corpus, texts: Sequence[str], relevant: Sequence[bool], _question: str
) -> list[int]:
    """The same where nothing is known of the question: in the order of the texts until both kinds were found."""
    return by_learner(corpus, texts, relevant, "")


def by_bm25(_corpus: Corpus, texts: Sequence[str], _relevant: Sequence[bool], question: str) -> list[int]:
    """BM25 of the question once and for all; equal texts in the order given."""
    order: list[int] = np.argsort(-bm25_scores(texts, question), kind="stable").tolist()
    return order


def as_given(_corpus: Corpus, texts: Sequence[str], _relevant: Sequence[bool], _question: str) -> list[int]:
    """In the order of the texts, which is random where they were shuffled."""
    return list(range(len(texts)))


READERS: Mapping[str, Reader] = {
    "random": as_given,
    "bm25": by_bm25,
    "learner": by_learner,
    "learner, no question": by_learner_without_question,
}


@dataclass(frozen=True, slots=True)
class Run:
    """All papers of a review in the order they were read."""

    topic: str
    reader: str
    start: int  # the seed that shuffled the papers
    found: tuple[bool, ...]  # whether each paper, in the order of reading, was relevant

    def read_to(self, recall: float) -> int:
        """How many papers are read until this share of the relevant ones is found."""
        wanted, found = math.ceil(recall * sum(self.found) - 1e-9), 0
        for number, relevant in enumerate(self.found, 1):
            found += relevant
            if found >= wanted:
                return number
        raise ValueError("recall is a share, from 0 to 1")

    def work_saved(self, recall: float) -> float:
        """Work saved over sampling (Cohen et al. 2006): the share not read at this recall, less 1 - recall."""
        return 1 - self.read_to(recall) / len(self.found) - (1 - recall)

    @property
    def time_to_discovery(self) -> float:
        """After what share of all papers a relevant one is found, on average (Ferdinands et al. 2023)."""
        places = [number for number, relevant in enumerate(self.found, 1) if relevant]
        return sum(places) / len(places) / len(self.found)

    @property
    def at_hint(self) -> tuple[float, float] | None:
        """The share read and the recall when the hint to stop first shows; None where it never does."""
        for number in range(1, len(self.found)):
            if may_stop(self.found[:number]):
                return number / len(self.found), sum(self.found[:number]) / sum(self.found)
        return None

    @property
    def figures(self) -> dict[str, float]:
        """All measures by name."""
        return {
            "WSS@95": self.work_saved(RECALL),
            "WSS@100": self.work_saved(1.0),
            "ATD": self.time_to_discovery,
        }
