"""Find a paper's claims, and the papers of a library that contradict them, with reasons and an eleven-point scale."""

from __future__ import annotations

from functools import partial

from core.claims.model import (
    THRESHOLD,
    Claim,
    ClaimEngine,
    Contested,
    ContradictionEngine,
    Place,
    Side,
    Statement,
    Way,
)
from core.engines import EngineOpener, TaskKind, open_engine

claim_engine_named: EngineOpener[ClaimEngine] = partial(open_engine, TaskKind.CLAIMS)
contradiction_engine_named: EngineOpener[ContradictionEngine] = partial(open_engine, TaskKind.CONTRADICTIONS)

__all__ = [
    "THRESHOLD",
    "Claim",
    "ClaimEngine",
    "Contested",
    "ContradictionEngine",
    "Place",
    "Side",
    "Statement",
    "Way",
    "claim_engine_named",
    "contradiction_engine_named",
]
