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
    r"|cravings?|smoking|drinking|alcohol|consumption of (?:opioids?|morphine)|burden|cough|fever|exacerbations?|attacks?|seizures?"
    r"|ulcers?|lesions?|wounds?|thrombo\w*|embolism|caries|plaque|cramps?|loss of|dropouts?|discomfort|dyspn\w*|headaches?|migraine\w*"
    r"|problems?|difficult\w*|violence|burnout|itch\w*|pruritus|oedema|edema|swelling|delirium|cortisol|costs?)\b",
    re.IGNORECASE,
)

# Stems of the words for whoever did not get what was studied, and for whoever did.
CONTROL = frozenset(
    "control =placebo usual standard sham baseline waitlist wait comparator compar convention untreat alon".split()
)
TREATED = frozenset("intervent experiment activ treat =efficac trial study".split())

AIM = re.compile(
    r"\b(?:aim(?:s|ed)?|objectives?|purpose|goal)\b|\bhypothesi[sz]ed?\b|\bhypothes[ei]s (?:was|is|that)|\bto (?:evaluate|assess|investigate|examine"
    r"|determine|compare|test|explore|study|estimate)\b|\b(?:we|was|were|will be) (?:\w+ )?(?:investigated|sought|designed to)|\bwhether\b"
    r"|\bprimary (?:end ?point|outcome)s? (?:was|were|is)\b|\b(?:were|was)"
    r" (?:randomi[sz]ed|randomly|measured|recorded|calculated|defined|collected)\b",
    re.IGNORECASE,
)
OTHERS = re.compile(
    r"\b(?:previous|earlier|prior|other|several|recent|past) (?:\w+ )?(?:stud\w+|reports?|work|authors|investigators|trials?|research|meta-anal\w+)"
    r"|\bet al\b|\b(?:in contrast to|consistent with|in line with|similar to) (?:\w+ ){0,3}(?:stud\w+|findings|results|reports?)",
    re.IGNORECASE,
)

MAYBE = re.compile(r"\b(?:may|might|could|possibl[ey]|perhaps|potentially)\b", re.IGNORECASE)
