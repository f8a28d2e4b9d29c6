"""Features of a sentence that need no hypothesis: its place in the paper and its wording, as named columns."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from core.paper import Kind, Paper, SectionKind, Sentence
from core.paper.model import PARTS_IN_ORDER

# ---- columns ----
# Named columns with one value per candidate, which every group of features returns.

Vector = NDArray[np.float64]
Columns = dict[str, Vector]


def ranks(values: Vector) -> Vector:
    """From 1 for the highest value down to 0 for the lowest; equal values share the lowest of their ranks."""
    if len(values) < 2:
        return np.ones(len(values))
    rounded = values.round(6)
    ascending = np.sort(rounded)
    result: Vector = np.searchsorted(ascending, rounded, side="left") / (len(values) - 1)
    return result


def standardised(values: Vector) -> Vector:
    """The values scaled to mean 0 and standard deviation 1 within the paper."""
    if len(values) == 0:
        return values
    result: Vector = (values - values.mean()) / (values.std() + 1e-6)
    return result


# ---- place ----
# The place of a sentence in its paper.

_PARTS = (SectionKind.ABSTRACT, *PARTS_IN_ORDER)


def place_features(paper: Paper, candidates: Sequence[Sentence]) -> Columns:
    """Columns of the candidates' part, section and position."""
    roles = paper.section_roles
    part = np.array([_part_number(roles[sentence.section]) for sentence in candidates], dtype=np.float64)
    index = np.array([sentence.index for sentence in candidates], dtype=np.float64)
    columns: Columns = {f"in_{kind.value}": (part == number).astype(np.float64) for number, kind in enumerate(_PARTS)}
    columns["caption"] = _is(candidates, Kind.CAPTION)
    columns["table"] = _is(candidates, Kind.TABLE)
    end = len(paper.pool) - 1
    columns["position"] = index / max(1, end)
    columns["from_end"] = np.minimum(end - index, 60)
    columns["in_part"], columns["part_from_end"] = _runs(part)
    sections = [paper.sections[sentence.section] for sentence in candidates]
    first = np.array([section.first for section in sections], dtype=np.float64)
    last = np.array([section.last for section in sections], dtype=np.float64)
    columns["in_section"] = (index - first) / np.maximum(1, last - first)
    columns["section_start"] = np.minimum(index - first, 10)
    columns["section_end"] = np.minimum(last - index, 10)
    columns["section_size"] = np.minimum(last - first, 60)
    columns["concluding_section"] = _concludes(section.title.lower() for section in sections)
    columns["pool"] = np.full(len(candidates), np.log1p(len(candidates)))
    columns["has_abstract"] = np.full(len(candidates), float((part == 0).any()))
    return columns


def _part_number(kind: SectionKind) -> int:
    return _PARTS.index(kind) if kind in _PARTS else len(_PARTS)


def _is(candidates: Sequence[Sentence], kind: Kind) -> Vector:
    return np.array([sentence.kind is kind for sentence in candidates], dtype=np.float64)


def _concludes(titles: Iterable[str]) -> Vector:
    return np.array(["onclu" in title or "summary" in title for title in titles], dtype=np.float64)


def _runs(part: Vector) -> tuple[Vector, Vector]:
    """Each candidate's relative position among those of its part, and its distance from the last of them."""
    relative, from_end = np.zeros(len(part)), np.zeros(len(part))
    for number in np.unique(part):
        members = np.flatnonzero(part == number)
        relative[members] = np.arange(len(members)) / max(1, len(members) - 1)
        from_end[members] = np.minimum(np.arange(len(members))[::-1], 20)
    return relative, from_end


# ---- form ----
# The wording of a sentence: what it shows without knowing the hypothesis.

