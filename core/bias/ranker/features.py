"""The ranker's features of a sentence: its words, those of the headings above it, cues typical of a topic, and its place."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.paper import Kind, Paper, Section, SectionKind
from core.paper.model import PARTS_IN_ORDER
from core.text.terms import LONGEST, terms_of, words_of

# ---- cues: wording that shows what a sentence of a trial report is about, in any trial ----

_NUMBER_WORD = r"(?:\d[\d,]*|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fifteen|twenty|thirty|forty|fifty|sixty)"
_PEOPLE = r"(?:patients|participants|subjects|women|men|children|infants|people|individuals|adults|volunteers|families|pairs|eyes|cases)"

# Name -> pattern. Sources: CONSORT 2010 (items 8a, 9, 11, 13, 16, 23, 24) and RoB 1's criteria.
_PATTERNS = {
    # sequence
    "randomised": r"\brandomi[sz]|\brandom(?:ly)?\b",
    "assigned at random": r"\brandom(?:ly|i[sz]ed) (?:assigned|allocated|to)\b|\brandom (?:assignment|allocation)",
    "sequence": (
        r"\b(?:allocation|randomi[sz]ation|assignment|random) (?:sequence|list|schedule|schema|scheme|code|table|number)s?"
    ),
    "generated": (
        r"\b(?:computer|software|web|algorithm)[- ]?(?:ised|ized|based|generated|derived)?\b[^.;]{0,40}\b(?:generat"
        r"|random|list|sequence|algorithm)"
    ),
    "random numbers": (
        r"\brandom(?:[- ](?:number|digit|permuted|permutation|function))|\bnumber generator|\btables? of random"
        r"|\brandom numbers? table|\bseed\b"
    ),
    "by chance": r"\b(?:coin|dice|die|lots|lottery|shuffl\w+|drawing|drawn from|minimi[sz]ation|biased coin)\b",
    "blocks": r"\b(?:permuted|block(?:s|ed)?|strata|stratif\w+|unrestricted|simple randomi[sz]ation)\b",
    "statistician": (
        r"\b(?:statistician|biostatistic\w+|independent (?:person|researcher|third|centre|center|staff|company|unit)"
        r"|trials? unit|contract research)"
    ),
    "software": (
        r"\b(?:stata|sas|spss|excel|nquery|ralloc|plan procedure|randomi[sz]ation\.com|randomizer|r package)\b"
    ),
    "response system": (
        r"\b(?:interactive (?:voice|web)|ivrs|iwrs|ixrs|voice response|web[- ]response|central(?:ised|ized|ly)?"
        r"|telephon\w+|web[- ]?based|online (?:system|randomi))\b"
    ),
    "ratio": r"\b[1-9] ?: ?[1-9](?: ?: ?[1-9])?\b",
    "foreseeable rule": (
        r"\b(?:alternat\w+|date of birth|birth ?date|odd|even|hospital number|record number|day of the week|order of (?:admission|arrival))\b"
    ),
    # concealment
    "concealed": r"\bconceal\w*|\brevealed\b|\bnot (?:be )?(?:predict|foresee)",
    "envelopes": r"\benvelopes?\b",
    "safeguards": r"\b(?:opaque|sealed|tamper|consecutively|sequentially|serially)\b",
    "containers": (
        r"\b(?:identical|numbered|coded|labell?ed|treatment|drug|medication|study) (?:\w+ ){0,2}(?:boxes|packs?"
        r"|containers?|bottles|vials|kits|syringes|packages)\b"
    ),
    "pharmacy": r"\b(?:pharmac(?:y|ist|ists|ies)|dispens\w+)\b",
    "opened": r"\b(?:opened|took the next|next (?:pack|envelope|number)|broken?|unseal\w*)\b",
    "enrolment": r"\b(?:enrol\w+|recruit\w+|consent\w*|eligib\w+)\b",
    # blinding
    "blinded": r"\b(?:un)?(?:blind|mask)(?:ed|ing)?\b|\b(?:single|double|triple|observer|assessor)[- ](?:blind|mask)",
    "unaware": r"\b(?:unaware|not aware|without knowledge|no knowledge|did not know|aware of|ignorant)\b",
    "open": r"\bopen(?:[- ]label|ly)?\b|\bunblind\w*|\bunmask\w*",
    "alike": (
        r"\b(?:identical|matching|matched|indistinguishable|same|similar)\b[^.;]{0,60}\b(?:appearance|taste|colou?r"
        r"|placebo|look\w*|smell|capsules?|tablets?|packag\w+)"
        r"|\bidentically\b|\bdummy\b|\bsham\b"
    ),
    "placebo": r"\bplacebo",
    "assessors": (
        r"\b(?:assessors?|raters?|adjudicat\w+|evaluators?|outcome assess\w+|examiners?|radiologists?|reviewers?)\b"
    ),
    "who": (
        r"\b(?:participants?|patients?|famil(?:y|ies)|parents?|caregivers?|clinicians?|physicians?|investigators?|staff|personnel|nurses?)\b"
    ),
    "to the assignment": (
        r"\b(?:treatment|group|study|drug|intervention|randomi[sz]ed)?[- ]?(?:allocations?|assignments?)\b"
        r"|\bassigned\b"
    ),
    # attrition
    "left": (
        r"\bwithdr[ae]w\w*|\bdrop(?:ped)?[- ]?outs?\b|\bdropp\w+ out|\blost to follow|\bloss(?:es)? to follow"
        r"|\bdiscontinu\w+|\bleft the (?:study|trial)|\battrition"
    ),
    "completed": r"\bcomplet(?:ed|ers|ion)\b",
    "excluded": r"\bexcluded?\b|\bexclusions?\b|\bineligible\b|\bnot (?:included|analy[sz]ed|available)\b",
    "analysed": (
        r"\b(?:intention|intent)[- ]to[- ]treat\b|\bm?itt\b|\bper[- ]protocol\b|\bfull analysis\b"
        r"|\b(?:analysis|efficacy|safety|evaluable|treated) (?:set|population|sample)s?\b"
        r"|\b(?:included|analy[sz]ed) (?:in|for|as)\b"
    ),
    "missing": r"\bmissing\b|\bimput\w+|\blast observation|\blocf\b|\bavailable for\b|\bdata were (?:not )?available",
    "flow": r"\b(?:flow|profile|disposition|consort)\b[^.]{0,60}|\bfig(?:ure|\.)? ?1\b",
    "screened": r"\bscreened\b|\bassessed for eligibility|\bapproached\b|\bdeclined\b|\brefused\b",
    "counted people": (
        rf"\b{_NUMBER_WORD}\b(?: ?\([^)]{{0,20}}\))?(?: of (?:the )?{_NUMBER_WORD})?(?: \w+){{0,3}} {_PEOPLE}\b"
    ),
    "n=": r"\bn ?= ?\d",
    "fraction": r"\b\d+ ?/ ?\d+\b|\b\d+ of (?:the )?\d+\b",
    "per cent": r"\d ?%|per ?cent",
    "randomised count": (
        rf"\b{_NUMBER_WORD}\b[^.;]{{0,60}}\b(?:were|was)\b[^.;]{{0,20}}\b(?:randomi[sz]ed|randomly|enrolled|recruited"
        rf"|included|assigned|allocated)"
    ),
    "reasons": r"\b(?:because of|due to|reasons?|owing to)\b",
    # reporting
    "registry number": (
        r"\b(?:NCT ?\d{6,}|ISRCT[NC]?\b|EudraCT|ACTRN ?\d|CTRI/|UMIN|ChiCTR|JPRN|DRKS|NTR ?\d|IRCT|TCTR|KCT|RBR|PACTR|SLCTR)"
        r"|\b\d{4}-\d{6}-\d{2}\b"
    ),
    "registered": r"\bregister(?:ed)?\b|\bregistration\b|\bregistry\b|\bclinicaltrials?\.gov\b|controlled[- ]trials",
    "protocol": r"\bprotocol\b",
    "published": r"\b(?:published|available|described|reported|elsewhere|online|supplement\w*|accessed)\b",
    "plan": r"\b(?:statistical analysis plan|amendments?|pre-?specified|prespecified)\b",
    # typical of other kinds of sentences
    "citation": r"\[\d+|\b(?:et al|previous(?:ly)?|earlier (?:study|trial))\b",
    "other studies": (
        r"\b(?:other|previous|earlier|recent|several) (?:\w+ )?(?:stud(?:y|ies)|trials|reports)\b|\bmeta-analys"
        r"|\bsystematic review"
    ),
    "statistic": r"\bp ?[<=>]|\bconfidence interval|\b95% ?ci\b|\bodds ratio|\bhazard ratio",
    "sample size": r"\bsample size\b|\bpower(?:ed)?\b|\bto detect\b",
    "ethics": r"\b(?:ethic\w*|declaration of helsinki|institutional review)\b",
    "limitation": r"\b(?:limitations?|strengths?|weakness\w*|bias)\b",
    "funding": r"\b(?:fund\w+|sponsor\w*|conflict|competing)\b",
    "baseline": r"\bbaseline\b",
    "adverse": r"\b(?:adverse|serious|safety|death)\b",
}
CUES = {name: re.compile(pattern, re.IGNORECASE) for name, pattern in _PATTERNS.items()}


def cues_in(text: str) -> tuple[bool, ...]:
    """Whether the text has each cue, in the order of `CUES`."""
    looked_at = text[:LONGEST]
    return tuple(pattern.search(looked_at) is not None for pattern in CUES.values())


# ---- features: computed from the paper alone, without labels or the domain in question ----

Matrix = NDArray[np.float64]

_NUMBER = re.compile(r"\d[\d,.·]*")
_PARTS = (SectionKind.ABSTRACT, *PARTS_IN_ORDER)
_PLACE = (*(f"in {part.value}" for part in _PARTS), "abstract", "heading", "position", "section start", "in section",
          "length", "short", "numbers", "figure")  # fmt: skip
# Group -> scale of its columns: the smaller, the more strongly its weights are regularised in training.
_SCALES = {"cue": 0.5, "heading cue": 0.5, "cue before": 0.3, "cue after": 0.3, "place": 0.5}
COLUMNS = (
    *(f"{group}: {name}" for group in ("cue", "heading cue", "cue before", "cue after") for name in CUES),
    *(f"place: {name}" for name in _PLACE),
)


@dataclass(frozen=True, slots=True)
class SentenceFeatures:
    """Features of a paper's sentences: their terms, those of the headings above, and `columns` by `COLUMNS`."""

    words: tuple[tuple[str, ...], ...]
    headings: tuple[tuple[str, ...], ...]
    columns: Matrix


