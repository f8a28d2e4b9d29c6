"""Plain summaries, checked sentence by sentence against the paper."""

from __future__ import annotations

from functools import partial

from core.engines import EngineOpener, TaskKind, open_engine
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

summary_engine_named: EngineOpener[SummaryEngine] = partial(open_engine, TaskKind.SUMMARY)
