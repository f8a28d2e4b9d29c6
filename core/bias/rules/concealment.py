"""Allocation concealment: could those who enrolled foresee the next assignment?"""

from __future__ import annotations

from collections.abc import Sequence

from core.bias.model import Level
from core.bias.rules.model import Finding, Rule, Rulebook, first_of
from core.bias.rules.reading import passages
from core.bias.rules.sequence import FORESEEABLE
from core.bias.rules.verdicts import verdict
from core.bias.rules.words import compiled, near

_ENVELOPES = compiled(r"\b(?:[\w-]+,? (?:and )?){0,4}envelopes?\b(?: technique)?")
_POST = compiled(r"\b(?:return|reply|stamped|prepaid|addressed)\b[^.;]{0,30}envelopes?")
_SAFEGUARDS = {
    "sealed": compiled(r"(?<!un)\bsealed\b"),
    "opaque": compiled(r"(?<!non-)(?<!non)\bopaque\b|\blight-?proof"),
    "numbered": compiled(r"\b(?:sequential|consecutive|serial)(?:ly)?\b|\bnumbered\b|\bSNOSE\b"),
}
_CONTAINERS = r"(?:bottles?|boxes|containers?|packs?|packages?|packets?|vials?|kits?|ampoules?|syringes?|sachets?|tubes?|cartons?)"

_BROKEN = (
    Rule(
        Level.HIGH,
        compiled(
            r"\bno (?:attempt \w+ (?:to )?|allocation )?conceal\w*|\bno attempt (?:was )?made to conceal[^.;]{0,30}"
            r"|\b(?:not|never|in)[- ](?:been |adequately )?conceal\w+|\bunconcealed"
            r"|\bwithout (?:any |allocation )?conceal\w+"
            r"|\bconceal\w+\b[^.;]{0,25}(?:not (?:undertaken|done|used|attempted|performed|possible|maintained|applied)|impossible)"
        ),
        "the assignment was not concealed",
        denied=False,
    ),
    Rule(
        Level.HIGH,
        compiled(
            r"\bopen (?:random\w* |allocation )?(?:number )?(?:lists?|tables?|schedules?)\b|\bunsealed\b"
            r"|\b(?:translucent|transparent|non-?opaque)\b"
            r"|\b(?:list|sequence|schedule|numbers?|assignments?|allocations?)\b[^.;]{0,50}\b(?:hung|posted|displayed"
            r"|visible|could see|on (?:a|the) (?:notice|wall|desk))"
            r"|\b(?:knew|known|knowing|aware of|foresee|predict)\b[^.;]{0,40}\b(?:beforehand|in advance"
            r"|before (?:enrol|recruit|consent)\w*|next (?:assignment|allocation|treatment))"
            r"|\b(?:next )?(?:assignment|allocation|arm)\b[^.;]{0,30}\b(?:was known|known (?:beforehand|in advance)|predictable)"
            r"|\bcould (?:easily |therefore )?(?:foresee|predict|anticipate|guess|know)\b[^.;]{0,30}"
            r"|\bopened before\b[^.;]{0,30}"
        ),
        "the next assignment could be known",
    ),
    *FORESEEABLE,
)
_KEPT = (
    Rule(
        Level.LOW,
        compiled(
            r"\bcentral(?:ly|i[sz]ed)?[- ](?:\w+[- ]){0,3}?(?:randomi\w+|allocat\w+|assign\w+|telephone|phone|office"
            r"|system|service|pharmacy|computer|web|unit|facility)"
            r"|\b(?:telephon\w*|phon(?:e|ed|ing)|rang|fax\w*|call(?:ed|ing))\b[^.;]{0,60}\b(?:randomi\w+|allocat\w+"
            r"|assign\w+|cent(?:re|er|ral)|office|unit|service)"
            r"|\b(?:randomi\w+|allocat\w+|assign\w+)\b[^.;]{0,60}\b(?:tele)?phone\b"
            r"|\b(?:web|internet|online)[- ]?(?:based)?[- ](?:randomi\w+|allocation|system|service"
            r"|program(?:me)?)\b(?! (?:list|generat|sequence|number))"
            r"|\b(?:interactive|voice|web)[- ](?:voice |web |based )*respons\w+(?: system)?|\bI[VWX]RS\b"
            r"|\bremote(?:ly)?\b[^.;]{0,40}(?:randomi\w+|allocat\w+|service)"
            r"|\b(?:held|kept|randomi[sz]ed|allocated|assigned)\b[^.;]{0,40}\b(?:trials? unit|coordinating cent(?:re|er)|third party)"
            r"|\b(?:randomi\w+|allocat\w+|assign\w+)\b[^.;]{0,40}\bby (?:the |an? )?(?:\w+ ){0,3}(?:trials? unit"
            r"|coordinating cent(?:re|er)|trial office)"
            r"|\b(?:sequence|lists?|allocations?|assignments?)\b[^.;]{0,60}\b(?:secure|password)\b[^.;]{0,30}"
            r"|\bnot (?:be )?(?:revealed|disclosed|accessible)\b[^.;]{0,30}\b(?:until|before|to)\b"
        ),
        "the assignment was made away from those who enrolled",
    ),
    Rule(
        Level.LOW,
        compiled(
            r"\bpharmac(?:y|ists?|ies)\b[^.;]{0,80}\b(?:held|kept|prepared|dispens\w+|controlled|allocat\w+|assign\w+"
            r"|randomi\w+|supplied|coded?|numbered|list)\b"
            r"|\b(?:held|kept|prepared|dispensed|controlled|allocated|assigned|supplied|coded|numbered)\b[^.;]{0,60}\bpharmac(?:y|ists?|ies)\b"
        ),
        "a pharmacy held the assignment",
    ),
    Rule(
        Level.LOW,
        compiled(
            near(r"(?:identical\w*|same|indistinguishable|alike)", _CONTAINERS, 60)
            + (
                rf"|\b(?:sequentially|consecutively|serially|identical\w*)[- ](?:numbered|coded|labell?ed)\b[^.;]{{0,30}}\b{_CONTAINERS}"
            )
            + (
                rf"|\b(?:coded|numbered)\b[^.;]{{0,20}}\b{_CONTAINERS}"
                rf"|\b{_CONTAINERS}\b[^.;]{{0,50}}\b(?:numbered|coded)\b"
            )
        ),
        "identical or numbered containers hide what is in them",
    ),
    Rule(
        Level.LOW,
        compiled(
            near(
                r"(?:not|un|nor) ?(?:otherwise )?involved in (?:the )?(?:\w+ )?(?:recruit\w+|enrol\w+|trial|study"
                r"|care|assess\w+|treatment)",
                r"(?:lists?|allocat\w+|assign\w+|envelopes?|sequence|schedule|randomi\w+|held|kept)",
                90,
            )
            + (
                r"|\b(?:could|was|were) (?:not|neither|impossible) (?:able )?(?:to )?(?:be )?(?:foresee\w*|predict\w*|anticipate\w*)"
            )
            + r"|\bneither\b[^.;]{0,60}\b(?:foresee|predict|anticipate|know)\b[^.;]{0,30}"
        ),
        "those who enrolled could not foresee it",
        denied=False,
    ),
)


