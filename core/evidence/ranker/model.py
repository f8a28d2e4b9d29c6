"""The shipped models: which one ranks for which question, where its file is, and how sentences are chosen by its scores."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path

import numpy as np

from core.errors import QueryError
from core.evidence.answer import best
from core.evidence.ranker.columns import Vector
from core.evidence.ranker.trees import Trees, load_trees
from core.evidence.selection import Choice, Redundancy, choose

# In log-odds, by whether only results are asked for. Chosen on the cross-validated scores (docs/ranker.md).
_REDUNDANCY = {
    False: Redundancy(free=0.0, penalty=2.0, power=2.0),
    True: Redundancy(free=0.6, penalty=2.0, power=4.0),
}
_SHORTLIST = 400  # sentences among which repetition is looked for: none further down is worth more than one of these

# Of the cross-encoder's log-odds beside those of the trees, by whether only results are asked for; chosen as above.
_WEIGHT_OF_READING = {False: 0.2, True: 0.3}
READ = 30  # sentences that the cross-encoder reads of a paper: those that the trees think most of

_TRIALS_FILE = "items.json"  # of Evidence Inference
FOLDER = Path(__file__).parent / "models"


class Training(StrEnum):
    """What the models were trained on; docs/ranker.md tells the data and their licences."""

    ALL = "all"  # EvidenceBench (CC BY-NC-SA) and Evidence Inference
    TRIALS = "trials"  # Evidence Inference alone (annotations MIT, articles CC BY)


def training_named(name: str) -> Training:
    """The training of this name, as in the setting VOUCH_RANKER. Raises `QueryError` if there is none."""
    try:
        return Training(name.strip().lower())
    except ValueError:
        raise QueryError(f"VOUCH_RANKER is “{name}”. Set it to one of: {', '.join(Training)}.") from None


def model_path(training: Training, *, results_only: bool) -> Path:
    """The file of the model for a question. The trials know results only, and serve both questions."""
    if training is Training.TRIALS:
        return FOLDER / "trials.txt"
    return FOLDER / ("results.txt" if results_only else "evidence.txt")


def cross_encoder_path(training: Training) -> Path:
    """The file of the cross-encoder's layers; each serves both questions."""
    return FOLDER / f"{training}.safetensors"


def was_trained_on(training: Training, sha256: str) -> bool:
    """Whether a file with this checksum was among the data of the shipped models."""
    record = FOLDER / "training.json"
    if not record.is_file():
        return False
    files: dict[str, str] = json.loads(record.read_text(encoding="utf-8"))["sha256"]
    return sha256 in [sum_ for name, sum_ in files.items() if training is Training.ALL or name == _TRIALS_FILE]


def is_installed(training: Training) -> bool:
    """Whether both models are there."""
    return all(model_path(training, results_only=mode).is_file() for mode in (False, True))


@cache
def model_for(training: Training, *, results_only: bool) -> Trees:
    """The model for a question, read once per process."""
    return load_trees(model_path(training, results_only=results_only))


def most_promising(trees: Vector) -> list[int]:
    """The places that the cross-encoder reads, by the trees' scores."""
    return best(trees, READ)


@dataclass(frozen=True, slots=True)
class Both:
    """Trees and cross-encoder together, (n,) each."""

    scores: Vector
    reading: Vector  # the cross-encoder's log-odds; minus infinity where it has not read
    contributions: Vector  # what it moved a score by


def with_reading(trees: Vector, places: Sequence[int], read: Vector, *, results_only: bool) -> Both:
    """The trees' log-odds, (n,), moved by those of the cross-encoder, (len(places),), above or below their own mean.

    What it has not read is taken for the least of what it has.
    """
    reading = np.full(len(trees), -np.inf)
    reading[list(places)] = read
    moved = _WEIGHT_OF_READING[results_only] * (np.maximum(reading, read.min()) - read.mean())
    return Both(trees + moved, reading, moved)


def choose_apart(
    scores: Vector, vectors: Vector, k: int, *, results_only: bool, redundancy: Redundancy | None = None
) -> list[Choice]:
    """Up to `k` places, each the one that is expected to add most to what those before it cover.

    A score is the log-odds that a sentence covers an aspect. What it covers is the more likely covered already the more
    it is like a chosen sentence, so likeness costs log-odds. `scores`: (n,); `vectors`: (n, d), each of length 1.
    """
    shortlist = np.array(best(scores, max(_SHORTLIST, k)), dtype=np.intp)
    near = vectors[shortlist]
    cost = redundancy or _REDUNDANCY[results_only]
    chosen = choose(scores[shortlist], k, lambda place: near @ near[place], cost)
    return [Choice(int(shortlist[choice.place]), choice.score) for choice in chosen]
