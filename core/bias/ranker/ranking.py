"""Rank a paper's sentences by how likely each reports on a domain."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from core.bias.model import Support
from core.bias.ranker.features import Matrix, describe
from core.bias.ranker.model import load_model
from core.bias.ranker.topics import PREFERENCE, TOPICS_OF
from core.evidence.answer import best
from core.evidence.model import candidates
from core.paper import Paper

_PAPERS_KEPT = 8  # a reviewer goes through all domains of one paper


def ranked(domain: str, paper: Paper, *, k: int) -> tuple[Support, ...]:
    """The `k` best sentences for a domain of `TOPICS_OF`, by the shipped model, best first."""
    return ranked_by(_scores(paper), load_model().topics, domain, paper, k=k)


def ranked_by(scores: Matrix, topics: Sequence[str], domain: str, paper: Paper, *, k: int) -> tuple[Support, ...]:
    """The same by given log-odds, (sentences, topics). Titles and headings assert nothing, and are never chosen.

    A score is a probability under the model, which was trained as if support sentences were as many as others.
    """
    asked = TOPICS_OF[domain]
    pool = candidates(paper)
    columns = [topics.index(name) for name in asked.names]
    odds = scores[np.ix_([sentence.index for sentence in pool], columns)].max(axis=1)
    if asked.preferred is not None:
        speaks = [asked.preferred.search(sentence.text) is not None for sentence in pool]
        odds = odds + PREFERENCE * np.array(speaks, dtype=np.float64)
    return tuple(Support(pool[place].index, round(_probability(odds[place]), 6)) for place in best(odds, k))


@lru_cache(maxsize=_PAPERS_KEPT)
def _scores(paper: Paper) -> Matrix:
    """Log-odds, (sentences, topics)."""
    return load_model().scores(describe(paper))


def _probability(log_odds: float) -> float:
    return float(1 / (1 + np.exp(-log_odds)))
