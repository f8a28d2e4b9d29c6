"""Captions of figures and tables, and which lines are rows of tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from core.paper.pdf.lines import Line, from_left, from_top
from core.paper.pdf.typography import Typography, has_certain_label, is_label, names_table, starts_caption
from core.paper.sections import main_kind

# ---- Captions, and the rows below them ----

_MARGIN = 3.0  # points: how far a line may stick out of its column


@dataclass(slots=True)
class Float:
    """A caption, with the rows of its table if it has one. Each row is a list of cells from left to right."""

    caption: list[Line]
    rows: list[list[Line]] = field(default_factory=list)
    beside: dict[bool, list[Line]] = field(default_factory=dict)  # possible rows below it (True) and above it (False)

    @property
    def is_table(self) -> bool:
        return names_table(self.caption[0].text)

    @property
    def top(self) -> float:
        return self.caption[0].y

    @property
    def bottom(self) -> float:
        return self.caption[-1].y


@dataclass(frozen=True)
class SortedLines:
    """The lines of a page in a first sorting: running text, captions, and the rest."""

    number: int
    flow: list[Line]
    others: list[Line]
    floats: list[Float]

    @cached_property
    def rows(self) -> list[list[Line]]:
        """The other lines as rows from top to bottom."""
        return rows_of(self.others)


def rows_of(lines: Iterable[Line]) -> list[list[Line]]:
    """Lines that share a baseline, from top to bottom, each row from left to right."""
    rows: list[list[Line]] = []
    for line in from_top(lines):
        if rows and rows[-1][0].y - line.y < 0.4 * line.size:
            rows[-1].append(line)
        else:
            rows.append([line])
    return [from_left(row) for row in rows]


def find_captions(lines: list[Line], typography: Typography) -> tuple[list[Float], set[int]]:
    """The captions of a page, and the ids of the lines that they take up."""
    taken: set[int] = set()
    floats = []
    starts = [line for line in lines if starts_caption(line) and not _goes_on_from_above(line, lines, typography)]
    if not starts:
        return [], taken
    ordered = from_top(lines)
    for start in starts:
        caption = [start]
        taken.add(id(start))
        for line in ordered:
            last = caption[-1]
            if line.y >= last.y - 0.4 * last.size or id(line) in taken:
                if last is start and is_label(start.text) and _right_of(start, line):
                    caption.append(line)
                    taken.add(id(line))
                continue
            if last.y - line.y > max(1.75, 1.2 * typography.leading / typography.size) * max(last.size, line.size):
                break
            if _continues_caption(line, caption, typography) and not (
                names_table(start.text) and _is_row(line, caption, lines, typography)
            ):
                caption.append(line)
                taken.add(id(line))
        if not typography.is_body(caption[-1]):
            rest = _second_column(caption, [line for line in ordered if id(line) not in taken])
            caption += rest
            taken.update(map(id, rest))
        floats.append(Float(caption))
    return floats, taken


def _goes_on_from_above(line: Line, lines: list[Line], typography: Typography) -> bool:
    """Whether a line that names a figure continues a sentence: "... (Extended Data" / "Fig. 1). There were"."""
    if not typography.is_body(line) or has_certain_label(line):
        return False
    reach = 3 * typography.leading
    above = [other for other in lines if 0 < other.y - line.y < reach and other.x0 < line.x1 and other.x1 > line.x0]
    if not above:  # at the head of a column; there, a caption in body type is known by its emphasised label
        return not line.lead
    close = (other for other in above if other.y - line.y < 1.2 * typography.leading)
    return any(typography.is_body(other) and not other.text.endswith((".", ":", ")")) for other in close)


def _right_of(label: Line, line: Line) -> bool:
    """Whether a line stands to the right of a label and continues it."""
    return abs(line.y - label.y) <= 0.2 * label.size and 0 < line.x0 - label.x1 < 3 * label.size


def _second_column(caption: list[Line], others: list[Line]) -> list[Line]:
    """The second column of a caption: beside the first, in the same style, and continuing its text."""
    top, bottom = caption[0].y, caption[-1].y
    right = max(line.x1 for line in caption)
    reach = 0.5 * caption[0].size
    beside = [line for line in others if line.x0 > right and bottom - reach <= line.y <= top + reach]
    beside = [line for line in beside if line.style == caption[-1].style or starts_caption(line)]
    if not beside or beside[0].y < top - reach or any(map(starts_caption, beside)):
        return []
    aligned = all(abs(line.x0 - beside[0].x0) < _MARGIN for line in beside)
    goes_on = not caption[-1].text.endswith((".", ":")) or beside[0].text[:1].islower()
    return beside if aligned and goes_on else []


def _is_row(line: Line, caption: list[Line], lines: list[Line], typography: Typography) -> bool:
    """Whether a line below the caption of a table is a row: in another size, indented, or with cells beside it."""
    start = caption[0]
    if abs(line.size - caption[-1].size) > 0.25 and not _are_capitals(line, caption[-1]):
        return True
    left, right = min(other.x0 for other in caption), max(other.x1 for other in caption)
    if line.x0 > left + 2 * line.size and abs(line.x0 + line.x1 - left - right) > 8:
        return True
    edge = start.x0 + typography.width
    return any(abs(other.y - line.y) < 0.2 * line.size and line.x1 < other.x0 < edge for other in lines)


def _continues_caption(line: Line, caption: list[Line], typography: Typography) -> bool:
    start, last = caption[0], caption[-1]
    if starts_caption(line) or line.x0 > start.x1 or line.x1 < start.x0:
        return False
    if abs(line.size - last.size) > 0.6 and not _are_capitals(line, last):
        return False
    below_label = is_label(start.text) and abs(line.x0 + line.x1 - start.x0 - start.x1) < 2 * _MARGIN
    if line.x0 < start.x0 - _MARGIN and names_table(start.text) and not below_label:
        return False
    if line.font.bold and not last.font.bold:
        return False
    if names_table(start.text) and line.words < 4 and line.font.bold != last.font.bold:
        return False
    like_body = typography.is_body(line) and typography.is_body(start)
    return not (like_body and last.y - line.y > 1.15 * typography.leading)


def _are_capitals(line: Line, other: Line) -> bool:
    """Whether two lines are in large and small capitals of one font, since a line's size may be that of either."""
    sizes = sorted((line.size, other.size))
    return line.font == other.font and line.text.isupper() and other.text.isupper() and sizes[0] > 0.74 * sizes[1]


