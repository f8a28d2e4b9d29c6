"""What reviewers write themselves beside or instead of a quotation: "Probably done", "Insufficient information"."""

from __future__ import annotations

from collections.abc import Sequence

from core.bias.model import Level
from core.bias.rules.model import Finding, Rule, first_of
from core.bias.rules.words import compiled

_SAYING = (
    r"(?:described|reported|stated|mentioned|specified|clear|given|provided|known|addressed|discussed|indicated"
    r"|documented|explained|detailed|available)"
)
_GOOD_OR_BAD = first_of(
    (
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
    )
)
_TOO_LITTLE = Rule(
    Level.UNCLEAR,
    compiled(
        r"\binsufficient(?:ly)?\b[^.;]{0,40}|\bnot enough (?:information|detail)"
        r"|\binadequate(?:ly)? (?:information|detail|described|reported)"
        r"|\b(?:no|little|limited) (?:further |other |clear |specific )?(?:information|details?|mention|description|statement|comment)s?\b"
        rf"|\bnot (?:\w+ ){{0,2}}?{_SAYING}\b|\bunclear\b|\bunknown\b|\buncertain\b"
        rf"|\bcannot be (?:assessed|judged|determined)"
        r"|\b(?:did|does|do) not (?:describe|report|state|mention|specify|say|give)\b|\bnothing is said\b"
        r"|\bfail\w* to (?:report|describe|mention)\b|\bwithout (?:more|details?|further)\b"
    ),
    "too little is reported to tell",
    denied=False,
)
_COMMENT = compiled(r"\b(?:comments?|judge?ments?)\b\W")
_SHORT = 8  # words: a longer sentence that speaks of something adequate is hardly a verdict


def verdict(sentences: Sequence[str]) -> Finding | None:
    """A reviewer's own word for it: in a comment, or in a sentence that says nothing else."""
    return _GOOD_OR_BAD([_comment(sentence) for sentence in sentences]) or _TOO_LITTLE.find(sentences)


def _comment(sentence: str) -> str:
    comment = _COMMENT.search(sentence)
    if comment is not None:
        return sentence[comment.end() :]
    return sentence if len(sentence.split()) <= _SHORT else ""
