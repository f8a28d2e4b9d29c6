"""Which of the ranker's topics tell about a domain of a tool, and what is preferred among their sentences.

CONSORT has one item where tools have two or more domains (11a: who was blinded), and tools have one domain where
CONSORT has several items (RoB 2's first). A domain that is not named here has no trained topic.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

_ASSESSING = re.compile(
    r"\b(?:assessors?|raters?|adjudicat\w+|evaluat\w+|examiners?|radiologists?|pathologists?|observers?|interviewers?"
    r"|analysts?|outcomes?|endpoints?|assess\w*|measured|scored|read by|statistician)\b",
    re.IGNORECASE,
)
_TREATING = re.compile(
    r"\b(?:participants?|patients?|subjects?|famil(?:y|ies)|parents?|personnel|staff|care ?givers?|clinicians?|physicians?"
    r"|nurses?|therapists?|placebo|identical|open[- ]label|double[- ]blind\w*|double[- ]mask\w*)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Topics:
    """The topics of a domain; a sentence counts by the best of them, and more where it speaks of what is preferred."""

    names: tuple[str, ...]
    preferred: re.Pattern[str] | None = None


TOPICS_OF: Mapping[str, Topics] = {
    # RoB 1
    "sequence": Topics(("sequence",)),
    "concealment": Topics(("concealment",)),
    "performance": Topics(("blinding",), _TREATING),
    "detection": Topics(("blinding",), _ASSESSING),
    "attrition": Topics(("attrition",)),
    "reporting": Topics(("reporting",)),
    "other": Topics(("other",)),
    # RoB 2
    "D1": Topics(("sequence", "concealment")),
    "D2": Topics(("blinding", "attrition"), _TREATING),
    "D3": Topics(("attrition",)),
    "D4": Topics(("blinding",), _ASSESSING),
    "D5": Topics(("reporting",)),
    # both domains of blinding together, as CONSORT has them
    "blinding": Topics(("blinding",)),
}
PREFERENCE = 1.5  # log-odds for a sentence that speaks of what is preferred
