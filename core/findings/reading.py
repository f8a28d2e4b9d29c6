"""Which way a sentence says that an outcome went: up, down, or nowhere, under one treatment beside another."""

from __future__ import annotations

from dataclasses import dataclass

from core.findings.claim import Claim
from core.findings.effect_measures import no_effect
from core.findings.lexicon import CONTROL, TREATED
from core.findings.model import Effect
from core.findings.stated_effects import effects
from core.summary.checks.direction import Cue, cues_in
from core.summary.checks.sides import HINGE
from core.summary.numbers import Quantity, numbers_in
from core.summary.words import topic

_SIGNIFICANT = 0.05  # a p-value below it
_REACH = 90  # characters on either side of a comparison that name what is compared
_P_NEAR = 130  # characters after a direction within which a p-value is its own


@dataclass(frozen=True, slots=True)
class Reading:
    """What a sentence says of a claim's outcome. `sign`: 1 more of it, -1 less, 0 no difference, None: it does not say."""

    sign: int | None
    words: str = ""  # that say so
    outcome: float = 0.0  # the share of the outcome's words that stand in the sentence
    sides: float = 0.0  # the share of the words for what is compared
    tested: bool = False  # a p-value, an interval or "significant" goes with it


def read(text: str, claim: Claim) -> Reading:
    """What a sentence says of the outcome of a claim."""
    words = topic(text)
    outcome = _share(claim.outcome, words)
    sides = _share(claim.intervention | claim.comparator, words)
    cue = _telling(text, claim)
    if cue is None:
        return Reading(None, "", outcome, sides)
    p = _p_value(text, cue)
    stated = effects(text)
    tested = p is not None or bool(stated) or "significan" in text.lower()
    said = text[cue.start : cue.end]
    if cue.sign == 0:
        return Reading(0, said, outcome, sides, tested)
    if (p is not None and p >= _SIGNIFICANT) or _crosses(stated):
        return Reading(0, said, outcome, sides, tested=True)
    if cue.sign is None:
        return Reading(None, said, outcome, sides, tested)
    sign = cue.sign * claim.valence if cue.axis == "value" else cue.sign
    return Reading(sign * _orientation(text, cue, claim), said, outcome, sides, tested)


def _share(wanted: frozenset[str], words: frozenset[str]) -> float:
    return len(wanted & words) / len(wanted) if wanted else 0.0


def _telling(text: str, claim: Claim) -> Cue | None:
    """The direction that is about the outcome: what stands around it shares most with the outcome's words."""
    cues = [cue for cue in cues_in(text) if not _part_of_name(text, cue, claim)]
    if not cues:
        return None
    directed = [cue for cue in cues if cue.sign is not None] or cues
    return max(directed, key=lambda cue: (_share(claim.outcome, cue.about), -cue.start))


def _part_of_name(text: str, cue: Cue, claim: Claim) -> bool:
    """Whether a direction is a word of the outcome's or a treatment's own name: "weight loss", "reduced dose"."""
    stems = topic(text[cue.start : cue.end])
    return bool(stems) and stems <= claim.outcome | claim.intervention | claim.comparator


def _p_value(text: str, cue: Cue) -> float | None:
    """The p-value that goes with a direction: the next one after it, or else the one before."""
    values = [number for number in numbers_in(text) if number.quantity is Quantity.P_VALUE]
    after = [number for number in values if 0 <= number.start - cue.end <= _P_NEAR]
    if not after:
        return None
    first = after[0]
    if first.bound == ">":
        return max(first.value, _SIGNIFICANT)
    return first.value if first.bound == "=" or first.value > _SIGNIFICANT else min(first.value, _SIGNIFICANT - 1e-9)


def _crosses(stated: list[Effect]) -> bool:
    """Whether the only effect that a sentence states has an interval that includes no effect."""
    if len(stated) != 1 or stated[0].low is None or stated[0].high is None:
        return False
    none = no_effect(stated[0].measure)
    return none is not None and stated[0].low <= none <= stated[0].high


def _orientation(text: str, cue: Cue, claim: Claim) -> int:
    """-1 where the sentence says it of the comparator, beside what is studied; else 1."""
    treated, control = _names(claim)
    hinge = HINGE.search(text, cue.end) or HINGE.search(text)
    if hinge:
        left = topic(text[max(0, hinge.start() - 2 * _REACH) : hinge.start()])
        right = topic(text[hinge.end() : hinge.end() + _REACH])
        balance = _balance(left - right, treated, control) - 2 * _balance(right - left, treated, control)
    else:
        balance = _balance(topic(text[cue.end : cue.end + _REACH]), treated, control)
        if not balance:
            balance = _balance(topic(text[max(0, cue.start - _REACH) : cue.start]), treated, control)
    return -1 if balance < 0 else 1


def _names(claim: Claim) -> tuple[frozenset[str], frozenset[str]]:
    """The words for what is studied and for what it is compared with, the usual ones for either among them."""
    treated, control = claim.intervention, claim.comparator
    if not treated & CONTROL:
        treated, control = treated | (TREATED - control), control | (CONTROL - treated)
    return treated, control


def _balance(words: frozenset[str], treated: frozenset[str], control: frozenset[str]) -> int:
    return len(words & treated) - len(words & control)
