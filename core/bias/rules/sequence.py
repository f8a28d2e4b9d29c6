"""Random sequence generation: was the order of assignment left to chance?"""

from __future__ import annotations

from core.bias.model import Level
from core.bias.rules.model import Rule, Rulebook, first_of
from core.bias.rules.verdicts import verdict
from core.bias.rules.words import ASSIGNING, STAFF, compiled, near

_RECORD = r"(?:hospital|record|chart|file|case|admission|medical|patient|identity|identification|registration|security|card|phone)"
_TIME = r"(?:(?:dates?|days?|weeks?|months?|years?) of (?:the |their |his |her )?(?:birth|admission|week|month|enrol\w+|presentation)|birth ?dates?)"
_FORESEEABLE = (
    near(_TIME, ASSIGNING, 80)
    + rf"|\b(?:by|depend\w+ (?:up)?on|according to|based on) (?:the |their )?{_TIME}"
    + r"|\bborn on (?:an )?(?:odd|even)"
    + r"|\b(?:odd|even)(?:[- ]numbered)?\s(?:or (?:odd|even) )?(?:dates?|days?|numbers?|record|hospital|weeks?|months?)"
    + (
        rf"|\b(?:odd|even|last|final|first)(?: or even)? (?:digit )?(?:of |in )?(?:the |their |his |her "
        rf"|an? )?(?:{_RECORD} ){{0,2}}(?:numbers?|digits?)"
    )
    + rf"|\b(?:by|according to|based on|basis of|using) (?:the |their |a )?(?:{_RECORD} ){{1,2}}numbers?"
    + rf"|\b{_RECORD} (?:record )?numbers? (?:decided|determined)"
    + r"|\balternation\b|\balternately\b|"
    + near(r"alternat(?:ed?|ing|ive(?= assign| alloc))", ASSIGNING, 60)
    + r"|\border of (?:arrival|admission|enrol\w+|recruitment|presentation|inclusion|attendance)"
    + r"|\b(?:the )?(?:first|next|last) \d+\b[^.;]{0,60}\b(?:group|had|formed|received|allocated|assigned)"
    + r"|\b(?:weekdays?|weekends?|odd weeks?|mornings?)\b[^.;]{0,60}\b(?:had|received|were|group|care)"
)
_CHOSEN = (
    r"\b(?:patients?|participants?|parents?|women|famil\w+|clinicians?|surgeons?|physicians?|doctors?|consultants?"
    r"|therapists?)\W{0,3}(?:\w+ ){0,2}(?:preferences?|choices?|chose|decided|selected)\b"
    r"|\b(?:preference|choice|discretion|judge?ment) of (?:the |their )?\w+"
    r"|\b(?:chose|preferred) (?:the|their|which|whether)\b|\bself-select\w+"
    r"|\b(?:depended|depending|based) on (?:which|who|the (?:physician|clinic|ward|result|severity|test))"
    r"|\b(?:availability|available bed)\b[^.;]{0,40}|\bwere (?:placed|put) in the (?:control|intervention|usual)\b"
)
_NOT_RANDOM = (
    r"\bquasi-?\s?random\w*|\bpseudo-?\s?randomi[sz]\w*|\bnon-?\s?randomi[sz]\w*"
    r"|\b(?:no|without(?: any)?) randomi[sz]ation\b"
    r"|\bnot (?:truly |really |properly |strictly )?random(?:i[sz]ed|ly)?\b"
)
FORESEEABLE = (
    Rule(Level.HIGH, compiled(_FORESEEABLE), "a rule that can be foreseen decides, not chance"),
    Rule(Level.HIGH, compiled(_NOT_RANDOM), "the order was not left to chance", denied=False),
)

_RULES = (
    *FORESEEABLE,
    Rule(
        Level.HIGH,
        compiled(
            rf"\b(?:assigned|allocated|selected) (?:(?:(?!random)[^.;,]){{0,30}} )?by (?:the "
            rf"|their )?(?:{STAFF})\b(?! (?:using|with|by|according))"
        ),
        "a person decides, not chance",
        unless_before=compiled(r"\brandom\w*\b[^.;]*$"),
    ),
    Rule(Level.HIGH, compiled(_CHOSEN), "somebody's choice or circumstance decides, not chance"),
    Rule(
        Level.LOW,
        compiled(
            near(
                r"(?:computer\w*(?:[- ]\w+)?|software|algorithm|program(?:me)?|web ?site|internet|online"
                r"|electronic\w*)",
                r"(?:random\w*|generat\w*|sequences?|lists?|codes?|schedules?|allocat\w*|assign\w*|order|drew|drawn)",
                70,
            )
            + (
                r"|\brandom(?:ly)?[- ](?:generated |permuted )?(?:numbers?|digits?|permut\w+"
                r"|function)s?\b(?:[- ](?:tables?|generators?|lists?))?"
            )
            + (
                r"|\btables? of random\b[^.;,]{0,20}|\bnumber generator|\bRAND function"
                r"|\brandomly[- ]?(?:permuted|generated|varying|ordered)"
            )
            + r"|\bpermuted[- ]blocks?"
        ),
        "chance decides, and the method is named",
    ),
    Rule(
        Level.LOW,
        compiled(
            r"\b(?:toss\w*|flip\w*)\b[^.;,]{0,12}\bcoins?|\bcoins?[- ](?:toss\w*|flip\w*|was|were)|\bdice\b"
            r"|\bdie was (?:thrown|rolled|cast)|\b(?:drew|drawn|drawing)\b[^.;]{0,15}\blots?\b"
            r"|\blots? (?:was|were) (?:drawn|cast)|\blottery|\braffle"
            r"|\b(?:pick\w*|dr[ae]w\w*|chose|took|taking|pull\w*) (?:\w+ ){0,3}(?:slips?|papers?|cards?|balls?|tickets?|envelopes?|marbles?)\b"
            r"|\bshuffl\w+[^.;,]{0,25}"
            r"|\b(?:slips?|pieces?|cards?|balls?|tickets?)\b[^.;]{0,60}\b(?:box|bag|hat|bowl|urn|drew|drawn|picked)"
            r"|\bminimi[sz](?:ation|ed|ing)\b"
        ),
        "chance decides, and the method is named",
    ),
    Rule(
        Level.LOW,
        compiled(
            r"\b(?:stata|sas|spss|excel|nquery|ralloc|random(?:izer|ization|isation)\.(?:org|com)"
            r"|sealed ?envelope\.com|randlist|research randomizer)\b"
            r"|\b(?:interactive|voice|web)[- ](?:voice |web |based )*(?:respons\w+|randomi[sz]ation)(?: system)?"
            r"|\bI[VWX]RS\b"
        ),
        "a program makes such sequences",
    ),
    Rule(
        Level.LOW,
        compiled(
            near(
                r"(?:(?:bio)?statistician|trials? unit|trial cent(?:re|er)|coordinating cent(?:re|er)"
                r"|contract research)",
                r"(?:sequences?|lists?|codes?|schedules?|generated|produced)",
                60,
            )
        ),
        "made by those whose trade it is",
    ),
)
RULEBOOK = Rulebook(
    steps=(first_of(_RULES),),
    topic=compiled(r"\brandom\w*[^.;,]{0,40}|\bstratif\w+|\bblocks?\b"),
    undecided="called random, but nothing tells how the sequence was made",
    silent="nothing tells how the sequence was made",
    verdict=verdict,
)
