"""Plain summaries: checked sentence by sentence against the paper."""

from __future__ import annotations

from typing import Unpack

from core.engines import EngineOptions, TaskKind, open_engine
from core.summary.model import (
    WRONG,
    Check,
    FaithfulnessReport,
    Flag,
    Label,
    QuoteStatus,
    SentenceCheck,
    Span,
    SummaryEngine,
    SummarySource,
    Support,
    check_summary,
)

__all__ = [
    "WRONG",
    "Check",
    "FaithfulnessReport",
    "Flag",
    "Label",
    "QuoteStatus",
    "SentenceCheck",
    "Span",
    "SummaryEngine",
    "SummarySource",
    "Support",
    "check_summary",
    "summary_engine_named",
]


def summary_engine_named(name: str, **options: Unpack[EngineOptions]) -> SummaryEngine:
    """The engine called `name`, ready to use. Raises as `core.engines.open_engine` does."""
    engine: SummaryEngine = open_engine(TaskKind.SUMMARY, name, **options)
    return engine
