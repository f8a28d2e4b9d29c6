"""Who contradicts a claim: each claim against a library of papers, with reasons and a place on an eleven-point scale."""

from __future__ import annotations

from functools import partial

from core.claims.model import (
    THRESHOLD,
    Contested,
    ContradictionEngine,
    Place,
    Side,
    Statement,
    Way,
)
from core.engines import EngineOpener, TaskKind, open_engine

contradiction_engine_named: EngineOpener[ContradictionEngine] = partial(open_engine, TaskKind.CONTRADICTIONS)

__all__ = [
    "THRESHOLD",
    "Contested",
    "ContradictionEngine",
    "Place",
    "Side",
    "Statement",
    "Way",
    "contradiction_engine_named",
]
