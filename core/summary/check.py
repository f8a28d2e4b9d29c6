"""The one question that is asked of every engine."""

from __future__ import annotations

from core.errors import QueryError
from core.paper import Paper
from core.progress import Progress, silent
from core.summary.model import FaithfulnessReport, SummaryEngine, SummarySource


def check_summary(
    summary: str,
    paper: Paper,
    *,
    engine: SummaryEngine,
    source: SummarySource = SummarySource.WHOLE,
    progress: Progress = silent,
) -> FaithfulnessReport:
    """Check each sentence of a summary against the paper.

    Raises `QueryError` if the summary holds no letter or digit.
    """
    if not any(map(str.isalnum, summary)):
        raise QueryError("The summary is empty. Write or paste at least one sentence about the paper.")
    return engine.check(summary, paper, source=source, progress=progress)
