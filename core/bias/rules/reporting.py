"""Selective reporting: were results reported or left out because of what they were?"""

from __future__ import annotations

from core.bias.model import Level
from core.bias.rules.model import Rule, Rulebook, first_of
from core.bias.rules.verdicts import verdict
from core.bias.rules.words import compiled, gap

_OUTCOMES = (
    r"(?:outcomes?|measures?|end ?points?|results?|data|findings|variables|harms?|adverse (?:events|effects)"
    r"|side effects|mortality|deaths?|quality of life|standard deviations?|scores?|\w+ rates?)"
)
_PLAN = r"(?:protocol|registry|registration|registered|register|clinicaltrials\.gov|methods(?: section)?|prespecified|pre-specified|planned)"
_MATCHING = (
    r"(?:match\w*|same as|as (?:planned|pre-?specified|stated|listed|described|in)"
    r"|those (?:in|of|stated|listed|named|given)|consistent with|in line with|agree\w*|correspond\w*|identical)"
)
_REGISTRY = r"(?:NCT ?\d{4,}|ISRCTN ?\d*|EudraCT|ACTRN ?\d+|CTRI/\S+|UMIN\w*\d+|ChiCTR\S*|IRCT\w+|DRKS\d+|NTR ?\d+|clinicaltrials\.gov)"

