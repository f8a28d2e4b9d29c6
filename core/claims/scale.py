"""Map probabilities to the eleven places of the scale, whose thresholds are measured or set by hand."""

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
# Without measurements, no place is further from the middle than the weakest one that counts as contradicted.
_FURTHEST = THRESHOLD - Place.LACK_OF_EVIDENCE


@dataclass(frozen=True, slots=True)
class Scale:
    """Thresholds of the places: fitted by `python -m core.training contradictions`, or set by hand."""

    reports: float  # the least probability of reporting at which a paper counts for or against a statement
    against: tuple[float, ...]  # the least probabilities for the places 6 to 10
    agreeing: tuple[float, ...]  # the least probabilities for the places 4 to 0
    aligned: float  # what a sentence with the same comparison adds to its direction, in log-odds
    measured: bool  # whether the thresholds were measured; otherwise they are set by hand, and places are capped

    def place(self, against: float, agreeing: float) -> Place:
        """The place for the probabilities of the likeliest paper on either side; 0 if there is none."""
        if max(against, agreeing) == 0:
            return Place.LACK_OF_EVIDENCE
        # A likely contradiction counts even if other papers agree with more certainty.
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
        """The scale from JSON.

        `figures` is empty if the scale was set by hand, not by `core.training contradictions`.
        """
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
    """The note to show beside places of the shipped scale; empty if it was measured."""
    return "" if shipped().measured else BY_HAND
