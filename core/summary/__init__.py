"""Plain summaries: checked sentence by sentence against the paper."""

from core.summary.check import check_summary
from core.summary.model import (
    Check,
    FaithfulnessReport,
    Flag,
    Inconsistency,
    Label,
    OwnLabel,
    QuoteStatus,
    SentenceCheck,
    Span,
    SummaryEngine,
    SummarySource,
    Support,
)

__all__ = [
    "Check",
    "FaithfulnessReport",
    "Flag",
    "Inconsistency",
    "Label",
    "OwnLabel",
    "QuoteStatus",
    "SentenceCheck",
    "Span",
    "SummaryEngine",
    "SummarySource",
    "Support",
    "check_summary",
]
