"""Directions reversed: up for down, better for worse, a difference for none."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from core.summary.checks.model import Claim, Finding
from core.summary.checks.sides import orientation
from core.summary.lexicon.directions import BETTER, DIFFERENCE, DOWN, NEGATIONS, NONE, UP, WORSE
from core.summary.model import Check, Flag, Label, Span
from core.summary.support import Candidate
from core.summary.words import Word, topic, words_of

_REACH = 10  # words to either side that tell what a direction is about
_BEFORE = 4  # words before it among which a negation counts
_ENOUGH = 2  # topic words tell what a direction is about
_ALIKE = 0.7  # of the topic words are shared by sentences whose directions can be compared one by one
_LEAST = 0.3  # of the context must be shared before two directions are about the same


@dataclass(frozen=True, slots=True)
class Cue:
    """A word that tells a direction. `sign`: 1 up or better, -1 down or worse, 0 no change, None a difference."""

    axis: str
    sign: int | None
    start: int
    end: int
    about: frozenset[str]
    negated: bool = False


@lru_cache(maxsize=16384)
def cues_in(sentence: str) -> tuple[Cue, ...]:
    """The directions that a sentence tells, in order."""
    lowered = sentence.lower().replace("’", "'")
    words = words_of(sentence)
    found: list[Cue] = []
    covered = [False] * len(sentence)
    for phrase in NONE:
        for match in re.finditer(rf"\b{re.escape(phrase)}" if phrase[0].isalpha() else re.escape(phrase), lowered):
            if not any(covered[match.start() : match.end()]):
                covered[match.start() : match.end()] = [True] * len(phrase)
                found.append(Cue("none", 0, *match.span(), _about(sentence, words, *match.span())))
    for place, word in enumerate(words):
        known = None if covered[word.start] else _direction(word.text)
        if known is None:
            continue
        axis, sign = known
        negated = _negated(words, place)
        if negated:
            sign = 0
        found.append(Cue(axis, sign, word.start, word.end, _about(sentence, words, word.start, word.end), negated))
    return tuple(sorted(found, key=lambda cue: cue.start))


@lru_cache(maxsize=65536)
def _direction(word: str) -> tuple[str, int | None] | None:
    for axis, sign, forms in (("amount", 1, UP), ("amount", -1, DOWN), ("value", 1, BETTER), ("value", -1, WORSE)):
        if any(word == form or (len(form) >= 5 and word.startswith(form)) for form in forms):
            return axis, sign
    return ("difference", None) if word.startswith(DIFFERENCE) else None


def _negated(words: Sequence[Word], place: int) -> bool:
    word = words[place]
    before = [other for other in words[max(0, place - _BEFORE) : place] if other.clause == word.clause]
    return any(other.text in NEGATIONS or other.text.endswith("n't") for other in before)


def _about(sentence: str, words: Sequence[Word], start: int, end: int) -> frozenset[str]:
    """The topic words of the clause that a direction stands in; of what is near, if the clause tells too little."""
    places = [place for place, word in enumerate(words) if start <= word.start < end]
    if not places:
        return frozenset()
    first, last = places[0], places[-1]
    near = words[max(0, first - _REACH) : last + 1 + _REACH]
    clause = [word for word in near if word.clause == words[first].clause]
    context = _topic_between(sentence, clause, start, end)
    return context if len(context) >= _ENOUGH else _topic_between(sentence, near, start, end)


def _topic_between(sentence: str, words: Sequence[Word], start: int, end: int) -> frozenset[str]:
    """The topic words of a run of words around a direction, without the directions among them."""
    first, last = min(start, words[0].start), max(end, words[-1].end)
    context = topic(sentence[first:start]) | topic(sentence[end:last])
    return frozenset(word for word in context if _direction(word.removeprefix("=")) is None)


def check_directions(claim: Claim) -> Iterator[Finding]:
    """Directions that the nearest sentences tell otherwise, and none of them tells so."""
    said = cues_in(claim.text)
    for candidate in claim.telling:
        stand = cues_in(candidate.text)
        if candidate.share >= _ALIKE and said and len(stand) == len(said):
            yield from _one_by_one(claim.text, candidate, list(zip(said, stand, strict=True)))
            return
    for cue in said:
        weighed = _weighed(cue, claim)
        if weighed.by is None or weighed.against < max(_LEAST, weighed.agree):
            continue
        candidate, other = weighed.by
        measure = "difference" if 0 in (cue.sign, other.sign) else "direction"
        weight = min(1.0, 2 * (weighed.against - weighed.agree)) * candidate.share
        yield Finding(measure, weight, _flag(claim.text, cue, candidate, other))


def agreement(claim: Claim) -> float:
    """How much more the nearest sentences tell the same directions than the opposite, -1 to 1; 0 if there is none."""
    balances = [weighed.agree - weighed.against for weighed in (_weighed(cue, claim) for cue in cues_in(claim.text))]
    return max(-1.0, min(1.0, sum(balances) / len(balances))) if balances else 0.0


@dataclass(frozen=True, slots=True)
class _Weighed:
    """How alike what agrees with a direction is at best, and what speaks against it."""

    agree: float
    against: float
    by: tuple[Candidate, Cue] | None


def _weighed(cue: Cue, claim: Claim) -> _Weighed:
    agree, against, by = 0.0, 0.0, None
    for candidate in claim.nearest:
        turned = orientation(claim.text, candidate.text)
        for other in cues_in(candidate.text):
            shared, verdict = _shared(cue, other), _agrees(cue, other, turned)
            if verdict is True:
                agree = max(agree, shared)
            elif verdict is False and shared > against:
                against, by = shared, (candidate, other)
    return _Weighed(agree, against, by)


def _one_by_one(sentence: str, candidate: Candidate, cues: list[tuple[Cue, Cue]]) -> Iterator[Finding]:
    """For a sentence that says almost the same: each direction beside that in its place."""
    turned = orientation(sentence, candidate.text)
    for cue, other in cues:
        if _agrees(cue, other, turned) is False:
            measure = "difference_here" if 0 in (cue.sign, other.sign) else "direction_here"
            yield Finding(measure, 1.0, _flag(sentence, cue, candidate, other))


def _shared(one: Cue, two: Cue) -> float:
    if not one.about or not two.about:
        return 0.0
    return len(one.about & two.about) / (0.7 * len(one.about) + 0.3 * len(two.about))


def _agrees(one: Cue, two: Cue, turned: int) -> bool | None:
    """Whether two directions on one thing go together; None: it cannot be told."""
    if one.sign == 0 or two.sign == 0:
        return one.sign == two.sign
    if one.sign is None or two.sign is None:
        return True
    if one.axis != two.axis:
        return None
    if turned < 0 and one.sign == two.sign:
        return None  # a matter of roles
    return one.sign * two.sign * (turned or 1) > 0


def _flag(sentence: str, cue: Cue, candidate: Candidate, other: Cue) -> Flag:
    said, stands = sentence[cue.start : cue.end], candidate.text[other.start : other.end]
    if other.negated and other.sign == 0:
        stands = f"not {stands}"
    if cue.negated and cue.sign == 0:
        said = f"not {said}"
    return Flag(
        Check.DIRECTION,
        f"The summary says “{said}” where the paper says “{stands}”.",
        Label.CONTRADICTS,
        Span(cue.start, cue.end),
        candidate.index,
        Span(other.start, other.end),
    )
