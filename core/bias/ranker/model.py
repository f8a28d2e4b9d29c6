"""The shipped weights, one logistic regression per topic (docs/bias.md), and the ranking of sentences for a domain."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

import numpy as np

from core.bias.model import Support, Topic
from core.bias.ranker.features import COLUMNS, Matrix, SentenceFeatures, sentence_features
from core.evidence.model import candidates
from core.evidence.selection import best
from core.paper import Paper
from core.text.terms import Vocabulary

# ---- the weights: one logistic regression per topic, over words, headings, cues and place ----

FOLDER = Path(__file__).parent
# One is trained on CONSORT-TM, where every sentence that reports on an item is labelled; the other on whole trials, where
# readers named the few sentences that decide a level. Neither alone is as good at both (docs/bias.md).
CONSORT, TRIALS = FOLDER / "consort.json", FOLDER / "trials.json"


@dataclass(frozen=True, slots=True)
class SupportModel:
    """A model of the log-odds that a sentence reports on each topic. Weights: one row per term or column, by topic."""

    topics: tuple[str, ...]
    words: Vocabulary
    word_weights: Matrix
    headings: Vocabulary
    heading_weights: Matrix
    column_weights: Matrix
    intercepts: Matrix  # (topics,)
    sha256: Mapping[str, str]  # of the files that it was trained on

    def scores(self, described: SentenceFeatures) -> Matrix:
        """The log-odds by topic. Shape: (sentences, topics)."""
        scores: Matrix = described.columns @ self.column_weights + self.intercepts
        for number, (terms, headings) in enumerate(zip(described.words, described.headings, strict=True)):
            places, weights = self.words.weigh(terms)
            scores[number] += weights @ self.word_weights[places]
            places, weights = self.headings.weigh(headings)
            scores[number] += weights @ self.heading_weights[places]
        return scores


def to_json(model: SupportModel) -> str:
    """The model as a text file, one term per line: rarity, then one weight per topic."""

    def table(vocabulary: Vocabulary, weights: Matrix) -> dict[str, list[float]]:
        rows = np.column_stack([vocabulary.rarity, weights]).round(3).tolist()
        return {term: rows[place] for term, place in vocabulary.place.items()}

    content = {
        "topics": model.topics,
        "sha256": model.sha256,
        "intercepts": model.intercepts.round(3).tolist(),
        "columns": dict(zip(COLUMNS, model.column_weights.round(3).tolist(), strict=True)),
        "headings": table(model.headings, model.heading_weights),
        "words": table(model.words, model.word_weights),
    }
    lines = [json.dumps(content[key], separators=(",", ":")).replace("],", "],\n") for key in content]
    pairs = (f"{json.dumps(key)}:{line}" for key, line in zip(content, lines, strict=True))
    return "{" + ",\n".join(pairs) + "}\n"


def from_json(text: str) -> SupportModel:
    """Read a model that `to_json` wrote. Raises `ValueError` if its columns differ from this version's."""
    content = json.loads(text)
    if tuple(content["columns"]) != COLUMNS:
        raise ValueError("the model was trained on other features: run python -m core.training bias")

    def table(rows: Mapping[str, list[float]]) -> tuple[Vocabulary, Matrix]:
        numbers = np.array(list(rows.values()))
        return Vocabulary({term: place for place, term in enumerate(rows)}, numbers[:, 0]), numbers[:, 1:]

    words, word_weights = table(content["words"])
    headings, heading_weights = table(content["headings"])
    return SupportModel(
        topics=tuple(content["topics"]),
        words=words,
        word_weights=word_weights,
        headings=headings,
        heading_weights=heading_weights,
        column_weights=np.array(list(content["columns"].values())),
        intercepts=np.array(content["intercepts"]),
        sha256=content["sha256"],
    )


@cache
def load_models() -> tuple[SupportModel, ...]:
    """The shipped models, read once per process."""
    return tuple(from_json(file.read_text(encoding="utf-8")) for file in (CONSORT, TRIALS))


def was_trained_on(sha256: str) -> bool:
    """Whether a shipped model was trained on a file with this checksum."""
    return any(sha256 in model.sha256.values() for model in load_models())


# ---- ranking ----
# For each topic, its names in the CONSORT model and in the model of whole trials ("read ..."), with their shares of the
# score. In cross-validation, the second model's share is as large as costs nothing on CONSORT-TM (docs/bias.md). CONSORT has
# one item (11a: who was blinded) for which tools have two domains.
_SHARES: Mapping[Topic, Mapping[str, float]] = {
    Topic.SEQUENCE: {"sequence": 0.85, "read sequence": 0.15},
    Topic.CONCEALMENT: {"concealment": 0.85, "read concealment": 0.15},
    Topic.PERFORMANCE: {"blinding": 0.5, "read performance": 0.5},
    Topic.DETECTION: {"blinding": 0.5, "read detection": 0.5},
    Topic.BLINDING: {"blinding": 1.0},
    Topic.ATTRITION: {"attrition": 0.5, "read attrition": 0.5},
    Topic.REPORTING: {"reporting": 0.5, "read reporting": 0.5},
    Topic.OTHER: {"other": 1.0},
}

Odds = Mapping[str, Matrix]  # by topic: each sentence's log-odds

_PAPERS_KEPT = 8  # a reviewer goes through all domains of one paper


def ranked(topics: Iterable[Topic], paper: Paper, *, k: int) -> tuple[Support, ...]:
    """The `k` sentences most likely to report on any of the topics, by the shipped models, best first."""
    return ranked_by(_odds(paper), topics, paper, k=k)


def ranked_by(odds: Odds, topics: Iterable[Topic], paper: Paper, *, k: int) -> tuple[Support, ...]:
    """The same by given log-odds. Titles and headings assert nothing and are never chosen.

    A sentence's score combines both models, for its best topic. It is a probability under the models, which were trained
    as if support sentences were as frequent as others.
    """
    pool = candidates(paper)
    places = [sentence.index for sentence in pool]
    asked = [np.sum([share * odds[name][places] for name, share in _SHARES[topic].items()], axis=0) for topic in topics]
    found = np.max(asked, axis=0)
    return tuple(Support(pool[place].index, round(_probability(found[place]), 6)) for place in best(found, k))


def odds_by(models: Sequence[SupportModel], described: SentenceFeatures) -> dict[str, Matrix]:
    """The log-odds of all models by topic, (sentences,). No two models share a topic name."""
    return {
        topic: scores for model in models for topic, scores in zip(model.topics, model.scores(described).T, strict=True)
    }


@lru_cache(maxsize=_PAPERS_KEPT)
def _odds(paper: Paper) -> Odds:
    return odds_by(load_models(), sentence_features(paper))


def _probability(log_odds: float) -> float:
    return float(1 / (1 + np.exp(-log_odds)))
