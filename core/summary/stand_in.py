"""The older score in the place of the reader: how likely the source supports a sentence, from the checks and likeness.

A small ensemble of trees, each measure allowed to move the score one way only, then a logistic calibration
(Platt 1999). docs/summary-offline.md is its card.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.evidence.embedding import Embedder
from core.evidence.ranker.trees import Trees, load_trees
from core.paper import Paper, Sentence
from core.progress import Progress, silent
from core.summary.examining import Examiner

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


class StandIn:
    """Reads by the older score: what it takes for wrong is called not there, whatever sentence it is read with."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._score = shipped()

    def read(self, paper: Paper, pairs: Sequence[tuple[str, Sentence]], *, progress: Progress = silent) -> Vector:
        """As `core.summary.offline.Reader`; every pair of a summary sentence has the same probabilities."""
        texts = list(dict.fromkeys(text for text, _ in pairs))
        if not texts:
            return np.empty((0, 3))
        examined = Examiner(self._embedder, paper).examine(texts, progress=progress)
        found = self._score.probabilities(np.stack([one.features for one in examined]))
        by_text = dict(zip(texts, found, strict=True))
        return np.array([(by_text[text], 0.0, 1.0 - by_text[text]) for text, _ in pairs])


@cache
def shipped() -> Score:
    """The score that comes with Vouch, loaded once."""
    card = json.loads(CARD.read_text(encoding="utf-8"))
    return Score(load_trees(TREES), card["slope"], card["intercept"], card["threshold"])
