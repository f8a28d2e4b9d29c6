"""The shipped score: how likely the source supports a sentence, from the checks' findings and its likeness to support.

A small ensemble of trees, each measure allowed to move the score one way only, then a logistic calibration
(Platt 1999). docs/summary-offline.md is its card.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.evidence.ranker.trees import Trees, load_trees

Vector = NDArray[np.float64]

FOLDER = Path(__file__).parent / "models"
TREES = FOLDER / "offline.txt"
CARD = FOLDER / "offline.json"


@dataclass(frozen=True, slots=True)
class Score:
    """Trees, their calibration, and where the line is drawn by default."""

    trees: Trees
    slope: float
    intercept: float
    threshold: float  # a probability

    def probabilities(self, rows: Vector) -> Vector:
        """How likely each row's sentence is supported, (n,). `rows`: (n, number of features)."""
        return 1 / (1 + np.exp(-(self.slope * self.trees.scores(rows) + self.intercept)))


@cache
def shipped() -> Score:
    """The score that comes with Vouch, loaded once."""
    card = json.loads(CARD.read_text(encoding="utf-8"))
    return Score(load_trees(TREES), card["slope"], card["intercept"], card["threshold"])
