"""Agreement of two reviewers on a domain, beyond chance.

Studies that only one of them has judged are left out and counted. Intervals are percentiles of a bootstrap over studies, or
over papers if several judgements are of one paper.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

# Four studies have 35 different bootstrap samples, five have 126. Below five, 2.5% of the samples is less than one, so the
# percentile is the extreme, and one or two studies that agree would give "100% to 100%".
FEWEST_FOR_INTERVAL = 5
_SAMPLES = 2_000
_SEED = 20_260_101

Label = TypeVar("Label")  # a level of risk of bias, or any other category that two people assign

Floats = NDArray[np.float64]
# A statistic of tables (..., q, q), which hold shares of studies by both reviewers' levels. It is NaN where undefined.
Statistic = Callable[[Floats], Floats]


@dataclass(frozen=True, slots=True)
class AgreementEstimate:
    """A statistic and its 95% interval. The value is None if undefined: no studies, or all judgements equal.

    Below `FEWEST_FOR_INTERVAL` studies there is a value without an interval.
    """

    value: float | None
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Agreement:
    """The agreement of two reviewers on one domain, or on anything else they judge."""

    pairs: int  # studies that both have judged
    unpaired: int  # studies that only one has judged
    agreed: AgreementEstimate  # share of equal judgements, 0 to 1
    kappa: AgreementEstimate  # Cohen 1960
    weighted_kappa: AgreementEstimate  # Cohen 1968, linear weights: levels further apart disagree more
    ac1: AgreementEstimate  # Gwet 2008: stays meaningful if nearly all judgements are equal


def agreement(
    pairs: Sequence[tuple[Label | None, Label | None]],
    scale: tuple[Label, ...],
    papers: Sequence[Hashable] | None = None,
) -> Agreement:
    """The agreement on `pairs`, one pair per study; None means not judged.

    The scale goes from best to worst, if the levels have an order. `papers` names the paper of each pair, for the case that
    several pairs are of one paper: the bootstrap then draws whole papers. Raises `ValueError` for a level that is not on
    the scale.
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
    """1 - observed disagreement / disagreement by chance; NaN if chance gives none.

    `shares` are tables (..., q, q). `disagreement` is a weight for each pair of levels; by default, 1 for unequal levels.
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
    """Bootstrap samples of the papers, as shares of judgements (samples, q, q).

    Papers with equal tables are drawn as one kind: with one judgement per paper, this draws cells of the table.
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
    """The statistic, with an interval if there are enough papers and it is defined in at least half of the samples."""
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