_PATTERNS = {
    "p_value": r"\bp\s*-?\s*(?:value)?s?\s*[<>=≤≥]|p for trend",
    "interval": r"\bCIs?\b|confidence interval|±|\d\s*[–-]\s*\d+\.\d+\s*[\])]|\b(?:SD|SE|SEM|S\.D\.|IQR)\b",
    "ratio": r"\b(?:OR|RR|HR|SIR|SMR|IRR)s?\b|(?:odds|hazard|risk|rate|incidence|mortality) ratio",
    "significant": r"\bsignifican|\bno (?:difference|effect|association|evidence|change|relationship)|\bnot? (?:differ|associated|affect)",
    "comparison": r"\b(?:than|compared|versus|vs|differ\w*|relative to|between(?: the)? (?:two )?groups)\b",
    "direction": (
        r"\b(?:higher|lower|greater|fewer|less|increas\w*|decreas\w*|reduc\w*|improv\w*|elevat\w*|rise|rose|fell|"
        r"induc\w*|inhibit\w*|enhanc\w*|declin\w*|prevent\w*|suppress\w*|promot\w*)\b"
    ),
    "association": r"\b(?:associat\w*|correlat\w*|predict\w*|risk|depend\w*|relat(?:ed|ion\w*)|effects?|role)\b",
    "own_result": (
        r"\b(?:we (?:found|observed|show\w*|demonstrat\w*|conclude|report|detected|identified|did not)|"
        r"our (?:results|findings|data|study|analysis)|(?:these|this|present|current) (?:results?|findings?|data|study)|"
        r"results (?:show|indicat|suggest|demonstrat)\w*)\b"
    ),
    "conclusion": r"\b(?:in conclusion|in summary|conclu\w*|suggest\w*|indicat\w*|support\w*|therefore|thus|overall|taken together)\b",
    "hedge": r"\b(?:may|might|could|possibl\w*|likely|appears?|seems?|further (?:studies|research)|limitation\w*|unclear|unknown)\b",
    "negation": r"\b(?:no|not|neither|nor|without|failed|lack\w*|absence|negative)\b",
    "citation": r"\[\s*\d+|\(\s*\d{1,3}(?:\s*[,–-]\s*\d{1,3})*\s*\)|\bet al\b|\([A-Z][^()]*\b(?:19|20)\d\d[a-z]?\)",
    "other_studies": (
        r"\b(?:previous\w*|earlier|prior|other|several|recent) "
        r"(?:stud\w+|reports?|work|authors|investigators|trials?)|\breported (?:that|by)\b"
    ),
    "figure": r"\b(?:fig(?:ure)?s?\.?|tables?)\s*\d",
    "percentage": r"\d\s*%|per ?cent\b",
    "aim": r"\b(?:aim\w*|objectives?|purpose|investigat\w*|examin\w*|assess\w*|evaluat\w*|determin\w*|hypothesi[sz]\w*|sought)\b",
    "participants": (
        r"\b\d[\d,]*\s+(?:[\w-]+\s+){0,3}(?:patients|subjects|participants|cases|controls|women|men|children|rats|mice|"
        r"animals|rabbits|workers|individuals|adults|people|infants|volunteers|samples|tumou?rs|families|deaths)\b|\bn\s*=\s*\d"
    ),
    "design": (
        r"\b(?:randomi[sz]ed|cohort|case[- ]control|cross[- ]?sectional|prospective\w*|retrospective\w*|double[- ]blind|"
        r"placebo|follow(?:ed)?[- ]up|recruit\w*|enrol\w*|trial|meta-analysis|in vitro|in vivo|population-based)\b"
    ),
    "method": (
        r"\b(?:t[- ]tests?|anova|regression|chi[- ]?squared?|wilcoxon|mann[- ]whitney|kaplan|cox|adjust\w*|analy[sz]ed|"
        r"calculated|performed|measured|collected|obtained|using|incubated|stained|centrifug\w*|software|spss|sas)\b"
    ),
    "dose": r"\d\s*(?:mg|µg|μg|ug|g|kg|ml|mL|nM|µM|μM|mM|ppm|Gy|Bq|IU|mmol|hours?|h|days?|weeks?|months?|years?)\b",
    "contrast": r"\b(?:however|although|whereas|while|in contrast|despite|but|only)\b",
    "shout": r"^[A-Z][A-Za-z ]{2,24}:",  # the label of a structured abstract
}
_CASED = {"interval", "ratio", "citation", "shout"}
_COMPILED = {name: re.compile(p, 0 if name in _CASED else re.IGNORECASE) for name, p in _PATTERNS.items()}
_NUMBER = re.compile(r"\d+(?:[.,·]\d+)*")
_LONGEST = 2000  # characters examined: a table row may run on for pages


def wording_features(texts: Sequence[str]) -> Columns:
    """One column per pattern, 1 if it occurs; and the counts of numbers, words and parentheses."""
    texts = [text[:_LONGEST] for text in texts]
    columns: Columns = {name: _flags([p.search(text) is not None for text in texts]) for name, p in _COMPILED.items()}
    columns["numbers"] = np.array([min(len(_NUMBER.findall(text)), 12) for text in texts], dtype=np.float64)
    columns["words"] = np.array([min(len(text.split()), 100) for text in texts], dtype=np.float64)
    columns["parentheses"] = np.array([min(text.count("("), 6) for text in texts], dtype=np.float64)
    return columns


def telling_numbers(text: str) -> frozenset[str]:
    """The numbers that two sentences would hardly share by chance: those with decimals, or above 20."""
    numbers = (number.replace("·", ".").replace(",", "") for number in _NUMBER.findall(text[:_LONGEST]))
    return frozenset(n for n in numbers if "." in n.strip(".") or (len(n) >= 2 and n.isdigit() and int(n) > 20))


def _flags(found: Sequence[bool]) -> Vector:
    return np.array(found, dtype=np.float64)
