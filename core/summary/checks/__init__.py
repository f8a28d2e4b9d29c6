"""Checks that say in words what is wrong with a summary sentence. Each looks at one thing and knows nothing of the score."""

from __future__ import annotations

from core.summary.checks.certainty import check_absolutes, check_certainty
from core.summary.checks.direction import check_directions
from core.summary.checks.entity import check_entities
from core.summary.checks.model import Claim, Finding, Source
from core.summary.checks.number import check_numbers
from core.summary.checks.role import check_roles
from core.summary.support import Candidate

CHECKS = (check_numbers, check_directions, check_roles, check_certainty, check_absolutes, check_entities)
MEASURES = (
    "number", "number_replaced", "number_elsewhere", "unit",
    "direction", "direction_here", "difference", "difference_here",
    "turned", "group", "group_unknown",
    "certainty", "strong", "cause", "absolute", "absolute_weak",
    "name", "word",
)  # fmt: skip


# What is hardly ever found in a sentence that is right: together they are one measure more.
TELLING = frozenset(MEASURES) - {
    "number_elsewhere", "direction", "difference", "group_unknown", "absolute_weak", "word",
}  # fmt: skip


def findings_on(claim: Claim) -> tuple[Finding, ...]:
    """All that the checks find, in their order."""
    return tuple(finding for check in CHECKS for finding in check(claim))


__all__ = ["CHECKS", "MEASURES", "TELLING", "Candidate", "Claim", "Finding", "Source", "findings_on"]
