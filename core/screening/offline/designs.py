"""Study designs: how criteria and papers name them, which exclude each other, and which a paper says that it has."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from core.screening.model import Fit
from core.screening.offline.reading import OWN_ACCOUNT, CriterionFinding, ScreenedPaper, ScreenedPart, named, quoted
from core.text.clauses import is_denied

# ---- design words ----
# How a criterion asks for a design, how a paper says that it has it, and which designs exclude each other.


class Design(StrEnum):
    """The design of a study. Several can hold at once, as for the protocol of a randomised crossover trial."""

    RANDOMISED = "randomised trial"
    QUASI = "trial without randomisation"
    SINGLE_ARM = "study without a control group"
    TRIAL = "trial"  # any of the three above
    COHORT = "cohort study"
    CASE_CONTROL = "case-control study"
    CROSS_SECTIONAL = "cross-sectional study"
    OBSERVATIONAL = "observational study"  # any of the three above, or one that does not say which
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
    BLIND = "blinded trial"  # of any degree
    OPEN = "open-label trial"
    PLACEBO = "placebo-controlled trial"
    MULTICENTRE = "multicentre study"

    @property
    def in_words(self) -> str:
        """The design with its article."""
        return f"{'an' if self[0] in 'aeio' else 'a'} {self}"


@dataclass(frozen=True, slots=True)
class DesignWording:
    """`asked` finds the design in a criterion, `titled` in a title, `said` in abstract and methods.

    For designs that papers mention more often about other studies than about themselves, `said` is stricter than
    `titled`.
    """

    asked: re.Pattern[str]
    titled: re.Pattern[str]
    said: re.Pattern[str]


def _compiled(patterns: Mapping[str, Sequence[str]], pieces: Mapping[str, str]) -> DesignWording:
    def either(name: str) -> re.Pattern[str]:
        text = "|".join(patterns.get(name) or patterns["said"])
        for piece, value in pieces.items():
            text = text.replace(f"{{{piece}}}", value)
        return re.compile(text, re.IGNORECASE)

    return DesignWording(either("asked"), either("titled"), either("said"))


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

# What a design includes: a paper with one of these designs has the including design too.
INCLUDES: dict[Design, frozenset[Design]] = {
    Design.TRIAL: TRIALS | {Design.CROSSOVER, Design.CLUSTER, Design.DOUBLE_BLIND, Design.PLACEBO},
    Design.OBSERVATIONAL: OBSERVED,
    Design.REVIEW: frozenset({Design.META_ANALYSIS}),
    Design.BLIND: frozenset({Design.DOUBLE_BLIND}),
    Design.RANDOMISED: frozenset({Design.CLUSTER}),
}

# What contradicts a design: a paper that has one of these, and shows no sign of the design itself, does not have it.
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


# ---- designs ----
# Which designs a paper says that it has, and whether it has the one asked for.

# A paper about other papers, or about a future study, names designs that are not its own.
_ABOUT_OTHERS = (Design.REVIEW, Design.META_ANALYSIS, Design.EDITORIAL)


@dataclass(frozen=True, slots=True)
class DesignStatement:
    """Words in which a paper states its design."""

    place: ScreenedPart
    sentence: int | None  # None: a title that is not among the sentences
    words: str

    @property
    def in_words(self) -> str:
        return f"{self.place.says()} {quoted(self.words)}"


Signs = Mapping[Design, tuple[DesignStatement, ...]]


def design_statements(reading: ScreenedPaper) -> Signs:
    """Every design of which the paper shows signs, with those in its title first."""
    found: dict[Design, tuple[DesignStatement, ...]] = {}
    passages = list(reading.own_passages)
    if not any(place is ScreenedPart.TITLE for place, *_ in passages) and reading.title:
        titled: list[tuple[ScreenedPart, int | None, str]] = [(ScreenedPart.TITLE, None, reading.title)]
    else:
        titled = []
    for design, wording in WORDINGS.items():
        signs = []
        for place, sentence, passage in [*titled, *passages]:
            pattern = wording.titled if place is ScreenedPart.TITLE else wording.said
            match = next((m for m in pattern.finditer(passage) if not is_denied(passage[: m.start()][-60:])), None)
            if match is not None:
                signs.append(DesignStatement(place, sentence, match[0]))
        if signs:
            found[design] = tuple(sorted(signs, key=lambda sign: OWN_ACCOUNT.index(sign.place)))
    return found


def has_design(asked: Design, reading: ScreenedPaper, signs: Signs) -> CriterionFinding:
    """Whether the paper has the design asked for. NOT_MET only if the paper says that it is something else."""
    own = [sign for design in (asked, *INCLUDES.get(asked, ())) for sign in signs.get(design, ())]
    other = _about_others(signs)
    if own and asked not in _ABOUT_OTHERS:
        if other is not None and asked is not Design.PROTOCOL:
            return _not(asked, *other)
        if asked in TRIALS | {Design.TRIAL} and Design.ANIMAL in signs and Design.HUMAN not in signs:
            animals = signs[Design.ANIMAL]
            return CriterionFinding(
                Fit.UNCLEAR, f"{own[0].in_words}, of animals: {animals[0].in_words}", _places([*own, *animals])
            )
        if Design.PROTOCOL in signs and asked in TRIALS | {Design.TRIAL} and _titled(signs[Design.PROTOCOL]):
            sign = signs[Design.PROTOCOL][0]
            return CriterionFinding(Fit.UNCLEAR, f"{sign.in_words}: it may have no results yet", _places([sign, *own]))
    against = [(design, signs[design]) for design in Design if design in AGAINST.get(asked, ()) and design in signs]
    reused = _first_account(signs.get(Design.SECONDARY, ()))
    if reused and asked in TRIALS | {Design.TRIAL} and (own or not against):
        return CriterionFinding(
            Fit.UNCLEAR, f"{reused[0].in_words}: the trial may be reported elsewhere", _places([*reused, *own])
        )
    clashing = signs.get(Design.HUMAN if asked is Design.ANIMAL else Design.ANIMAL, ())
    if own and clashing and asked in (Design.HUMAN, Design.ANIMAL):
        return CriterionFinding(
            Fit.UNCLEAR, f"{own[0].in_words}, and {clashing[0].in_words}", _places([*own, *clashing])
        )
    if own and (asked not in _ABOUT_OTHERS or other is not None):
        return CriterionFinding(Fit.MET, own[0].in_words, _places(own))
    if asked is Design.PROTOCOL and reading.at(ScreenedPart.RESULTS):
        return CriterionFinding(Fit.NOT_MET, "it reports results and nowhere calls itself a protocol")
    if not own and against:
        design, shown = min(against, key=lambda one: OWN_ACCOUNT.index(one[1][0].place))
        return _not(asked, design, shown)
    places = _read(reading)
    silent = f"{named(places)} do" if len(places) > 1 else f"the {named(places)} does"
    return CriterionFinding(Fit.UNCLEAR, f"{silent} not tell whether it is {asked.in_words}", _places(own))


def lacks_design(asked: Design, reading: ScreenedPaper, signs: Signs) -> CriterionFinding:
    """Whether the paper meets a criterion that excludes a design.

    An attribute of a design, such as blinding, counts as absent if a full report does not mention it.
    """
    found = has_design(asked, reading, signs)
    shown = [sign for design in (asked, *INCLUDES.get(asked, ())) for sign in signs.get(design, ())]
    if found.fit is Fit.UNCLEAR and not shown and asked not in FAMILIES and reading.has_methods:
        return CriterionFinding(Fit.MET, f"{named(_read(reading))} nowhere call it {asked.in_words}")
    return found.inverted()


def _about_others(signs: Signs) -> tuple[Design, tuple[DesignStatement, ...]] | None:
    """The design that makes a paper one about other papers; None if it shows more that it is a trial itself."""
    trial = sum(sign.place is not ScreenedPart.TITLE for sign in signs.get(Design.RANDOMISED, ()))
    for design in _ABOUT_OTHERS:
        shown = signs.get(design, ())
        if _titled(shown) or (len(shown) > trial):
            return design, shown
    return None


def _not(asked: Design, design: Design, signs: tuple[DesignStatement, ...]) -> CriterionFinding:
    reason = f"{signs[0].in_words}, so it is {design.in_words}, not {asked.in_words}"
    return CriterionFinding(Fit.NOT_MET, reason, _places(signs))


def _titled(signs: tuple[DesignStatement, ...]) -> bool:
    return any(sign.place is ScreenedPart.TITLE for sign in signs)


def _first_account(signs: tuple[DesignStatement, ...]) -> tuple[DesignStatement, ...]:
    """The signs in title and abstract, which say what a paper is; methods also say what was done on the way."""
    return tuple(sign for sign in signs if sign.place in (ScreenedPart.TITLE, ScreenedPart.ABSTRACT))


def _places(signs: list[DesignStatement] | tuple[DesignStatement, ...]) -> tuple[int, ...]:
    return tuple(dict.fromkeys(sign.sentence for sign in signs if sign.sentence is not None))


def _read(reading: ScreenedPaper) -> list[ScreenedPart]:
    return [place for place in OWN_ACCOUNT if place is ScreenedPart.TITLE or reading.at(place)]
