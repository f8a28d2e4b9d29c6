"""Topics that stand in for a review's question in simulated screening: families of outcomes of randomised trials.

A trial is relevant to a topic if the outcome of one of its prompts in Evidence Inference matches the topic's pattern.
The families were written down from the outcomes in `items.json`, and kept if at least 10 of the 320 trials, from 3% to
30% of them, are relevant. Every other topic of the list, from the first, served to choose the settings of
`core.screening.ordering`; no order was measured on the others, which are held out, before those were fixed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from core.errors import DatasetError

FEWEST = 10  # relevant trials
SHARE = (0.03, 0.30)  # of all trials, from and to


@dataclass(frozen=True, slots=True)
class Topic:
    """What a review would look for."""

    name: str
    question: str  # what a reviewer would type: all that BM25 and the learner see of the topic
    pattern: str  # a regular expression, in any case: which outcomes match; it only makes labels

    def matches(self, outcomes: Sequence[str]) -> bool:
        """Whether a trial with these outcomes is relevant."""
        return any(re.search(self.pattern, outcome, re.IGNORECASE) for outcome in outcomes)


def topic_in_words(words: str) -> Topic:
    """A topic from `NAME=PATTERN` or `NAME: QUESTION=PATTERN`.

    Without a question, the name and the words of the pattern are the question. Raises `DatasetError` if it is no topic.
    """
    head, _, pattern = words.partition("=")
    name, _, question = (part.strip() for part in head.partition(":"))
    if not name or not pattern.strip():
        raise DatasetError(f"“{words}” is no topic. Write it as NAME=PATTERN, such as “pain=pain|analges”.")
    try:
        re.compile(pattern)
    except re.error as error:
        raise DatasetError(f"The pattern “{pattern}” is no regular expression ({error}). Correct it.") from error
    plain = re.sub(r"\\.", " ", pattern)  # \b, \d and the like are no words
    return Topic(name, question or " ".join(dict.fromkeys([name, *re.findall(r"[^\W_]{2,}", plain)])), pattern)


TOPICS = (
    Topic(
        "adverse events",
        "adverse events, side effects, safety, tolerability, toxicity, complications",
        r"adverse|side[- ]effect|tolerab|toxicit|safety|complication",
    ),
    Topic(
        "adherence",
        "adherence, compliance, uptake, attendance, satisfaction",
        r"adheren|complian|uptake|attend|satisf",
    ),
    Topic(
        "bleeding",
        "bleeding, blood loss, haemorrhage, transfusion, haemoglobin, anaemia",
        r"bleed|blood loss|ha?emorrh|transfus|ha?emoglobin|ana?emia|ha?ematocrit",
    ),
    Topic(
        "bones and joints",
        "bone density, fracture, joint function, arthritis",
        r"bone|fractur|\bbmd\b|joint|arthrit|\bwomac\b|\bhaq\b|\bdas",
    ),
    Topic(
        "blood pressure",
        "blood pressure, systolic, diastolic, hypertension",
        r"blood pressure|systolic|diastolic|hypertens|\bs?d?bp\b",
    ),
    Topic(
        "heart",
        "heart function, cardiac events, ventricular, myocardial infarction, arrhythmia",
        r"heart|cardi|ventric|\blvef\b|infarct|coronary|arrhythm|fibrillation",
    ),
    Topic(
        "cognition",
        "cognition, memory, attention, reaction time, dementia, knowledge",
        r"cognit|memory|attention|reaction time|dementia|knowledge|learning",
    ),
    Topic(
        "gut",
        "diarrhoea, nausea, vomiting, constipation, bowel symptoms, ulcer",
        r"diarrh|nausea|vomit|constipat|stool|defecat|bowel|bloating|ulcer|abdominal",
    ),
    Topic(
        "glycaemia",
        "glucose, HbA1c, glycaemic control, insulin, diabetes",
        r"hba1c|\ba1c\b|glyc[ao]?emi|glucose|insulin|diabet",
    ),
    Topic(
        "infection",
        "infection, pneumonia, sepsis, bacteria, virus, fever",
        r"infect|pneumonia|sepsis|bacter|viral|virus|microb|fever|parasit",
    ),
    Topic(
        "inflammation",
        "inflammation, CRP, C-reactive protein, interleukin, TNF, cytokines",
        r"\bcrp\b|c-reactive|\bil-?\d|interleukin|\btnf|inflamm|cytokine|leptin|adiponectin|cortisol",
    ),
    Topic(
        "lipids",
        "cholesterol, LDL, HDL, triglycerides, lipids",
        r"cholesterol|lipid|\bldl|\bhdl|triglycerid|triacylglycerol|apolipo",
    ),
    Topic(
        "lung function",
        "lung function, FEV1, asthma, dyspnoea, oxygen, ventilation, exacerbation",
        r"\bfev|forced (?:expiratory|vital)|spirom|dyspn|asthma|lung|respirat|pulmon|oxygen|breath|ventilat|exacerbat",
    ),
    Topic(
        "mental health",
        "depression, anxiety, mood, psychological distress, stress",
        r"depress|anxi|mood|psych|stress|mental",
    ),
    Topic("mortality", "mortality, death, survival", r"mortalit|death|died|\bdie\b|surviv|fatal"),
    Topic(
        "nutrition",
        "dietary intake, energy, appetite, hunger, food, vitamin",
        r"\bintake|energy|appetite|hunger|satiety|diet|food|fruit|vitamin|calcium",
    ),
    Topic("pain", "pain, analgesia, headache, migraine", r"\bpain|analges|migraine|headache"),
    Topic(
        "quality of life",
        "quality of life, SF-36, EQ-5D, well-being",
        r"quality of life|\bqol\b|sf-?36|eq-?5d|well-?being|hrqol",
    ),
    Topic(
        "kidney",
        "kidney, renal function, creatinine, urine, albuminuria",
        r"creatinin|renal|kidney|egfr|urin|albuminuria|proteinuria",
    ),
    Topic(
        "reproduction",
        "pregnancy, birth, delivery, oocytes, infants, breastfeeding",
        r"pregnan|birth|ovulat|oocyte|embryo|sperm|deliver|neonat|breastf|infant",
    ),
    Topic("sleep and fatigue", "sleep, insomnia, fatigue, sedation", r"sleep|insomnia|fatigue|sedat"),
    Topic(
        "hospital stay",
        "length of stay, hospital admission, intensive care, cost, operating time",
        r"length of (?:hospital )?stay|hospital|\bicu\b|\bcost|admission|duration of (?:mechanical|surgery|stay)|operat",
    ),
    Topic(
        "tumour",
        "tumour, cancer, progression, recurrence, relapse, remission",
        r"progression|tumou?r|cancer|relapse|recurren|remission|metasta|response rate",
    ),
    Topic(
        "mobility",
        "walking, gait, balance, muscle strength, exercise, physical activity",
        r"walk|gait|balance|strength|muscle|torque|physical activity|exercise|fitness|\bgrip|mobility",
    ),
    Topic(
        "weight",
        "weight, BMI, obesity, fat mass, waist",
        r"\bweight|\bbmi\b|body mass|obes|\bfat mass|waist|adipos",
    ),
)
CHOSEN_ON, HELD_OUT = TOPICS[::2], TOPICS[1::2]