def _envelopes(sentences: Sequence[str]) -> Finding | None:
    """Envelopes count as far as they are said to be safe: sealed, opaque and numbered."""
    read = [_POST.sub("", " ".join(passages(sentence))) for sentence in sentences]
    found = next(((n, match) for n, text in enumerate(read) if (match := _ENVELOPES.search(text))), None)
    if found is None:
        return None
    number, match = found
    # A word after "not said to be" is what is missing.
    claimed = " ".join(text.split(" not ")[0] for text in read if _ENVELOPES.search(text))
    missing = [safeguard for safeguard, pattern in _SAFEGUARDS.items() if not pattern.search(claimed)]
    if not missing:
        return Finding(Level.LOW, match[0].strip(), "sealed, opaque and numbered", number)
    unsaid = " or ".join(missing).replace("numbered", "sequentially numbered")
    return Finding(Level.UNCLEAR, match[0].strip(), f"not said to be {unsaid}", number)


RULEBOOK = Rulebook(
    steps=(
        first_of(_BROKEN),
        first_of(_KEPT),
        _envelopes,
    ),
    topic=compiled(r"\bconceal\w*|\brandom\w*[^.;,]{0,40}|\ballocat\w+"),
    undecided="nothing tells how the next assignment was kept from those who enrolled",
    silent="nothing tells how the next assignment was kept from those who enrolled",
    verdict=verdict,
)
