"""Evidence: the sentences of a paper that bear on a hypothesis, found by one of several engines."""

from core.evidence.engines import DEFAULT_ENGINE, EngineStatus, engine_named, engine_statuses
from core.evidence.model import Evidence, EvidenceEngine, EvidenceQuery, EvidenceSentence, Stance
from core.grounding.model import ModelRun, NoAnswer

__all__ = [
    "DEFAULT_ENGINE",
    "EngineStatus",
    "Evidence",
    "EvidenceEngine",
    "EvidenceQuery",
    "EvidenceSentence",
    "ModelRun",
    "NoAnswer",
    "Stance",
    "engine_named",
    "engine_statuses",
]
