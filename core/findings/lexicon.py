"""Words by which a sentence is judged: which outcomes are better when there is less of them, who is the control."""

from __future__ import annotations

import re

LESS_IS_BETTER = re.compile(
    r"\b(?:mortality|deaths?|dying|died|pain|symptoms?|severity|risks?|incidence|infections?|relapses?|recurrences?|bleed\w*"
    r"|ha?emorrhag\w*|complications?|adverse|side effects?|events?|readmissions?|hospitali[sz]ations?|admissions?|anxiety|depress\w*"
    r"|fatigue|stress|distress|blood pressure|hypertension|cholesterol|ldl|triglycerides?|glucose|hba1c|insulin resistance|weight|bmi"
    r"|body mass|fat|crp|c-reactive|il-?6|tnf\S*|cytokines?|inflammat\w*|viral load|parasit\w*|tumou?r|nausea|vomiting|diarrh\w*"
    r"|insomnia|disability|disabilities|impairment|errors?|failures?|toxicit\w*|fractures?|falls?|strokes?|infarctions?|ha?ematoma"
    r"|length of (?:hospital )?stay|hospital stay|duration of (?:stay|hospital\w*|ventilation|surgery|labou?r)|time to (?:recovery|healing|discharge)"
    r"|cravings?|smoking|drinking|alcohol|consumption of (?:opioids?|morphine)|burden|cough\w*|sputum|gametocyt\w*|fever|exacerbations?|attacks?"
    r"|seizures?"
    r"|ulcers?|lesions?|wounds?|thrombo\w*|embolism|caries|plaque|cramps?|loss of|dropouts?|discomfort|dyspn\w*|headaches?|migraine\w*"
    r"|(?:decline|worsening|deterioration|progression) (?:of|in)"
    r"|problems?|difficult\w*|violence|burnout|itch\w*|pruritus|oedema|edema|swelling|delirium|cortisol|costs?)\b",
    re.IGNORECASE,
)

# These make the outcome a good one, whatever else is in its name: "event-free survival", "pain relief".
MORE_IS_BETTER = re.compile(
    r"\b(?:surviv\w*|\w+-free|free of|relief|quality of|respon(?:se|der)s?|remission|recovery|success\w*|adherence|compliance|satisfaction"
    r"|efficacy|effectiveness|improvements?|tolerance|self-efficacy|control of|abstinence|quit\w*|cessation|clearance|cured?|healing rate|hdl"
    r"|threshold|prevention|protection|resolution|management|reduction|decrease|decline in symptoms)\b",
    re.IGNORECASE,
)
TIMED = re.compile(r"\b(?:time|duration|latency|days|delay|interval|onset|length of|speed of)\b", re.IGNORECASE)
SOONER = re.compile(r"(?:faster|quicker|sooner|earlier|accelerat|rapid)", re.IGNORECASE)
LATER = re.compile(r"(?:slower|later|delayed|longer|slow)", re.IGNORECASE)


def any_of(*patterns: str) -> re.Pattern[str]:
    """A pattern that finds what any of these finds, in any case of letters."""
    return re.compile("|".join(patterns), re.IGNORECASE)


SURVIVAL = re.compile(r"\bsurviv|\b(?:PFS|OS|DFS|EFS|RFS)\b", re.IGNORECASE)

# "More effective at controlling pain", "inferior to walks in preventing stings": the outcome is what is to be less.
_EFFECTIVE = (
    r"\b(?:(?:more|most|(?P<less>less|least))\s+)?"
    r"(?:effective|efficacious|successful|useful|beneficial|better|superior|(?P<worse>inferior|worse))(?:ly)?\b"
)
EFFECTIVE = any_of(_EFFECTIVE)
EFFECTIVE_AGAINST = any_of(
    _EFFECTIVE + r"[^,;.()]{0,70}?\s(?:at|in|for|to|against)\s+(?:\w+ly\s+)?(?P<against>control|prevent|treat|eliminat"
    r"|eradicat|clear|reduc|decreas|lower|alleviat|reliev|suppress|inhibit|limit|manag|minimi[sz]|avoid|combat|stop)(?:l?ing|e)?\b",
)

# A size and the change that it is of: "a greater reduction", "the increase was smaller".
SIZE_OF_CHANGE = re.compile(
    r"\b(?P<size>larger|greater|bigger|stronger|higher|more|smaller|lesser|less|lower|fewer|weaker)\s+(?:\w+\s+){0,2}?(?P<change>reduction|decrease|decline|drop"
    r"|fall|increase|rise|gain|elevation|loss|lowering)s?\b"
    r"|\b(?P<change2>reduction|decrease|decline|drop|fall|increase|rise|gain|elevation|lowering)s?\b(?P<between>[^,;]{0,90}?)\b(?:was|were)\s+(?:\w+ly\s+)?"
    r"(?P<size2>larger|greater|bigger|stronger|higher|more|smaller|less|lower|weaker)\b",
    re.IGNORECASE,
)
SMALLER = frozenset("smaller lesser less lower fewer weaker".split())
DOWNWARD = frozenset("reduction decrease decline drop fall loss lowering".split())