_RULES = (
    Rule(
        Level.LOW,
        compiled(
            r"\bno (?:\w+ )?(?:evidence|sign|indication|suggestion|suspicion)s? (?:of|for) (?:any )?(?:selective|reporting)[^.;,]{0,30}"
            r"|\b(?:free|no) (?:of |from )?selective (?:outcome )?reporting"
        ),
        "no sign of results left out",
        denied=False,
    ),
    Rule(
        Level.HIGH,
        compiled(
            rf"\b{_OUTCOMES}\b[^.;]{{0,70}}\b(?:not|never|nowhere) (?:\w+ )?(?:fully )?(?:reported|mentioned"
            rf"|presented|shown|published|given|provided)\b(?! by)"
            rf"|\bno (?:{_OUTCOMES}|numbers?)\b[^.;]{{0,25}}\b(?:are|is|were|was) (?:given|reported|presented|shown|provided)[^.;]{{0,20}}"
            r"|\bnot all\b[^.;]{0,50}\b(?:reported|presented|published)\b"
            r"|\b(?:reported|given|presented) only (?:as|by|in) (?:P|figures?|graphs?|text)\b[^.;]{0,20}"
            r"|\bdid not report (?:on )?(?:the |any |all )?(?:\w+ ){0,3}(?:outcomes?|results?|data|events|measures?)"
            rf"|\b{_OUTCOMES}\b[^.;]{{0,60}}\b(?:missing|omitted|left out|lacking|incompletely reported"
            rf"|reported incompletely|partially reported)\b[^.;]{{0,40}}"
            r"|\b(?:only|just) (?:the )?(?:statistically )?significant (?:results?|outcomes?|findings|differences)[^.;]{0,30}"
            r"|\bonly (?:those|data|results)\b[^.;]{0,40}\b(?:shown|reported|given|presented)\b"
            r"|\bonly as (?:not |non-?)significant\b[^.;]{0,20}|\bwithout (?:any )?(?:data|numbers|figures|results)\b"
            r"|\bcannot be (?:used|entered|included) in (?:a |the )?meta-?analys\w+"
        ),
        "results that were measured or expected are not reported",
        denied=False,
        unless_before=compiled(r"\b(?:if|whether|protocol|registration)\b[^.;]*$"),
    ),
    Rule(
        Level.HIGH,
        compiled(
            rf"\b{_OUTCOMES}\b{gap(50)}\bdiffer(?:s|ed)?\b[^.;]{{0,20}}\b(?:publi\w+|paper|report\w*|protocol|regist\w+)"
            rf"|\b{_OUTCOMES}\b{gap(60)}\b(?:chang(?:ed|es)|switched|replaced|altered|downgraded|upgraded|redefined|added)\b[^.;]{{0,50}}"
            rf"|\b(?:added|introduced|changed)\b[^.;]{{0,40}}\b(?:outcomes?|end ?points?|subgroups?)\b[^.;]{{0,40}}"
            r"|\bnot (?:been )?(?:pre-?specified|pre-?planned|registered in advance)\b"
            r"|\bpost[- ]hoc (?:outcomes?|end ?points?)"
            rf"|\b(?:differ(?:s|ed|ent)?|discrepan\w+|inconsisten\w+|deviat\w+)\b[^.;]{{0,50}}\b{_PLAN}\b"
            rf"|\bnot the same as\b[^.;]{{0,50}}\b{_PLAN}\b"
            rf"|\b(?:did|do|does) not (?:match|correspond|agree)\b[^.;]{{0,50}}"
            rf"|\bregistered primary outcome\b[^.;]{{0,40}}\bbut\b[^.;]{{0,50}}"
        ),
        "outcomes are not those that were planned",
        denied=False,
        unless_before=compiled(r"\b(?:if|whether|not|no)\b[^.;,]{0,30}$"),
    ),
    Rule(
        Level.LOW,
        compiled(
            rf"\b(?:all|every|each)\b[^.;]{{0,50}}\b(?:outcomes?|measures?|end ?points?"
            rf"|results)\b[^.;]{{0,90}}\b(?:report\w*|present\w*|appear\w*|given|address\w*|includ\w*)\b"
            rf"|\b(?:outcomes?|measures?|end ?points?)\b[^.;]{{0,50}}\b{_MATCHING}\b[^.;]{{0,40}}\b(?:{_PLAN}|paper"
            rf"|report|publication|planned)\b"
            r"|\b(?:pre-?specified|planned|expected|stated) (?:\w+ ){0,3}(?:outcomes?|measures?"
            r"|end ?points?)\b[^.;]{0,40}\b(?:were|are|have been|was) (?:all )?reported"
            rf"|\bas (?:planned|pre-?specified) in the {_PLAN}"
            r"|\breport\w* (?:includes?|gives|presents) all (?:the )?(?:expected|planned|pre-?specified)?[^.;]{0,30}\boutcomes"
        ),
        "what was planned or expected is reported",
    ),
    Rule(
        Level.UNCLEAR,
        compiled(
            r"\b(?:registered|registration)\b[^.;]{0,20}\b(?:after|retrospective\w*|once)\b[^.;]{0,50}"
            r"|\bretrospectively registered"
            r"|\b(?:no|without(?: an?)?) (?:study |trial |published )?(?:protocol|registration|registry|trial register)\b[^.;]{0,40}"
            r"|\bnot (?:been )?registered\b"
            r"|\bregistration\b[^.;]{0,15}\bnot (?:\w+ )?(?:mentioned|reported|stated|given|found|provided)\b"
            r"|\bprotocol\b[^.;]{0,20}\b(?:not|un)[ -]?(?:available|found|seen|published|accessible|obtained|identified)"
            r"|\b(?:could|did) not (?:find|locate|identify|obtain)\b[^.;]{0,20}\bprotocol"
        ),
        "there is no plan made beforehand to compare with",
        denied=False,
    ),
    Rule(
        Level.LOW,
        compiled(
            rf"\bprotocol\b[^.;]{{0,40}}\b(?:published|available|registered|accessible|online"
            rf"|described (?:elsewhere|previously|in detail))\b[^.;,]{{0,30}}"
            rf"|\b(?:published|registered) (?:study |trial )?protocol\b|\bregister\w*\b[^.;]{{0,60}}{_REGISTRY}"
            rf"|{_REGISTRY}[^.;,]{{0,20}}|\bprospectively registered\b"
            r"|\b(?:trial|study) (?:is |was |has been )?registered\b"
            r"|\btrial registration\b(?![^.;]{0,30}\bnot\b)[^.;,]{0,40}"
        ),
        "a plan was made public and nothing found here departs from it; compare its outcomes with those reported",
    ),
)
RULEBOOK = Rulebook(
    steps=(first_of(_RULES),),
    topic=compiled(
        r"\b(?:primary|secondary|main) (?:outcomes?|end ?points?)\b[^.;,]{0,40}|\bprotocol\b|\bregist\w+"
        r"|\boutcomes?\b"
    ),
    undecided="no plan made beforehand is named to compare the outcomes with",
    silent="neither a protocol nor a registration is named",
    verdict=verdict,
)
