"""Fit the score of `offline` on the tuning papers, and calibrate it on papers that each fit has not seen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import lightgbm
import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression

from core.summary.checks import MEASURES
from core.summary.examining import FEATURES
from core.training.summary_stress.items import Item, Wording, Wrong

Vector = NDArray[np.float64]

SEED = 0
FOLDS = 5
ROUNDS = 400
MOST_PLAIN_FLAGGED = 0.05  # of the tuning papers' plain rewordings, so that unseen ones stay below 0.15
_WEIGHTS: Mapping[Wrong | None, float] = {Wrong.ADDED: 0.5}  # of the kinds that are only like what is asked for
_PARAMETERS = {
    "objective": "binary",
    "learning_rate": 0.04,
    "num_leaves": 12,
    "max_depth": 5,
    "min_data_in_leaf": 15,
    "feature_fraction": 0.5,
    "bagging_fraction": 0.7,
    "bagging_freq": 1,
    "lambda_l2": 10,
    "monotone_constraints": [-1 if name in MEASURES or name in ("against", "order") else 1 for name in FEATURES],
    "verbose": -1,
    "num_threads": 1,
    "deterministic": True,
    "force_row_wise": True,
    "seed": SEED,
}


@dataclass(frozen=True, slots=True)
class Fitted:
    """A model with its calibration and default threshold."""

    model: lightgbm.Booster
    slope: float
    intercept: float
    threshold: float

    def probabilities(self, rows: Vector) -> Vector:
        """How likely each row's sentence is supported."""
        raw = np.asarray(self.model.predict(rows, raw_score=True))
        probabilities: Vector = 1 / (1 + np.exp(-(self.slope * raw + self.intercept)))
        return probabilities


def fit(items: Sequence[Item], rows: Vector) -> Fitted:
    """A score from sentences of tuning papers. `rows`: (n, number of features)."""
    if any(item.test for item in items):
        raise ValueError("the test papers are not for tuning")
    supported = np.array([item.wrong is None for item in items])
    weights = _weights(items)
    papers = sorted({item.paper for item in items})
    fold_of = {paper: number % FOLDS for number, paper in enumerate(np.random.default_rng(SEED).permutation(papers))}
    folds = np.array([fold_of[item.paper] for item in items])
    raw = np.empty(len(items))
    for fold in range(FOLDS):
        seen = folds != fold
        raw[~seen] = np.asarray(_train(rows[seen], supported[seen], weights[seen]).predict(rows[~seen], raw_score=True))
    platt = LogisticRegression(C=1e6).fit(raw[:, None], supported, sample_weight=weights)
    slope, intercept = float(platt.coef_[0, 0]), float(platt.intercept_[0])
    probabilities = 1 / (1 + np.exp(-(slope * raw + intercept)))
    return Fitted(_train(rows, supported, weights), slope, intercept, _threshold(items, probabilities))


def _train(rows: Vector, supported: NDArray[np.bool_], weights: Vector) -> lightgbm.Booster:
    data = lightgbm.Dataset(
        rows, supported.astype(float), weight=weights, feature_name=list(FEATURES), free_raw_data=False
    )
    return lightgbm.train(dict(_PARAMETERS), data, num_boost_round=ROUNDS)


def _weights(items: Sequence[Item]) -> Vector:
    """Sentences that are right weigh as much in all as those that are wrong."""
    weights = np.array([_WEIGHTS.get(item.wrong, 1.0) for item in items])
    right = np.array([item.wrong is None for item in items])
    weights[right] *= weights[~right].sum() / weights[right].sum()
    return weights


def _threshold(items: Sequence[Item], probabilities: Vector) -> float:
    """Where most is told apart, among those that leave the plain rewordings alone."""
    usual = np.array([item.wording is not Wording.CLAIM for item in items])
    right = np.array([item.wrong is None for item in items])
    plain = np.array([item.wrong is None and item.wording is Wording.PLAIN for item in items])
    allowed = [
        line for line in np.arange(0.05, 0.95, 0.01) if (probabilities[plain] < line).mean() <= MOST_PLAIN_FLAGGED
    ]
    best = max(
        allowed,
        key=lambda line: (probabilities[right & usual] >= line).mean() + (probabilities[~right & usual] < line).mean(),
    )
    return round(float(best), 2)
