"""What in a sentence is no result of what is studied: how groups were before it, and how patients differ from the healthy."""

from __future__ import annotations

import re

from core.findings.claim import Claim
from core.findings.lexicon import BASELINE, any_of
from core.summary.words import topic

_START = r"(?:baseline|entry|start|enroll?ment|admission|inclusion|randomi[sz]ation|study entry|outset)"
_TREATED = r"(?:(?:the|any|study|drug)\s+)*(?:treatment|interventions?|therapy|randomi[sz]ation|supplementation|inclusion|enroll?ment)"
_NOT_GIVEN = r"(?<!given )(?<!taken )(?<!administered )(?<!started )"  # "aspirin given on admission"
# Treatments are given before these, or are these.
_EVENT = r"(?:(?:the|any|study|drug)\s+)*(?:surgery|operation|training|exercise|infusion|injection|administration|anaesthesia|anesthesia)"
_AT_BASELINE = any_of(
    rf"{_NOT_GIVEN}\b(?:at|on) (?:the )?{_START}\b|\b(?:in|for) (?:the )?baseline\b",
    r"\bbaseline (?:\w+ ){0,2}(?:characteristics|demographics|data|values|variables)",
    r"\bdemographic|\bcharacteristics (?:were|was|of the)",
)
_BEFOREHAND = any_of(
    rf"(?<!with )(?<!to )(?<!than )(?<!from )(?<!and ){_NOT_GIVEN}\b(?:before|prior to) {_TREATED}\b",
    r"\b(?:baseline|pre-?(?:treatment|intervention|test)) (?!with\b)(?:\w+ ){0,3}(?:was|were|did|differ\w*|similar|comparable)\b",
    rf"(?:{_NOT_GIVEN}\b(?:before|prior to) {_EVENT},?|\bpre-?(?:operative(?:ly)?|training)) (?:\w+ ){{0,3}}(?:was|were|did)"
    r" (?:\w+ ){0,2}?(?:differ|similar|comparable)\b",
)
# Said of groups that are alike, of nothing that came after.
_MATCHED = any_of(
    r"\b(?:groups|arms|patients|participants|subjects|cohorts) (?:\w+ ){0,3}(?:matched|balanced)\b",
    r"\b(?:matched|balanced|comparable|similar|not differ\w*|no (?:statistically )?(?:significant )?differences?)\b[^.;]{0,60}"
    r"\b(?:(?<!at )(?<!the )(?<!any )(?<!gestational )(?<!-)age(?! of|[ -]groups?)|sex(?! hormone)|gender"
    r"|demograph\w+|ethnicity|educational level|marital status)\b",
)
# A time after the start: what a sentence says with it is of a change.
_LATER_ON = any_of(
    r"\b(?:after|following|post-?\w*|follow-?up|final|end of|later|thereafter|chang\w+|from baseline|than at|compared (?:with|to) baseline)\b",
    r"\bat (?:week|day|month|year)s? [1-9]|\bat (?:\d+|two|three|four|six|eight|twelve) (?:weeks?|months?|days?|years?|hours?)",
)
# What a result was freed from, and who it is of, tell no time.
_NO_TIME = any_of(
    r"\b(?:adjust\w*|controll\w*|correct\w*|account\w*|allow\w*) for [^;,()]*",
    r"\b(?:regardless|irrespective|independent(?:ly)?) of [^;,()]*",
    r"\b(?:those|who (?:were|was|had|did)|(?:patients|participants|subjects|people|individuals|women|men|children) (?:with|without))"
    r" (?:(?!were|was|had|did|differ)[\w-]+ ){0,5}at baseline",
    r"\bbaseline[- ]adjusted",
)
# A change told beside where it began is one over time.
_BESIDE_BASELINE = any_of(
    r"\b(?:(?:as |when )?compared (?:with|to)|in comparison (?:with|to)|versus|vs\.?|relative to|than)"
    r" (?:(?:the|their|its|those|values?|levels?|at|of|before|prior to) ){0,4}(?:baseline|pre-?(?:treatment|intervention|operative|test|training))"
    r"(?: (?:values?|levels?|scores?))?\b",
)
_HEALTHY = any_of(r"\bhealthy\b|\bnormals?\b|\bvolunteers?\b|\bnon-?diseased\b|\bnon-\w+")
_WELL = (
    r"(?:(?:healthy|normal|unaffected|disease-free|non-?diseased)\s+(?:\w+\s+){0,2}"
    r"(?:controls?|subjects?|volunteers?|individuals?|people|persons?|participants?|women|men|children|donors?|population))"
)
_WHOSE = r"(?:(?:the|an?|of|in|those|that|group|age|sex|gender|bmi|matched|and|young|older|elderly|adult)[\s-]+){0,6}"
_AGAINST = r"(?:than|(?:when )?compared (?:with|to)|in comparison (?:with|to)|versus|vs\.?|relative to|differ\w* from)"
_BESIDE_THE_HEALTHY = any_of(
    rf"\b{_AGAINST} {_WHOSE}{_WELL}",
    rf"\b{_WELL}[^.;,]{{0,60}} {_AGAINST} {_WHOSE}(?:\w+ )?(?:patients|cases)",
    rf"\bbetween (?:\w+[\s-]){{0,6}}patients (?:\w+ ){{0,4}}and {_WHOSE}{_WELL}",
)
# Groups by how they fared or what they had, not by what they were given: "in survivors than in non-survivors".
_FARED = (
    r"(?:surviv\w+|respon[ds]\w+|remitt\w+|progress\w+|relaps\w+|recur\w+|convert\w+|complet\w+|diabetic\w*|hypertensive\w*|asthmatic\w*"
    r"|obese|septic|infected|anaemic|anemic|depressed|cirrhotic\w*|pregnant|cases?)"
)
_BESIDE_THE_OTHERS = any_of(
    rf"\b(?P<those>{_FARED})\b[^.;]{{0,80}} {_AGAINST} [^.;,]{{0,30}}\bnon-?(?P=those)\b",
    rf"\bnon-?(?P<others>{_FARED})\b[^.;]{{0,80}} {_AGAINST} [^.;,]{{0,30}}(?<!non)(?<!-)\b(?P=others)\b",
)
# Where a sentence turns to something else: what stands on one side says nothing of the other.
_TURN = re.compile(
    r";\s|,?\s(?:but|however|yet)\b|,\s(?=and\s(?:at|after|on|by)\s)|(?:^(?:although|though|while|despite)\b[^,]*),",
    re.IGNORECASE,
)


