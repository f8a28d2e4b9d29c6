"""The shipped models: which one ranks for which question, and where its file is."""

from __future__ import annotations

from enum import StrEnum
from functools import cache
from pathlib import Path

from core.errors import QueryError
from core.evidence.ranker.trees import Trees, load_trees

# Log-odds that a sentence loses if a chosen one says exactly the same, by whether only results are asked for.
REPETITION_COST = {False: 2.0, True: 0.7}

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


def is_installed(training: Training) -> bool:
    """Whether both models are there."""
    return all(model_path(training, results_only=mode).is_file() for mode in (False, True))


@cache
def model_for(training: Training, *, results_only: bool) -> Trees:
    """The model for a question, read once per process."""
    return load_trees(model_path(training, results_only=results_only))
