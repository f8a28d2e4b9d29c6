"""Which way a sentence says that an outcome went: up, down, or nowhere, under one treatment beside another."""

from __future__ import annotations

import re
from dataclasses import dataclass

from core.findings.beside_the_point import blank, results_in
from core.findings.claim import Claim
from core.findings.effect_measures import no_effect
from core.findings.group_values import compared_values
from core.findings.lexicon import (
    BASELINE,
    COMPARATIVE,
    DOWNWARD,
    EFFECTIVE,
    EFFECTIVE_AGAINST,
    LATER,
    NOT_SEEN,
    NOT_SHOWN,
    OF_ALL_GROUPS,
    SIMILARLY,
    SIZE_OF_CHANGE,
    SMALLER,
    SOONER,
    SUBJECT_NOT_SEEN,
    SURVIVAL,
    TENDENCY,
    TIMED,
)
from core.findings.model import Effect
from core.findings.sides import balance_of, is_between_the_two, is_of_another, orientation
from core.findings.stated_effects import effects
from core.summary.checks.direction import Cue, cues_in
from core.summary.checks.sides import HINGE
from core.summary.numbers import Quantity, numbers_in
from core.summary.words import topic

SIGNIFICANT = 0.05  # a p-value below it
_LARGE = 0.01  # "p > 0.01" is said of what is not significant, "p > 0.001" seldom
_P_NEAR = 160  # characters after a direction within which a p-value is its own
# What parts the words of a clause: "a significant decrease (P = 0.01) in pain", "lower (Figure 2) than".
_IN_BRACKETS = re.compile(
    r"\([^()]*(?:[=<>]|\bFig|\bTable|\bCI\b)[^()]*\)(?=\s(?:in|of|for|than|[a-z]+er|(?:reduc|increas|decreas|improv)\w+)\b)"
)
# What tells no direction: "one or more complications", "more than half", "adverse events".
_AMOUNT = re.compile(
    r"\badverse(?= (?:\w+ )?(?:events?|effects?|reactions?|outcomes?|experiences?)\b(?! on\b))"
    r"|\b(?:\w+ )?or (?:more|less|fewer|greater|higher|better|worse)\b|\bat (?:least|best|most)\b"
    r"|\b(?:more|less|fewer|greater|higher|lower) than (?:\d|(?:one|two|three|half)\b)",
    re.IGNORECASE,
)
_LONGEST = 3000  # characters of a sentence that are looked at: a table row may have more


@dataclass(frozen=True, slots=True)
class Reading:
    """What a sentence says of a claim's outcome. `sign`: 1 more of it, -1 less, 0 no difference, None: it does not say."""

    sign: int | None
    words: str = ""  # that say so
    outcome: float = 0.0  # the share of the outcome's words that stand in the sentence
    near: float = 0.0  # the share of them that stand near the words that say so
    sides: float = 0.0  # the share of the words for what is compared
    tested: bool = False  # a p-value, an interval or "significant" goes with it
    differs: bool = False  # a difference is told, without its direction


@dataclass(frozen=True, slots=True)
class _PValue:
    """A p-value as printed, and how large it is at most; at least, where it is above something."""

    start: int
    value: float
    text: str


def read(text: str, claim: Claim) -> Reading:
    """What a sentence says of the outcome of a claim."""
    words = topic(text[:_LONGEST])
    text = results_in(text[:_LONGEST], claim)
    stated = effects(text)
    p = _p_values(text)
    cue = _telling(text, claim)
    sign, said = _sign(text, claim, cue, stated, p)
    return Reading(
        sign=sign,
        words=said,
        outcome=claim.outcome_share(words),
        near=claim.outcome_share(cue.about) if cue else 0.0,
        sides=_share(claim.intervention | claim.comparator, words),
        tested=bool(p) or any(effect.low is not None for effect in stated) or "significan" in text.lower(),
        differs=sign is None and bool(said),
    )


def _share(wanted: frozenset[str], words: frozenset[str]) -> float:
    return len(wanted & words) / len(wanted) if wanted else 0.0


def _sign(text: str, claim: Claim, cue: Cue | None, stated: list[Effect], p: list[_PValue]) -> tuple[int | None, str]:
    """The direction, and the words that tell it."""
    if cue is None:
        return _untold(text, claim, stated, p)
    said = _whole_words(text, cue.start, cue.end)
    if cue.sign == 0:
        return 0, said
    shown = _not_shown(text, cue, claim) or _span(TENDENCY.search(text))
    own = next((one for one in p if 0 <= one.start - cue.end <= _P_NEAR), None)
    if own is not None and own.value >= SIGNIFICANT:
        return 0, own.text
    if shown and (own is None or shown[0] > cue.end):
        return 0, _whole_words(text, *shown)
    if _includes_no_effect(stated):
        return 0, stated[0].text
    if cue.sign is None:
        sign, words = _untold(text, claim, stated, p)
        return sign, words or said
    sign = _of_outcome(cue, text, claim)
    if _says_nothing_of_sides(text, cue, claim):
        return None, ""
    return sign * orientation(text, cue.start, cue.end, claim), said


def _not_shown(text: str, cue: Cue, claim: Claim) -> tuple[int, int] | None:
    """Where it stands that a direction may be chance, or was not seen, but for "not seen" in the comparator alone."""
    seen = SUBJECT_NOT_SEEN.match(text)
    if seen is None or seen.start("noun") < cue.start:
        seen = NOT_SEEN.match(text, cue.end)
    where = topic(seen["where"] or "") if seen else frozenset[str]()
    if seen and (where & claim.intervention or balance_of(where, claim) >= 0):
        return seen.span("said")
    return _span(NOT_SHOWN.search(text, cue.end))


