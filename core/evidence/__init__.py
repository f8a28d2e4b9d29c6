"""Evidence: the sentences of a paper that bear on a hypothesis, found by one of several engines."""

from __future__ import annotations

from typing import Unpack

from core.engines import EngineOptions, TaskKind, open_engine
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


def engine_named(name: str, **options: Unpack[EngineOptions]) -> EvidenceEngine:
    """The engine called `name`, ready to use. Raises as `core.engines.open_engine` does."""
    engine: EvidenceEngine = open_engine(TaskKind.EVIDENCE, name, **options)
    return engine