def rows_stand_below(pages: Iterable[SortedLines], typography: Typography) -> bool:
    """Whether the tables of a paper are below their captions, judging by the captions with rows on one side only."""
    votes = 0
    for page in pages:
        for item in page.floats:
            if item.is_table:
                sides = [bool(_rows_beside(item, page, typography, set(), downwards=side)) for side in (True, False)]
                votes += sides[0] - sides[1]
    return votes >= 0


def fill_tables(page: SortedLines, typography: Typography, *, below: bool) -> set[int]:
    """Give each table the lines between its caption and the next text, on the paper's usual side.

    Only a table with none there takes rows from its other side, and only rows that no other table has.
    """
    taken: set[int] = set()
    for downwards in (below, not below):
        for item in page.floats:
            if item.is_table and not item.rows:
                item.rows = _rows_beside(item, page, typography, taken, downwards=downwards)
                taken.update(id(line) for row in item.rows for line in row)
    return taken


def _rows_beside(
    item: Float, page: SortedLines, typography: Typography, taken: set[int], *, downwards: bool
) -> list[list[Line]]:
    """The rows on one side of a caption; none if they do not look like a table."""
    if downwards not in item.beside:
        item.beside[downwards] = _table_lines(item, page, typography, downwards=downwards)
    lines = item.beside[downwards]
    rows = rows_of(line for line in lines if id(line) not in taken)
    return rows if len(rows) >= 2 and any(len(row) > 1 for row in rows) else []


def _table_lines(item: Float, page: SortedLines, typography: Typography, *, downwards: bool) -> list[Line]:
    left = min(line.x0 for line in item.caption)
    right = max(*(line.x1 for line in item.caption), left + 0.9 * typography.width)
    edge = item.bottom if downwards else item.top
    sign = 1 if downwards else -1
    barriers = page.flow + [line for other in page.floats if other is not item for line in other.caption]
    lines: list[Line] = []
    lettering = {id(line) for other in page.floats for line in _lettering_beside(item, other, page, typography)}
    passed: list[Line] = []  # rows beside the table as known so far
    # Rows from the caption outwards, until text or too wide a gap.
    for row in page.rows if downwards else reversed(page.rows):
        distance = sign * (edge - row[0].y)
        if distance <= 0:
            continue
        own = [line for line in row if id(line) not in lettering]
        inside = [
            line
            for line in own
            if (line.x0 < right and line.x1 > left)
            or (line.x0 < right + 20 and line.x1 > left - 20 and not _has_text_around(line, page, typography))
        ]
        if not inside:
            passed += row
            continue
        if distance > 5 * typography.leading or _is_heading_of_text(inside, lines, typography):
            break
        inside += [line for line in own if line not in inside and not _has_text_around(line, page, typography)]
        left = min(left, *(line.x0 for line in inside)) if len(inside) > 1 else left
        right = max(right, *(line.x1 for line in inside))
        low, high = sorted((edge, row[0].y))
        if any(low - 1 < line.y < high + 1 and line.x0 < right - 5 and line.x1 > left + 5 for line in barriers):
            break
        lines += inside
        edge = row[0].y
    return lines + [line for line in passed if left <= line.x0 and line.x1 <= right and sign * (line.y - edge) > 0]


