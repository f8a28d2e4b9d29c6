"""The shipped models: tree ensembles evaluated with NumPy, which model ranks for which query, and the final selection."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.errors import QueryError
from core.evidence.ranker.sentence_features import Vector
from core.evidence.selection import RankedChoice, Redundancy, best, choose

# ---- trees ----
# A tree ensemble in LightGBM's text format, evaluated with NumPy only, because importing LightGBM takes longer than ranking.
#
# The text format has only numbers, so a model file can do no harm, and is read in milliseconds. The scores equal LightGBM's
# own raw scores (a test compares them).

Numbers = NDArray[np.int32]
_ZERO = np.float64(np.float32(1e-35))  # LightGBM treats numbers up to this as zero
_ROWS = 512  # rows evaluated together: bounds the memory at rows x trees


@dataclass(frozen=True, slots=True)
class Trees:
    """All trees in arrays with one row per tree. A leaf is a node whose two children are itself."""

    features: tuple[str, ...]
    split: Numbers  # (trees, nodes): the feature that a node splits on
    threshold: Vector  # (trees, nodes): values up to this go left
    left: Numbers
    right: Numbers
    value: Vector  # (trees, nodes): a leaf's score; an inner node's mean score
    depth: int

    def scores(self, rows: Vector) -> Vector:
        """The raw score (log-odds) of each row. `rows` has shape (n, len(features))."""
        found = np.empty(len(rows))
        for start in range(0, len(rows), _ROWS):
            part = rows[start : start + _ROWS]
            *_, leaves = self._nodes(part)
            found[start : start + _ROWS] = self.value.ravel()[leaves].sum(axis=1)
        return found

    def contributions(self, rows: Vector) -> Vector:
        """How much each feature changed each row's score, summed along the paths. Shape: (n, len(features)).

        Saabas 2014: a split contributes the mean score after it minus the mean score before it.
        """
        moved = np.zeros(rows.shape)
        split, value = self.split.ravel(), self.value.ravel()
        row = np.arange(len(rows))[:, None]
        nodes = self._nodes(rows)
        before = next(nodes)
        for after in nodes:
            np.add.at(moved, (row, split[before]), value[after] - value[before])
            before = after
        return moved

    def _nodes(self, rows: Vector) -> Iterator[NDArray[np.intp]]:
        """The node of each row in each tree, level by level: (n, trees), as indices into the flattened arrays."""
        trees, size = self.split.shape
        base = (np.arange(trees) * size)[None, :]
        split, threshold = self.split.ravel(), self.threshold.ravel()
        left = (self.left + base.T).ravel()
        right = (self.right + base.T).ravel()
        flat = np.where(np.abs(rows) <= _ZERO, 0.0, rows).ravel()
        offset = (np.arange(len(rows)) * rows.shape[1])[:, None]
        node = np.repeat(base, len(rows), axis=0).astype(np.intp)
        yield node
        for _ in range(self.depth):
            node = np.where(flat[offset + split[node]] <= threshold[node], left[node], right[node])
            yield node


def load_trees(path: Path) -> Trees:
    """Read a model that LightGBM saved as text. Raises `ValueError` if it is no such model or splits on categories."""
    head, *blocks = path.read_text(encoding="ascii").split("\nTree=")
    if not head.startswith("tree\n") or not blocks:
        raise ValueError(f"{path} is not a LightGBM text model")
    trees = [_fields(block) for block in blocks]
    size = max(2 * int(tree["num_leaves"]) - 1 for tree in trees)
    split = np.zeros((len(trees), size), dtype=np.int32)
    threshold, value = np.zeros(split.shape), np.zeros(split.shape)
    left = np.repeat(np.arange(size, dtype=np.int32)[None, :], len(trees), axis=0)
    right = left.copy()
    depth = 0
    for number, tree in enumerate(trees):
        leaves = int(tree["num_leaves"])
        inner = leaves - 1
        if int(tree["num_cat"]):
            raise ValueError(f"{path} splits on categories, which are not supported")
        value[number, inner : inner + leaves] = _floats(tree["leaf_value"])
        if not inner:
            continue
        split[number, :inner] = _integers(tree["split_feature"])
        threshold[number, :inner] = _floats(tree["threshold"])
        value[number, :inner] = _floats(tree["internal_value"])
        for side, name in ((left, "left_child"), (right, "right_child")):
            child = _integers(tree[name])
            side[number, :inner] = np.where(child >= 0, child, inner + ~child)  # a leaf is written as -(number + 1)
        depth = max(depth, _depth(left[number], right[number], inner))
    return Trees(tuple(_fields(head)["feature_names"].split()), split, threshold, left, right, value, depth)


def _fields(block: str) -> dict[str, str]:
    lines = block.split("\n\n", maxsplit=1)[0].splitlines()
    return dict(line.split("=", 1) for line in lines if "=" in line)


def _floats(text: str) -> Vector:
    return np.array(text.split(), dtype=np.float64)


def _integers(text: str) -> Numbers:
    return np.array(text.split(), dtype=np.int32)


def _depth(left: Numbers, right: Numbers, inner: int) -> int:
    level, depth = [0], 0
    while level := [int(child) for node in level if node < inner for child in (left[node], right[node])]:
        depth += 1
    return depth


# ---- model ----
# The shipped models: which one ranks for which query, where its file is, and how sentences are chosen by its scores.

# In log-odds, by `results_only`. Chosen on the cross-validated scores (docs/ranker.md).
_REDUNDANCY = {
    False: Redundancy(free=0.0, penalty=2.0, power=2.0),
    True: Redundancy(free=0.6, penalty=2.0, power=4.0),
}
_SHORTLIST = 400  # sentences checked for repetition: those further down are never worth more than one of these

# Weight of the cross-encoder's log-odds relative to the trees', by `results_only`; chosen as above.
_WEIGHT_OF_READING = {False: 0.2, True: 0.3}
READ = 30  # sentences of a paper that the cross-encoder reads: those with the highest tree scores

_TRIALS_FILE = "items.json"  # the file of Evidence Inference
FOLDER = Path(__file__).parent / "models"


class Training(StrEnum):
    """What the models were trained on; docs/ranker.md describes the data and their licences."""

    ALL = "all"  # EvidenceBench (CC BY-NC-SA) and Evidence Inference
    TRIALS = "trials"  # only Evidence Inference (annotations MIT, articles CC BY)


def training_named(name: str) -> Training:
    """The training with this name, as in the setting VOUCH_RANKER. Raises `QueryError` if there is none."""
    try:
        return Training(name.strip().lower())
    except ValueError:
        raise QueryError(f"VOUCH_RANKER is “{name}”. Set it to one of: {', '.join(Training)}.") from None


def model_path(training: Training, *, results_only: bool) -> Path:
    """The file of the model for a query. The trials label only results, so their model serves both kinds of query."""
    if training is Training.TRIALS:
        return FOLDER / "trials.txt"
    return FOLDER / ("results.txt" if results_only else "evidence.txt")


def cross_encoder_path(training: Training) -> Path:
    """The file of the cross-encoder's layers; each serves both kinds of query."""
    return FOLDER / f"{training}.safetensors"