def results_in(text: str, claim: Claim) -> str:
    """The text with what is beside the point blanked out, every other letter in its place."""
    asks_before = BASELINE.search(claim.text) is not None
    asks_healthy = _HEALTHY.search(claim.text) is not None
    if asks_before and asks_healthy:
        return text
    if not asks_before:
        text = _BESIDE_BASELINE.sub(blank, text)
    plain = _NO_TIME.sub(blank, text)
    if not (_is_before(plain, claim) or _is_of_others(plain, claim)):
        return text
    parts, start = [], 0
    for turn in (*_TURN.finditer(text), None):
        end = turn.end() if turn else len(text)
        part = plain[start:end]
        before = not asks_before and _is_before(part, claim)
        healthy = not asks_healthy and _is_of_others(part, claim)
        parts.append(" " * (end - start) if before or healthy else text[start:end])
        start = end
    return "".join(parts)


def _is_before(part: str, claim: Claim) -> bool:
    """Whether groups are compared as they were before they were treated."""
    for match in (*_AT_BASELINE.finditer(part), *_MATCHED.finditer(part)):
        if (
            not topic(match.group().split()[-1]) & claim.outcome
        ):  # "gestational age", "admission" may be what was studied
            return True
    return _BEFOREHAND.search(part) is not None and _LATER_ON.search(part) is None


def _is_of_others(part: str, claim: Claim) -> bool:
    """Whether groups are compared that nobody treated: patients and healthy people, or survivors and the others."""
    if _BESIDE_THE_HEALTHY.search(part):
        return True
    match = _BESIDE_THE_OTHERS.search(part)
    return match is not None and not topic(match["those"] or match["others"]) & claim.intervention


def blank(match: re.Match[str]) -> str:
    """As many spaces: what comes after keeps its place."""
    return " " * len(match.group())