def _is_heading_of_text(row: list[Line], rows: list[Line], typography: Typography) -> bool:
    """Whether a row is a heading of the text around a table: it stands out and is larger than the rows so far."""
    line = row[0]
    if len(row) > 1 or not rows or line.size < typography.size - 0.1 or not typography.is_emphatic(line):
        return False
    return line.size > max(other.size for other in rows) + 0.4 or main_kind(line.text) is not None


def _lettering_beside(table: Float, figure: Float, page: SortedLines, typography: Typography) -> list[Line]:
    """The lines above a figure's caption up to the next text, if the figure is in another column than the table.

    Cells of a wide table above the figure share their baselines with cells elsewhere; lettering hardly ever does.
    """
    left, right = figure.caption[0].x0 - 20, figure.caption[0].x0 + typography.width
    if figure.is_table or left <= table.caption[0].x0 <= right:
        return []
    text = (line.y for line in page.flow if line.y > figure.top and line.x0 < right and line.x1 > left)
    highest = min(text, default=float("inf"))
    inside = [line for line in page.others if figure.top < line.y < highest and left <= line.x0 <= right]
    baselines = {round(line.y) for line in page.others if not left <= line.x0 <= right}
    return inside if 2 * sum(round(line.y) in baselines for line in inside) <= len(inside) else []


def _has_text_around(line: Line, page: SortedLines, typography: Typography) -> bool:
    """Whether there is text, perhaps small print, above or below a line in its column."""
    reach = 3 * typography.leading
    small = (other for other in page.others if other.words >= 5 and other.width > 0.75 * typography.width)
    return any(
        abs(other.y - line.y) < reach and other.x0 < line.x1 and other.x1 > line.x0 for other in (*page.flow, *small)
    )


# ---- Tables set in the type of the body, as in manuscripts and TeX ----

_GAP = 2.5  # of the leading: the most between two rows
_FULL = 0.85  # of the width of a column: the least width of a line of text, except the last of a paragraph
_TEXT = 6  # words of a line of text, at least
_SENTENCE = 8  # words of a row of one cell: more than the dividing rows of a table have
_CLOSE = 1.2  # of the leading: the most between two lines of a paragraph
_HEAD = 3  # rows within which a table shows that it has columns


def rows_in_body_type(lines: Sequence[Line], floats: Sequence[Float], typography: Typography) -> set[int]:
    """The cells (by id) of tables set like the body, below their captions."""
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
    in_body = any(typography.is_body(line) for row in rows if len(row) > 1 for line in row)
    return [line for row in rows for line in row] if in_body and any(len(row) > 1 for row in rows[:_HEAD]) else []


def _extent(item: Float, lines: Sequence[Line], typography: Typography) -> tuple[float, float]:
    """The edges of the table's column, or of the page if the caption crosses the gutter."""
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
    """Whether a full line of few words is running text, because another such line is right below it."""
    return typography.is_body(line) and any(
        abs(line.x0 - other.x0) < 1
        and abs(line.x1 - other.x1) < 1
        and 0 < line.y - other.y < _CLOSE * typography.leading
        for other in _full(lines, typography)
    )


# ---- Tables that go on over the end of a page, without a caption on the next page ----

Style = tuple[str, float]


def style_at_end(tables: list[list[list[Line]]], flow: list[Line]) -> Style | None:
    """The style of the values of a table at the end of its page; None if text is below every table."""
    for rows in tables:
        cells = [line for row in rows for line in row]
        if cells and not _stands_below(flow, cells):
            return Counter(line.style for line in cells).most_common(1)[0][0]
    return None


def rows_at_start(others: list[Line], flow: list[Line], style: Style) -> list[list[Line]]:
    """The rows at the top of this page that continue a table, if their values are in its style."""
    top = max((line.y for line in flow), default=0.0)
    rows = [row for row in rows_of(others) if row[0].y > top]
    values = [row for row in rows if len(row) > 1]
    return rows if values and all(line.style == style for row in values for line in row) else []


def _stands_below(flow: list[Line], cells: list[Line]) -> bool:
    """Whether any text is below some cells."""
    left, right = min(cell.x0 for cell in cells), max(cell.x1 for cell in cells)
    lowest = min(cell.y for cell in cells)
    return any(line.y < lowest and line.x0 < right and line.x1 > left for line in flow)
