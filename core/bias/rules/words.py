"""Words that several domains share, as pieces of patterns."""

from __future__ import annotations

import re

PARTICIPANTS = (
    r"(?:participants?|patients?|subjects?|women|men|mothers?|children|parents?|infants?|famil(?:y|ies)|volunteers?"
    r"|adults|students?|people|individuals)"
)
STAFF = (
    r"(?:personnel|staff|nurses?|physicians?|clinicians?|doctors?|investigators?|researchers?|care ?givers?|carers?"
    r"|(?:care |health ?care )?providers?|(?:\w+)?therapists?|midwi(?:fe|ves)|surgeons?|practitioners?"
    r"|(?:study|trial|care) team|an(?:a)?esth(?:etist|esiologist)s?|teachers?)"
)
ASSESSORS = (
    r"(?:assessors?|evaluators?|examiners?|raters?|adjudicat\w+"
    r"|(?:end ?point|outcomes?|events?|independent) committee|observers?|interviewers?|radiologists?|pathologists?"
    r"|technicians?|statisticians?|analysts?|sonographers?|research assistants?|data collectors?|outcome assess\w+"
    r"|assess\w+ of (?:the )?outcomes?)"
)
BLIND = (
    r"(?:(?<!single[- ])(?<!double[- ])(?<!triple[- ])blind(?:ed|ly)?|mask(?:ed)?|unaware"
    r"|not (?:be |made |been )?aware|ignorant|without (?:any )?knowledge|did not know"
    r"|(?:could|would) not (?:know|tell|guess|distinguish|identify)|no knowledge)"
)
NOT_BLIND = (
    r"(?:not (?:be |been |being |fully |completely )*(?:blinded|masked|blind)|un(?:blinded|masked)"
    r"|non-?(?:blinded|masked)|(?:was|were) (?:fully )?aware of|knew)"
)
OPEN = (
    r"(?:open[- ]label(?:led)?|open(?:,? \w+)? (?:trial|study|design|randomi[sz]ed)"
    r"|(?:un|non)-?(?:blinded|masked) (?:\w+ )?(?:trial|study|design|comparison)"
    r"|(?:trial|study) was (?:un|non)-?(?:blinded|masked))"
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
