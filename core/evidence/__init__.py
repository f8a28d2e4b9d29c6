"""Evidence: the sentences of a paper that bear on a hypothesis, found by one of several engines."""

from __future__ import annotations

from functools import partial

from core.engines import EngineOpener, TaskKind, open_engine
from core.evidence.model import Evidence, EvidenceEngine, EvidenceQuery, EvidenceSentence, Stance
from core.grounding.model import ModelRun, NoAnswer

__all__ = [
    "Evidence",
    "EvidenceEngine",
    "EvidenceQuery",
    "EvidenceSentence",
    "ModelRun",
    "NoAnswer",
    "Stance",
    "engine_named",
]

engine_named: EngineOpener[EvidenceEngine] = partial(open_engine, TaskKind.EVIDENCE)
