"""Questions that a trial does not answer: its own treatments, with an outcome that another trial of its field reports.

For a trial A, the trials with the nearest titles (cosine of MiniLM vectors) are gone through, nearest first; from each, the
first outcome is taken that no word of A's own prompts' outcomes shares. Nobody read A to see that it does not report it:
some of these outcomes A does report, so that a firm verdict is not always a false one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from core.benchmarks.evidence_inference import Prompt
from core.evidence.embedding import Embedder
from core.evidence.embedding_model import Matrix
from core.paper import Paper
from core.summary.words import topic

_VERBS = ("increases", "reduces")
_LONGEST = 400  # words of a hypothesis


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A hypothesis that the paper should have no firm verdict on, and the prompt that its outcome is of."""

    article: str
    paper: Paper
    hypothesis: str
    of: str


def neighbours(prompts: list[Prompt], articles: list[str], embedder: Embedder, each: int) -> Iterator[Neighbour]:
    """At most `each` questions for every article, of as many other articles."""
    by_article: dict[str, list[Prompt]] = {}
    for prompt in prompts:
        by_article.setdefault(prompt.article, []).append(prompt)
    names = list(by_article)
    vectors: Matrix = embedder.encode([by_article[name][0].paper.title or "" for name in names])
    for article in articles:
        own = by_article[article]
        order = np.argsort(-(vectors @ vectors[names.index(article)]), kind="stable")
        others = (by_article[names[place]] for place in order if names[place] != article)
        taken = [topic(prompt.outcome) for prompt in own]
        made = 0
        for other in others:
            strange = next((one for one in other if _shares_none(topic(one.outcome), taken)), None)
            if strange is None:
                continue
            yield Neighbour(article, own[0].paper, _hypothesis(own[0], strange), strange.id)
            taken.append(topic(strange.outcome))
            made += 1
            if made == each:
                break


def _shares_none(outcome: frozenset[str], taken: list[frozenset[str]]) -> bool:
    return bool(outcome) and not any(outcome & one for one in taken)


def _hypothesis(own: Prompt, strange: Prompt) -> str:
    verb = _VERBS[int(strange.id) % len(_VERBS)]
    text = f"{own.intervention} {verb} {strange.outcome} compared with {own.comparator}"
    return " ".join(text.split()[:_LONGEST])
