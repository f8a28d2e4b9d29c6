"""The reading order of lines that stand in columns: recursive cuts of the page (Nagy and Seth's XY cut).

A page is first cut along a gutter that no line crosses. Where lines cross it (a heading over both
columns), the page is cut above and below them, and each part is tried again.
"""

from __future__ import annotations

from core.paper.pdf.lines import Line

_GUTTER = 5.0  # points: narrower than any gutter, wider than a space


def in_columns(lines: list[Line]) -> list[list[Line]]:
    """The columns in reading order, the lines of each from top to bottom."""
    return [column for column in _cut(lines, 0) if column]


def _cut(lines: list[Line], depth: int) -> list[list[Line]]:
    if len(lines) < 2 or depth > 12:
        return [_down(lines)]
    gutter = _clean_gutter(lines)
    if gutter is not None:
        left = [line for line in lines if line.x1 <= gutter]
        right = [line for line in lines if line.x1 > gutter]
        return _cut(left, depth + 1) + _cut(right, depth + 1)
    crossing = _crossing_lines(lines)
    if not crossing:
        return [_down(lines)]
    columns: list[list[Line]] = []
    band: list[Line] = []
    spanning = False
    for line in sorted(lines, key=lambda line: -line.y):
        if (id(line) in crossing) != spanning and band:
            columns += [_down(band)] if spanning else _cut(band, depth + 1)
            band = []
        spanning = id(line) in crossing
        band.append(line)
    columns += [_down(band)] if spanning else _cut(band, depth + 1)
    return columns


def _down(lines: list[Line]) -> list[Line]:
    """From top to bottom; what shares a baseline from left to right."""
    ordered = sorted(lines, key=lambda line: -line.y)
    result: list[Line] = []
    row: list[Line] = []
    for line in ordered:
        if row and row[0].y - line.y > 0.35 * min(line.size, row[0].size):
            result += sorted(row, key=lambda line: line.x0)
            row = []
        row.append(line)
    return result + sorted(row, key=lambda line: line.x0)


def _clean_gutter(lines: list[Line]) -> float | None:
    """Where a vertical cut touches no line: the widest such gap with lines on both sides."""
    best: tuple[float, float] | None = None
    reach = float("-inf")
    for line in sorted(lines, key=lambda line: line.x0):
        gap = line.x0 - reach
        if gap >= _GUTTER and reach != float("-inf") and (best is None or gap > best[0]):
            best = (gap, reach + gap / 2)
        reach = max(reach, line.x1)
    return None if best is None else best[1]


def _crossing_lines(lines: list[Line]) -> set[int]:
    """The fewest lines that stand in the way of a gutter, if what is left on both sides makes columns."""
    left, right = min(line.x0 for line in lines), max(line.x1 for line in lines)
    best: set[int] = set()
    best_weight = 0.45 * len(lines)
    starts = {round(line.x0, 0) for line in lines if left + 0.15 * (right - left) < line.x0 < right}
    for start in starts:
        x = start - 2.5
        crossing = {id(line) for line in lines if line.x0 < x - 1 and line.x1 > x + 1}
        after = sum(line.x0 >= x - 1 for line in lines)
        before = len(lines) - after - len(crossing)
        if len(crossing) < best_weight and min(after, before) >= 1 and _side_by_side(lines, x, crossing):
            best, best_weight = crossing, len(crossing)
    return best


def _side_by_side(lines: list[Line], x: float, crossing: set[int]) -> bool:
    """Whether lines left and right of `x` stand at the same height."""
    rest = [line for line in lines if id(line) not in crossing]
    after = [line.y for line in rest if line.x0 >= x - 1]
    before = [line.y for line in rest if line.x0 < x - 1]
    return min(max(after), max(before)) > max(min(after), min(before))
