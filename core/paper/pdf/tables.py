"""Tables: columns, found from all rows together, and rows as text."""

from __future__ import annotations

import re
import statistics
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from core.paper.draft import CELL_SEPARATOR
from core.paper.pdf.lines import Line, PrintedText, count_letters, join
from core.paper.pdf.paragraphs import joined

# ---- Columns, found from all rows together, and the cells of each row ----

_SIGNS = frozenset("−–-+±<>≤≥=~")
_SPACE = 0.4  # of the size of type: the widest space inside a heading
_GAP = 0.7  # of the size of type: the least that two columns usually have between them
_RARE = 0.3  # of the rows: a column without a heading has values in at least this share
_SPANNING = 0.3  # of the rows: if more have cells across columns, the columns are wrong
_TABLE_ROWS = 4  # rows with values, at least, in a table without a caption

Span = tuple[float, float]


@dataclass(slots=True)
class GridCell:
    """The text in one or several columns of a row; both ends are inclusive."""

    first: int
    last: int
    lines: list[Line]


@dataclass(slots=True)
class GridRow:
    """One baseline of a table; later a whole row, with the lines wrapped below it. Holds only cells with text."""

    y: float
    cells: list[GridCell]
    lowest: float = field(init=False)

    def __post_init__(self) -> None:
        self.lowest = self.y

    def at(self, column: int) -> GridCell | None:
        return next((cell for cell in self.cells if cell.first <= column <= cell.last), None)


@dataclass(frozen=True, slots=True)
class Grid:
    """The gutters between columns, from left to right, and the rows; `body` is the index of the first with values."""

    gutters: list[Span]
    rows: list[GridRow]
    body: int


def find_grid(rows: Sequence[list[Line]]) -> Grid | None:
    """The grid of a table's rows (from top to bottom); None if the columns cannot be told apart."""
    body = next((index for index, row in enumerate(rows) if _has_values(row)), None)
    if body is None:
        body = 0
    tabular = [row for row in rows[body:] if len(row) > 1]
    if not tabular:
        return None
    gutters = _tightened(_gutters(tabular, [row for row in rows[:body] if len(row) > 1]), tabular)
    if not gutters:
        return None
    result = [_cells(row, gutters, values=index >= body and len(row) > 1) for index, row in enumerate(rows)]
    spanning = sum(
        any(cell.first < cell.last and (cell.first or len(cell.lines) > 1) for cell in row.cells)
        for row, lines in zip(result[body:], rows[body:], strict=True)
        if len(lines) > 1
    )
    return Grid(gutters, result, body) if spanning <= _SPANNING * len(tabular) else None


def is_table(rows: Sequence[list[Line]]) -> bool:
    """Whether rows without a caption are certainly a table: clear columns, values in most rows."""
    if sum(_has_values(row) for row in rows) < max(_TABLE_ROWS, 0.5 * len(rows)):
        return False
    grid = find_grid(rows)
    return grid is not None and any(len(row.cells) > 2 for row in grid.rows)


def is_value(text: str) -> bool:
    """Whether a cell is a value: "61.4 (9.6)", "p<0.001", but not "(n = 90)" or "95% CI"."""
    if "=" in text or "CI" in text or not any(map(str.isdigit, text)):
        return False
    return 3 * sum(map(str.isalpha, text.replace(" to ", ""))) < len(text)


def _has_values(row: list[Line]) -> bool:
    values = sum(is_value(line.text) for line in row[1:])
    return values > 0 and 2 * values >= len(row) - 1


def _spans(row: list[Line]) -> list[Span]:
    """The extents of the words of a row."""
    return sorted((x0, x1) for line in row for _, x0, x1 in _words(line))


def _words(line: Line) -> list[tuple[str, float, float]]:
    """The words of a line with their extents, signs joined to their number; the whole line if no places are known."""
    texts = line.text.split()
    if len(texts) != len(line.starts):
        return [(line.text, line.x0, line.x1)]
    if len(texts) == 1:
        return [(texts[0], line.starts[0], line.ends[0])]
    words: list[tuple[str, float, float]] = []
    for text, x0, x1 in zip(texts, line.starts, line.ends, strict=True):
        if words and words[-1][0] in _SIGNS and x0 - words[-1][2] < _SPACE * line.size:
            words[-1] = f"{words[-1][0]} {text}", words[-1][1], x1
        else:
            words.append((text, x0, x1))
    return words


