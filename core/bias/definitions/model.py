"""The shipped model of which sentences answer a definition (docs/bias.md), and the ranking of a paper's sentences by it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from core.bias.definitions.contrast import load_trial_sentences
from core.bias.definitions.features import (
    AskedVectors,
    Definition,
    DescribedPaper,
    Matrix,
    Topics,
    describe,
    features,
    sureness,
    together,
)
from core.bias.definitions.words import load_trial_words
from core.bias.model import Support
from core.errors import QueryError
from core.evidence.ranker.sentence_features import standardised
from core.evidence.selection import best
from core.paper import Paper
from core.progress import Progress, silent

if TYPE_CHECKING:  # needs libraries that may be missing
    from core.text.similarity import Embedder

FOLDER = Path(__file__).parent
WEIGHTS, TOPICS = FOLDER / "weights.json", FOLDER / "topics.npz"
ALL = ""  # the weights trained on every topic
# Terms added to the trained score, which was trained on sentences of the body only.
_SURE = 0.1  # bonus for a sentence far nearer to the definition than all others, in any part of the paper
_SAID_AGAIN = 1.0  # penalty for a sentence of the abstract that the body repeats, because the body has the details
_PAPERS_KEPT = 8  # a reviewer goes through all domains of one paper


@dataclass(frozen=True, slots=True)
class DefinitionModel:
    """A weight for each of `names`, by the domain of RoB 1 that was left out of training (`ALL`: none)."""

    names: tuple[str, ...]
    mean: Matrix  # (names,)
    scale: Matrix
    weights: Mapping[str, Matrix]
    left_out: Mapping[str, tuple[str, ...]]  # the topics that belong to each domain
    sha256: Mapping[str, str]  # of the files that it was trained on

    def scores(self, columns: Mapping[str, Matrix], without: str = ALL) -> Matrix:
        """How likely each sentence answers the definition: a weighted sum, standardised per paper. Shape: (candidates,)."""
        rows = (together(columns, self.names) - self.mean) / self.scale
        return standardised(rows @ self.weights[without])


def final(scores: Matrix, columns: Mapping[str, Matrix], paper: DescribedPaper) -> Matrix:
    """The trained score with the added terms."""
    return scores + _SURE * sureness(columns) - _SAID_AGAIN * paper.said_again


def to_json(model: DefinitionModel) -> str:
    """The model as a text file, one feature per line: mean, scale, and a weight for each domain left out."""
    parts = tuple(model.weights)
    table = np.column_stack([model.mean, model.scale, *(model.weights[part] for part in parts)]).round(5)
    rows = dict(zip(model.names, table.tolist(), strict=True))
    content = {"without": parts, "left_out": model.left_out, "sha256": model.sha256, "features": rows}
    lines = [json.dumps(content[key], separators=(",", ":")).replace("],", "],\n") for key in content]
    return "{" + ",\n".join(f"{json.dumps(key)}:{line}" for key, line in zip(content, lines, strict=True)) + "}\n"


def from_json(text: str) -> DefinitionModel:
    """Read a model that `to_json` wrote."""
    content = json.loads(text)
    table = np.array(list(content["features"].values()))
    return DefinitionModel(
        names=tuple(content["features"]),
        mean=table[:, 0],
        scale=table[:, 1],
        weights={part: table[:, number] for number, part in enumerate(content["without"], 2)},
        left_out={domain: tuple(topics) for domain, topics in content["left_out"].items()},
        sha256=content["sha256"],
    )


@cache
def load_model() -> DefinitionModel:
    """The shipped weights, read once per process."""
    return from_json(WEIGHTS.read_text(encoding="utf-8"))


@cache
def load_topics() -> Topics:
    """The shipped topics, read once per process."""
    with np.load(TOPICS, allow_pickle=False) as kept:
        numbers = (kept[name].astype(np.float64) for name in ("definitions", "weights", "mean", "scale"))
        return Topics(tuple(kept["ids"].tolist()), *numbers)


def save_topics(topics: Topics, file: Path = TOPICS) -> None:
    """Write them in half precision, except mean and scale."""
    np.savez_compressed(
        file,
        ids=np.array(topics.ids),
        definitions=topics.definitions.astype(np.float16),
        weights=topics.weights.astype(np.float16),
        mean=topics.mean,
        scale=topics.scale,
    )


def was_trained_on(sha256: str) -> bool:
    """Whether the shipped model was trained on a file with this checksum."""
    return sha256 in load_model().sha256.values()


def ranked_for(
    definition: Definition,
    paper: Paper,
    embedder: Embedder,
    *,
    k: int,
    without: str = ALL,
    progress: Progress = silent,
) -> tuple[Support, ...]:
    """The `k` sentences that best answer a definition, best first. Scores are comparable within one result only.

    `without` selects the weights that were trained without that domain of RoB 1. Raises `QueryError` if there are no such
    weights, or the definition is empty.
    """
    model = load_model()
    if without not in model.weights:
        known = ", ".join(part for part in model.weights if part)
        raise QueryError(f"There is no model that was trained without “{without}”. Choose one of: {known}.")
    if not definition.whole.strip(". "):
        raise QueryError("The definition is empty. Say in a sentence what to look for.")
    embedder.compare(paper, definition.whole, progress=progress)  # encodes the paper once; can be cancelled here
    described = _described(paper, embedder)
    if not described.sentences:
        return ()
    name, whole = embedder.encode([definition.name, definition.whole])
    topics = load_topics().without(model.left_out.get(without, ()))
    asked = AskedVectors(name, whole)
    columns = features(described, definition, asked, load_trial_words(), load_trial_sentences(), topics=topics)
    scores = final(model.scores(columns, without), columns, described)
    return tuple(Support(described.sentences[place].index, round(float(scores[place]), 4)) for place in best(scores, k))


@lru_cache(maxsize=_PAPERS_KEPT)
def _described(paper: Paper, embedder: Embedder) -> DescribedPaper:
    return describe(paper, embedder.compare(paper, "trial").vectors, load_trial_words())
