"""What a hypothesis claims: which way an outcome goes, under what, compared with what."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from core.findings.lexicon import LESS_IS_BETTER, MORE_IS_BETTER, OF_NO_SIDE
from core.summary.checks.direction import cues_in
from core.summary.checks.sides import HINGE
from core.summary.words import topic

_NOT_THE_CASE = re.compile(r"^\s*it is not (?:the case|true) that\s+", re.IGNORECASE)
_NO_WORSE = r"(?:no worse|not (?:inferior|worse)|non-?inferior|(?:at least )?as (?:effective|good|safe|well))"
_IS = r"(?:is|are|was|were|does|do|did|has|have|will be|can be|may be|might be)"
_RANKED = r"(?:not\s+)?(?:superior|inferior|equivalent|similar|comparable|preferable|more effective|less effective|better|worse)"
_MORE = r"(?:higher|lower|greater|smaller|fewer|less|more|longer|shorter|better|worse|reduced|increased|decreased|improved|elevated)"

# The ways of putting a hypothesis, first match first. `x`: what is studied, `y`: what it is compared with, `o`: the
# outcome, `verb`: what tells the direction.
_SHAPES = tuple(
    re.compile(shape, re.IGNORECASE)
    for shape in (
        # There is no difference in pain between X and Y.
        r"^(?P<verb>.*\bdifferences?)\s+in\s+(?P<o>.+?)\s+between\s+(?P<x>.+?)\s+and\s+(?P<y>.+)$",
        # X and Y do not differ in pain.
        r"^(?P<x>.+?)\s+and\s+(?P<y>.+?)\s+(?P<verb>(?:do|did|does)\s+not\s+differ|differ|(?:are|were)\s+(?:similar|equivalent))\s+(?:in|for|on)\s+(?P<o>.+)$",
        # X is superior to Y for pain. X is no worse than Y for survival.
        rf"^(?P<x>.+?)\s+(?P<verb>{_IS}\s+(?:{_NO_WORSE}|{_RANKED})(?:\s+(?:to|than|as|with))?)\s+(?P<y>.+?)"
        r"\s+(?:for|in|on|at|in terms of|regarding|with respect to)\s+(?P<o>.+)$",
        # X is associated with a lower risk of stroke.
        rf"^(?P<x>.+?)\s+(?P<verb>{_IS}\s+(?:not\s+)?(?:\w+ly\s+)?(?:associated|linked|related|correlated)\s+(?:with|to)(?:\s+(?:an?|the))?"
        rf"(?:\s+{_MORE})?)\s+(?P<o>.+?)(?:\s+(?:than|(?:as\s+)?compared (?:with|to)|versus|vs\.?)\s+(?P<y>.+))?$",
        # Mortality is lower with X than with Y.
        rf"^(?P<o>.+?)\s+(?P<verb>{_IS}\s+(?:not\s+)?(?:\w+ly\s+)?{_MORE})\s+(?:with|in|under|after|for|among|on|by)\s+(?P<x>.+?)"
        r"(?:\s+(?:than|(?:as\s+)?compared (?:with|to)|versus|vs\.?)\s+(?:(?:with|in|under|after|for|among|on|by)\s+)?(?P<y>.+))?$",
        # X leads to lower pain than Y; X reduces pain compared with Y.
        r"^(?P<x>.+?)\s+(?P<verb>(?:(?:does|do|did|can|may|might|will|could)\s+)?(?:not\s+)?(?:\w+ly\s+)?"
        r"(?:(?:leads?|results?|produces?|causes?|gives?|shows?|has|have)\s+(?:to\s+|in\s+)?(?:an?\s+|the\s+)?"
        rf"(?:{_MORE}|no\s+(?:effect|influence|impact)\s+on|an?\s+effect\s+on)"
        r"|increases?|reduces?|decreases?|improves?|worsens?|lowers?|raises?|prevents?|lengthens?|shortens?|prolongs?|enhances?|delays?|slows?"
        r"|elevates?|attenuates?|alleviates?|accelerates?|relieves?|suppress(?:es)?|inhibits?|induces?|promotes?|protects? against"
        r"|affects?|influences?|changes?|alters?|predicts?|differs?\s+in|is effective (?:for|in|against)))\s+"
        r"(?P<o>.+?)(?:\s+(?:than|(?:as\s+)?compared (?:with|to)|in comparison (?:with|to)|versus|vs\.?|relative to)\s+(?P<y>.+))?$",
    )
)
_FEWER = re.compile(r"\b(?:prevents?|delays?|slows?|avoids?|protects? against|relieves?|alleviates?)\b", re.IGNORECASE)
_ASIDE = re.compile(r"\([^()]{25,}\)?")  # how a treatment is given; a shorter one may be its abbreviation
# Whom an outcome is of, after its name: "sleep in adults with insomnia", but not "the share of patients with pain".
_OF_WHOM = re.compile(
    r"(?<=\w)(?<!\bincrease)(?<!\bdecrease)(?<!\breduction)(?<!\bchange)\s+(?:in|among|for)\s+"
    r"(?:[\w-]+\s+){0,3}?(?:adults?|patients?|people|persons?|participants?|subjects?"
    r"|individuals?|women|men|children|adolescents?|infants?|neonates?|newborns?|athletes?|students?|workers?|nurses?"
    r"|smokers?|survivors?|volunteers?|the elderly)\b.*",
    re.IGNORECASE,
)
_EFFECTIVE = re.compile(r"\bis effective\b", re.IGNORECASE)
_MORE_OF_IT = re.compile(r"\b(?:raises?|induces?|promotes?)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Name:
    """Another name of an outcome, or of a part of it: its stems, and those of the outcome that it stands for."""

    stems: frozenset[str]
    meant: frozenset[str]


@dataclass(frozen=True, slots=True)
class Claim:
    """A hypothesis taken apart. Words are stems (`core.summary.words.topic`)."""

    text: str
    studied: str  # as written; empty where the hypothesis is put in no known way
    about: str  # the outcome as written
    sign: int | None  # of the outcome: 1 goes up, -1 down, 0 no difference; None: a difference or association at least
    outcome: frozenset[str]
    intervention: frozenset[str]  # without what the comparator shares
    comparator: frozenset[str]  # without what the intervention shares
    valence: int  # 1: more of the outcome is better, -1: less is
    at_least: bool = False  # "no worse": no difference supports it too
    denied: bool = False  # "It is not the case that ..."
    beside: str = ""  # what it is compared with, as written
    names: tuple[Name, ...] = ()  # other names of the outcome, as one paper has them (`core.findings.other_names`)

    def outcome_share(self, stems: frozenset[str]) -> float:
        """The share of the outcome's words among stems, 0 to 1, by whatever name."""
        if not self.outcome:
            return 0.0
        meant = stems.union(*(name.meant for name in self.names if name.stems <= stems)) if self.names else stems
        return len(self.outcome & meant) / len(self.outcome)


