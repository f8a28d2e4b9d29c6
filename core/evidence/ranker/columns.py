"""Named columns, one value a candidate: what every group of features gives."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]
Columns = dict[str, Vector]


def ranks(values: Vector) -> Vector:
    """1 for the highest value down to 0 for the lowest; equal values share the rank of the first of them."""
    if len(values) < 2:
        return np.ones(len(values))
    rounded = values.round(6)
    ascending = np.sort(rounded)
    result: Vector = np.searchsorted(ascending, rounded, side="left") / (len(values) - 1)
    return result


def standardised(values: Vector) -> Vector:
    """Mean 0 and deviation 1 within the paper."""
    if len(values) == 0:
        return values
    result: Vector = (values - values.mean()) / (values.std() + 1e-6)
    return result
