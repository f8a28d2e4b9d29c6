"""Tables that go on over the end of a page without a caption that says so."""

from __future__ import annotations

from collections import Counter

from core.paper.pdf.floats import rows_of
from core.paper.pdf.lines import Line

Style = tuple[str, float]


def style_at_end(tables: list[list[list[Line]]], flow: list[Line]) -> Style | None:
    """What the values of a table are set in, that stands at the end of its page; None where text stands below all."""
    for rows in tables:
        cells = [line for row in rows for line in row]
        if cells and not _stands_below(flow, cells):
            return Counter(line.style for line in cells).most_common(1)[0][0]
    return None


def rows_at_start(others: list[Line], flow: list[Line], style: Style) -> list[list[Line]]:
    """The rows of a table that goes on at the head of this page, if they are set like it; else none."""
    top = max((line.y for line in flow), default=0.0)
    rows = [row for row in rows_of(others) if row[0].y > top]
    values = [row for row in rows if len(row) > 1]
    return rows if values and all(line.style == style for row in values for line in row) else []


def _stands_below(flow: list[Line], cells: list[Line]) -> bool:
    """Whether any text stands below some cells."""
    left, right = min(cell.x0 for cell in cells), max(cell.x1 for cell in cells)
    lowest = min(cell.y for cell in cells)
    return any(line.y < lowest and line.x0 < right and line.x1 > left for line in flow)
