"""Two groups' values in one sentence: "60.3% in the naps group and 17.6% with none"."""

from __future__ import annotations

import re

from core.findings.claim import Claim
from core.findings.sides import balance_of
from core.summary.words import topic

_REACH = 80  # characters around a value that name its group
# What is in brackets after a value, or behind ±, is its spread; p-values and times are no group's value.
_SPREAD = re.compile(
    r"±\s?\d+(?:[.·]\d+)?|[\[(][^()\[\]]*(?:\bCIs?\b|\bSD\b|\bIQR\b|\bSE\b|[Pp]\s?[=<>]|\bn\s?=|interval)[^()\[\]]*[\])]"
    r"|(?<=\d)\s?[\[(]\s?±?\s?\d+(?:[.·]\d+)?%?(?:\s?(?:[-–,;]|to)\s?\d+(?:[.·]\d+)?%?)?\s?[\])]"
    r"|\b[Pp]\s?-?(?:values?)?\s?[=<>≤≥]\s?[\d.·]+"
    r"|\b\d+(?:[.·]\d+)?[\s-]?(?:weeks?|months?|days?|hours?|h|min(?:utes)?|years?|mg|μg|µg|patients|participants|children|women|men)\b"
    r"|\b(?:weeks?|months?|days?|years?|group|arm|table|figure|phase|type|grade|stage)\s\d+",
    re.IGNORECASE,
)
_VALUE = re.compile(r"(?<![\w.·/])[-−–]?\d+(?:[.·]\d+)?(?![\d/])")


def compared_values(text: str, claim: Claim) -> tuple[int, str] | None:
    """1 where the first two values say more under what is studied, -1 less, and the words that say so; None: unclear."""
    plain = _SPREAD.sub(lambda match: " " * len(match.group()), text)
    values = list(_VALUE.finditer(plain))
    if len(values) != 2:
        return None
    one, two = values
    first, second = _number(one.group()), _number(two.group())
    if first == second:
        return None
    between, after = _side(plain[one.end() : two.start()], claim), _side(plain[two.end() : two.end() + _REACH], claim)
    before = _side(plain[max(0, one.start() - _REACH) : one.start()], claim)
    # "60% in A and 17% in B", "A had 60% and B 17%", "A was 60%, compared to 17% for B".
    order = between - after if after else before - between
    if not order:
        return None
    return (1 if (first > second) == (order > 0) else -1), text[one.start() : two.end()]


def _side(stretch: str, claim: Claim) -> int:
    balance = balance_of(topic(stretch), claim)
    return (balance > 0) - (balance < 0)


def _number(written: str) -> float:
    size = float(written.lstrip("-−–").replace("·", "."))
    return -size if written[0] in "-−–" else size