def _span(match: re.Match[str] | None) -> tuple[int, int] | None:
    return match.span() if match else None


def _whole_words(text: str, start: int, end: int) -> str:
    """The words of which a stretch is a part: what is quoted is what the paper writes."""
    while start and text[start - 1].isalpha():
        start -= 1
    while end < len(text) and text[end].isalpha():
        end += 1
    return text[start:end]


def _of_outcome(cue: Cue, text: str, claim: Claim) -> int:
    """The way the outcome itself goes: better pain is less pain, faster healing less time."""
    word = text[cue.start : cue.end].lower()
    if TIMED.search(claim.about):
        if SOONER.match(word):
            return -1
        if LATER.match(word):
            return 1
    sign = _effective(text, cue, claim) or _size_of_change(text, cue, claim)
    if sign:
        return sign
    sign = cue.sign or 1
    return sign * claim.valence if cue.axis == "value" else sign


def _effective(text: str, cue: Cue, claim: Claim) -> int | None:
    """The way of an outcome that a treatment is more or less effective for: what controls pain better gives less of it."""
    for match in EFFECTIVE_AGAINST.finditer(text):
        if match.start() <= cue.start < match.end() and not topic(match["against"]) & claim.outcome:
            return 1 if match["less"] or match["worse"] else -1
    for match in EFFECTIVE.finditer(text):
        if match.start() <= cue.start < match.end():
            return -claim.valence if match["less"] or match["worse"] else claim.valence
    return None


def _size_of_change(text: str, cue: Cue, claim: Claim) -> int | None:
    """The way of a change whose size is told: a greater reduction is down, a smaller one up."""
    for match in SIZE_OF_CHANGE.finditer(text):
        change = match["change"] or match["change2"]
        if match.start() <= cue.start < match.end() and not topic(change) & claim.outcome:  # "falls" may be the outcome
            size = -1 if (match["size"] or match["size2"]).lower() in SMALLER else 1
            return size * (-1 if change.lower() in DOWNWARD else 1)
    return None


def _untold(text: str, claim: Claim, stated: list[Effect], p: list[_PValue]) -> tuple[int | None, str]:
    """Where no word tells a direction: by an effect with its interval, two values, or a p-value alone."""
    if _includes_no_effect(stated):
        return 0, stated[0].text
    if len(stated) == 1 and stated[0].low is not None and (none := no_effect(stated[0].measure)) is not None:
        more = stated[0].value > none
        if SURVIVAL.search(claim.about) and stated[0].measure.removeprefix("a") == "HR":
            more = not more  # it is of the event that ends survival
        return (1 if more else -1), stated[0].text
    least = min(p, key=lambda one: one.value, default=None)
    if least is not None and least.value >= SIGNIFICANT:
        return 0, least.text
    if least is not None or "significan" in text.lower():
        found = compared_values(text, claim)
        if found:
            return found
        return None, "significant"
    return None, ""


def _telling(text: str, claim: Claim) -> Cue | None:
    """The direction that is about the outcome: what stands around it shares most with the outcome's words."""
    skipped = SIMILARLY.match(text)
    after = skipped.end() if skipped else 0
    cues = [
        cue
        for cue in cues_in(_AMOUNT.sub(blank, _IN_BRACKETS.sub(blank, text)))
        if cue.start >= after and not _part_of_name(text, cue, claim)
    ]
    if not cues:
        return None
    return max(
        cues,
        key=lambda cue: (
            round(claim.outcome_share(cue.about), 2),
            cue.sign is not None,
            is_between_the_two(text, cue.end, claim),
            -cue.start,
        ),
    )


def _part_of_name(text: str, cue: Cue, claim: Claim) -> bool:
    """Whether a direction is a word of the outcome's or a treatment's own name: "weight loss", "reduced dose"."""
    stems = topic(text[cue.start : cue.end])
    return bool(stems) and stems <= claim.outcome | claim.intervention | claim.comparator


def _says_nothing_of_sides(text: str, cue: Cue, claim: Claim) -> bool:
    """Whether a direction is a change over time, of all groups or of the comparator's alone, and no comparison."""
    if is_of_another(text, cue.start, claim):
        return True
    if BASELINE.search(claim.text):
        return False
    if HINGE.search(text) or COMPARATIVE.match(text[cue.start : cue.end]):
        return False
    return OF_ALL_GROUPS.search(text) is not None or balance_of(topic(text), claim) < 0


def _p_values(text: str) -> list[_PValue]:
    """The p-values of a sentence, in order."""
    found = []
    for number in numbers_in(text):
        if number.quantity is Quantity.P_VALUE and not _is_name(text, number.start, number.end):
            value = number.value
            if number.bound == "<" and value <= SIGNIFICANT:
                value = min(value, SIGNIFICANT - 1e-9)
            elif number.bound == ">" and value >= _LARGE:
                value = max(value, SIGNIFICANT)
            found.append(_PValue(number.start, value, text[number.start : number.end]))
    return found


def _is_name(text: str, start: int, end: int) -> bool:
    """Whether what looks like a p-value is a group's value: "T&P = 11"."""
    return text[start - 1 : start] in ("&", "/", "-") or text[end : end + 1].isdigit()


def _includes_no_effect(stated: list[Effect]) -> bool:
    """Whether the only effect that a sentence states has an interval that includes no effect."""
    if len(stated) != 1 or stated[0].low is None or stated[0].high is None:
        return False
    if any(one.value < SIGNIFICANT for one in _p_values(stated[0].p)):
        return False  # tested on one side, or by another test
    none = no_effect(stated[0].measure)
    return none is not None and stated[0].low <= none <= stated[0].high