def _gutters(rows: list[list[Line]], head: list[list[Line]]) -> list[Span]:
    """The strips in which hardly any row has text and which are wider than the spaces inside the cells beside them."""
    spans = [_spans(row) for row in rows]
    size = statistics.median(row[0].size for row in rows)
    head_spans = [_spans(row) for row in head]
    strips = [
        strip
        for strip in _empty_strips(spans, allowed=len(rows) // 10)
        if _divides(strip, spans) >= _RARE * len(rows) or _divides(strip, head_spans)
    ]
    return _without_rare_columns(_wide_strips(strips, spans, size), spans, head_spans)


def _tightened(gutters: list[Span], rows: list[list[Line]]) -> list[Span]:
    """The gutters without the part that a few long lines of the columns beside them take up."""
    result: list[Span] = []
    for x0, x1 in gutters:
        ends = [line.x1 for row in rows for line in row if line.x0 < x0 < line.x1 < x1]
        starts = [line.x0 for row in rows for line in row if x0 < line.x0 < x1 < line.x1]
        left, right = max(ends, default=x0), min(starts, default=x1)
        result.append((left, right) if right - left > _SPACE * rows[0][0].size else (x0, x1))
    return result


def _divides(strip: Span, rows: list[list[Span]]) -> int:
    """The number of rows with text on both sides of a strip."""
    return sum(row[0][1] <= strip[0] + 1 and row[-1][0] >= strip[1] - 1 for row in rows)


def _empty_strips(rows: list[list[Span]], *, allowed: int) -> list[Span]:
    """The strips in which at most `allowed` rows have text, with text of more rows on both sides."""
    events = sorted(event for row in rows for x0, x1 in _disjoint(row) for event in ((x0, 1), (max(x1, x0 + 0.1), -1)))
    strips: list[Span] = []
    depth, since = 0, None
    for x, step in events:
        before, depth = depth, depth + step
        if before > allowed >= depth:
            since = x
        elif depth > allowed >= before and since is not None and x - since > 0.5:
            strips.append((since, x))
    return strips


def _disjoint(spans: list[Span]) -> list[Span]:
    result: list[Span] = []
    for x0, x1 in spans:
        if result and x0 <= result[-1][1]:
            result[-1] = result[-1][0], max(x1, result[-1][1])
        else:
            result.append((x0, x1))
    return result


def _wide_strips(strips: list[Span], rows: list[list[Span]], size: float) -> list[Span]:
    kept: list[Span] = []
    for index, (x0, x1) in enumerate(strips):
        left = strips[index - 1][1] if index else float("-inf")
        right = strips[index + 1][0] if index + 1 < len(strips) else float("inf")
        gaps = []
        for row in rows:
            before = [span[1] for span in row if left - 1 < span[0] and span[1] <= x0 + 1]
            after = [span[0] for span in row if x1 - 1 <= span[0] and span[1] < right + 1]
            if before and after:
                gaps.append(min(after) - max(before))
        if not gaps or sorted(gaps)[len(gaps) // 4] >= _GAP * size:
            kept.append((x0, x1))
    return kept


def _without_rare_columns(gutters: list[Span], rows: list[list[Span]], head: list[list[Span]]) -> list[Span]:
    """Join two gutters if only a few rows, and no heading, have text between them."""
    result: list[Span] = []
    for gutter in gutters:
        if result:
            low, high = result[-1][1], gutter[0]
            held = sum(any(low - 1 <= x0 and x1 <= high + 1 for x0, x1 in row) for row in rows)
            if held < _RARE * len(rows) and not any(x0 < high and x1 > low for row in head for x0, x1 in row):
                result[-1] = result[-1][0], gutter[1]
                continue
        result.append(gutter)
    return result


def _cells(row: list[Line], gutters: list[Span], *, values: bool) -> GridRow:
    cells: list[GridCell] = []
    for line in row:
        for piece in _cut(line, gutters, values=values):
            first, last = _columns(piece, gutters)
            if cells and first <= cells[-1].last:
                cells[-1].last = max(last, cells[-1].last)
                cells[-1].lines.append(piece)
            else:
                cells.append(GridCell(first, last, [piece]))
    return GridRow(row[0].y, cells)


def _cut(line: Line, gutters: list[Span], *, values: bool) -> list[Line]:
    """Cut a line at the gutters between its words; in a heading, only at wide gaps."""
    if " " not in line.text:
        return [line]
    words = _words(line)
    least, most = sum(words[0][1:]), sum(words[-1][1:])
    gutters = [(x0, x1) for x0, x1 in gutters if least < x0 + x1 < most]
    if not gutters:
        return [line]
    cuts = [0]
    for index, ((_, *before), (_, *after)) in enumerate(pairwise(words), 1):
        if not values and after[0] - before[1] <= _SPACE * line.size:
            continue
        if any(sum(before) < x0 + x1 < sum(after) and before[1] < x1 and after[0] > x0 for x0, x1 in gutters):
            cuts.append(index)
    if len(cuts) == 1:
        return [line]
    return [
        replace(
            line,
            text=" ".join(text for text, _, _ in words[start:end]),
            x0=words[start][1],
            x1=words[end - 1][2],
            starts=(),
            ends=(),
            words=end - start,
            hyphenated=line.hyphenated and end == len(words),
            skipped=line.skipped + sum(count_letters(text) for text, _, _ in words[:start]),
        )
        for start, end in zip(cuts, [*cuts[1:], len(words)], strict=True)
    ]


def _columns(line: Line, gutters: list[Span]) -> tuple[int, int]:
    """The first and the last column of a piece of text."""
    within = sum(x1 <= line.x0 for _, x1 in gutters)  # the column it would be in if it did not stick out
    if within == len(gutters) or line.x1 <= gutters[within][0]:
        return within, within
    lefts = [float("-inf"), *(x1 for _, x1 in gutters)]
    rights = [*(x0 for x0, _ in gutters), float("inf")]
    overlaps = [min(line.x1, right) - max(line.x0, left) for left, right in zip(lefts, rights, strict=True)]
    inside = [k for k, overlap in enumerate(overlaps) if overlap > min(3.0, 0.5 * line.width)]
    if inside:
        return inside[0], inside[-1]
    column = max(range(len(overlaps)), key=overlaps.__getitem__)
    centre = (line.x0 + line.x1) / 2
    for index, (x0, x1) in enumerate(gutters):
        if x0 <= line.x0 and line.x1 <= x1 and abs(centre - (x0 + x1) / 2) < 0.15 * (x1 - x0):
            return index, index + 1  # in the middle between two columns: a value for both
    return column, column


# ---- Rows as text: wrapped cells join their row, empty cells keep their place, the lines of a note are joined ----

_NOTE_WORDS = 6
_GOES_ON = re.compile(r"[a-z]+(?![A-Za-z])|[(\[%]")  # how the rest of a wrapped cell begins
_NOTE_MARK = re.compile(r"[*†‡§¶∥#]|[a-z] [A-Z]")  # how a note begins, or the one after it
_OPEN_END = re.compile(r"(?:[,(/–—-]|\b(?:and|or|of|for|with|in|to|by|from|than|per|the))$")


def table_texts(rows: Sequence[list[Line]]) -> tuple[list[PrintedText], bool]:
    """One text for each row or note, and whether the columns could be told apart.

    A row without clear columns becomes one line of text, because wrong cells would be worse than none.
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
    """The table up to its last row of cells, then each note."""
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


def _text(row: GridRow, columns: int) -> PrintedText:
    if len(row.cells) == 1:
        return joined(row.cells[0].lines)
    texts: list[PrintedText] = []
    column = 0
    while column < columns:
        cell = row.at(column)
        texts.append(joined(cell.lines) if cell else PrintedText())
        column = cell.last + 1 if cell else column + 1
    return join(texts, CELL_SEPARATOR).stripped()


def _wrapped_rows(grid: Grid) -> list[GridRow]:
    """The rows, where those that only continue cells are joined to the row above."""
    tight = _leading_in_cells(grid)
    result: list[GridRow] = []
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
    """The distance of lines inside cells if it is smaller than that of rows, else 0.

    It is the smallest distance of two baselines, unless rows with values in every column are also that close.
    """
    body = grid.rows[grid.body :]
    distances = [a.y - b.y for a, b in pairwise(body) if a.y - b.y > 0.85 * _size(b)]
    if not distances or max(distances) < 1.15 * min(distances):
        return 0.0
    tight = 1.08 * min(distances)
    close = [(a, b) for a, b in pairwise(body) if a.y - b.y <= tight]
    whole = sum(len(b.cells) >= max(2, len(a.cells)) for a, b in close)
    return tight if 5 * whole <= len(close) else 0.0


def _size(row: GridRow) -> float:
    return row.cells[0].lines[0].size


def _continues(row: GridRow, above: GridRow, tight: float, *, head: bool) -> bool:
    """Whether a row only continues cells of the row above."""
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


def _fits(row: GridRow, above: GridRow, *, head: bool) -> bool:
    """Whether every cell is below one cell of the row above with the same columns, or below an empty one.

    In a heading over several columns, the lines may be of different lengths.
    """
    used: list[GridCell] = []
    for cell in row.cells:
        over = _over(cell, above)
        if len(over) > 1 or (over and any(over[0] is other for other in used)):
            return False
        if over and not head and (over[0].first, over[0].last) != (cell.first, cell.last):
            return False
        used += over
    return True


def _over(cell: GridCell, above: GridRow) -> list[GridCell]:
    return [other for other in above.cells if other.first <= cell.last and other.last >= cell.first]