@lru_cache(maxsize=256)
def claim_of(hypothesis: str) -> Claim:
    """What a hypothesis claims. One that is put in no known way claims an association between all that it names."""
    denial = _NOT_THE_CASE.match(hypothesis)
    text = " ".join((hypothesis[denial.end() :] if denial else hypothesis).strip().rstrip(".").split())
    match = next((found for shape in _SHAPES if (found := shape.match(text))), None)
    if match is None:
        hinge = HINGE.search(text)
        before, other, verb, about = "", text[hinge.end() :] if hinge else "", text, text
    else:
        before, other, verb, about = match["x"], match["y"] or "", match["verb"], match["o"]
    treated, control = topic(_ASIDE.sub(" ", before)), topic(_ASIDE.sub(" ", other))
    outcome = _OF_WHOM.sub("", about)
    valence = -1 if LESS_IS_BETTER.search(outcome) and not MORE_IS_BETTER.search(outcome) else 1
    no_worse = re.search(_NO_WORSE, verb, re.IGNORECASE) is not None
    return Claim(
        text=hypothesis,
        studied=before,
        about=about,
        sign=valence if no_worse else _sign(verb, valence),
        outcome=topic(outcome),
        intervention=_own(treated, control),
        comparator=_own(control, treated),
        valence=valence,
        at_least=no_worse,
        denied=denial is not None,
        beside=other,
    )


def _own(stems: frozenset[str], others: frozenset[str]) -> frozenset[str]:
    """The stems that tell one side from the other: a dose or its times only where nothing else does."""
    own = stems - others
    return own - OF_NO_SIDE or own


def _sign(verb: str, valence: int) -> int | None:
    """Which way the outcome goes, by the words that tell the direction."""
    if _EFFECTIVE.search(verb):
        return valence
    if _FEWER.search(verb) or _MORE_OF_IT.search(verb):
        sign = 1 if _MORE_OF_IT.search(verb) else -1
        return 0 if " not " in f" {verb} " else sign
    cues = [cue for cue in cues_in(verb) if cue.sign is not None]
    if not cues:
        return None
    cue = cues[-1]
    if cue.axis == "value" and cue.sign:
        return cue.sign * valence
    return cue.sign
