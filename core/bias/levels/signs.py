"""Signs: the few wordings that tell a level beyond what single words do, each with the level that it speaks for.

They decide nothing by themselves: the model of levels weighs them beside the words (docs/bias.md says what they are worth),
and a level's reason quotes them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.bias.model import Level
from core.bias.reading import is_denied, passages

_PARTICIPANTS = (
    r"(?:participants?|patients?|subjects?|women|men|mothers?|children|parents?|infants?|famil(?:y|ies)|volunteers?"
    r"|adults|students?|people|individuals)"
)
_STAFF = (
    r"(?:personnel|staff|nurses?|physicians?|clinicians?|doctors?|investigators?|researchers?|care ?givers?|carers?"
    r"|(?:care |health ?care )?providers?|(?:\w+)?therapists?|midwi(?:fe|ves)|surgeons?|practitioners?"
    r"|(?:study|trial|care) team|an(?:a)?esth(?:etist|esiologist)s?|teachers?)"
)
_ASSESSORS = (
    r"(?:assessors?|evaluators?|examiners?|raters?|adjudicat\w+|(?:end ?point|outcomes?|events?|independent) committee"
    r"|observers?|interviewers?|radiologists?|pathologists?|technicians?|statisticians?|analysts?|sonographers?"
    r"|research assistants?|data collectors?|assess\w+ of (?:the )?outcomes?)"
)
_ASSESSING = (
    r"(?:assess\w*|evaluat\w*|measur\w*|read|rated|rating|adjudicat\w*|collect\w*|interview\w*|scor(?:ed|ing)|judged)"
)
_BLIND = (
    r"(?:(?<!single[- ])(?<!double[- ])(?<!triple[- ])blind(?:ed|ly)?|mask(?:ed)?|unaware|not (?:be |made |been )?aware"
    r"|ignorant|without (?:any )?knowledge|did not know|no knowledge"
    r"|(?:could|would) not (?:know|tell|guess|distinguish|identify))"
)
_CONTAINERS = (
    r"(?:bottles?|box(?:es)?|containers?|pack(?:s|ages?|ets?)?|vials?|kits?|ampoules?|syringes?|sachets?|cartons?)"
)
_TIME = r"(?:(?:dates?|days?|weeks?|months?|years?) of (?:the |their |his |her )?(?:birth|admission|week|month|enrol\w+)|birth ?dates?)"
_ASSIGNING = r"(?:allocat\w*|assign\w*|allott\w*|randomi[sz]\w*|groups?|divided)"


def _gap(longest: int) -> str:
    """Up to so many characters of one clause, with no negation or doubt among them."""
    return rf"(?:(?!\b(?:not?|nor|without|whether|if|unclear|unless)\b)[^.;]){{0,{longest}}}?"


def _near(one: str, other: str, longest: int) -> str:
    """Both, in either order, in one clause."""
    return rf"(?:\b{one}\b{_gap(longest)}\b{other}\b|\b{other}\b{_gap(longest)}\b{one}\b)"


@dataclass(frozen=True, slots=True)
class Sign:
    """A wording, the level that it speaks for, and what it means, in words.

    One that can be `denied` is none where a negation or a doubt stands before it ("not", "whether").
    """

    name: str
    level: Level
    meaning: str
    pattern: re.Pattern[str]
    denied: bool = True


@dataclass(frozen=True, slots=True)
class Seen:
    """A sign, its words, and the place of the sentence among those that were read."""

    sign: Sign
    words: str
    sentence: int


def _sign(name: str, level: Level, meaning: str, pattern: str, *, denied: bool = True) -> Sign:
    return Sign(name, level, meaning, re.compile(pattern, re.IGNORECASE), denied)


_FORESEEABLE = _sign(
    "foreseeable rule",
    Level.HIGH,
    "a rule that can be foreseen decides, not chance",
    _near(_TIME, _ASSIGNING, 80)
    + r"|\b(?:odd|even)(?:[- ]numbered)?\s(?:or (?:odd|even) )?(?:dates?|days?|numbers?|record|hospital|weeks?)"
    + r"|\balternation\b|\balternately\b|\b(?:record|chart|file|hospital|admission|case) numbers?\b[^.;]{0,40}\b(?:decided|determined)"
    + r"|\bquasi-?\s?random\w*|\bnot (?:truly |really )?randomi[sz]ed\b"
    + r"|\border of (?:arrival|admission|enrol\w+|presentation|attendance)",
)
_CHANCE = _sign(
    "chance",
    Level.LOW,
    "chance decides, and the method is named",
    _near(
        r"(?:computer\w*(?:[- ]\w+)?|software|algorithm|program(?:me)?|web ?site|internet|online|electronic\w*)",
        r"(?:random\w*|generat\w*|sequences?|lists?|codes?|schedules?|allocat\w*|assign\w*)",
        70,
    )
    + r"|\brandom(?:ly)?[- ](?:generated |permuted )?(?:numbers?|digits?|permut\w+|function)s?\b|\btables? of random\b"
    + r"|\bnumber generator|\bpermuted[- ]blocks?|\bminimi[sz]ation\b|\bcoins?[- ](?:toss|flip)\w*"
    + r"|\b(?:toss\w*|flip\w*)\b[^.;,]{0,12}\bcoins?|\b(?:drew|drawn|drawing)\b[^.;]{0,15}\blots?\b|\blots decided\b",
)
_CENTRAL = _sign(
    "central",
    Level.LOW,
    "the assignment was made away from those who enrolled",
    r"\bcentral(?:ly|i[sz]ed)?,?[- ](?:\w+[- ]){0,3}?(?:randomi\w+|allocat\w+|assign\w+|conceal\w+|telephone|phone|office"
    r"|system|service|pharmacy|computer|web|unit|facility)"
    r"|\b(?:telephon\w*|phon(?:e|ed|ing)|fax\w*|call(?:ed|ing))\b[^.;]{0,60}\b(?:randomi\w+|allocat\w+|assign\w+|cent(?:re|er|ral))"
    r"|\b(?:interactive|voice|web)[- ](?:voice |web |based )*(?:respons\w+|randomi\w+|allocat\w+)|\bI[VWX]RS\b",
)
_CONTAINED = _sign(
    "containers",
    Level.LOW,
    "identical or numbered containers hide what is in them",
    _near(r"(?:identical\w*|indistinguishable|alike)", _CONTAINERS, 60)
    + rf"|\b(?:sequentially|consecutively|serially|identical\w*)[- ](?:numbered|coded|labell?ed)\b[^.;]{{0,30}}\b{_CONTAINERS}",
)
_OPEN = _sign(
    "open",
    Level.HIGH,
    "no blinding, and knowing the assignment may change behaviour, care or judgement",
    r"\bno (?:attempt at )?(?:blinding|masking)\b|\bwithout (?:any )?(?:blinding|masking)\b|\black of (?:blinding|masking)\b"
    r"|\b(?:preclud\w+|prevent\w*|ruled out) (?:\w+ ){0,2}(?:blinding|masking)\b"
    r"|\b(?:blinding|masking)\b[^.;]{0,60}\b(?:not (?:be )?(?:possible|feasible|attempted|done|used|performed)|impossible|impractical)\b"
    r"|\b(?:not (?:possible|feasible)|impossible|unable) to (?:blind|mask)\b"
    rf"|\b{_PARTICIPANTS}\b[^.;]{{0,60}}\b(?:were|was|could) not (?:be )?(?:blinded|masked)\b"
    # Of the trial: a drug may be open-labelled beside a blinded comparison.
    r"|\bopen[- ]label(?:led)?,? (?:[\w,-]+ ){0,4}(?:trial|study|design|comparison)\b"
    r"|\b(?:trial|study|design|comparison) (?:was|is) (?:an )?(?:open|un-?blinded|non-?blinded|unmasked)\b"
    r"|\b(?:un|non)-?(?:blinded|masked) (?:\w+ )?(?:trial|study|design|comparison)\b",
    denied=False,
)
_BOTH_BLIND = _sign(
    "both blind",
    Level.LOW,
    "participants and personnel were blinded",
    rf"\b{_PARTICIPANTS}\b{_gap(60)}\b{_STAFF}\b{_gap(110)}\b{_BLIND}\b"
    rf"|\b{_STAFF}\b{_gap(60)}\b{_PARTICIPANTS}\b{_gap(60)}\b{_BLIND}\b"
    rf"|\b{_BLIND}\b{_gap(50)}\b{_PARTICIPANTS}\b{_gap(60)}\b{_STAFF}\b"
    rf"|\bneither\b[^.;]{{0,60}}\b{_PARTICIPANTS}\b[^.;]{{0,50}}\bnor\b[^.;]{{0,60}}\b(?:knew|know|aware|told|informed)\b",
)
_ALIKE = _sign(
    "alike",
    Level.LOW,
    "the treatments could not be told apart",
    r"\b(?:identical|matching|matched|indistinguishable|similar|same)\b[^.;]{0,60}\b(?:appearance|tast\w*|colou?r\w*|smell|look\w*)\b"
    r"|\b(?:identical|matching|matched|indistinguishable)\b[^.;]{0,60}\b(?:size|capsules?|tablets?|placebos?)\b"
    r"|\bplacebo\b[^.;]{0,60}\b(?:identical|matching|matched|indistinguishable)\b|\bdouble[- ]?dummy\b",
)
_ASSESSORS_BLIND = _sign(
    "assessors blind",
    Level.LOW,
    "those who assessed the outcomes did not know the assignment",
    _near(_ASSESSORS, _BLIND, 70)
    + "|"
    + _near(_ASSESSING, r"(?:masked|unaware|not aware|did not know|without knowledge|blinded)", 70)
    + r"|\b(?:assessor|observer|evaluator|rater|investigator|examiner|outcome)s?[- ](?:blind|mask)(?:ed|ing)?\b",
)
_ALL_THERE = _sign(
    "all there",
    Level.LOW,
    "all are accounted for",
    rf"\ball (?!but)(?:the |of the )?(?:\d+ |\w+ ){{0,4}}(?:{_PARTICIPANTS}|randomi[sz]ed|cases)\b[^.;]{{0,60}}\b(?:completed"
    r"|finished|analy[sz]ed|included|followed|accounted)\b|\b100% follow|\bfollow-?up (?:was|is) complete\b"
    rf"|\bno (?:{_PARTICIPANTS}|one|body) (?:was |were )?(?:lost|dropped|withdr\w+)\b|\bno (?:drop-?outs?|withdrawals|loss(?:es)?)\b",
    denied=False,
)
SIGNS: Mapping[str, tuple[Sign, ...]] = {
    "sequence": (_CHANCE, _FORESEEABLE),
    "concealment": (_CENTRAL, _CONTAINED, _FORESEEABLE),
    "performance": (_BOTH_BLIND, _ALIKE, _OPEN),
    "detection": (_ASSESSORS_BLIND, _BOTH_BLIND, _ALIKE, _OPEN),
    "attrition": (_ALL_THERE,),
    "reporting": (),
}
SAFE_ENVELOPES = Sign(
    "safe envelopes",
    Level.LOW,
    "sealed, opaque and numbered",
    re.compile(r"\b(?:[\w-]+,? (?:and )?){0,4}envelopes?\b", re.I),
)
_SAFEGUARDS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"(?<!un)\bsealed\b|\bSNOSE\b",
        r"(?<!non-)(?<!non)\bopaque\b|\blight-?proof|\bSNOSE\b",
        r"\b(?:sequential|consecutive|serial)(?:ly)?\b|\bnumbered\b|\bSNOSE\b",
    )
)


def signs_in(domain: str, sentences: Sequence[str]) -> tuple[Seen, ...]:
    """Each sign of the domain that is seen, at its first place."""
    found = [seen for sign in SIGNS[domain] if (seen := _first(sign, sentences)) is not None]
    if domain == "concealment" and (envelopes := _safe_envelopes(sentences)) is not None:
        found.insert(0, envelopes)
    return tuple(found)


def _first(sign: Sign, sentences: Sequence[str]) -> Seen | None:
    for number, sentence in enumerate(sentences):
        for passage in passages(sentence):
            for match in sign.pattern.finditer(passage):
                if not (sign.denied and is_denied(passage[: match.start()][-60:])):
                    return Seen(sign, " ".join(match[0].split()), number)
    return None


def _safe_envelopes(sentences: Sequence[str]) -> Seen | None:
    """Envelopes count where they are said to be sealed, opaque and numbered; a word after "not" is what is missing."""
    read = [" ".join(passages(sentence)) for sentence in sentences]
    seen = _first(SAFE_ENVELOPES, sentences)
    said = " ".join(text.split(" not ")[0] for text in read if SAFE_ENVELOPES.pattern.search(text))
    return seen if seen is not None and all(safeguard.search(said) for safeguard in _SAFEGUARDS) else None
