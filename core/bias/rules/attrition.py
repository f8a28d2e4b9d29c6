"""Incomplete outcome data: how many are missing, why, and how the analysis treats them."""

from __future__ import annotations

from collections.abc import Sequence

from core.bias.model import Level
from core.bias.rules.losses import losses
from core.bias.rules.model import Finding, Rule, Rulebook, first_of, shortened
from core.bias.rules.verdicts import verdict
from core.bias.rules.words import PARTICIPANTS, compiled

# Cochrane gives no number; these are what reviewers usually take.
_MANY = 0.20  # lost in a group
_FEW = 0.10
_UNEVEN = 0.10  # difference between groups

_REPAIRED = compiled(
    r"\bmultiple imputation\b|\bmixed[- ](?:effects? )?models?\b|\bsimilar (?:\w+ ){0,2}(?:in|between|across)\b"
    r"|\bbalanced\b|\bintent(?:ion)?[- ]to[- ]treat\b|\bITT\b"
)
_LEAVERS = r"(?:withdrawals?|drop-?outs?|dropouts|loss(?:es)?(?: to follow-?up)?|attrition|missing (?:outcome )?(?:data|values)|exclusions?|losses)"


def _uneven_or_many(sentences: Sequence[str]) -> Finding | None:
    for found in losses(sentences):
        if found.spread >= _UNEVEN:
            shares = " against ".join(f"{share:.0%}" for share in sorted(found.shares, reverse=True)[:2])
            return Finding(Level.HIGH, shortened(found.words), f"lost unevenly, {shares}", found.sentence)
        if found.worst >= _MANY:
            return Finding(Level.HIGH, shortened(found.words), f"many are missing, {found.worst:.0%}", found.sentence)
    return None


def _few(sentences: Sequence[str]) -> Finding | None:
    found = losses(sentences)
    if not found:
        return None
    worst = max(found, key=lambda each: each.worst)
    if worst.worst <= _FEW:
        return Finding(Level.LOW, shortened(worst.words), f"few are missing, {worst.worst:.0%}", worst.sentence)
    if any(_REPAIRED.search(sentence) for sentence in sentences):
        reason = f"{worst.worst:.0%} missing, evenly or with all analysed as assigned"
        return Finding(Level.LOW, shortened(worst.words), reason, worst.sentence)
    return Finding(
        Level.UNCLEAR,
        shortened(worst.words),
        f"{worst.worst:.0%} missing, and too little on the reasons",
        worst.sentence,
    )


_TOLD_HIGH = (
    Rule(
        Level.HIGH,
        compiled(
            r"\bonly (?:the )?(?:completers|those who (?:\w+ )?(?:completed|finished|attended|adhered))\b[^.;]{0,40}"
            r"|\bcompleters?(?:[- ]only)? analys[ei]s\b"
            r"|\b(?:restricted|limited|confined) to (?:\w+ ){0,3}(?:who|that) (?:\w+ )?(?:completed|finished|adhered|attended)\b"
            r"|\bper[- ]protocol (?:analysis|analyses|set|population) (?:only|alone)"
            r"|\bonly (?:a |the )?per[- ]protocol\b|\bno(?:t an?)? intent(?:ion)?[- ]to[- ]treat\b"
            r"|\bnot (?:analy[sz]ed )?(?:by|according to|on) (?:an? )?intent"
        ),
        "not all who were randomised were analysed",
        denied=False,
    ),
    Rule(
        Level.HIGH,
        compiled(
            rf"\b(?:high|large|substantial|considerable|great) (?:\w+ )?(?:{_LEAVERS}|numbers? of (?:{_LEAVERS}|{PARTICIPANTS}))[^.;]{{0,40}}"
            rf"|\b{_LEAVERS}\b[^.;]{{0,30}}\b(?:was|were) (?:high|large|substantial|uneven|unbalanced|differential)\b"
            rf"|\b(?:reasons|{_LEAVERS})\b[^.;]{{0,40}}\b(?:differ(?:ed|s|ent)?|unequal|uneven|imbalanced"
            rf"|more (?:often|frequent))\b[^.;]{{0,30}}"
            rf"|\bdifferential (?:attrition|loss|drop)"
        ),
        "many are missing, or for reasons that differ between the groups",
    ),
)
_TOLD_LOW = (
    Rule(
        Level.LOW,
        compiled(
            rf"\bno (?:\w+ )?(?:{_LEAVERS}|(?:{PARTICIPANTS}) (?:was |were )?(?:lost|dropped|withdr\w+|excluded|missing))\b"
            rf"|\bno (?:one|body) (?:was )?(?:lost|dropped|withdrew|excluded)\b"
            rf"|\bnone (?:of the \w+ )?(?:was |were )?(?:lost|dropped|withdrew)\b|\bthere were no {_LEAVERS}"
        ),
        "nobody is missing",
        denied=False,
    ),
    Rule(
        Level.LOW,
        compiled(
            rf"\ball (?!but)(?:the |of the )?(?:\d+ |\w+ ){{0,4}}(?:{PARTICIPANTS}|randomi[sz]ed|cases"
            rf"|animals)\b[^.;]{{0,60}}\b(?:completed|finished|analy[sz]ed|included|followed"
            rf"|accounted)\b[^.;]{{0,30}}"
            r"|\ball (?:were |who were )?randomi[sz]ed[^.;]{0,30}\b(?:analy[sz]ed|included)\b"
            r"|\b(?:outcome )?data (?:were|was|are) complete\b|\bcomplete (?:outcome data|follow-?up|data)\b"
            r"|\b100% follow|\bfollow-?up (?:was|is) complete\b"
            r"|\bincluded all (?:the )?(?:\w+ ){0,2}(?:randomi\w+|randomly)\b[^.;]{0,30}"
        ),
        "all are accounted for",
    ),
    Rule(
        Level.LOW,
        compiled(
            rf"\b(?:one|two|three|four|[1-5]) (?:{PARTICIPANTS})? ?(?:in|from) (?:each|both|either) (?:group|arm)s?\b[^.;]{{0,50}}"
            rf"|\b{_LEAVERS}\b[^.;]{{0,30}}\b(?:small|few|low|minimal|similar|balanced|equal|comparable|even)\b[^.;]{{0,40}}"
            rf"|\b(?:few|low|minimal|small|similar|balanced) (?:\w+ )?{_LEAVERS}"
            r"|\blost to follow-?up (?:was|were) (?:low|few|small|similar|balanced)\b[^.;,]{0,30}"
            r"|\bmissing (?:\w+ )?(?:data|values) (?:were|was) (?:imputed|handled|estimated) (?:by|with"
            r"|using) (?:multiple|mixed|maximum)[^.;]{0,30}"
        ),
        "few are missing, and evenly",
    ),
)
RULEBOOK = Rulebook(
    steps=(
        _uneven_or_many,
        first_of(_TOLD_HIGH),
        _few,
        first_of(_TOLD_LOW),
    ),
    topic=compiled(
        rf"\b{_LEAVERS}\b[^.;,]{{0,40}}"
        rf"|\b(?:withdr\w+|dropped out|lost to follow|discontinu\w+|complet(?:ed|ers))\b[^.;,]{{0,40}}"
        rf"|\bintent(?:ion)?[- ]to[- ]treat\b"
        r"|\bflow\b[^.;,]{0,30}|\bimput\w+|\blast observation\b[^.;,]{0,20}|\banaly[sz]ed\b[^.;,]{0,20}"
    ),
    undecided="the numbers lost from each group, or their reasons, are not told",
    silent="nothing tells how many were lost",
    verdict=verdict,
)
