"""Tables set in the type of the body, as authors and TeX set them: their rows, below the caption up to the next text."""

from __future__ import annotations

from collections.abc import Sequence

from core.paper.pdf.floats import Float, rows_of
from core.paper.pdf.lines import Line
from core.paper.pdf.typography import Typography

_GAP = 2.5  # of the leading, between two rows at most
_FULL = 0.85  # of the width of a column: a line of text, other than the last of a paragraph
_TEXT = 6  # words of a line of text, at least
_SENTENCE = 8  # words of a row of one cell: more than a table has in the rows that divide it
_CLOSE = 1.2  # of the leading, between two lines of a paragraph at most
_HEAD = 3  # rows, within which a table shows that it has columns


def rows_in_body_type(lines: Sequence[Line], floats: Sequence[Float], typography: Typography) -> set[int]:
    """The cells below captions of tables, by their ids, of tables that are set like the body."""
    captions = {id(line) for item in floats for line in item.caption}
    found: set[int] = set()
    for item in floats:
        if item.is_table:
            found.update(map(id, _cells(item, [line for line in lines if id(line) not in captions], typography)))
    return found


def _cells(item: Float, lines: Sequence[Line], typography: Typography) -> list[Line]:
    left, right = _extent(item, lines, typography)
    below = [line for line in lines if line.y < item.bottom and line.x0 < right and line.x1 > left]
    rows: list[list[Line]] = []
    edge = item.bottom
    for row in rows_of(below):
        if edge - row[0].y > _GAP * typography.leading or _is_text(row, below, typography):
            break
        rows.append(row)
        edge = row[0].y
    in_body = any(typography.is_body(line) for row in rows for line in row)
    return [line for row in rows for line in row] if in_body and any(len(row) > 1 for row in rows[:_HEAD]) else []


def _extent(item: Float, lines: Sequence[Line], typography: Typography) -> tuple[float, float]:
    """The edges of the column that the table stands in; of the page, where its caption stands over the gutter."""
    left, right = min(line.x0 for line in item.caption), max(line.x1 for line in item.caption)
    full = [line for line in _full(lines, typography) if typography.is_body(line)]
    columns = [
        (line.x0, line.x1) for line in full if line.x0 - typography.size < left and right < line.x1 + typography.size
    ]
    if columns:
        return columns[0]
    return min((line.x0 for line in lines), default=left), max((line.x1 for line in lines), default=right)


def _is_text(row: Sequence[Line], lines: Sequence[Line], typography: Typography) -> bool:
    alone = len(row) == 1 and row[0].words >= _SENTENCE
    return alone or any(line.words >= _TEXT or _goes_on(line, lines, typography) for line in _full(row, typography))


def _full(lines: Sequence[Line], typography: Typography) -> list[Line]:
    """The lines that fill a column."""
    return [line for line in lines if line.width > _FULL * typography.width]


def _goes_on(line: Line, lines: Sequence[Line], typography: Typography) -> bool:
    """Whether a line of few words, stretched to fill its column, stands on another such line: it is running text."""
    return typography.is_body(line) and any(
        abs(line.x0 - other.x0) < 1
        and abs(line.x1 - other.x1) < 1
        and 0 < line.y - other.y < _CLOSE * typography.leading
        for other in _full(lines, typography)
    )
