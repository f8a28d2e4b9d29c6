"""Blinding of participants and personnel: could knowing the assignment change behaviour or care?"""

from __future__ import annotations

from core.bias.model import Level
from core.bias.rules.model import Rule, Rulebook, first_of
from core.bias.rules.verdicts import verdict
from core.bias.rules.words import ASSESSORS, BLIND, NOT_BLIND, OPEN, PARTICIPANTS, STAFF, compiled, gap

_OF_ASSESSORS = compiled(rf"\b{ASSESSORS}\b[^.;,]*$")
_ABOUT_ASSESSORS = compiled(r"\W*(?:of |for |to )?(?:the )?(?:outcomes?|assess\w*|evaluat\w*|analys\w*)")

UNLIKELY_TO_MATTER = Rule(
    Level.LOW,
    compiled(
        r"\b(?:unlikely|not likely|would not|could not|cannot|will not|did not|not)\b(?: to)?(?: have| be"
        r"| been){0,2} (?:influenc\w*|affect\w*|bias\w*)[^.;,]{0,40}"
        r"|\bobjective (?:outcomes?|measures?|end ?points?)\b[^.;]{0,40}"
        r"|\bwhich (?:the )?lack of blinding is unlikely[^.;,]{0,30}"
    ),
    "the outcome is unlikely to be influenced by knowing the assignment",
    denied=False,
)
_BROKEN = Rule(
    Level.HIGH,
    compiled(
        r"\bblinding\b[^.;]{0,40}\b(?:broken|compromised|failed|unsuccessful|ineffective)\b"
        rf"|\b(?:most|many|correctly|{PARTICIPANTS})\b[^.;]{{0,40}}\bguess(?:ed)? (?:\w+ )?(?:assign|group|treatment|allocation|correct)\w*"
    ),
    "the blinding was likely broken",
)
_NEITHER_KNEW = Rule(
    Level.LOW,
    compiled(
        rf"\bneither\b[^.;]{{0,50}}\b{PARTICIPANTS}\b[^.;]{{0,50}}\bnor\b[^.;]{{0,60}}\b(?:knew|know|aware|told"
        rf"|informed|could (?:tell|identify))\b"
        rf"|\b(?:nobody|no|none of the) (?:\w+ )?(?:{PARTICIPANTS}|{STAFF})\b[^.;]{{0,90}}\b(?:was|were|knew"
        rf"|had) ?(?:aware|the|knowledge|which)\b"
        rf"|\bneither\b[^.;]{{0,50}}\b{STAFF}\b[^.;]{{0,50}}\bnor\b[^.;]{{0,60}}\b(?:knew|know|aware|told|informed|could (?:tell|identify))\b"
    ),
    "neither side knew the assignment",
    denied=False,
)
NOT_DONE = (
    r"\bno(?:t any)? (?:attempt at )?(?:blinding|masking)\b(?: was \w+)?|\bwithout (?:any )?(?:blinding|masking)\b"
    r"|\b(?:preclud\w+|prevent\w*|ruled out|prohibit\w*) (?:\w+ ){0,2}(?:blinding|masking)\b"
    r"|\black of (?:blinding|masking)\b"
    r"|\b(?:blinding"
    r"|masking)\b[^.;]{0,60}\b(?:not (?:be )?(?:possible|feasible|attempted|done|used|performed|achieved|applied|practicable|carried out)"
    r"|impossible|impractical|infeasible)\b"
    r"|\b(?:not (?:possible|feasible|practical)|impossible|unable|unfeasible) to (?:blind|mask)\b[^.;,]{0,30}"
    r"|\b(?:could|can|were|was|are) ?(?:not|n't) (?:be |been )?(?:fully )?(?:blinded|masked|blind)\b"
    r"|\bcannot be (?:blinded|masked)|\bdid not (?:attempt to |try to )?(?:blind|mask)\b"
    rf"|\bno (?:blinded|masked)\b"
    rf"|\bneither\b[^.;]{{0,60}}\bnor\b[^.;]{{0,40}}\b(?:were|was|could be) (?:blinded|masked|blind)|\b{OPEN}\b"
)
_RULES = (
    UNLIKELY_TO_MATTER,
    _BROKEN,
    _NEITHER_KNEW,
    Rule(
        Level.HIGH,
        compiled(rf"{NOT_DONE}|\bnot (?:blinded|masked|blind)\b"),
        "no blinding, and knowing the assignment may change behaviour or care",
        denied=False,
        unless_before=_OF_ASSESSORS,
        unless_after=_ABOUT_ASSESSORS,
    ),
    Rule(
        Level.HIGH,
        compiled(rf"\b(?:{PARTICIPANTS}|{STAFF})\b{gap(50)}\b{NOT_BLIND}\b[^.;,]{{0,40}}"),
        "they knew the assignment",
        unless_before=compiled(rf"\b{ASSESSORS}\b[^.;,]*$|\b(?:no|none|neither|only)\b[^.;]*$"),
    ),
    Rule(
        Level.LOW,
        compiled(
            rf"\b{PARTICIPANTS}\b{gap(60)}\b{STAFF}\b{gap(110)}\b{BLIND}\b"
            rf"|\b{STAFF}\b{gap(60)}\b{PARTICIPANTS}\b{gap(60)}\b{BLIND}\b"
            rf"|\b{BLIND}\b{gap(50)}\b{PARTICIPANTS}\b{gap(60)}\b{STAFF}\b"
        ),
        "participants and personnel were blinded",
    ),
    Rule(
        Level.LOW,
        compiled(
            r"\b(?:identical|matching|matched|indistinguishable|similar|same)\b[^.;]{0,60}\b(?:appearance|tast\w*|colou?r\w*|smell|look\w*)\b"
            r"|\b(?:identical|matching|matched|indistinguishable)\b[^.;]{0,60}\b(?:size|capsules?|tablets?|placebos?)\b"
            r"|\bplacebo\b[^.;]{0,60}\b(?:identical|matching|matched|indistinguishable|looked)\b[^.;]{0,40}"
            r"|\bdouble[- ]?dummy\b"
            r"|\bsham\b[^.;]{0,80}\b(?:could not|unable|indistinguishable|identical|same|blind\w*)\b[^.;]{0,30}"
            r"|\bcould not (?:be )?(?:tell|told|distinguish\w*)\b[^.;]{0,20}"
        ),
        "the treatments could not be told apart",
    ),
)
RULEBOOK = Rulebook(
    steps=(first_of(_RULES),),
    topic=compiled(
        r"\b(?:single|double|triple)[- ](?:blind|mask)\w*|\bblind\w*|\bmask\w*|\bplacebo[^.;,]{0,30}|\bsham\b"
        r"|\bunaware\b"
    ),
    undecided="it is not said who was blinded and how",
    silent="nothing tells whether participants and personnel knew the assignment",
    verdict=verdict,
)