def was_trained_on(training: Training, sha256: str) -> bool:
    """Whether the shipped models were trained on a file with this checksum."""
    record = FOLDER / "training.json"
    if not record.is_file():
        return False
    files: dict[str, str] = json.loads(record.read_text(encoding="utf-8"))["sha256"]
    return sha256 in [sum_ for name, sum_ in files.items() if training is Training.ALL or name == _TRIALS_FILE]


def is_installed(training: Training) -> bool:
    """Whether both model files exist."""
    return all(model_path(training, results_only=mode).is_file() for mode in (False, True))


@cache
def model_for(training: Training, *, results_only: bool) -> Trees:
    """The model for a query, read once per process."""
    return load_trees(model_path(training, results_only=results_only))


def most_promising(trees: Vector) -> list[int]:
    """The indices of the candidates that the cross-encoder reads, by the trees' scores."""
    return best(trees, READ)


@dataclass(frozen=True, slots=True)
class CombinedScores:
    """The combined scores of trees and cross-encoder, (n,) each."""

    scores: Vector
    reading: Vector  # the cross-encoder's log-odds; minus infinity if it has not read the sentence
    contributions: Vector  # how much it changed each score


def with_reading(trees: Vector, places: Sequence[int], read: Vector, *, results_only: bool) -> CombinedScores:
    """Add the cross-encoder's log-odds, (len(places),), centred on their mean and weighted, to the trees' log-odds, (n,).

    A sentence that it has not read gets the lowest of its log-odds.
    """
    reading = np.full(len(trees), -np.inf)
    reading[list(places)] = read
    moved = _WEIGHT_OF_READING[results_only] * (np.maximum(reading, read.min()) - read.mean())
    return CombinedScores(trees + moved, reading, moved)


def choose_apart(
    scores: Vector, vectors: Vector, k: int, *, results_only: bool, redundancy: Redundancy | None = None
) -> list[RankedChoice]:
    """Choose up to `k` candidates, each the one expected to add most to what the previous ones cover.

    A score is the log-odds that a sentence covers an aspect. The more similar a sentence is to a chosen one, the more likely
    its aspect is already covered, so similarity costs log-odds. `scores`: (n,); `vectors`: (n, d), each of length 1.
    """
    shortlist = np.array(best(scores, max(_SHORTLIST, k)), dtype=np.intp)
    near = vectors[shortlist]
    cost = redundancy or _REDUNDANCY[results_only]
    chosen = choose(scores[shortlist], k, lambda place: near @ near[place], cost)
    return [RankedChoice(int(shortlist[choice.place]), choice.score) for choice in chosen]
