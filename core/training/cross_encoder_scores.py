"""What the cross-encoder said of papers that it had not seen, kept between its training and that of the trees."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from core.evidence.ranker.model import Training
from core.training.ranker_data import Aspects, Question, Spans, folds
from core.training.ranker_training import FOLDS, SEED, Vector, key

CROSS_FOLDS = 3  # of EvidenceBench, by paper; fewer than the trees have, because one takes ten minutes
_HELD_BACK = 0  # of the trees' folds: its trials are never shown to the cross-encoder, not even to the one that ships


def held_back_trials(questions: Sequence[Question]) -> set[str]:
    """The groups of papers whose trials the cross-encoder does not see."""
    fold_of = folds(questions, FOLDS, SEED)
    trials = {question.group for question in questions if isinstance(question, Spans)}
    return {group for group in trials if fold_of[group] == _HELD_BACK}


@dataclass(frozen=True)
class Kept:
    """A folder of arrays by name. Deleting it costs an hour of training only."""

    folder: Path

    @classmethod
    def at(cls, home: Path) -> Kept:
        folder = home / "training" / "cross-encoder"
        folder.mkdir(parents=True, exist_ok=True)
        return cls(folder)

    def save(self, name: str, arrays: Mapping[str, Vector]) -> None:
        partial = self.folder / f"{name}.{os.getpid()}.partial.npz"
        np.savez_compressed(partial, allow_pickle=False, **arrays)
        partial.replace(self.folder / f"{name}.npz")

    def load(self, name: str) -> dict[str, Vector] | None:
        """The arrays kept under a name; None if there are none."""
        path = self.folder / f"{name}.npz"
        if not path.is_file():
            return None
        with np.load(path, allow_pickle=False) as file:
            return {key: file[key] for key in file.files}

    def unseen(self, training: Training, questions: Sequence[Question]) -> dict[str, Vector]:
        """Question -> (candidates, 2), of all papers that were not seen; ends the program if they do not fit."""
        parts = ["trials"] if training is Training.TRIALS else ["all", *map(str, range(CROSS_FOLDS))]
        found: dict[str, Vector] = {}
        for part in parts:
            found |= self.load(part) or {}
        held_back = held_back_trials(questions)
        for question in questions:
            needed = isinstance(question, Aspects) or question.group in held_back
            if needed and len(found.get(key(question), ())) != len(question.index):
                sys.exit(
                    f"{self.folder} has no scores of {key(question)}. Run python -m core.training.train_cross_encoder."
                )
        return found
