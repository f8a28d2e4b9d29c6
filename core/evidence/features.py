"""What `offline` knows of each candidate: its topic, its place in the paper and its wording, as numbers from -1 to 1."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from core.evidence.bm25 import bm25_scores
from core.paper import Kind, Paper, SectionKind, Sentence

Column = NDArray[np.float64]

_MAIN_PARTS = (SectionKind.INTRODUCTION, SectionKind.METHODS, SectionKind.RESULTS, SectionKind.DISCUSSION)
_MOST_WORDS = 80  # beyond these, length and numbers say no more
_MOST_NUMBERS = 8
_NUMBER = re.compile(r"\d+(?:\.\d+)?")

# Every repetition is bounded: a hostile sentence of any length is searched in time linear in it.
_WORDINGS = {
    "statistic": re.compile(
        r"\b[Pp]\s?(?:-?\s?values?\s?)?[<>=≤≥]|\b[Pp] for trend|±|\bCIs?\b|[Cc]onfidence [Ii]nterval"
        r"|\bS\.?[DE]\.?M?\b|\b(?:[Aa]?OR|RR|HR|SIR|SMR|IRR)\b|\b(?:[Oo]dds|[Hh]azard|[Rr]isk|[Rr]ate) ratio"
    ),
    "significance": re.compile(
        r"\bsignifican|\bno (?:difference|effect|association|evidence)|\bnot (?:differ|associated)", re.IGNORECASE
    ),
    "comparison": re.compile(
        r"\b(?:than|compared|versus|vs|higher|lower|greater|fewer|less|more|rise|rose|fell"
        r"|(?:increas|decreas|reduc|improv|elevat|differ|associat|correlat|induc|inhibit)\w*)\b",
        re.IGNORECASE,
    ),
    "group size": re.compile(
        r"\b\d[\d,]{0,9}\s(?:\w{1,30}\s){0,3}(?:patients|subjects|participants|cases|controls|women|men|children|adults|people"
        r"|infants|individuals|workers|animals|rats|mice)\b",
        re.IGNORECASE,
    ),
}


def describe(
    paper: Paper, candidates: Sequence[Sentence], hypothesis: str, cosines: Column | None
) -> Mapping[str, Column]:
    """Each feature's name -> its values, one a candidate.

    `cosines`: (len(paper.pool),), the likeness of every sentence to the hypothesis; None where no model is there.
    """
    texts = [sentence.text for sentence in candidates]
    words = bm25_scores(texts, hypothesis)
    features = {"shared words": words / max(1.0, float(words.max(initial=0.0)))}
    if cosines is not None:
        places = np.array([sentence.index for sentence in candidates], dtype=np.intp)
        features["meaning"] = cosines[places]
        features["neighbours' meaning"] = _neighbours(cosines)[places]
    parts = _parts(paper)
    for part in (SectionKind.ABSTRACT, *_MAIN_PARTS):
        features[part.value] = _flags(parts[sentence.section] is part for sentence in candidates)
    for kind in (Kind.CAPTION, Kind.TABLE):
        features[kind.value] = _flags(sentence.kind is kind for sentence in candidates)
    for name, pattern in _WORDINGS.items():
        features[name] = _flags(pattern.search(text) is not None for text in texts)
    features["numbers"] = np.array([min(len(_NUMBER.findall(t)), _MOST_NUMBERS) / _MOST_NUMBERS for t in texts])
    features["length"] = np.array(
        [math.log1p(min(len(t.split()), _MOST_WORDS)) / math.log1p(_MOST_WORDS) for t in texts]
    )
    return features


def _flags(values: Iterable[bool]) -> Column:
    return np.fromiter(values, dtype=np.float64)


def _neighbours(cosines: Column) -> Column:
    """The mean over the two sentences before and the two after; the first and the last stand in for those missing."""
    padded = np.pad(cosines, 2, mode="edge")
    return (padded[:-4] + padded[1:-3] + padded[3:-1] + padded[4:]) / 4


def _parts(paper: Paper) -> list[SectionKind]:
    """The part that each section belongs to: one without a telling title goes with the main part before it."""
    parts: list[SectionKind] = []
    current = SectionKind.OTHER
    for section in paper.sections:
        if section.kind in _MAIN_PARTS:
            current = section.kind
        parts.append(current if section.kind is SectionKind.OTHER else section.kind)
    return parts
