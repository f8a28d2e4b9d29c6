"""Which of the ranker's topics tell about a domain of a tool.

CONSORT has one item where tools have two or more domains (11a: who was blinded), and tools have one domain where
CONSORT has several items (RoB 2's first). A domain that is not named here has no trained topic.
"""

from __future__ import annotations

from collections.abc import Mapping

# Each topic by the names that the two models give it, CONSORT's and that of the trials that were read, with their shares of
# the score: as much of the second as costs the first nothing, cross-validated (docs/bias.md).
_SEQUENCE = {"sequence": 0.85, "read sequence": 0.15}
_CONCEALMENT = {"concealment": 0.85, "read concealment": 0.15}
_PERFORMANCE = {"blinding": 0.5, "read performance": 0.5}
_DETECTION = {"blinding": 0.5, "read detection": 0.5}
_ATTRITION = {"attrition": 0.5, "read attrition": 0.5}
_REPORTING = {"reporting": 0.5, "read reporting": 0.5}

# Domain -> its topics; a sentence counts by the best of them.
TOPICS_OF: Mapping[str, tuple[Mapping[str, float], ...]] = {
    # RoB 1
    "sequence": (_SEQUENCE,),
    "concealment": (_CONCEALMENT,),
    "performance": (_PERFORMANCE,),
    "detection": (_DETECTION,),
    "attrition": (_ATTRITION,),
    "reporting": (_REPORTING,),
    "other": ({"other": 1.0},),
    # RoB 2
    "D1": (_SEQUENCE, _CONCEALMENT),
    "D2": (_PERFORMANCE, _ATTRITION),
    "D3": (_ATTRITION,),
    "D4": (_DETECTION,),
    "D5": (_REPORTING,),
    # both domains of blinding together, as CONSORT has them
    "blinding": ({"blinding": 1.0},),
}
