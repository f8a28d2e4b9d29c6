"""How far two reviewers agree on a domain, beyond what chance would bring.

Studies that one of them has not judged are left out and counted. Intervals are percentiles of a bootstrap over studies,
or over the papers that several judgements are of.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

# Four studies have 35 different samples, five have 126: below five, a tail of 2.5% is less than one of them, so that its
# percentile is the extreme, and one or two studies that agree would give "100% to 100%".
FEWEST_FOR_INTERVAL = 5
_SAMPLES = 2_000
_SEED = 20_260_101

Label = TypeVar("Label")  # a level of risk of bias, or whatever else two judges tell apart

Floats = NDArray[np.float64]
# A statistic of tables (..., q, q): shares of studies by the first and the second reviewer's level; NaN: not defined.
Statistic = Callable[[Floats], Floats]


@dataclass(frozen=True, slots=True)
class AgreementEstimate:
    """A statistic and its 95% interval; None where it is not defined: no studies, or all judgements alike.

    Below `FEWEST_FOR_INTERVAL` studies there is a value without an interval.
    """

    value: float | None
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Agreement:
    """Two reviewers on one domain, or on whatever else they judge."""

    pairs: int  # studies that both have judged
    unpaired: int  # studies that only one has judged
    agreed: AgreementEstimate  # share of equal judgements, 0 to 1
    kappa: AgreementEstimate  # Cohen 1960
    weighted_kappa: AgreementEstimate  # Cohen 1968, linear weights: levels further apart disagree more
    ac1: AgreementEstimate  # Gwet 2008: stays meaningful where nearly all judgements are alike


def agreement(
    pairs: Sequence[tuple[Label | None, Label | None]],
    scale: tuple[Label, ...],
    papers: Sequence[Hashable] | None = None,
) -> Agreement:
    """The agreement on `pairs`, one pair a study; None: not judged. Every level must be one of the scale's.

    The scale goes from best to worst, if the levels have an order. `papers` are the pairs', where several are of one
    paper: they stand or fall together, and whole papers are drawn. Raises `ValueError` for a level of another scale.
    """
    tables: dict[Hashable, Floats] = {}
    for (one, other), paper in zip(pairs, range(len(pairs)) if papers is None else papers, strict=True):
        if one is not None and other is not None:
            table = tables.setdefault(paper, np.zeros((len(scale), len(scale))))
            table[scale.index(one), scale.index(other)] += 1
    stacked = np.stack(list(tables.values())) if tables else np.zeros((0, len(scale), len(scale)))
    places = np.arange(len(scale))
    steps = np.abs(places[:, None] - places).astype(float)
    drawn = _drawn(stacked)
    return Agreement(
        pairs=int(stacked.sum()),
        unpaired=sum((one is None) != (other is None) for one, other in pairs),
        agreed=_estimate(stacked, drawn, _agreed),
        kappa=_estimate(stacked, drawn, cohen_kappa),
        weighted_kappa=_estimate(stacked, drawn, lambda shares: cohen_kappa(shares, steps)),
        ac1=_estimate(stacked, drawn, _ac1),
    )


def _agreed(shares: Floats) -> Floats:
    agreed: Floats = np.trace(shares, axis1=-2, axis2=-1)
    return agreed


def cohen_kappa(shares: Floats, disagreement: Floats | None = None) -> Floats:
    """1 - observed disagreement / disagreement by chance; NaN where chance brings none.

    `shares` are tables (..., q, q); `disagreement` tells how far two levels disagree: wholly, if it is not given.
    """
    if disagreement is None:
        disagreement = 1.0 - np.eye(shares.shape[-1])
    by_chance = shares.sum(axis=-1)[..., :, None] * shares.sum(axis=-2)[..., None, :]
    observed, expected = ((table * disagreement).sum(axis=(-2, -1)) for table in (shares, by_chance))
    kappa: Floats = 1 - observed / np.where(expected > 0, expected, np.nan)
    return kappa


def _ac1(shares: Floats) -> Floats:
    """Agreement beyond chance, with chance = (1 / (q - 1)) * sum of p (1 - p) over the q levels, p their mean share."""
    mean = (shares.sum(axis=-1) + shares.sum(axis=-2)) / 2
    chance = (mean * (1 - mean)).sum(axis=-1) / (shares.shape[-1] - 1)
    ac1: Floats = (_agreed(shares) - chance) / (1 - chance)
    return ac1


def _drawn(tables: Floats) -> Floats:
    """Shares of judgements (samples, q, q) of as many papers as there are, drawn with replacement.

    Papers that are alike are drawn together: with one judgement a paper, drawing papers draws cells of the table.
    """
    if len(tables) < FEWEST_FOR_INTERVAL:
        return np.zeros((0, *tables.shape[1:]))
    kinds, counts = np.unique(tables.reshape(len(tables), -1), axis=0, return_counts=True)
    kinds, counts = kinds[::-1], counts[::-1]  # in the table's own order
    times = np.random.default_rng(_SEED).multinomial(len(tables), counts / len(tables), size=_SAMPLES)
    drawn: Floats = (times @ kinds).reshape(_SAMPLES, *tables.shape[1:])
    shares: Floats = drawn / drawn.sum(axis=(-2, -1), keepdims=True)
    return shares


def _estimate(tables: Floats, drawn: Floats, statistic: Statistic) -> AgreementEstimate:
    """The statistic, with an interval if there are papers enough and it is defined on at least half of the samples."""
    if not len(tables):
        return AgreementEstimate(None)
    value = float(statistic(tables.sum(axis=0) / tables.sum()))
    if np.isnan(value):
        return AgreementEstimate(None)
    if not len(drawn):
        return AgreementEstimate(value)
    samples = statistic(drawn)
    if np.isnan(samples).mean() > 0.5:
        return AgreementEstimate(value)
    low, high = np.nanpercentile(samples, (2.5, 97.5))
    return AgreementEstimate(value, float(low), float(high))
