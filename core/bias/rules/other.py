"""Other sources of bias: the design, early stopping, imbalance at baseline, interests, fraud."""

from __future__ import annotations

from core.bias.model import Level
from core.bias.rules.model import Rule, Rulebook, first_of
from core.bias.rules.verdicts import verdict
from core.bias.rules.words import compiled, gap

_ALIKE = (
    r"(?:similar|balanced|comparable|alike|well[- ]matched|well[- ]balanced|homogeneous|equivalent"
    r"|no (?:significant |important |major |relevant )?differences?|did not (?:\w+ )?differ)"
)
_MAKER = r"(?:manufacturer|maker|sponsor|company|pharmaceutical|industry|drug firm)"

_RULES = (
    Rule(
        Level.HIGH,
        compiled(r"\bfraud\w*|\bretract\w+|\bfabricat\w+|\bmisconduct"),
        "doubts about the data themselves",
    ),
    Rule(
        Level.HIGH,
        compiled(
            r"\b(?:stopped|terminated|ended|halted|closed) (?:\w+ )?(?:early|prematurely)\b[^.;]{0,50}"
            r"|\bearly (?:stopping|termination)\b|\bprematurely (?:stopped|terminated)"
        ),
        "an early stop may have caught a chance high",
    ),
    Rule(
        Level.HIGH,
        compiled(
            r"\b(?:imbalance\w*|unbalanced|not (?:well )?(?:balanced|comparable|similar|matched))\b[^.;]{0,40}"
            rf"|\b(?:differed|differences?|dissimilar|different)\b{gap(50)}\bat baseline\b"
            rf"|\bat baseline\b{gap(50)}\b(?:differed|dissimilar|different)\b"
            r"|\bbaseline (?:\w+ )?characteristics (?:differed|were (?:different|dissimilar))\b[^.;]{0,30}"
            r"|\bbaseline differences\b[^.;]{0,50}"
            r"|\b(?:groups?|arms?|controls?|placebo)\b[^.;]{0,50}\b(?:older|younger|sicker|heavier|more severe\w*"
            r"|higher|lower|worse)\b[^.;]{0,50}\bat baseline\b"
        ),
        "the groups differed from the start",
        unless_before=compiled(r"\b(?:small|minor|slight|uncertain|no|not)\b[^.;]{0,25}$"),
    ),
    Rule(
        Level.HIGH,
        compiled(
            r"\bcarry-?\s?over\b[^.;]{0,30}|\bcontaminat\w+[^.;]{0,30}|\bcross(?:ed)? over to the other\b"
            r"|\bco-?interventions?\b[^.;]{0,30}\b(?:differ\w*|unequal|not (?:balanced|similar|controlled))\b"
            r"|\banaly[sz]ed as if (?:\w+ )?(?:individual\w*|participants|patients)\b[^.;]{0,30}"
            r"|\b(?:did|does) not (?:account|adjust|allow) for (?:the )?cluster\w*|\bunit[- ]of[- ]analysis error"
            rf"|\b(?:employ\w+|employees?)\b[^.;]{{0,40}}\b{_MAKER}\b[^.;]{{0,50}}"
            rf"|\b{_MAKER}\b[^.;]{{0,40}}\b(?:employed|analy[sz]ed|wrote|held)\b[^.;]{{0,40}}"
        ),
        "a part of the design or an interest that is likely to matter",
    ),
    Rule(
        Level.LOW,
        compiled(
            r"\bfree (?:of|from) (?:any )?(?:other|further)\b[^.;]{0,30}"
            r"|\bno (?:apparent |obvious |known |evidence of |concerns? (?:about|over) |sign of "
            r"|indication of )*(?:other|further|additional)\b[^.;]{0,40}\b(?:bias(?:es)?|problems?|sources?|threats?"
            r"|concerns?|issues?)\b[^.;]{0,20}"
            r"|\bnone (?:detected|identified|found|apparent|noted|known)\b|\bnothing else\b|^\W*none\W*$"
        ),
        "nothing else was found",
        denied=False,
    ),
    Rule(
        Level.LOW,
        compiled(
            rf"\bbaseline\b[^.;]{{0,60}}\b{_ALIKE}\b|\b{_ALIKE}\b[^.;]{{0,60}}\bbaseline\b"
            rf"|\bno (?:\w+ )?(?:baseline )?imbalances?\b|\b(?:groups|arms)\b[^.;]{{0,40}}\b{_ALIKE}\b"
        ),
        "the groups were alike at the start, and nothing else was found",
    ),
    Rule(
        Level.UNCLEAR,
        compiled(
            rf"\b(?:fund\w*|sponsor\w*|support\w*|paid)\b[^.;]{{0,40}}\b(?:{_MAKER}|inc|ltd|gmbh)\b[^.;,]{{0,30}}"
            rf"|\b(?:conference )?abstract (?:only|of)\b|\babstract only\b"
            r"|\bonly (?:as )?an abstract\b|\bsmall sample\b|\bsample size was small\b"
            r"|\bno (?:power|sample size) calculation|\bwash-?out\b[^.;,]{0,30}"
        ),
        "this may bias the result, but too little is said to tell",
        denied=False,
    ),
)
RULEBOOK = Rulebook(
    steps=(first_of(_RULES),),
    topic=compiled(r"\bbaseline\b[^.;,]{0,40}|\bfund\w+[^.;,]{0,40}|\bconflicts? of interest|\bsponsor\w*"),
    undecided="nothing said here decides",
    silent="nothing was found that speaks of another source of bias",
    verdict=verdict,
)
