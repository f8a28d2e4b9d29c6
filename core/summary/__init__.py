"""Plain summaries: checked sentence by sentence against the paper."""

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
]
