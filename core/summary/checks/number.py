"""Numbers, units, per cent and p-values that the support lacks, or has otherwise."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from core.summary.checks.model import Claim, Finding
from core.summary.model import Check, Flag, Label, Span
from core.summary.numbers import Number, Quantity, comparable, consistent, numbers_in, same_but_unit
from core.summary.support import Candidate

_SMALL = 4  # counts up to this are often the writer's own: "in both groups", "three findings"


def check_numbers(claim: Claim) -> Iterator[Finding]:
    """One finding for each number of the sentence that its support does not have."""
    telling, beside = _numbers_of(claim.telling), _numbers_of(claim.nearest)
    said = numbers_in(claim.text)
    for number in said:
        if any(consistent(number, other) for _, other in telling) or _derived(number, claim.telling):
            continue
        replaced = [
            (candidate, other)
            for candidate, other in telling
            if comparable(number, other) and not any(consistent(one, other) for one in said)
        ]
        known = any(consistent(number, other) for _, other in beside) or _derived(number, claim.nearest)
        elsewhere = known or any(consistent(number, other) for other in claim.source.numbers)
        small = number.quantity is Quantity.PLAIN and number.unit is None and number.value <= _SMALL
        if (known or (small and elsewhere)) and not replaced:
            continue  # from another sentence, and nothing of this one stands in its place
        yield _finding(claim.text, number, telling, replaced, elsewhere=elsewhere, small=small)


def _numbers_of(candidates: Sequence[Candidate]) -> list[tuple[Candidate, Number]]:
    return [(candidate, number) for candidate in candidates for number in numbers_in(candidate.text)]


def _finding(
    sentence: str,
    number: Number,
    telling: list[tuple[Candidate, Number]],
    replaced: list[tuple[Candidate, Number]],
    *,
    elsewhere: bool,
    small: bool,
) -> Finding:
    written, span = sentence[number.start : number.end], Span(number.start, number.end)
    for candidate, other in telling:
        if same_but_unit(number, other):
            reason = f"The paper has “{_written(candidate, other)}”, the summary “{written}”."
            flag = Flag(Check.NUMBER, reason, Label.CONTRADICTS, span, candidate.index, _span(other))
            return Finding("unit", 1.0, flag)
    if replaced:
        candidate, other = replaced[0]
        reason = f"The paper has “{_written(candidate, other)}” where the summary has “{written}”."
        flag = Flag(Check.NUMBER, reason, Label.CONTRADICTS, span, candidate.index, _span(other))
        return Finding("number_replaced", 1.0, flag)
    if elsewhere:
        reason = f"“{written}” stands in the paper, but not in the sentences that support this one."
        return Finding("number_elsewhere", 1.0, Flag(Check.NUMBER, reason, Label.NOT_IN_PAPER, span))
    reason = f"The number “{written}” is not in the paper."
    return Finding("number", 0.5 if small else 1.0, Flag(Check.NUMBER, reason, Label.NOT_IN_PAPER, span))


def _derived(number: Number, nearest: Sequence[Candidate]) -> bool:
    """Whether a number follows from two of one sentence: a sum of counts, a share, or the rest of a percentage."""
    for candidate in nearest:
        others = numbers_in(candidate.text)
        if number.quantity is Quantity.PERCENT and any(
            other.quantity is Quantity.PERCENT and abs(100 - other.value - number.value) < 0.05 for other in others
        ):
            return True
        plain = [
            other.value for other in others if other.quantity is Quantity.PLAIN and other.value == int(other.value)
        ]
        for one, two in combinations(plain[:8], 2):
            if number.quantity is Quantity.PLAIN and number.value >= 10 and number.value == one + two:
                return True
            low, high = sorted((one, two))
            if (
                number.quantity is Quantity.PERCENT
                and high >= 10
                and abs(100 * low / high - number.value) <= (3 if number.rough else 0.51)
            ):
                return True
    return False


def _written(candidate: Candidate, number: Number) -> str:
    return candidate.text[number.start : number.end]


def _span(number: Number) -> Span:
    return Span(number.start, number.end)
