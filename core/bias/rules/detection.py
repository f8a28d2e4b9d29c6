"""Blinding of outcome assessment: did those who determined the outcomes know the assignment?"""

from __future__ import annotations

from collections.abc import Sequence

from core.bias.model import Level
from core.bias.rules.model import Finding, Rule, Rulebook, first_of
from core.bias.rules.performance import NOT_DONE, UNLIKELY_TO_MATTER
from core.bias.rules.verdicts import verdict
from core.bias.rules.words import ASSESSORS, BLIND, OPEN, PARTICIPANTS, STAFF, compiled, gap, near

_ASSESSING = (
    r"(?:assess\w*|evaluat\w*|measur\w*|read|rated|rating|adjudicat\w*|collect\w*|interview\w*|scored|scoring|coded"
    r"|analy[sz]ed|examin\w*|judged|determined)"
)
_KNEW = Rule(
    Level.HIGH,
    compiled(
        rf"\b(?:un-?blinded|un-?masked|non-?blinded|non-?masked) (?:\w+ )?(?:{ASSESSORS}|{STAFF})\b[^.;,]{{0,40}}"
        rf"|\b{ASSESSORS}\b{gap(40)}\b(?:not (?:be |been )?(?:blinded|masked|blind)|could not be (?:blinded|masked)"
        rf"|unblinded|unmasked|knew|(?:was|were) aware)\b[^.;,]{{0,30}}"
        rf"|\b(?:no|without|lack of) (?:blinding|masking) (?:of|for|in) (?:the )?(?:outcomes?|assess\w*|{ASSESSORS})\b[^.;,]{{0,20}}"
        r"|\b(?:outcomes?|outcome assess\w*|assessments?|evaluations?|measurements?)\b(?: \w+){0,3} (?:was"
        r"|were) (?:not|un)[- ]?(?:blinded|masked|blind|done blind\w*)"
        rf"|\b{STAFF} who (?:\w+ )?(?:assessed|evaluated|measured|rated|examined"
        rf"|judged)\b[^.;]{{0,30}}\b(?:(?:was|were) (?:aware|not (?:blinded|masked)|unblinded)|knew)\b"
        rf"|\bnot (?:blinded|masked)\b[^.;,]{{0,25}}\b{_ASSESSING}"
        rf"|\b{_ASSESSING}\b[^.;]{{0,60}}\bwithout (?:blinding|masking)"
    ),
    "those who assessed the outcomes knew the assignment",
    denied=False,
)
_SAME_PERSON = Rule(
    Level.HIGH,
    compiled(
        rf"\b(?:the |same |treating |operating )+(?:{STAFF})\b[^.;]{{0,80}}\b(?:also|both|assessed|evaluated|judged"
        rf"|rated)\b[^.;]{{0,60}}\b(?:knowing|unblind\w*|without (?:blind|mask)\w*|not (?:blind|mask)\w*"
        rf"|who (?:had )?(?:operated|treated|delivered))\b"
        rf"|\bsame (?:{STAFF})\b[^.;]{{0,80}}\b(?:evaluat|assess|judg|rat)\w*"
        rf"|\b{STAFF} who (?:had |was |were )?(?:operated|treated|delivered"
        rf"|not (?:blinded|masked))[^.;]{{0,40}}\b(?:judged|assessed|evaluated|rated)"
        rf"|\btreating {STAFF}\b[^.;]{{0,50}}\bnot (?:blinded|masked)[^.;]{{0,60}}"
    ),
    "who treated also judged, knowing the assignment",
    denied=False,
)
_BLINDED = Rule(
    Level.LOW,
    compiled(
        near(ASSESSORS, BLIND, 70)
        + "|"
        + near(
            _ASSESSING,
            r"(?:(?<!single[- ])(?<!double[- ])(?<!triple[- ])blind(?:ed|ly)?|masked|unaware|not aware|did not know"
            r"|without knowledge)(?! (?:study|trial|phase|treatment\b))",
            70,
        )
        + r"|\b(?:assessor|observer|evaluator|rater|investigator|examiner|outcome)s?[- ](?:blind|mask)(?:ed|ing)?\b"
        + (
            r"|\b(?:under )?(?:blind|masked|blinded) conditions\b"
            r"|\b(?:blind(?:ed)?|masked) (?:outcome |central |independent |end ?point )*(?:assess|evaluat|rating|read"
            r"|adjudicat|review|interpret)\w*"
        )
    ),
    "those who assessed the outcomes did not know the assignment",
)
_THEY_WERE = Rule(
    Level.LOW,
    compiled(rf"\b(?:not |un-?|non-?)(?:blinded|masked),? (?:but )?(?:the )?(?:outcome )?{ASSESSORS} were\b(?! not)"),
    "those who assessed the outcomes did not know the assignment",
    denied=False,
)
_SELF_REPORT = compiled(
    r"\bself[- ]?(?:report|assess|rat|administ|complet|evaluat)\w*|\b(?:patient|participant|parent)[- ]report\w*"
    rf"|\b(?:reported|filled in|completed|judged|rated|scored|recorded|kept) by (?:the )?{PARTICIPANTS}"
    rf"|\b{PARTICIPANTS},? (?:who )?(?:judged|rated|scored|reported) (?:their|his|her)\b"
)
_PARTICIPANTS_BLIND = Rule(
    Level.LOW,
    compiled(rf"\b{PARTICIPANTS}\b{gap(70)}\b{BLIND}\b|\b{BLIND}\b{gap(30)}\b{PARTICIPANTS}\b"),
    "the participants judged their outcomes themselves, and were blinded",
)
_PARTICIPANTS_KNEW = Rule(
    Level.HIGH,
    compiled(
        rf"{NOT_DONE}|\bnot (?:blinded|masked|blind)\b|\b{PARTICIPANTS}\b[^.;]{{0,60}}\b(?:knew|knowing|aware)\b"
        rf"|\bopen design\b"
    ),
    "the participants judged their outcomes themselves, knowing the assignment",
    denied=False,
)
_OBJECTIVE = compiled(
    r"\b(?:primary |main )?(?:outcomes?|end ?points?)\b[^.;]{0,40}\b(?:all-cause mortality|mortality|death|survival|laborator\w+|serum|plasma)\b"
    r"|\ball-cause mortality\b"
)
_OPEN = Rule(
    Level.HIGH,
    compiled(rf"\b{OPEN}\b|{NOT_DONE}"),
    "no blinding, and nothing tells that the assessors were kept apart from it",
    denied=False,
    unless_after=compiled(
        rf"\W*(?:of |for )?(?:the )?(?:{PARTICIPANTS}|{STAFF})(?! (?:or|and) (?:the )?(?:investigators|researchers|assessors))"
    ),
)


