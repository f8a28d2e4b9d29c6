"""What the lines of a page are part of: the flow of text, a caption, a table, a box, or a figure.

Body text is told by its style. Around it stand headings (set to stand out, with body text right
below), captions (by how they begin), tables (what lies between a table's caption and the next text)
and boxes (prose in a style of its own). Everything else is lettering of figures and notes in the margin.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from core.paper.pdf.captions import names_table, starts_caption
from core.paper.pdf.lines import Line, PageLines
from core.paper.pdf.typography import Typography
from core.paper.sections import is_left_out, main_kind

# "2015;386:2059", "N Engl J Med. 2014", "et al.": what entries of a bibliography have in them.
_ENTRY = re.compile(r"\b(?:19|20)\d\d\s?;|\bet al[.,]|\(\d{4}\)\.|\b\d+\s?:\s?e?\d+[-–]\d+|doi[.:]")
_MARGIN = 3.0  # points that a line may stick out and still belong to a column


@dataclass(slots=True)
class Float:
    """A caption, with the rows of its table where it has one. Each row is a list of cells from left to right."""

    caption: list[Line]
    rows: list[list[Line]] = field(default_factory=list)

    @property
    def is_table(self) -> bool:
        return names_table(self.caption[0].text)

    @property
    def top(self) -> float:
        return self.caption[0].y

    @property
    def bottom(self) -> float:
        return self.caption[-1].y


@dataclass(slots=True)
class Region:
    """Lines that stand together."""

    lines: list[Line]

    @property
    def x0(self) -> float:
        return min(line.x0 for line in self.lines)

    @property
    def x1(self) -> float:
        return max(line.x1 for line in self.lines)


@dataclass(frozen=True, slots=True)
class PageParts:
    """A page taken apart: text in no order yet, boxes, floats from top to bottom."""

    number: int
    flow: list[Line]
    boxes: list[Region]
    floats: list[Float]


def take_apart(page: PageLines, typography: Typography, *, front: bool) -> PageParts:
    """Sort the lines of a page into parts.

    On the pages at the front, prose in any style belongs to the flow: abstracts have a style of their own.
    """
    tabular = _tabular(page.lines, typography)
    floats, captions = _captions(page.lines, typography)
    flow: list[Line] = []
    others: list[Line] = []
    for line in page.lines:
        if id(line) in captions:
            continue
        (flow if id(line) not in tabular and typography.is_body(line) else others).append(line)
    in_tables = _fill_tables(floats, others, flow, typography)
    boxes: list[Region] = []
    headings: list[Line] = []
    for region in _together(line for line in others if id(line) not in in_tables):
        if not front and (ending := _left_out_at(region)) is not None:
            headings.append(region.lines[ending])
            del region.lines[ending:]
        if not region.lines or _is_references(region):
            continue
        if _is_heading(region, flow, typography):
            headings += region.lines
        elif _is_prose(region, typography, front=front):
            if front:
                flow += region.lines
            else:
                boxes.append(region)
        else:
            headings += _named(region, flow, typography)
    return PageParts(page.number, flow + headings, boxes, sorted(floats, key=lambda item: -item.top))


def _rows(lines: Iterable[Line]) -> list[list[Line]]:
    """Lines that share a baseline, from top to bottom, each row from left to right."""
    rows: list[list[Line]] = []
    for line in sorted(lines, key=lambda line: -line.y):
        if rows and rows[-1][0].y - line.y < 0.4 * line.size:
            rows[-1].append(line)
        else:
            rows.append([line])
    return [sorted(row, key=lambda line: line.x0) for row in rows]


def _tabular(lines: list[Line], typography: Typography) -> set[int]:
    """Lines in body type that are cells of a table: rows of short pieces, several below each other."""
    short = 0.6 * typography.width
    found: set[int] = set()
    run: list[list[Line]] = []
    for row in _rows(line for line in lines if typography.is_body(line)):
        cells = [line for line in row if line.width < short]
        if len(cells) >= 3 or (
            len(cells) == 2 and len(row) == 2 and cells[1].x0 - cells[0].x1 < 0.5 * typography.width
        ):
            if run and run[-1][0].y - row[0].y > 3 * typography.leading:
                run = []
            run.append(cells)
            if len(run) >= 3 or (len(run) == 2 and max(map(len, run)) >= 3):
                found.update(id(line) for cells in run for line in cells)
        elif any(line.width >= short for line in row):
            run = []
    return found


def _captions(lines: list[Line], typography: Typography) -> tuple[list[Float], set[int]]:
    """The captions of a page, and the lines they take up."""
    taken: set[int] = set()
    floats = []
    starts = [line for line in lines if starts_caption(line)]
    if not starts:
        return [], taken
    ordered = sorted(lines, key=lambda line: -line.y)
    for start in starts:
        caption = [start]
        taken.add(id(start))
        for line in ordered:
            last = caption[-1]
            if line.y >= last.y - 0.4 * last.size or id(line) in taken:
                if (
                    abs(line.y - last.y) <= 0.2 * last.size
                    and 0 < line.x0 - last.x1 < 3 * last.size
                    and line.size == last.size
                ):
                    caption.append(line)
                    taken.add(id(line))
                continue
            if last.y - line.y > 1.75 * max(last.size, line.size):
                break
            if _continues_caption(line, caption, typography):
                caption.append(line)
                taken.add(id(line))
        floats.append(Float(caption))
    return floats, taken


def _continues_caption(line: Line, caption: list[Line], typography: Typography) -> bool:
    start, last = caption[0], caption[-1]
    if starts_caption(line) or abs(line.size - last.size) > 0.6 or line.x0 > start.x1 or line.x1 < start.x0:
        return False
    if line.x0 < start.x0 - _MARGIN and names_table(start.text):
        return False
    if line.font.bold and not last.font.bold:
        return False
    if names_table(start.text) and line.words < 4 and line.font.bold != last.font.bold:
        return False
    like_body = typography.is_body(line) and typography.is_body(start)
    return not (like_body and last.y - line.y > 1.15 * typography.leading)


def _fill_tables(floats: list[Float], others: list[Line], flow: list[Line], typography: Typography) -> set[int]:
    """Give each table the lines between its caption and the next text, below it or else above it."""
    taken: set[int] = set()
    for item in floats:
        if not item.is_table:
            continue
        for downwards in (True, False):
            lines = _table_lines(item, others, flow, floats, typography, downwards=downwards)
            lines = [line for line in lines if id(line) not in taken]
            if len(_rows(lines)) >= 2 and any(len(row) > 1 for row in _rows(lines)):
                taken.update(id(line) for line in lines)
                item.rows = _rows(lines)
                break
    return taken


def _table_lines(
    item: Float, others: list[Line], flow: list[Line], floats: list[Float], typography: Typography, *, downwards: bool
) -> list[Line]:
    left = min(line.x0 for line in item.caption)
    right = max(*(line.x1 for line in item.caption), left + 0.9 * typography.width)
    edge = item.bottom if downwards else item.top
    sign = 1 if downwards else -1
    barriers = flow + [line for other in floats if other is not item for line in other.caption]
    lines: list[Line] = []
    # Rows from the caption outwards, until text stands in the way or the page is empty for too long.
    for row in sorted(_rows(others), key=lambda row: -sign * row[0].y):
        distance = sign * (edge - row[0].y)
        if distance <= 0:
            continue
        inside = [line for line in row if line.x0 < right + 20 and line.x1 > left - 20]
        if not inside:
            continue
        if distance > 5 * typography.leading:
            break
        left = min(left, *(line.x0 for line in inside)) if len(inside) > 1 else left
        right = max(right, *(line.x1 for line in inside))
        low, high = sorted((edge, row[0].y))
        if any(low - 1 < line.y < high + 1 and line.x0 < right - 5 and line.x1 > left + 5 for line in barriers):
            break
        lines += inside
        edge = row[0].y
    return lines


def _together(lines: Iterable[Line]) -> list[Region]:
    """Lines that stand close below or beside each other, as regions."""
    ordered = sorted(lines, key=lambda line: -line.y)
    parent = list(range(len(ordered)))

    def root(index: int) -> int:
        while parent[index] != index:
            parent[index] = parent[parent[index]]
            index = parent[index]
        return index

    for index, upper in enumerate(ordered):
        for below in range(index + 1, len(ordered)):
            lower = ordered[below]
            distance = upper.y - lower.y
            if distance > 2 * upper.size:
                break
            gap = max(lower.x0 - upper.x1, upper.x0 - lower.x1)
            if gap < 0 or (distance < 0.4 * upper.size and gap < 0.7 * upper.size):
                parent[root(below)] = root(index)
    regions: dict[int, Region] = {}
    for index, line in enumerate(ordered):
        regions.setdefault(root(index), Region([])).lines.append(line)
    return list(regions.values())


def _is_heading(region: Region, flow: list[Line], typography: Typography) -> bool:
    """Whether lines that stand out have body text of their column right below them."""
    lines = region.lines
    if len(lines) > 5 or not all(typography.is_emphatic(line) for line in lines):
        return False
    if sum(line.words for line in lines) > 40 or not any(character.isalpha() for character in lines[0].text):
        return False
    last = lines[-1]
    reach = max(3.2 * typography.leading, 2.5 * last.size)
    below = [line for line in flow if 0 < last.y - line.y < reach and line.x0 < region.x1 and line.x1 > region.x0]
    if not below:
        return False
    first = max(below, key=lambda line: line.y)
    centred = abs((region.x0 + region.x1) - (first.x0 + first.x1)) < 8
    return centred or -2.5 * typography.size < region.x0 - first.x0 < 2.5 * typography.size


def _left_out_at(region: Region) -> int | None:
    """Where the name of a left-out section stands in small print: what follows it is small print too."""
    for index, line in enumerate(region.lines):
        if (
            line.words <= 6
            and line.text[:1].isupper()
            and (line.font.bold or line.text.isupper())
            and is_left_out(line.text)
        ):
            return index
    return None


def _is_references(region: Region) -> bool:
    """Whether lines are entries of a bibliography."""
    return len(region.lines) > 3 and sum(bool(_ENTRY.search(line.text)) for line in region.lines) > 0.2 * len(
        region.lines
    )


def _named(region: Region, flow: list[Line], typography: Typography) -> list[Line]:
    """Lines with the usual name of a section, which need no text right below them."""
    return [
        line
        for line in region.lines
        if line.size >= 0.85 * typography.size
        and line.words <= 8
        and (main_kind(line.text) is not None or is_left_out(line.text))
        and (len(region.lines) <= 3 or line is region.lines[0])
    ]


def _is_prose(region: Region, typography: Typography, *, front: bool) -> bool:
    """Whether a region is running text: lines of many words that fill its width."""
    smallest = 0.7 if front else 0.8
    prose = [line for line in region.lines if line.words >= 5 and line.size >= smallest * typography.size]
    if len(prose) < (2 if front else 4) or len(prose) < 0.5 * len(region.lines):
        return False
    widest = max(line.width for line in prose)
    full = [line for line in prose if line.width > 0.85 * widest]
    return widest > 0.6 * typography.width and len(full) >= 0.5 * len(prose)