def sentence_features(paper: Paper) -> SentenceFeatures:
    """The features of every sentence of the pool, including headings, because each sentence has its neighbours' cues."""
    paths = heading_paths(paper)
    heading_words = [words_of(path) for path in paths]
    heading_cues = np.array([cues_in(path) for path in paths], dtype=np.float64)
    sections = [sentence.section for sentence in paper.pool]
    cues = np.array([cues_in(sentence.text) for sentence in paper.pool], dtype=np.float64)
    around = np.pad(cues, ((1, 1), (0, 0)))
    return SentenceFeatures(
        words=tuple(terms_of(sentence.text) for sentence in paper.pool),
        headings=tuple(heading_words[section] for section in sections),
        columns=np.hstack(
            [
                cues * _SCALES["cue"],
                heading_cues[sections] * _SCALES["heading cue"],
                around[:-2] * _SCALES["cue before"],
                around[2:] * _SCALES["cue after"],
                _place(paper) * _SCALES["place"],
            ]
        ),
    )


def heading_paths(paper: Paper) -> list[str]:
    """For each section, the titles of its enclosing sections followed by its own; empty for the title page."""
    paths: list[str] = []
    open_sections: list[Section] = []
    for section in paper.sections:
        open_sections = [above for above in open_sections if above.level < section.level]
        open_sections.append(section)
        is_title = paper.sentences[section.first].kind is Kind.TITLE
        paths.append("" if is_title else " ".join(above.title for above in open_sections))
    return paths


def _place(paper: Paper) -> Matrix:
    """One column per name of `_PLACE`, each from 0 to 1."""
    roles = paper.section_roles
    pool = paper.pool
    rows = np.zeros((len(pool), len(_PLACE)))
    for row, sentence in zip(rows, pool, strict=True):
        section = paper.section_of(sentence)
        within = sentence.index - section.first
        words = len(sentence.text[:LONGEST].split())
        row[: len(_PARTS)] = [roles[sentence.section] is part for part in _PARTS]
        row[len(_PARTS) :] = (
            sentence.kind is Kind.ABSTRACT,
            sentence.kind in {Kind.HEADING, Kind.TITLE},
            sentence.index / len(pool),
            min(within, 10) / 10,
            within / max(1, section.last - section.first),
            min(words, 60) / 60,
            words < 6,
            min(len(_NUMBER.findall(sentence.text[:LONGEST])), 10) / 10,
            sentence.kind is Kind.CAPTION or sentence.text.lower().startswith("fig"),
        )
    return rows
