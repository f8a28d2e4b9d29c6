"""Tell what the lines of a page belong to: the flow of text, a caption, a table, a box, or a figure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from core.paper.model import Account
from core.paper.pdf.floats import (
    Float,
    SortedLines,
    Style,
    fill_tables,
    find_captions,
    rows_at_start,
    rows_in_body_type,
    rows_of,
)
from core.paper.pdf.headings import left_out_lead, names_box
from core.paper.pdf.lines import Line, PageLines, from_top, leave_out
from core.paper.pdf.pdfium import MAX_SIDE_OF_PAGE
from core.paper.pdf.tables import is_table
from core.paper.pdf.typography import Typography, is_clutter, names_references
from core.paper.sections import is_left_out, main_kind, normalise_title

# ---- Regions: lines close below or beside each other ----

_STRIP = 50.0  # points


@dataclass(slots=True)
class Region:
    """Lines that are close together."""

    lines: list[Line]

    @property
    def x0(self) -> float:
        return min(line.x0 for line in self.lines)

    @property
    def x1(self) -> float:
        return max(line.x1 for line in self.lines)


def regions_of(lines: Iterable[Line]) -> list[Region]:
    """Group lines that are close below or beside each other into regions."""
    ordered = from_top(lines)
    parent = list(range(len(ordered)))

    def root(index: int) -> int:
        while parent[index] != index:
            parent[index] = parent[parent[index]]
            index = parent[index]
        return index

    # Only lines in the same strip of the page can be near each other. Strips are filled from the bottom of the page.
    strips: dict[int, list[int]] = {}
    for index in range(len(ordered) - 1, -1, -1):
        upper = ordered[index]
        near = 0.7 * upper.size
        first, last = (min(x, MAX_SIDE_OF_PAGE) // _STRIP for x in (upper.x0 - near, upper.x1 + near))
        for strip in range(int(first), int(last) + 1):
            lowers = strips.setdefault(strip, [])
            for below in reversed(lowers):
                lower = ordered[below]
                distance = upper.y - lower.y
                if distance > 2 * upper.size:
                    break
                gap = max(lower.x0 - upper.x1, upper.x0 - lower.x1)
                if gap < 0 or (distance < 0.4 * upper.size and gap < near):
                    parent[root(below)] = index  # `index` is its own root: only lines below it have been joined to it
            lowers.append(index)
    regions: dict[int, Region] = {}
    for index, line in enumerate(ordered):
        regions.setdefault(root(index), Region([])).lines.append(line)
    return list(regions.values())


# ---- What each region is ----
# Body text is recognised by its style. Around it are headings (set to stand out, with body text right below), captions
# (by how they begin), tables (between a table's caption and the next text) and boxes (prose in a style of its own).
# Everything else is the lettering of figures, or notes in the margin.

# In entries of a bibliography: "2015;386:2059", "N Engl J Med. 2014", "et al.".
_ENTRY = re.compile(
    r"\b(?:19|20)\d\d\s?;|\bet al[.,]|\(\d{4}\)\.|\b\d+\s?:\s?e?\d+[-–]\d+|doi[.:]|\b\d{4}, \d+, e?\d+|\[CrossRef"
)


_WORD = re.compile(r"[^\W\d_]{4}")
_PEOPLE = frozenset({"authors", "affiliations", "author information", "author affiliations"})
_ENTRY_NUMBER = re.compile(r"\[\d{1,3}\] \S")
_PROSE, _PROSE_LINES = 8, 3  # words of a line, and lines: no figure has so many in one place
_LIST_INDENT = 4.0  # of the size of type: how far to the right of its heading a list may stand
_APART = 4.0  # sizes of type: the most between two parts of an abstract
_LETTERING = 5  # words: fewer are marks, such as the "A" and "B" of a figure's parts


@dataclass(frozen=True, slots=True)
class PageParts:
    """The parts of a page: text that is not yet in order, boxes, and floats from top to bottom."""

    number: int
    flow: list[Line]
    boxes: list[Region]
    floats: list[Float]
    tables: list[list[list[Line]]]  # rows without a caption
    continued: list[list[Line]]  # rows that continue the table at the end of the page before
    has_lettering: bool  # text inside a figure, which is left out
    left_out: tuple[str, ...]  # titles of statements in small print, such as “Funding”


def sort_lines(page: PageLines, typography: Typography) -> SortedLines:
    """Sort the lines of a page into running text, captions and the rest."""
    floats, captions = find_captions(page.lines, typography)
    tabular = _tabular(page.lines, typography, page.width) | rows_in_body_type(page.lines, floats, typography)
    result = SortedLines(page.number, [], [], floats)
    for line in page.lines:
        if id(line) not in captions:
            is_text = id(line) not in tabular and typography.is_body(line)
            (result.flow if is_text else result.others).append(line)
    return result


def take_apart(
    page: SortedLines, typography: Typography, *, front: bool, below: bool, open_table: Style | None = None
) -> PageParts:
    """Sort the lines of a page into parts. `below`: the tables of this paper are below their captions.

    `front`: prose in any style belongs to the flow, because abstracts have a style of their own. `open_table`: the
    style of a table at the end of the page before.
    """
    flow = page.flow
    in_tables = fill_tables(page, typography, below=below)
    boxes: list[Region] = []
    headings: list[Line] = []
    lettering: list[Line] = []
    left_out: list[str] = []
    regions = regions_of(line for line in page.others if id(line) not in in_tables)
    together = _prose_together(regions, typography) if front else set()
    for region in sorted(regions, key=lambda region: id(region) not in together):
        if not front:
            headings += _cut_off_left_out(region)
            left_out += [title for line in region.lines if (title := left_out_lead(line))]
        if not region.lines:
            continue
        if _is_references(region):
            leave_out(region.lines, Account.REFERENCES)
            continue
        if front and len(region.lines) > 2 and names_box(region.lines[0].text):
            boxes.append(region)
        elif id(region) in together:
            flow += region.lines
        elif _is_heading(region, flow, typography) or _ends_column(region, flow, page.floats, typography):
            headings += region.lines
        elif _is_prose(region, typography, front=front):
            if front:
                flow += region.lines
            else:
                boxes.append(region)
        elif named := _named(region, typography):
            headings += named
            names = set(map(id, named))
            rest = [line for line in region.lines if id(line) not in names]
            flow += [
                line for line in rest if typography.is_body(line)
            ]  # a short line that looked like a cell beside a note
            leave_out(rest, Account.STATEMENT if is_left_out(named[0].text) else _account(region, page, front=front))
        else:
            lettering += region.lines
            leave_out(region.lines, _account(region, page, front=front))
    floats = sorted(page.floats, key=lambda item: -item.top)
    continued = rows_at_start(lettering, flow, open_table) if open_table else []
    in_rows = {id(line) for row in continued for line in row}
    lettering = [line for line in lettering if id(line) not in in_rows]
    loose = [] if front or any(not item.is_table for item in floats) else rows_of(lettering)
    tables = [rows for rows in _runs(loose) if is_table(rows)]
    for box in boxes:
        if _stands_after_references(box, [*flow, *headings]):
            leave_out(box.lines, Account.STATEMENT)
    boxes = [box for box in boxes if not _stands_after_references(box, [*flow, *headings])]
    return PageParts(
        page.number,
        flow + headings,
        boxes,
        floats,
        tables,
        continued,
        _has_lettering(lettering, floats),
        tuple(left_out),
    )


def _prose_together(regions: list[Region], typography: Typography) -> set[int]:
    """The regions (by id), below each other in one style and column, that are running text only when taken together.

    The parts of an abstract may be further apart than the lines of one region, and as short as one line or a few words.
    """
    runs: list[list[Region]] = []
    open_runs: list[list[Region]] = []  # runs that a region this far down may continue
    for region in sorted(regions, key=lambda region: -region.lines[0].y):
        if names_box(region.lines[0].text) or left_out_lead(region.lines[0]) or _is_references(region):
            continue
        open_runs = [run for run in open_runs if _is_near(run[-1], region)]
        above = next((run for run in open_runs if _goes_on_below(run[-1], region)), None)
        if above is None:
            runs.append([region])
            open_runs.append(runs[-1])
        else:
            above.append(region)
    return {
        id(region)
        for run in runs
        if len(run) > 1 and _is_prose(Region([line for region in run for line in region.lines]), typography, front=True)
        for region in run
    }


def _goes_on_below(region: Region, below: Region) -> bool:
    """Whether a region is below another in the same style and column."""
    last, first = region.lines[-1], below.lines[0]
    return last.y > first.y and abs(below.x0 - region.x0) < 2.5 * first.size and _style(region) == _style(below)


def _is_near(region: Region, below: Region) -> bool:
    return region.lines[-1].y - below.lines[0].y < _APART * region.lines[-1].size


def _style(region: Region) -> tuple[str, float]:
    count = Counter[tuple[str, float]]()
    for line in region.lines:
        count[line.style] += len(line.text)
    return count.most_common(1)[0][0]


def _account(region: Region, page: SortedLines, *, front: bool) -> Account:
    """The account of lines that belong to nothing else."""
    first = region.lines[0]
    if left_out_lead(first):
        return Account.STATEMENT
    if front or is_clutter(first.text) or normalise_title(first.text) in _PEOPLE:
        return Account.FRONT
    text = " ".join(line.text for line in region.lines)
    if "=" in text and not _WORD.search(text):
        return Account.EQUATION
    has_figure = any(not item.is_table for item in page.floats)
    prose = [line for line in region.lines if line.words >= _PROSE]
    return Account.FIGURE if has_figure and len(prose) < _PROSE_LINES else Account.UNPLACED


def _stands_after_references(region: Region, text: list[Line]) -> bool:
    """Whether a region is below the heading of the bibliography, or in a column to its right."""
    titles = (line for line in text if line.words <= 3 and names_references(line.text))
    return any(
        region.x0 > title.x1 or (region.lines[0].y < title.y and region.x0 < title.x1 and region.x1 > title.x0)
        for title in titles
    )


def _runs(rows: list[list[Line]]) -> Iterator[list[list[Line]]]:
    """Runs of rows close below each other."""
    run: list[list[Line]] = []
    for row in rows:
        if run and run[-1][0].y - row[0].y > 3 * row[0].size:
            yield run
            run = []
        run.append(row)
    if run:
        yield run


def _has_lettering(lines: list[Line], floats: list[Float]) -> bool:
    """Whether lines that belong to nothing else are above or beside a figure's caption, and so are its lettering."""
    figures = [item for item in floats if not item.is_table]
    return any(
        sum(
            line.words
            for line in lines
            if line.y > item.bottom and line.x0 < max(x.x1 for x in item.caption) and line.x1 > item.caption[0].x0
        )
        >= _LETTERING
        for item in figures
    )


