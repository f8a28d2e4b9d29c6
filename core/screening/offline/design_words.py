"""Study designs: how a criterion asks for one, how a paper says that it is one, and which exclude each other."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path


class Design(StrEnum):
    """What a study is. Several can hold at once: a randomised crossover trial, a protocol of one."""

    RANDOMISED = "randomised trial"
    QUASI = "trial without randomisation"
    SINGLE_ARM = "study without a control group"
    TRIAL = "trial"  # any of the three above
    COHORT = "cohort study"
    CASE_CONTROL = "case-control study"
    CROSS_SECTIONAL = "cross-sectional study"
    OBSERVATIONAL = "observational study"  # any of the three above, or one that says no more
    CASE_REPORT = "case report or series"
    REVIEW = "review"
    META_ANALYSIS = "meta-analysis"
    QUALITATIVE = "qualitative study"
    HUMAN = "study of humans"
    ANIMAL = "study of animals"
    IN_VITRO = "study of cells or tissue"
    PROTOCOL = "protocol"
    EDITORIAL = "editorial, comment or letter"
    SECONDARY = "secondary analysis"
    PILOT = "pilot study"
    CROSSOVER = "crossover trial"
    PARALLEL = "trial with parallel groups"
    CLUSTER = "cluster-randomised trial"
    DOUBLE_BLIND = "double-blind trial"
    BLIND = "blinded trial"  # of whatever degree
    OPEN = "open-label trial"
    PLACEBO = "placebo-controlled trial"
    MULTICENTRE = "multicentre study"

    @property
    def in_words(self) -> str:
        """With its article."""
        return f"{'an' if self[0] in 'aeio' else 'a'} {self}"


@dataclass(frozen=True, slots=True)
class Wording:
    """`asked` finds the design in a criterion, `titled` in a title, `said` in abstract and methods.

    Where a design is seldom said of oneself and often of others, `said` is stricter than `titled`.
    """

    asked: re.Pattern[str]
    titled: re.Pattern[str]
    said: re.Pattern[str]


def _compiled(patterns: Mapping[str, Sequence[str]], pieces: Mapping[str, str]) -> Wording:
    def either(name: str) -> re.Pattern[str]:
        text = "|".join(patterns.get(name) or patterns["said"])
        for piece, value in pieces.items():
            text = text.replace(f"{{{piece}}}", value)
        return re.compile(text, re.IGNORECASE)

    return Wording(either("asked"), either("titled"), either("said"))


_DATA = tomllib.loads(Path(__file__).with_name("designs.toml").read_text(encoding="utf-8"))
WORDINGS = {design: _compiled(_DATA[design.name.lower()], _DATA["pieces"]) for design in Design}

TRIALS = frozenset({Design.RANDOMISED, Design.QUASI, Design.SINGLE_ARM})
OBSERVED = frozenset({Design.COHORT, Design.CASE_CONTROL, Design.CROSS_SECTIONAL})
_NO_TRIAL = frozenset(
    {
        Design.CASE_REPORT,
        Design.REVIEW,
        Design.META_ANALYSIS,
        Design.QUALITATIVE,
        Design.EDITORIAL,
    }
)
_WATCHED = OBSERVED | {Design.OBSERVATIONAL}

# What a design includes: a paper that is one of these is one of it.
INCLUDES: dict[Design, frozenset[Design]] = {
    Design.TRIAL: TRIALS | {Design.CROSSOVER, Design.CLUSTER, Design.DOUBLE_BLIND, Design.PLACEBO},
    Design.OBSERVATIONAL: OBSERVED,
    Design.REVIEW: frozenset({Design.META_ANALYSIS}),
    Design.BLIND: frozenset({Design.DOUBLE_BLIND}),
    Design.RANDOMISED: frozenset({Design.CLUSTER}),
}

# Which designs speak against one: a paper that is one of these, and shows no sign of being it, is not it.
AGAINST: dict[Design, frozenset[Design]] = {
    Design.RANDOMISED: _NO_TRIAL | _WATCHED | {Design.QUASI, Design.SINGLE_ARM},
    Design.QUASI: _NO_TRIAL | _WATCHED | {Design.RANDOMISED},
    Design.SINGLE_ARM: _NO_TRIAL | {Design.RANDOMISED},
    Design.TRIAL: _NO_TRIAL | _WATCHED,
    Design.COHORT: _NO_TRIAL | {Design.RANDOMISED, Design.CASE_CONTROL, Design.CROSS_SECTIONAL},
    Design.CASE_CONTROL: _NO_TRIAL | {Design.RANDOMISED, Design.COHORT, Design.CROSS_SECTIONAL},
    Design.CROSS_SECTIONAL: _NO_TRIAL | {Design.RANDOMISED, Design.COHORT, Design.CASE_CONTROL},
    Design.OBSERVATIONAL: _NO_TRIAL | {Design.RANDOMISED, Design.QUASI},
    Design.CASE_REPORT: TRIALS | _WATCHED | {Design.REVIEW, Design.META_ANALYSIS},
    Design.REVIEW: TRIALS | _WATCHED | {Design.CASE_REPORT},
    Design.META_ANALYSIS: TRIALS | _WATCHED | {Design.CASE_REPORT},
    Design.QUALITATIVE: frozenset({Design.RANDOMISED, Design.REVIEW, Design.META_ANALYSIS}),
    Design.CROSSOVER: frozenset({Design.PARALLEL}) | _NO_TRIAL | _WATCHED,
    Design.PARALLEL: frozenset({Design.CROSSOVER}) | _NO_TRIAL | _WATCHED,
    Design.CLUSTER: _NO_TRIAL | _WATCHED,
    Design.DOUBLE_BLIND: frozenset({Design.OPEN}) | _NO_TRIAL | _WATCHED,
    Design.BLIND: frozenset({Design.OPEN}) | _NO_TRIAL,
    Design.OPEN: frozenset({Design.DOUBLE_BLIND}),
    Design.HUMAN: frozenset({Design.ANIMAL, Design.IN_VITRO}),
    Design.ANIMAL: frozenset({Design.HUMAN}),
    Design.IN_VITRO: frozenset({Design.HUMAN}),
    Design.PLACEBO: frozenset({Design.OPEN}) | _NO_TRIAL | _WATCHED,
}
FAMILIES = frozenset(
    {Design.RANDOMISED, Design.QUASI, Design.SINGLE_ARM, Design.TRIAL, Design.PROTOCOL, Design.EDITORIAL}
    | {Design.CASE_REPORT, Design.REVIEW, Design.META_ANALYSIS, Design.QUALITATIVE, Design.ANIMAL, Design.IN_VITRO}
    | {Design.HUMAN}
    | _WATCHED
)
