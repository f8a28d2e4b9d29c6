"""Which side of a comparison a sentence speaks of: what is studied, or what it is compared with."""

from __future__ import annotations

import re

from core.findings.beside_the_point import blank
from core.findings.claim import Claim
from core.findings.lexicon import CONTROL, TREATED
from core.summary.checks.sides import HINGE as _COMPARED
from core.summary.words import topic

# "superior to walks" sets them beside each other as "than" does.
HINGE = re.compile(rf"{_COMPARED.pattern}|(?<=superior) to\b|(?<=inferior) to\b", re.IGNORECASE)
_REACH = 90  # characters on either side of a comparison that name what is compared
_NAME = 4  # characters at least, of the shortest name
_BRACKETS = re.compile(r"\([^()]*\)")
_TURN = re.compile(r"[;.]\s|,?\s(?:but|while|whereas|with no)\b", re.IGNORECASE)
# It ends a name, but in "than with A and with B": "than placebo in those given A".
_WHERE = re.compile(r"(?<!\band)(?<!\bor)\s(?:in|among|with|after|of|for|under)\b", re.IGNORECASE)
_BETWEEN = re.compile(r"[^,;]{0,60}\bbetween\s(?P<whom>[^,;.()]+)", re.IGNORECASE)
_NUMBER = re.compile(r"\s*(?:with\s+)?[-−–(]?\s?\d")


def orientation(text: str, start: int, end: int, claim: Claim) -> int:
    """-1 where the direction at `text[start:end]` is said of the comparator, beside what is studied; else 1."""
    outside = _unbracketed(text)
    compared = outside if outside[start:end].strip() else text  # "higher in A (5 in B versus 9 in A)"
    hinges = [match for match in HINGE.finditer(compared) if not _NUMBER.match(text, match.end())]  # "5.7 versus 8.4"
    hinge = next((match for match in hinges if match.start() >= end), hinges[0] if hinges else None)
    if hinge is None:
        after, before = _TURN.split(text[end : end + _REACH], maxsplit=1)[0], text[max(0, start - _REACH) : start]
        nearest = re.split(r"[(\[]", after, maxsplit=1)[0]  # "higher with B (4 with A, 7 with B)" is said of B
        balance = next(filter(None, (balance_of(topic(part), claim) for part in (nearest, after, before))), 0)
        return -1 if balance < 0 else 1
    if hinge.end() <= start:  # "Compared with Y, X had less pain."
        comma = text.find(",", hinge.end(), start)
        turn = comma if comma > 0 else hinge.end() + _REACH
        left, right = topic(text[turn : end + _REACH]), topic(text[hinge.end() : turn])
    else:
        left = topic(text[max(0, hinge.start() - 2 * _REACH) : hinge.start()])
        bracket = text.find("(", hinge.end() + _NAME)  # what is in it is of both sides
        right = topic(text[hinge.end() : min(bracket % (len(text) + 1), hinge.end() + _REACH)])
    balance = balance_of(left - right, claim) - 2 * balance_of(right - left, claim)
    return -1 if balance < 0 else 1


def is_of_another(text: str, start: int, claim: Claim) -> bool:
    """Whether the direction at `start` is said of a third group: what is studied and the comparator stand on one side."""
    plain = _unbracketed(text)
    hinge = HINGE.search(plain, start)
    if hinge is None:
        return False
    turn = _TURN.search(plain, hinge.end())
    named = claim.intervention | claim.comparator
    stretches = map(topic, _WHERE.split(plain[hinge.end() : turn.start() if turn else len(plain)]))
    beside = next((words for words in stretches if words & named), frozenset[str]())
    before = topic(plain[: hinge.start()])
    return (_names_both(beside, claim) and not before & named) or (_names_both(before, claim) and not beside)


def is_between_the_two(text: str, end: int, claim: Claim) -> bool:
    """Whether what ends at `end` is said to lie between what is studied and its comparator: "no difference between A and B"."""
    match = _BETWEEN.match(text, end)
    return match is not None and _names_both(topic(match["whom"]), claim)


def _names_both(words: frozenset[str], claim: Claim) -> bool:
    return bool(words & claim.intervention and words & claim.comparator)


def _unbracketed(text: str) -> str:
    return _BRACKETS.sub(blank, text)


def balance_of(words: frozenset[str], claim: Claim) -> int:
    """How many words name what is studied, less those that name the comparator."""
    treated, control = claim.intervention, claim.comparator
    if not treated & CONTROL:  # the usual names of either count too
        treated, control = treated | (TREATED - control), control | (CONTROL - treated)
    return len(words & treated) - len(words & control)