def _tabular(lines: list[Line], typography: Typography, page_width: float) -> set[int]:
    """The lines in body type that are cells of a table: short pieces in several rows."""
    short = 0.6 * typography.width
    found: set[int] = set()
    # In one column, every line beside another is a cell. In two, lines that are not in body type may be lettering.
    beside = typography.width > 0.55 * page_width
    run: list[list[Line]] = []
    waiting: list[list[Line]] = []  # short rows after the run, which belong to it if it goes on
    for row in rows_of(line for line in lines if beside or typography.is_body(line)):
        cells = [line for line in row if line.width < short]
        if len(cells) >= 3 or (
            len(cells) == 2 and len(row) == 2 and cells[1].x0 - cells[0].x1 < 0.5 * typography.width
        ):
            last = (waiting or run or [row])[-1][0]
            if last.y - row[0].y > 3 * typography.leading:
                run, waiting = [], []
            run += [*waiting, cells]
            waiting = []
            if len(run) >= 3 or (len(run) == 2 and max(map(len, run)) >= 3):
                found.update(id(line) for cells in run for line in cells)
        elif any(line.width >= short for line in row):
            run, waiting = [], []
        elif run:
            waiting.append(cells)
    return found


def _is_heading(region: Region, flow: list[Line], typography: Typography) -> bool:
    """Whether lines that stand out have body text right below them in their column."""
    lines = region.lines
    if len(lines) > 5 or not all(typography.is_emphatic(line) for line in lines):
        return False
    if sum(line.words for line in lines) > 40 or not any(character.isalpha() for character in lines[0].text):
        return False
    last = lines[-1]
    reach = max(3.2 * typography.leading, 2.5 * last.size)
    x0, x1 = region.x0, region.x1
    below = [line for line in flow if 0 < last.y - line.y < reach and line.x0 < x1 and line.x1 > x0]
    if not below:
        return False
    first = max(below, key=lambda line: line.y)
    off_centre = (first.x0 + first.x1) - (x0 + x1)
    centred = -8 < off_centre < 8 + 2.5 * typography.size  # the first line of the text may be indented
    return centred or -_LIST_INDENT * typography.size < x0 - first.x0 < 2.5 * typography.size


