"""Read a sentence without what it says about other studies or plans, and recognise denials."""

from __future__ import annotations

import re
from collections.abc import Iterator

_LONGEST = 1500  # characters looked at: a table row may run on for pages

# A clause about something other than what this study did is left out, but the rest of the sentence is kept.
_OTHERS = re.compile(
    r"\b(?:previous|earlier|prior|other|another|past) (?:[\w-]+ ){0,2}(?:trials?|stud(?:y|ies)|reports?|work|reviews?"
    r"|treatments?|experience|results)\b"
    r"|\bet al\b",
    re.IGNORECASE,
)
_PLANS = re.compile(
    r"\b(?:will|would|shall) (?:then |also )?be (?:randomi|random|allocat|assign|blind|mask|conceal|analy|report"
    r"|record)"
    r"|\b(?:is|are|was|were) (?:to be|planned)\b",
    re.IGNORECASE,
)
_CLAUSE = re.compile(
    r"(?<=[.;])\s+|,?\s+(?=(?:although|though|whereas|while|however|but)\b)|(?<=\w),\s+(?=(?:we|they)\b)", re.IGNORECASE
)
_DENIAL = re.compile(
    r"\b(?:not?|never|without|neither|nor|unable|impossible|cannot|\w+n't|lack\w*|failed|rather than|instead of"
    r"|avoid\w*|prevent\w*|unclear|unknown|uncertain|whether|if|insufficient|none)\b",
    re.IGNORECASE,
)
_END_OF_REACH = re.compile(r"[.;:,]|\b(?:but|and|although|however)\b", re.IGNORECASE)


def clauses_on_this_study(sentence: str) -> Iterator[str]:
    """The runs of clauses that speak of what this study did."""
    kept: list[str] = []
    for clause in _CLAUSE.split(sentence[:_LONGEST]):
        if _OTHERS.search(clause) or _PLANS.search(clause):
            if kept:
                yield " ".join(kept)
            kept = []
        else:
            kept.append(clause)
    if kept:
        yield " ".join(kept)


def is_denied(before: str) -> bool:
    """Whether the text before some words takes them back: a negation or doubt in the same clause."""
    return _DENIAL.search(_END_OF_REACH.split(before)[-1]) is not None
