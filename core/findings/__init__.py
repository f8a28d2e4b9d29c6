"""Findings: what a paper says about a hypothesis, as one row: verdict, strongest sentences and effect."""

from core.findings.finding import find
from core.findings.model import Effect, Finding, Passage
from core.findings.stated_effects import effects

__all__ = ["Effect", "Finding", "Passage", "effects", "find"]
