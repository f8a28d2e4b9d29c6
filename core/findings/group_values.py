"""Groups' values in one sentence: "60.3% in the naps group, 17.6% with walks and 13.9% with both"."""

from __future__ import annotations

import re

from core.findings.beside_the_point import blank
from core.findings.claim import Claim
from core.findings.sides import balance_of
from core.summary.words import topic

_REACH = 80  # characters around a value that name its group
_INNER = re.compile(r"[(\[](?:CIs?|[OHR]R|SDs?|IQR|SEM?)[)\]]")  # within other brackets
# A count beside its share in brackets: the share is the value.
_COUNT = re.compile(
    r"\b\d+(?:\s?/\s?\d+|\s(?:out )?of(?: the)? \d+|\s[a-z]{3,}){0,2}\s?(?=[(\[]\s?\d+(?:[.·]\d+)?\s?%\s?[)\]])"
)
# What is in brackets after a value, or behind ±, is its spread; p-values and times are no group's value.
_SPREAD = re.compile(
    r"±\s?\d+(?:[.·]\d+)?"
    r"|[\[(][^()\[\]]*(?:\bCIs?\b|\bSDs?\b|\bIQR\b|\bSEM?\b|[Pp]\s?[=<>≤]|[Pp]-?\s?values?|\bn\s?=|interval)[^()\[\]]*[\])]"
    r"|(?<=\d)\s?[\[(]\s?±?\s?\d+(?:[.·]\d+)?%?(?:\s?(?:[-–,;]|to)\s?\d+(?:[.·]\d+)?%?)?\s?[\])]"
    r"|\b[Pp]\s?-?(?:values?)?\s?[=<>≤≥]\s?[\d.·]+"
    r"|\b\d+(?:[.·]\d+)?[\s-]?(?:weeks?|months?|days?|hours?|h|min(?:utes)?|years?|mg|μg|µg|patients|participants|children|women|men)\b"
    r"|\b(?:weeks?|months?|days?|years?|group|arm|table|figure|phase|type|grade|stage)\s\d+(?![\d.·]|\s?%)",
    re.IGNORECASE,
)
_VALUE = re.compile(r"(?<![\w.·/])[-−–]?\d+(?:[.·]\d+)?(?![\d/])")


def compared_values(text: str, claim: Claim) -> tuple[int, str] | None:
    """1 where the first values of both groups say more under what is studied, -1 less, and the words that say so.

    None: there are not two values, they are the same, or it is unclear whose they are.
    """
    plain = _SPREAD.sub(blank, _COUNT.sub(blank, _INNER.sub(blank, text)))
    values = list(_VALUE.finditer(plain))
    pair = _pair(plain, values, claim)
    if pair is None:
        return None
    studied, beside = (values[place] for place in pair)
    ours, theirs = _number(studied.group()), _number(beside.group())
    if ours == theirs:
        return None
    return (1 if ours > theirs else -1), text[values[min(pair)].start() : values[max(pair)].end()]


def _pair(plain: str, values: list[re.Match[str]], claim: Claim) -> tuple[int, int] | None:
    """Which value is of what is studied, and which of the comparator."""
    if len(values) < 2:
        return None
    edges = [max(0, values[0].start() - _REACH), *(value.end() for value in values)]
    before = [_side(plain[edge : value.start()], claim) for edge, value in zip(edges[:-1], values, strict=True)]
    after = [*before[1:], _side(plain[values[-1].end() : values[-1].end() + _REACH], claim)]
    named = after if after[-1] else before  # "60% in A and 17% in B", "A had 60% and B 17%"
    if len(values) == 2:  # the name of one is enough: "A was 60%, compared to 17% for B"
        return None if named[0] == named[1] else (0, 1) if named[0] > named[1] else (1, 0)
    return (named.index(1), named.index(-1)) if 1 in named and -1 in named else None


def _side(stretch: str, claim: Claim) -> int:
    balance = balance_of(topic(stretch), claim)
    return (balance > 0) - (balance < 0)


def _number(written: str) -> float:
    size = float(written.lstrip("-−–").replace("·", "."))
    return -size if written[0] in "-−–" else size
