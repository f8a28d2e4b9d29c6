"""The scale from probabilities to the eleven places, and whether anybody has measured what a place is worth."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from core.claims.model import THRESHOLD, Place

SCALE = Path(__file__).parent / "scale.json"
BY_HAND = "The places of the scale are set by hand and not measured: nothing is called more than a contradiction or an agreement."
_AGREE = (
    Place.POSSIBLY_AGREEMENT,
    Place.NUANCED_AGREEMENT,
    Place.AGREEMENT,
    Place.STRONG_AGREEMENT,
    Place.EXPLICIT_AGREEMENT,
)
_AGAINST = tuple(Place)[Place.POSSIBLY_CONTRADICTION :]
# Where nothing was measured, no place is further from the middle than the weakest that counts as contradicted.
_FURTHEST = THRESHOLD - Place.LACK_OF_EVIDENCE


@dataclass(frozen=True, slots=True)
class Scale:
    """From probabilities to a place: fitted by `python -m core.training contradictions`, or set by hand."""

    reports: float  # the least probability that a paper reports before it says anything of a statement
    against: tuple[float, ...]  # the least likelihoods of the places 6 to 10
    agreeing: tuple[float, ...]  # of the places 4 to 0
    aligned: float  # by how much, in log-odds, a sentence that makes the same comparison tells more than the reader
    measured: bool  # whether figures tell what the places are worth; else they are set by hand, and capped

    def place(self, against: float, agreeing: float) -> Place:
        """Of what the likeliest paper on either side gives; 0: there is none."""
        if max(against, agreeing) == 0:
            return Place.LACK_OF_EVIDENCE
        # A sure contradiction counts, whoever agrees beside it.
        contradicted = against >= min(agreeing, self.against[2])
        places, cuts, sure = (_AGAINST, self.against, against) if contradicted else (_AGREE, self.agreeing, agreeing)
        above = [place for place, least in zip(places, cuts, strict=True) if sure >= least]
        found = above[-1] if above else Place.LACK_OF_EVIDENCE
        if self.measured:
            return found
        middle = Place.LACK_OF_EVIDENCE
        return Place(max(middle - _FURTHEST, min(middle + _FURTHEST, found)))

    @classmethod
    def from_json(cls, found: Mapping[str, Any]) -> Scale:
        """What `core.training contradictions` wrote, or somebody by hand, without figures."""
        return cls(
            found["reports"],
            tuple(found["against"]),
            tuple(found["agreeing"]),
            found["aligned"],
            measured=bool(found["figures"]),
        )


@cache
def shipped() -> Scale:
    """The scale that comes with the product, loaded once per process."""
    return Scale.from_json(json.loads(SCALE.read_text(encoding="utf-8")))


def note() -> str:
    """What is to be said beside places by the shipped scale; empty where they were measured."""
    return "" if shipped().measured else BY_HAND
