"""Pairwise comparisons of engines as a table."""

from __future__ import annotations

from collections.abc import Sequence

from core.benchmarks.run_comparison import Compared
from core.export.run_table import number, unit

COLUMNS = (
    "measure",
    "first",
    "second",
    "second minus first",
    "95% interval",
    "p",
    "p, corrected",
    "only first right",
    "only second right",
    "McNemar p",
)


def comparison_rows(found: Sequence[Compared]) -> list[dict[str, str]]:
    """A row a pair and measure, as texts; McNemar's where items are right or wrong."""
    rows = []
    for one in found:
        difference, test = one.difference, one.mcnemar
        low, high = number(one.metric, difference.low), number(one.metric, difference.high)
        cells = (
            f"{one.metric} ({unit(one.metric)})" if unit(one.metric) else one.metric,
            one.one,
            one.other,
            f"{'+' if difference.value > 0 else ''}{number(one.metric, difference.value)}",
            f"{low} to {high}",
            f"{difference.p:.4f}",
            f"{one.corrected_p:.4f}",
            "" if test is None else str(test.only_one),
            "" if test is None else str(test.only_other),
            "" if test is None else f"{test.p:.4f}",
        )
        rows.append(dict(zip(COLUMNS, cells, strict=True)))
    return rows
