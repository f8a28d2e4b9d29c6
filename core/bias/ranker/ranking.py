"""Rank a paper's sentences by how likely each reports on a domain."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

import numpy as np

from core.bias.model import Support
from core.bias.ranker.features import Described, Matrix, describe
from core.bias.ranker.model import SupportModel, load_models
from core.bias.ranker.topics import TOPICS_OF
from core.evidence.answer import best
from core.evidence.model import candidates
from core.paper import Paper

Odds = Mapping[str, Matrix]  # by topic: each sentence's log-odds

_PAPERS_KEPT = 8  # a reviewer goes through all domains of one paper


def ranked(domain: str, paper: Paper, *, k: int) -> tuple[Support, ...]:
    """The `k` best sentences for a domain of `TOPICS_OF`, by the shipped models, best first."""
    return ranked_by(_odds(paper), domain, paper, k=k)


def ranked_by(odds: Odds, domain: str, paper: Paper, *, k: int) -> tuple[Support, ...]:
    """The same by given log-odds. Titles and headings assert nothing, and are never chosen.

    A sentence counts by both models, for the best of the domain's topics. A score is a probability under the
    models, which were trained as if support sentences were as many as others.
    """
    pool = candidates(paper)
    places = [sentence.index for sentence in pool]
    asked = [
        np.sum([share * odds[topic][places] for topic, share in shares.items()], axis=0) for shares in TOPICS_OF[domain]
    ]
    found = np.max(asked, axis=0)
    return tuple(Support(pool[place].index, round(_probability(found[place]), 6)) for place in best(found, k))


def odds_by(models: Sequence[SupportModel], described: Described) -> dict[str, Matrix]:
    """Each model's log-odds by topic, (sentences,); no two of them give a topic the same name."""
    return {
        topic: scores for model in models for topic, scores in zip(model.topics, model.scores(described).T, strict=True)
    }


@lru_cache(maxsize=_PAPERS_KEPT)
def _odds(paper: Paper) -> Odds:
    return odds_by(load_models(), describe(paper))


def _probability(log_odds: float) -> float:
    return float(1 / (1 + np.exp(-log_odds)))