_INVESTIGATORS_BLIND = Rule(
    Level.LOW,
    compiled(near(r"(?:investigators?|researchers?|(?:all |trial |study )+(?:staff|personnel|team))", BLIND, 60)),
    "those who ran the study did not know the assignment",
)


def _who_judged(sentences: Sequence[str]) -> Finding | None:
    """Outcomes that participants report: blinded participants are blinded assessors, and the other way round."""
    if not any(_SELF_REPORT.search(sentence) for sentence in sentences):
        return None
    return _PARTICIPANTS_KNEW.find(sentences) or _PARTICIPANTS_BLIND.find(sentences)


def _open(sentences: Sequence[str]) -> Finding | None:
    """An open trial, unless its outcome leaves nothing to judge."""
    finding = _OPEN.find(sentences)
    if finding is None:
        return None
    return (
        Rule(Level.LOW, _OBJECTIVE, "no blinding, but an outcome that leaves nothing to judge").find(sentences)
        or finding
    )


RULEBOOK = Rulebook(
    steps=(
        first_of((UNLIKELY_TO_MATTER, _THEY_WERE, _KNEW, _SAME_PERSON, _BLINDED)),
        _who_judged,
        first_of((_INVESTIGATORS_BLIND,)),
        _open,
    ),
    topic=compiled(
        r"\b(?:single|double|triple)[- ](?:blind|mask)\w*|\bblind\w*|\bmask\w*|\bunaware\b"
        r"|\bassess(?:ed|ors?|ments?)\b[^.;,]{0,30}|\bmeasured\b[^.;,]{0,30}"
    ),
    undecided="it is not said whether those who assessed the outcomes were blinded",
    silent="nothing tells whether those who assessed the outcomes knew the assignment",
    verdict=verdict,
)
