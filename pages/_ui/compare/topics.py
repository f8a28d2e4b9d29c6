"""Risk of bias and plain summaries: every topic with each engine's label; the chosen one is on the desk."""

from __future__ import annotations

from core.benchmarks.side_by_side.model import Comparison
from pages._ui.state import OpenPaper


def show(opened: OpenPaper, comparison: Comparison) -> None:
    """Draw the table of topics."""
