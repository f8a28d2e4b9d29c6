"""Words that several domains share, as pieces of patterns."""

from __future__ import annotations

import re

PARTICIPANTS = (
    r"(?:participants?|patients?|subjects?|women|men|mothers?|children|parents?|infants?|famil(?:y|ies)|volunteers?"
    r"|adults|students?|people|individuals)"
)
STAFF = (
    r"(?:personnel|staff|nurses?|physicians?|clinicians?|doctors?|investigators?|researchers?|care ?givers?|carers?"
    r"|(?:care |health ?care )?providers?|(?:\w+)?therapists?|midwi(?:fe|ves)|surgeons?|practitioners?|(?:study"
    r"|trial|care) team"
    r"|an(?:a)?esth(?:etist|esiologist)s?|teachers?)"
)
ASSESSORS = (
    r"(?:assessors?|evaluators?|examiners?|raters?|adjudicat\w+|(?:end ?point|outcomes?|events?|independent) committee"
    r"|observers?|interviewers?|radiologists?|pathologists?|technicians?|statisticians?|analysts?|sonographers?"
    r"|research assistants?|data collectors?|outcome assess\w+|assess\w+ of (?:the )?outcomes?)"
)
BLIND = (
    r"(?:(?<!single[- ])(?<!double[- ])(?<!triple[- ])blind(?:ed|ly)?|mask(?:ed)?|unaware|not (?:be |made |been )?aware|ignorant"
    r"|without (?:any )?knowledge"
    r"|did not know|(?:could|would) not (?:know|tell|guess|distinguish|identify)|no knowledge)"
)
NOT_BLIND = (
    r"(?:not (?:be |been |being |fully |completely )*(?:blinded|masked|blind)|un(?:blinded|masked)|non-?(?:blinded"
    r"|masked)"
    r"|(?:was|were) (?:fully )?aware of|knew)"
)
OPEN = (
    r"(?:open[- ]label(?:led)?|open(?:,? \w+)? (?:trial|study|design|randomi[sz]ed)"
    r"|(?:un|non)-?(?:blinded|masked) (?:\w+ )?(?:trial|study|design|comparison)|(?:trial|study) was (?:un"
    r"|non)-?(?:blinded|masked))"
)
ASSIGNING = r"(?:allocat\w*|assign\w*|allott\w*|randomi[sz]\w*|groups?|divided)"


def gap(longest: int) -> str:
    """Up to so many characters of one clause, with no negation or doubt among them."""
    return rf"(?:(?!\b(?:not?|nor|without|whether|if|unclear|unless)\b)[^.;]){{0,{longest}}}?"


def near(one: str, other: str, longest: int = 60) -> str:
    """Both, in either order, in one clause."""
    return rf"(?:\b{one}\b{gap(longest)}\b{other}\b|\b{other}\b{gap(longest)}\b{one}\b)"


def compiled(pattern: str) -> re.Pattern[str]:
    """Upper and lower case alike."""
    return re.compile(pattern, re.IGNORECASE)
