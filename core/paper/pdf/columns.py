"""The reading order of lines in columns: recursive cuts of the page (Nagy and Seth's XY cut).

A page is first cut where the type above differs from the type below (for example, an abstract in two columns above
text in two columns), then along a gutter that no line crosses. If lines cross it (a heading over both columns), the
page is cut above and below them, and each part is tried again.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from itertools import groupby, pairwise

from core.paper.pdf.lines import Line, from_left, from_top

_GAP = 1.7  # sizes of type: a distance of baselines greater than between lines of a text
_MOST = 0.6  # the share of a part's characters that must be in one style
_GUTTER = 5.0  # points: less than any gutter, more than a space
_NEAR = 3.0  # sizes of type: the most between the lines above and below a note in the margin


def in_columns(lines: list[Line]) -> list[list[Line]]:
    """The columns in reading order, the lines of each from top to bottom."""
    return [column for column in _cut(lines, 0) if column]


def _cut(lines: list[Line], depth: int) -> list[list[Line]]:
    if len(lines) < 2 or depth > 12:
        return [_down(lines)]
    gutter = _clean_gutter(lines)
    if gutter is not None:
        height = _change_of_style(lines, gutter)
        if height is not None:
            above = [line for line in lines if line.y > height]
            below = [line for line in lines if line.y <= height]
            return _cut(above, depth + 1) + _cut(below, depth + 1)
        left = [line for line in lines if line.x1 <= gutter]
        right = [line for line in lines if line.x1 > gutter]
        return _cut(left, depth + 1) + _cut(right, depth + 1)
    found = _crossing_lines(lines)
    if found is None:
        strays = _strays(lines)
        return [_down([line for line in lines if id(line) not in strays]), *_alone(lines, strays)]
    gutter, crossing = found
    columns: list[list[Line]] = []
    spanning: list[Line] = []
    for crosses, group in groupby(from_top(lines), key=lambda line: id(line) in crossing):
        band = list(group)
        if crosses or not any(line.x0 >= gutter for line in band) or not any(line.x1 <= gutter for line in band):
            spanning += band  # short lines between long ones are in no column
            continue
        last, band = _cut_off_last(band, gutter)
        columns += [_down(spanning + last), *_cut(band, depth + 1)]
        spanning = []
    return [*columns, _down(spanning)]


def _cut_off_last(band: list[Line], gutter: float) -> tuple[list[Line], list[Line]]:
    """Split off the last line above columns if it ends before their gutter; returns it and the columns without it.

    Such a line ends so near the gutter that no clean cut is left.
    """
    top = max(line.y for line in band if line.x0 >= gutter)
    last = [line for line in band if line.y > top + line.size and line.x1 > gutter - _GUTTER]
    rest = [line for line in band if all(line is not other for other in last)]
    return (last, rest) if last and _clean_gutter(band) is None and _clean_gutter(rest) is not None else ([], band)


def _strays(lines: list[Line]) -> set[int]:
    """Single lines in the margin, beside all lines of the text."""
    ordered = from_top(lines)
    strays: set[int] = set()
    for above, line, below in zip(ordered, ordered[1:], ordered[2:], strict=False):
        near = above.y - below.y < _NEAR * line.size
        together = above.x0 < below.x1 and below.x0 < above.x1
        left, right = min(above.x0, below.x0), max(above.x1, below.x1)
        if near and together and (line.x1 < left - _GUTTER or line.x0 > right + _GUTTER):
            strays.add(id(line))
    return strays


def _alone(lines: list[Line], strays: set[int]) -> list[list[Line]]:
    return [[line] for line in from_top(lines) if id(line) in strays]


def _change_of_style(lines: list[Line], gutter: float) -> float | None:
    """The height of a gap across the page where the type changes, on both sides of the gutter."""
    ordered = from_top(lines)
    for index, (upper, lower) in enumerate(pairwise(ordered), 1):
        if upper.y - lower.y < _GAP * max(upper.size, lower.size):
            continue
        above, below = ordered[:index], ordered[index:]
        if _differ_in_style(above, below) and all(
            any(line.x1 <= gutter for line in part) and any(line.x0 >= gutter for line in part)
            for part in (above, below)
        ):
            return (upper.y + lower.y) / 2
    return None


def _differ_in_style(above: list[Line], below: list[Line]) -> bool:
    """Whether two parts of a page are set in different styles."""
    styles = [Counter[tuple[str, float]](), Counter[tuple[str, float]]()]
    for count, part in zip(styles, (above, below), strict=True):
        for line in part:
            count[line.style] += len(line.text)
    (upper, upper_count), (lower, lower_count) = (count.most_common(1)[0] for count in styles)
    return (
        upper != lower
        and upper_count > _MOST * styles[0].total()
        and lower_count > _MOST * styles[1].total()
        and styles[0][lower] + styles[1][upper] < 0.05 * (upper_count + lower_count)
    )


def _down(lines: list[Line]) -> list[Line]:
    """Order lines from top to bottom, and from left to right on one baseline."""
    ordered = from_top(lines)
    result: list[Line] = []
    row: list[Line] = []
    for line in ordered:
        if row and row[0].y - line.y > 0.35 * min(line.size, row[0].size):
            result += from_left(row)
            row = []
        row.append(line)
    return result + from_left(row)


def _clean_gutter(lines: list[Line]) -> float | None:
    """Where a vertical cut touches no line: in the middle of the widest gap with lines on both sides."""
    best: tuple[float, float] | None = None
    reach = float("-inf")
    for line in from_left(lines):
        gap = line.x0 - reach
        if gap >= _GUTTER and reach != float("-inf") and (best is None or gap > best[0]):
            best = (gap, reach + gap / 2)
        reach = max(reach, line.x1)
    return None if best is None else best[1]


def _crossing_lines(lines: list[Line]) -> tuple[float, set[int]] | None:
    """The best gutter among the places where lines begin (most text on both sides), and the lines that cross it."""
    best: tuple[float, set[int]] | None = None
    best_score = (1, 0)
    begins, ends = sorted(line.x0 for line in lines), sorted(line.x1 for line in lines)
    for start in sorted({round(line.x0) for line in lines}):
        x = start - 2.5
        if min(len(lines) - bisect_left(begins, x), bisect_right(ends, x + 1)) < best_score[0]:
            continue  # too few lines on one side to be better
        after = [line for line in lines if line.x0 >= x]
        before = [line for line in lines if line.x1 <= x + 1]
        crossing = len(lines) - len(after) - len(before)
        if not after or not before or not crossing:
            continue
        score = (_side_by_side(before, after), -crossing)
        if score[0] > 1 and score > best_score:  # one line beside another is chance
            best_score = score
            sides = {id(line) for line in (*before, *after)}
            best = x, {id(line) for line in lines if id(line) not in sides}
    return best


def _side_by_side(before: list[Line], after: list[Line]) -> int:
    """How many lines have lines of the other side beside them, on the side with fewer such lines."""
    low = max(min(line.y for line in before), min(line.y for line in after)) - 1
    high = min(max(line.y for line in before), max(line.y for line in after)) + 1
    return min(sum(low <= line.y <= high for line in side) for side in (before, after))