# Stems of the words for whoever did not get what was studied, and for whoever did.
CONTROL = frozenset(
    "control =placebo usual standard sham baseline waitlist wait comparator compar convention untreat alon".split()
)
TREATED = frozenset("intervent experiment activ treat =efficac trial study".split())
# They name neither side where others do: "treatment as usual", "no treatment", "200 mg twice daily".
OF_NO_SIDE = frozenset(
    "=therap =administ =participants =trial =dose group arm mg kg g ml dail twic once thric day week month minut hour plus along".split()
)


AIM = any_of(
    r"\b(?:aim(?:s|ed)?|objectives?|purpose|goal)\b",
    r"\bhypothesi[sz]ed?\b|\bhypothes[ei]s (?:was|is|that)",
    r"\bto (?:evaluate|assess|investigate|examine|determine|compare|test|explore|study|estimate)\b",
    r"\b(?:we|was|were|will be) (?:\w+ )?(?:investigated|sought|designed to)|\bwhether\b",
    r"\bprimary (?:end ?point|outcome)s? (?:was|were|is)\b",
    r"\b(?:were|was) (?:randomi[sz]ed|randomly|measured|recorded|calculated|defined|collected)\b",
)
OTHERS = any_of(
    r"\b(?:previous|earlier|prior|other|several|recent|past) (?:\w+ )?(?:stud\w+|reports?|work|authors|investigators|trials?|research)",
    r"\bmeta-anal\w+|\bet al\b",
    r"\b(?:in contrast to|consistent with|in line with|similar to) (?:\w+ ){0,3}(?:stud\w+|findings|results|reports?)",
)
# A result of some of a trial's participants, told apart by what they had or took before.
SUBGROUP = any_of(
    r"\bsub-?groups?\b",
    r"\bp[\s-]?(?:values?)?\s?(?:for |of )?(?:the )?interaction\b|\binteraction p\b",
    r"\bwith(?:\s?/\s?| or | and )without\b",
    r"\b(?:those|participants|patients|people|women|men) (?:with|without|not|who|aged|reporting)\b[^.;]{0,60}\bat baseline\b",
)
MAYBE = any_of(r"\b(?:may|might|could|possibl[ey]|perhaps|potentially)\b")
SIMILARLY = any_of(r"^\s*(?:similar(?:ly)?\b[^,]{0,80},|similarly\b)")

# After a direction: it may be chance.
NOT_SHOWN = any_of(
    r"\bnot (?:\w+ )?significant|\bnon-?significant|\binsignificant",
    r"\b(?:did|does|do) not (?:reach|achieve|attain)|\bfailed to (?:reach|achieve|attain|show)",
    r"\bwithout (?:\w+ )?significan|\bno (?:statistically )?significan|\bnot reach(?:ing)? (?:statistical )?significan",
    r"\b(?:borderline|marginal)\w* significan",
)
# `where`: in whom it was not seen.
_NOT_SEEN = (
    r"(?P<said>\b(?:(?:was|were) not|(?:wasn|weren)['’]t) (?:\w+ )?(?:observed|found|seen|detected|noted|apparent)\b)"
    r"(?:\s+(?:with|in|under|among)\b(?P<where>[^,;.(]{0,60}))?"
)
# Right after a direction, it is said of that only where nothing new begins in between.
NOT_SEEN = any_of(rf"(?:(?!\b(?:and|which)\b)[^,;])*{_NOT_SEEN}")
# Of a sentence's whole subject, however many outcomes it lists: "A reduction in pain, fever and cough was not seen."
SUBJECT_NOT_SEEN = any_of(
    r"(?:[^,;]{0,40},\s)?\s*(?:(?:an?|any|the)\s+)?(?:[\w-]+\s+){0,2}?(?P<noun>(?:reduction|decrease|decline|drop|fall|increase|rise|gain"
    r"|improvement|difference|change)s?)\s+(?:in|of|for|between)\b(?:(?!\b(?:which|was|were|had|has|is|are)\b)[^;])*"
    + _NOT_SEEN,
)
TENDENCY = any_of(
    r"\btend(?:ed|s|ency)\b|\btrends?\b(?= (?:to|toward|for|in favou?r))",
    r"\bnot significantly\b|\bnon-?significantly\b",
)
OF_ALL_GROUPS = any_of(
    r"\b(?:in|of|for|among|within|across) (?:both|all|each|either|the (?:two|three|four)) (?:of the )?(?:\w+ )?"
    r"(?:groups?|arms?|treatments?|conditions?|cohorts?)\b",
    r"\bboth (?:\w+ )?(?:groups|arms|treatments|interventions)\b|\bin both (?:\w+ )?(?:patients|participants|subjects)\b",
)
COMPARATIVE = any_of(r"(?:\w+er|more|less|better|worse|superior|inferior|exceed\w*|outperform\w*)$")
BASELINE = any_of(
    r"\b(?:baseline|before|prior to|pre-\w+|pre(?:treatment|intervention|operative(?:ly)?|test|training))\b"
)