def _ends_column(region: Region, flow: list[Line], floats: list[Float], typography: Typography) -> bool:
    """Whether lines that stand out end a column of text: a heading whose text is on the next page."""
    first = region.lines[0]
    like_heading = len(region.lines) <= 2 and first.font.bold and first.size >= typography.size
    if not like_heading or not first.text[:1].isupper() or region.lines[-1].text.endswith("."):
        return False
    x0, x1 = region.x0, region.x1
    if any(item.top < first.y and item.caption[0].x0 < x1 for item in floats):
        return False  # the title of a figure
    beside = [line for line in flow if line.x0 < x1 and line.x1 > x0]
    above = min((line.y for line in beside), default=0.0)
    near = first.y < above < first.y + 4 * typography.leading
    return near and any(abs(line.x0 - x0) < 1 for line in beside)


def _cut_off_left_out(region: Region) -> list[Line]:
    """Cut a region off where it first names a left-out section; returns the lines with such names."""
    named = [index for index, line in enumerate(region.lines) if _names_left_out(line)]
    lines = [region.lines[index] for index in named]
    leave_out(region.lines[min(named, default=len(region.lines)) :], Account.STATEMENT)
    del region.lines[min(named, default=len(region.lines)) :]
    return lines


def _names_left_out(line: Line) -> bool:
    """Whether a line that stands out names a left-out section."""
    stands_out = line.font.bold or line.text.isupper()
    return stands_out and line.words <= 6 and line.text[:1].isupper() and is_left_out(line.text)


