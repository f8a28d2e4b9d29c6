"""RoB 1's criteria as rules over wording, one file a domain: what a sentence must say, and which level that makes."""

from __future__ import annotations

from collections.abc import Mapping

from core.bias.rules import attrition, concealment, detection, other, performance, reporting, sequence
from core.bias.rules.model import Finding, Rulebook

# By the domain's id in RoB 1.
RULEBOOKS: Mapping[str, Rulebook] = {
    "sequence": sequence.RULEBOOK,
    "concealment": concealment.RULEBOOK,
    "performance": performance.RULEBOOK,
    "detection": detection.RULEBOOK,
    "attrition": attrition.RULEBOOK,
    "reporting": reporting.RULEBOOK,
    "other": other.RULEBOOK,
}

__all__ = ["RULEBOOKS", "Finding", "Rulebook"]
