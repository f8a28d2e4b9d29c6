"""How well a score ranks: the area under the ROC curve."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.benchmarks.bootstrap import Floats, Statistic, ratio


def auroc(scores: Sequence[float | None], positive: Sequence[bool], *, failed: Sequence[bool]) -> Statistic:
    """The share of pairs, a positive and another, in which the positive has the higher score (Hanley and McNeil 1982).

    Equal scores count half, and so does a pair in which one has no score (None); a pair with a failed item counts 0.
    Undefined where there is no such pair.
    """
    above, below = (np.array([one is wanted for one in positive], dtype=bool) for wanted in (True, False))
    values = np.array([np.nan if score is None else score for score in scores], dtype=np.float64)
    high, low = values[above][:, None], values[below][None, :]
    won = np.where(np.isnan(high) | np.isnan(low) | (high == low), 0.5, high > low)
    broken = np.array(failed, dtype=bool)
    won[broken[above][:, None] | broken[below][None, :]] = 0.0

    def statistic(weights: Floats) -> Floats:
        of_high, of_low = weights[:, above], weights[:, below]
        return ratio(((of_high @ won) * of_low).sum(axis=1), of_high.sum(axis=1) * of_low.sum(axis=1))

    return statistic
