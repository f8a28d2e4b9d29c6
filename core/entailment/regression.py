"""Small calibrated models on top of the reader: logistic regressions over its probabilities for several sentences."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Features = NDArray[np.float64]
_BOUND = 0.004  # probabilities nearer to 0 or 1 than this are set to this distance


@dataclass(frozen=True, slots=True)
class Regression:
    """A logistic regression over features that are centred and scaled, each (n,)."""

    mean: Features
    scale: Features
    weights: Features
    constant: float

    @classmethod
    def from_json(cls, found: Mapping[str, Any]) -> Regression:
        """Read what `to_json` returned."""
        mean, scale, weights = (np.array(found[name], dtype=np.float64) for name in ("mean", "scale", "weights"))
        return cls(mean, scale, weights, float(found["constant"]))

    def to_json(self) -> dict[str, Any]:
        """The regression as JSON, rounded to the digits that matter."""
        arrays = {"mean": self.mean, "scale": self.scale, "weights": self.weights}
        found: dict[str, Any] = {name: [round(float(one), 5) for one in array] for name, array in arrays.items()}
        return found | {"constant": round(self.constant, 5)}

    def probability(self, features: Features) -> float:
        """The probability for one row of features, (n,)."""
        return probability_of(float(((features - self.mean) / self.scale) @ self.weights + self.constant))


def log_odds(probability: float) -> float:
    """The log-odds of a probability, which is first kept away from 0 and 1."""
    inside = min(max(float(probability), _BOUND), 1 - _BOUND)
    return float(np.log(inside / (1 - inside)))


def probability_of(odds: float) -> float:
    """The probability that has these log-odds."""
    return float(1 / (1 + np.exp(-odds)))
