"""Which figures of a run belong together: one measure, overall and for parts of the items such as categories."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.benchmarks.bootstrap import Interval

OVERALL = "overall"
Parts = Mapping[str, Interval]  # by the part's name


def parts_of(metrics: Mapping[str, Interval]) -> Mapping[str, Parts]:
    """The figures by measure, then by part; the whole is called `OVERALL`.

    A part's metric is called by the measure's name and then its own (`macro-F1 selection`); at a depth, by its own
    first (`attrition hit@1`). What only begins like another metric, and has no fellow, is a measure by itself.
    """
    found: dict[str, dict[str, Interval]] = {}
    for name, figure in metrics.items():
        measure, part = _split(name, list(metrics))
        found.setdefault(measure, {})[part or OVERALL] = figure
    return found


def _split(name: str, names: Sequence[str]) -> tuple[str, str]:
    """(measure, part)."""
    if any(other.startswith(f"{name} ") for other in names):
        return name, ""
    stems = [other for other in names if name.startswith(f"{other} ")]
    if stems:
        stem = max(stems, key=len)
        return stem, name.removeprefix(f"{stem} ")
    first, _, rest = name.partition(" ")
    before, _, last = name.rpartition(" ")
    if "@" in last and before:
        return last, before
    fellows = sum(other.startswith(f"{first} ") for other in names)
    return (first, rest) if rest and fellows > 1 else (name, "")
