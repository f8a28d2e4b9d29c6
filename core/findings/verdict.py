"""The verdict on a paper: what the reader made of its sentences, weighed by two small regressions that were calibrated.

One tells whether the paper reports a result on the question, the other whether its result goes the way that is claimed.
`python -m core.training.fit_verdicts` fits both on trials that the reader was not trained on; docs/findings.md has figures.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.entailment import Direction, Entailment
from core.entailment.regression import Features, Regression, log_odds
from core.evidence.model import PaperVerdict, Stance
from core.findings.reading import Reading

MODEL = Path(__file__).parent / "verdict.json"
OF_REPORTED = (
    "first", "second", "third", "five", "abstract", "results", "claimed first", "claimed second", "cosine", "cosines",
    "title", "named", "named best", "several",
)  # fmt: skip
OF_DIRECTION = (
    "weighed", "first", "claim weighed", "claim first", "no difference", "claims none", "none as claimed",
    "none against claim", "weight",
)  # fmt: skip
_BEST = 8  # sentences that tell the direction
_TOLD = 0.5  # the least probability that a sentence is on the question before it is for or against


@dataclass(frozen=True, slots=True)
class Model:
    """What ships: regressions, and how sure a verdict must be."""

    reported: Regression
    direction: Regression
    order: Regression  # of the sentences that are shown (core.findings.order)
    firm: float  # the least probability of "supports" and "refutes"
    not_reported: float  # the greatest probability of a report of "not reported"
    right: int = 0  # in 100 firm verdicts, on cells that nothing was fitted to
    decided: int = 0  # in 100 cells of which the paper reports something


@dataclass(frozen=True, slots=True)
class Weighed:
    """A verdict, how likely it is right, and how likely the paper reports on the question at all."""

    verdict: PaperVerdict
    probability: float | None  # None: unclear is no claim that could be right
    reported: float
    supports: float  # the probability that a reported result supports the hypothesis


def stances(reading: Reading) -> tuple[Stance, ...]:
    """How each sentence bears on the hypothesis; what is hardly a result on the question is neutral."""
    found = []
    for about, directions in zip(reading.about, reading.directions, strict=True):
        told = directions[Direction.UP :] / directions[Direction.UP :].sum()
        as_claimed = float(reading.claimed[Direction.UP :] @ told)
        on_it = Stance.SUPPORTS if as_claimed > 0.5 else Stance.REFUTES
        found.append(on_it if about >= _TOLD else Stance.NEUTRAL)
    return tuple(found)


def weigh(reading: Reading, model: Model) -> Weighed:
    """The verdict on one paper: firm only where it is likely enough to be right, and a sentence says so by itself."""
    reported = model.reported.probability(of_reported(reading))
    supports = model.direction.probability(of_direction(reading))
    sure = max(supports, 1 - supports)
    if reported <= model.not_reported:
        return Weighed(PaperVerdict.NOT_REPORTED, 1 - reported, reported, supports)
    verdict, stance = (
        (PaperVerdict.SUPPORTS, Stance.SUPPORTS) if supports > 0.5 else (PaperVerdict.REFUTES, Stance.REFUTES)
    )
    if reported * sure < model.firm or stance not in stances(reading):
        return Weighed(PaperVerdict.UNCLEAR, None, reported, supports)
    return Weighed(verdict, reported * sure, reported, supports)


def of_reported(reading: Reading) -> Features:
    """What tells whether the paper reports on the question, by `OF_REPORTED`."""
    about = np.pad(reading.about, (0, 5))
    claimed = reading.support[:, [Entailment.SUPPORTED, Entailment.CONTRADICTED]].sum(axis=1) * reading.placed
    claimed = np.pad(np.sort(claimed)[::-1], (0, 2))
    parts = np.array(reading.parts)
    return np.array(
        [
            *(log_odds(about[place]) for place in range(3)),
            log_odds(about[:5].mean()),
            _best_of(reading, parts == "abstract"),
            _best_of(reading, (parts == "results") | (parts == "table")),
            log_odds(claimed[0]),
            log_odds(claimed[1]),
            reading.cosines.max(),
            np.sort(reading.cosines)[::-1][:5].mean(),
            reading.title,
            reading.named,
            reading.named_best,
            np.log1p((reading.about > 0.5).sum()),
        ]
    )


def of_direction(reading: Reading) -> Features:
    """What tells whether a reported result goes the way that is claimed, by `OF_DIRECTION`."""
    weight = reading.about[:_BEST] ** 2 + 1e-9
    told = reading.directions[:_BEST, Direction.UP :]
    told = told / told.sum(axis=1, keepdims=True)
    together = weight @ told / weight.sum()
    claims = reading.support[:_BEST, [Entailment.SUPPORTED, Entailment.CONTRADICTED]]
    claim = weight @ claims
    claimed = reading.claimed[Direction.UP :]
    none, none_claimed = together[-1], claimed[-1]
    return np.array(
        [
            log_odds(claimed @ together),
            log_odds(claimed @ told[0]),
            log_odds(claim[0] / claim.sum()),
            log_odds(claims[0, 0] / claims[0].sum()),
            none,
            none_claimed,
            none_claimed * none,
            (1 - none_claimed) * none,
            np.sqrt(weight.sum()),
        ]
    )


def _best_of(reading: Reading, rows: NDArray[np.bool_]) -> float:
    return log_odds(reading.about[rows].max()) if rows.any() else log_odds(0.0)


@cache
def shipped() -> Model:
    """The model that comes with the product, loaded once per process."""
    found = json.loads(MODEL.read_text(encoding="utf-8"))
    return Model(
        Regression.from_json(found["reported"]),
        Regression.from_json(found["direction"]),
        Regression.from_json(found["order"]),
        firm=found["firm"],
        not_reported=found["not_reported"],
        right=found["right"],
        decided=found["decided"],
    )


def how_often_right() -> str:
    """How far the verdicts made on this machine can be trusted, in words for the reviewer."""
    model = shipped()
    return (
        f"Offline, {model.right} in 100 firm verdicts were right on papers it had not seen; it gives one for {model.decided} in "
        "100 questions that a paper answers, and leaves the others to be read. A language model is not measured here until "
        "you run it on *Benchmarks*."
    )
