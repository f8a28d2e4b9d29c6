"""Figures on the grades of statements: shares by origin with Wilson intervals, and the agreement of graders."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from statsmodels.stats.proportion import proportion_confint

from core.errors import QueryError
from core.grading.model import Grade, GradedStatement

PRECISION = "precision"
SHARED = (Grade.SUPPORTED, Grade.UNCITED, Grade.UNSUPPORTED)


@dataclass(frozen=True, slots=True)
class GradeShare:
    """The share of statements with a grade, in per cent, with Wilson's 95% interval."""

    count: int
    of: int
    share: float
    low: float
    high: float

    @classmethod
    def among(cls, count: int, of: int) -> GradeShare:
        """The share of `count` in `of`, which must be at least 1."""
        low, high = proportion_confint(count, of, method="wilson")
        return cls(count, of, *(round(100 * float(one), 1) for one in (count / of, low, high)))


def figures(statements: Sequence[GradedStatement], grades: Mapping[str, Grade]) -> dict[str, dict[str, GradeShare]]:
    """By origin, the share of each grade, and of supported statements among those with citations (`precision`).

    Statements without a grade and those graded not applicable are left out. Raises `QueryError` if none is left.
    """
    found: dict[str, dict[str, GradeShare]] = {}
    for origin in dict.fromkeys(one.origin for one in statements):
        counts = Counter(grades[one.id] for one in statements if one.origin == origin and one.id in grades)
        if not (total := sum(counts[grade] for grade in SHARED)):
            continue
        found[origin] = {grade.value: GradeShare.among(counts[grade], total) for grade in SHARED}
        if cited := total - counts[Grade.UNCITED]:
            found[origin][PRECISION] = GradeShare.among(counts[Grade.SUPPORTED], cited)
    if not found:
        raise QueryError("No statement is graded yet, from the first on. Grade them in their order.")
    return found


def agreement(one: Mapping[str, Grade], other: Mapping[str, Grade]) -> GradeShare | None:
    """The share of statements on which two graders agree, among those that both graded; None if there are none."""
    both = one.keys() & other.keys()
    return GradeShare.among(sum(one[id] is other[id] for id in both), len(both)) if both else None