def _is_references(region: Region) -> bool:
    """Whether lines are entries of a bibliography, which may have no heading."""
    lines = region.lines
    if len(lines) <= 3:
        return False
    entries = sum(bool(_ENTRY_NUMBER.match(line.text) or _ENTRY.search(line.text)) for line in lines)
    return entries > 0.2 * len(lines)


def _named(region: Region, typography: Typography) -> list[Line]:
    """Lines with a title from the outline or a usual name of a section, which need no text right below them."""
    return [
        line
        for line in region.lines
        if line.size >= 0.85 * typography.size
        and line.words <= 8
        and (line.outlined or main_kind(line.text) is not None or is_left_out(line.text))
        and (len(region.lines) <= 3 or line is region.lines[0])
    ]


def _is_prose(region: Region, typography: Typography, *, front: bool) -> bool:
    """Whether a region is running text: lines of many words that fill its width."""
    smallest = 0.7 if front else 0.8
    prose = [line for line in region.lines if line.words >= 5 and line.size >= smallest * typography.size]
    if len(prose) < (2 if front else 4) or len(prose) < 0.5 * len(region.lines):
        return False
    usual = sorted(line.width for line in prose)[3 * len(prose) // 4]  # a note below may be wider
    full = [line for line in prose if line.width > 0.85 * usual]
    return usual > 0.6 * typography.width and len(full) >= 0.5 * len(prose)
