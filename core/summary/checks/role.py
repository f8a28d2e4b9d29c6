"""Roles swapped: who was studied, who got what, which did better, and when."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from core.summary.checks.direction import cues_in
from core.summary.checks.model import Claim, Finding
from core.summary.checks.sides import orientation, sides_of
from core.summary.lexicon.groups import GROUPS, WHO
from core.summary.model import Check, Flag, Label, Span
from core.summary.support import Candidate

_ENOUGH = 0.45  # of the topic words must be shared before two sentences are taken to be about the same
_Members = dict[int, dict[int, tuple[int, int]]]


def check_roles(claim: Claim) -> Iterator[Finding]:
    """Findings on comparisons turned round, and on groups or times that stand in another's place."""
    alike = [candidate for candidate in claim.telling if candidate.share >= _ENOUGH]
    yield from _turned(claim, alike[:3])
    for number, members in _members_in(claim.text).items():
        told = [(candidate, found[number]) for candidate in alike if number in (found := _members_in(candidate.text))]
        near = {member for candidate in claim.nearest for member in _members_in(candidate.text).get(number, {})}
        for member, span in members.items():
            if any(member in found for _, found in told):
                continue
            replaced = [
                (candidate, place)
                for candidate, found in told
                for other, place in found.items()
                if other not in members
            ]
            anywhere = member in near or member in _members_in(claim.source.text).get(number, {})
            if replaced or (number < WHO and not anywhere):
                yield _group_finding(claim.text, span, replaced, anywhere=anywhere)
                break


def _turned(claim: Claim, alike: list[Candidate]) -> Iterator[Finding]:
    """A comparison with its sides changed and its direction kept."""
    for candidate in alike:
        if orientation(claim.text, candidate.text) != -1:
            continue
        here, there = sides_of(claim.text), sides_of(candidate.text)
        said = [cue for cue in cues_in(claim.text) if cue.sign]
        stands = [cue for cue in cues_in(candidate.text) if cue.sign]
        if here is None or there is None:
            continue
        if any(one.axis == two.axis and one.sign == -(two.sign or 0) for one in said for two in stands):
            continue  # the direction was changed too: it says the same
        flag = Flag(
            Check.ROLE,
            "The summary compares the other way round: what the paper has on one side stands on the other.",
            Label.CONTRADICTS,
            Span(here.start, here.end),
            candidate.index,
            Span(there.start, there.end),
        )
        yield Finding("turned", candidate.share, flag)
        return


def _group_finding(
    sentence: str, said: tuple[int, int], replaced: list[tuple[Candidate, tuple[int, int]]], *, anywhere: bool
) -> Finding:
    written, span = sentence[said[0] : said[1]], Span(*said)
    if not replaced:
        reason = f"The paper does not speak of “{written}”."
        return Finding("group_unknown", 1.0, Flag(Check.ROLE, reason, Label.NOT_IN_PAPER, span))
    candidate, (start, end) = replaced[0]
    reason = f"The summary speaks of “{written}” where the paper speaks of “{candidate.text[start:end]}”."
    flag = Flag(Check.ROLE, reason, Label.CONTRADICTS, span, candidate.index, Span(start, end))
    return Finding("group", 0.8 if anywhere else 1.0, flag)


@lru_cache(maxsize=16384)
def _members_in(sentence: str) -> _Members:
    """Group -> member -> where its first word stands."""
    found: _Members = {}
    for number, pattern in enumerate(_PATTERNS):
        for match in pattern.finditer(sentence):
            member = int((match.lastgroup or "m0")[1:])
            found.setdefault(number, {}).setdefault(member, match.span())
    return found


def _pattern(group: tuple[tuple[str, ...], ...]) -> re.Pattern[str]:
    members = [
        f"(?P<m{place}>\\b(?:{'|'.join(_form(form) for form in sorted(forms, key=len, reverse=True))}))"
        for place, forms in sorted(enumerate(group), key=lambda pair: -max(map(len, pair[1])))
    ]
    return re.compile("|".join(members), re.IGNORECASE)


def _form(form: str) -> str:
    """Long words by their beginning, short ones whole: "men" is not the beginning of "menopause"."""
    return re.escape(form) + (r"\w*" if len(form) >= 5 and " " not in form else r"s?\b")


_PATTERNS = tuple(_pattern(group) for group in GROUPS)
