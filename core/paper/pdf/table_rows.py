"""The rows of a table as text: what is wrapped joins its row, empty cells keep their place, notes are put together."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from core.paper.pdf.lines import Line
from core.paper.pdf.paragraphs import joined
from core.paper.pdf.printed import PrintedText, join
from core.paper.pdf.table_columns import Cell, Grid, Row, find_grid
from core.paper.tables import CELL_SEPARATOR

_NOTE_WORDS = 6
_GOES_ON = re.compile(r"[a-z]+(?![A-Za-z])|[(\[%]")  # how the rest of a wrapped cell begins
_NOTE_MARK = re.compile(r"[*†‡§¶∥#]|[a-z] [A-Z]")  # how a note begins, or the one after it
_OPEN_END = re.compile(r"(?:[,(/–—-]|\b(?:and|or|of|for|with|in|to|by|from|than|per|the))$")


def table_texts(rows: Sequence[list[Line]]) -> tuple[list[PrintedText], bool]:
    """One text for each row or note of a table; False where the columns could not be told apart.

    A row of which the columns are not clear is one line of text: wrong cells would be worse than none.
    """
    texts: list[PrintedText] = []
    clear = True
    for is_note, part in _parts(rows):
        if is_note:
            texts.append(joined([row[0] for row in part]))
            continue
        grid = find_grid(part)
        if grid is None:
            clear &= all(len(row) == 1 for row in part)
            texts += [join((joined([line]) for line in row), " ") for row in part]
        else:
            texts += [_text(row, len(grid.gutters) + 1) for row in _wrapped_rows(grid)]
    return [text for text in texts if text.text], clear


def _parts(rows: Sequence[list[Line]]) -> Iterator[tuple[bool, list[list[Line]]]]:
    """The table up to its last row of cells, then its notes, each by itself."""
    end = max((index for index, row in enumerate(rows) if len(row) > 1), default=-1) + 1
    while (
        end < len(rows)
        and rows[end][0].words < _NOTE_WORDS
        and rows[end - 1][0].y - rows[end][0].y < 1.5 * rows[end][0].size
    ):
        end += 1
    yield False, list(rows[:end])
    width = max((row[-1].x1 - row[0].x0 for row in rows), default=0.0)
    note: list[list[Line]] = []
    for row in rows[end:]:
        before = note[-1][0] if note else row[0]
        if note and (before.style != row[0].style or before.width < 0.7 * width or _NOTE_MARK.match(row[0].text)):
            yield True, note
            note = []
        note.append(row)
    if note:
        yield True, note


def _text(row: Row, columns: int) -> PrintedText:
    if len(row.cells) == 1:
        return joined(row.cells[0].lines)
    texts: list[PrintedText] = []
    column = 0
    while column < columns:
        cell = row.at(column)
        texts.append(joined(cell.lines) if cell else PrintedText())
        column = cell.last + 1 if cell else column + 1
    return join(texts, CELL_SEPARATOR).stripped()


def _wrapped_rows(grid: Grid) -> list[Row]:
    """The rows, with those that only continue cells of the row above joined to it."""
    tight = _leading_in_cells(grid)
    result: list[Row] = []
    for index, row in enumerate(grid.rows):
        if result and _continues(row, result[-1], tight, head=index < grid.body):
            above = result[-1]
            for cell in row.cells:
                same = _over(cell, above)
                if same:
                    same[0].lines += cell.lines
                    same[0].last = max(same[0].last, cell.last)
                else:
                    above.cells.append(cell)
            above.cells.sort(key=lambda cell: cell.first)
            above.lowest = row.y
        else:
            result.append(row)
    return result


def _leading_in_cells(grid: Grid) -> float:
    """The distance of lines inside cells, where it is smaller than that of rows; else 0.

    It is the smallest distance of two baselines, unless rows with values in every column stand so close.
    """
    body = grid.rows[grid.body :]
    distances = [a.y - b.y for a, b in pairwise(body) if a.y - b.y > 0.85 * _size(b)]
    if not distances or max(distances) < 1.15 * min(distances):
        return 0.0
    tight = 1.08 * min(distances)
    close = [(a, b) for a, b in pairwise(body) if a.y - b.y <= tight]
    whole = sum(len(b.cells) >= max(2, len(a.cells)) for a, b in close)
    return tight if 5 * whole <= len(close) else 0.0


def _size(row: Row) -> float:
    return row.cells[0].lines[0].size


def _continues(row: Row, above: Row, tight: float, *, head: bool) -> bool:
    """Whether a row holds nothing but the rest of cells of the row above."""
    if not _fits(row, above, head=head):
        return False
    distance = above.lowest - row.y
    if distance < 0.85 * _size(row):
        return True  # beside a label of several lines
    if distance > 2 * _size(row):
        return False
    if tight and distance <= tight:
        return len(row.cells) > 1 or len(above.cells) > 1 or row.cells[0].first == above.cells[0].first
    if row.cells[0].first > 0 or len(row.cells) > 1:
        return all(_GOES_ON.match(cell.lines[0].text) and _over(cell, above) for cell in row.cells)
    label = above.at(0)
    if label is None or len(above.cells) == 1:
        return False
    last = label.lines[-1]
    return last.hyphenated or bool(_OPEN_END.search(last.text) or _GOES_ON.match(row.cells[0].lines[0].text))


def _fits(row: Row, above: Row, *, head: bool) -> bool:
    """Whether every cell stands below one cell of the row above, over the same columns, or below an empty one.

    The lines of a heading over several columns may be of different lengths.
    """
    used: list[Cell] = []
    for cell in row.cells:
        over = _over(cell, above)
        if len(over) > 1 or (over and any(over[0] is other for other in used)):
            return False
        if over and not head and (over[0].first, over[0].last) != (cell.first, cell.last):
            return False
        used += over
    return True


def _over(cell: Cell, above: Row) -> list[Cell]:
    return [other for other in above.cells if other.first <= cell.last and other.last >= cell.first]
