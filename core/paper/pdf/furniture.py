"""Take off a page what is not its text: running heads and feet, page and line numbers, torn equations."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import pairwise
from operator import attrgetter

from core.paper.draft import PaperDraft
from core.paper.model import Account, LeftOut, PaperWarning
from core.paper.pdf.accounts import take_off
from core.paper.pdf.lines import Line, PageLines, count_letters, from_left, from_top, leave_out

# ---- Line numbers in the margin of manuscripts under review ----

_LINE_NUMBER = re.compile(r"(\d{1,4})(?:\s+(?=\S)|$)")
_ENOUGH_NUMBERS = 8
_STEPS = (1, 5)

_Run = list[tuple[Line, int]]  # lines from top to bottom, and the numbers they begin with


def without_line_numbers(pages: Sequence[PageLines], draft: PaperDraft) -> list[PageLines]:
    """Remove the line numbers from the pages, and note them as left out.

    On a page with few lines, they must continue those of the page before or lead to the next.
    """
    numbered = [_numbered(page.lines) for page in pages]
    runs = [_run(page.lines, lines) for page, lines in zip(pages, numbered, strict=True)]
    for at, lines in enumerate(numbered):
        around = [run for run in (*runs[max(at - 1, 0) : at], *runs[at + 1 : at + 2]) if run]
        if around and lines and not runs[at]:
            runs[at] = next((run for step in _STEPS if _goes_on(run := _counting(lines, step), around, step)), [])
    draft.left_out += [
        LeftOut(Account.FURNITURE, " ".join(str(number) for _, number in run), page.number)
        for page, run in zip(pages, runs, strict=True)
        if run
    ]
    return [
        PageLines(page.number, page.width, page.height, _without(page.lines, run)) if run else page
        for page, run in zip(pages, runs, strict=True)
    ]


def _numbered(lines: Sequence[Line]) -> _Run:
    numbered = [(line, int(match[1])) for line in lines if (match := _LINE_NUMBER.match(line.text))]
    return sorted(numbered, key=lambda item: -item[0].y)


def _run(lines: Sequence[Line], numbered: _Run) -> _Run:
    """The line numbers of a page: many, and counting up; empty if it has none."""
    for step in _STEPS:
        run = _counting(numbered, step)
        if len(run) < _ENOUGH_NUMBERS:
            continue
        counted = {id(line) for line, _ in run}
        rows = {round(line.y) for line in lines if id(line) not in counted or line.words > 1}
        # If most lines have no number, it is a numbered list.
        if step > 1 or len(run) >= 0.6 * len(rows):
            return run
    return []


def _goes_on(run: _Run, around: Sequence[_Run], step: int) -> bool:
    """Whether a run continues that of the page before, leads to that of the next, or starts anew as they do."""
    first, last = run[0][1], run[-1][1]
    return any(
        first == other[-1][1] + step or last + step == other[0][1] or first == other[0][1] == step for other in around
    )


def _counting(numbered: _Run, step: int) -> _Run:
    """The longest run of lines whose numbers go up by `step`; lines that begin with other numbers may stand between."""
    ending: dict[int, _Run] = {}  # number -> the longest run that ends with it
    for line, number in numbered:
        ending[number] = [*ending.get(number - step, []), (line, number)]
    return max(ending.values(), key=len, default=[])


def _without(lines: Sequence[Line], run: _Run) -> list[Line]:
    counted = {id(line) for line, _ in run}
    return [line for line in lines if id(line) not in counted or _drop_number(line)]


def _drop_number(line: Line) -> bool:
    """Take the number off a line; False if nothing else is left."""
    rest = _LINE_NUMBER.sub("", line.text, count=1)
    if rest:
        line.x0 = line.starts[1] if len(line.starts) > 1 else line.x0 + line.width * (1 - len(rest) / len(line.text))
        line.skipped += count_letters(line.text[: len(line.text) - len(rest)])
        line.text, line.starts, line.ends, line.words = rest, line.starts[1:], line.ends[1:], line.words - 1
    return bool(rest)


# ---- Running heads and feet, page numbers, download notes ----

_ZONE = 0.13  # the share of a page's height, at top and bottom, in which running heads and feet stand
_SAME_HEIGHT = 3  # points
_SAME_ROW = 4
_NEXT_ROW = 18  # points: the most between two rows of one running head
_NUMBERS = re.compile(r"\d+")
_PAGE_NUMBER = re.compile(
    r"(?:page\s*)?\W?[se]?\d{1,6}\W?(?:\s*(?:of|/)\s*\d+)?(?:\s*\|\s*page)?|[ivxl]{1,6}", re.IGNORECASE
)
_NOTE = re.compile(
    r"downloaded (?:from|by|on)\b|this (?:article|content) is protected by copyright|for personal use only"
    r"|copyright ?© ?20\d\d .{0,60}all rights reserved|.{0,40}first published as 10\.|protected by copyright"
    r"|.{0,60}see front matter",
    re.IGNORECASE,
)
# Each such note holds one of these.
_OF_NOTES = (
    "downloaded ",
    "protected by copyright",
    "for personal use only",
    "all rights reserved",
    "first published as 10.",
    "see front matter",
)
_HEIGHT = attrgetter("y")
_FLOAT_NAME = re.compile(r"(?:fig|table)", re.IGNORECASE)


def without_furniture(pages: list[PageLines], draft: PaperDraft) -> list[PageLines]:
    """Remove what repeats on the pages or is known not to be text, and note it as left out."""
    pages = without_line_numbers(pages, draft)
    repeated = _repeated(pages)
    kept = []
    for page in pages:
        low, high = (_edge(page, repeated, top=top) for top in (False, True))
        text = "\n".join([line.text for line in page.lines]).casefold()
        notes = any(words in text for words in _OF_NOTES)
        lower, upper = 0.07 * page.height, 0.93 * page.height
        lines: list[Line] = []
        furniture: list[Line] = []
        for line in page.lines:
            is_text = (
                low < line.y < high
                and (lower < line.y < upper or not _is_page_number(line))
                and not (notes and _NOTE.match(line.text))
            )
            (lines if is_text else furniture).append(line)
        take_off(draft, furniture, Account.FURNITURE)
        kept.append(PageLines(page.number, page.width, page.height, lines))
    return kept


def _key(line: Line) -> str:
    return _NUMBERS.sub("#", line.text.casefold()).strip()


def _repeated(pages: list[PageLines]) -> dict[tuple[bool, int, str], int]:
    """The height of texts that repeat on several pages, by (whether at the top, page parity, text without numbers)."""
    seen: dict[tuple[bool, int, str], list[tuple[int, int]]] = defaultdict(list)
    for page in pages:
        low, high = page.height * _ZONE, page.height * (1 - _ZONE)
        for line in page.lines:
            top = line.y > high
            if (top or line.y < low) and not _FLOAT_NAME.match(line.text):
                seen[top, page.number % 2, _key(line)].append((page.number, round(line.y)))
    result = {}
    for (top, parity, key), places in seen.items():
        near = places + seen.get((top, 1 - parity, key), [])
        usual, _ = Counter(height for _, height in places).most_common(1)[0]
        count = len({page for page, height in near if abs(height - usual) <= _SAME_HEIGHT})
        if count >= max(2, 0.2 * len(pages)):
            result[top, parity, key] = usual
    return result


def _edge(page: PageLines, repeated: dict[tuple[bool, int, str], int], *, top: bool) -> float:
    """The inner edge of a page's running head (or foot), found row by row inwards, as long as rows repeat.

    One outer row that does not repeat belongs to it too, such as a section's name or the authors of this page's paper.
    """
    sign = 1 if top else -1
    edge = sign * float("inf")
    height = sign * float("inf")
    strange_rows = 0
    for line in sorted(page.lines, key=_HEIGHT, reverse=top):
        known = repeated.get((top, page.number % 2, _key(line)))
        if known is not None and abs(line.y - known) <= _SAME_HEIGHT:
            if abs(edge) != float("inf") and abs(line.y - height) > _NEXT_ROW:
                break
            height, edge = line.y, line.y - sign * _SAME_ROW
        elif abs(line.y - height) >= _SAME_ROW:
            if abs(edge) != float("inf") or strange_rows:
                break
            height, strange_rows = line.y, 1
    return edge


def _is_page_number(line: Line) -> bool:
    return _PAGE_NUMBER.fullmatch(line.text.strip()) is not None


# ---- Equations whose pieces overlap on the page, so that the order of their text is uncertain ----

_MESSAGE = "An equation on page {} was left out; look at it on the page."
_BASELINE = 0.1  # of the size of type: the most that the baselines of one row may differ
_ACROSS = 0.5  # of the size of type: the overlap of pieces that shows an equation


def remove_torn_equations(page: PageLines, warnings: list[PaperWarning]) -> None:
    """Remove rows of overlapping pieces, if some of these are only signs, and add a warning."""
    if all(any(map(str.isalnum, line.text)) for line in page.lines):
        return
    torn = {id(line) for row in _rows(page.lines) if len(row) > 1 and _is_torn(row) for line in row}
    if torn:
        leave_out((line for line in page.lines if id(line) in torn), Account.EQUATION)
        page.lines[:] = [line for line in page.lines if id(line) not in torn]
        warnings.append(PaperWarning("equation", _MESSAGE.format(page.number), page.number))


def _rows(lines: list[Line]) -> list[list[Line]]:
    """Lines that touch or overlap on one baseline, each row from left to right."""
    levels: list[list[Line]] = []
    for line in from_top(lines):
        if levels and levels[-1][0].y - line.y <= _BASELINE * line.size:
            levels[-1].append(line)
        else:
            levels.append([line])
    rows: list[list[Line]] = []
    for level in levels:
        reach = float("-inf")
        for line in from_left(level):
            if line.x0 - reach < _ACROSS * line.size:
                rows[-1].append(line)
            else:
                rows.append([line])
            reach = max(reach, line.x1)
    return rows


def _is_torn(row: list[Line]) -> bool:
    across = any(before.x1 - after.x0 > _ACROSS * after.size for before, after in pairwise(row))
    return across and any(not any(map(str.isalnum, line.text)) for line in row)
