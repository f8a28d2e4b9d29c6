"""What reviewers write themselves beside or instead of a quotation: "Probably done", "Insufficient information"."""

from __future__ import annotations

from core.bias.model import Level
from core.bias.rules.model import Rule, first_of
from core.bias.rules.words import compiled

_SAYING = (
    r"(?:described|reported|stated|mentioned|specified|clear|given|provided|known|addressed|discussed"
    r"|indicated|documented|explained|detailed|available)"
)
_RULES = (
    Rule(
        Level.HIGH,
        compiled(r"\bprobably not (?:done|adequate)\b|\binadequate(?:ly)?\b|\bhigh risk\b"),
        "so the reviewer",
        unless_after=compiled(r"\s*(?:reported|described|information|detail)"),
    ),
    Rule(
        Level.LOW,
        compiled(r"\bprobably (?:done|adequate|blinded)\b|\badequate(?:ly)?\b|\blow risk\b"),
        "so the reviewer",
        unless_after=compiled(r"\s*(?:reported|described|information|detail|or high|to)"),
    ),
    Rule(
        Level.UNCLEAR,
        compiled(
            r"\binsufficient(?:ly)?\b[^.;]{0,40}|\bnot enough (?:information|detail)"
            r"|\binadequate(?:ly)? (?:information|detail|described|reported)"
            r"|\b(?:no|little|limited) (?:further |other |clear |specific )?(?:information|details?|mention"
            r"|description|statement|comment)s?\b"
            rf"|\bnot (?:\w+ ){{0,2}}?{_SAYING}\b|\bunclear\b|\bunknown\b|\buncertain\b|\bcannot be (?:assessed"
            rf"|judged|determined)"
            r"|\b(?:did|does|do) not (?:describe|report|state|mention|specify|say|give)\b|\bnothing is said\b"
            r"|\bfail\w* to (?:report|describe|mention)\b|\bwithout (?:more|details?|further)\b"
        ),
        "too little is reported to tell",
        denied=False,
    ),
)

verdict = first_of(_RULES)
