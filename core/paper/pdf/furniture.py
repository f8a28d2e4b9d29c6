"""What a page carries beside its text: running heads and feet, page and line numbers, download notes."""

from __future__ import annotations

import re
from collections import Counter, defaultdict

from core.paper.pdf.lines import Line, PageLines, count_letters

_ZONE = 0.13  # the share of a page's height, at top and bottom, in which running heads and feet stand
_SAME_HEIGHT = 3  # points
_SAME_ROW = 4
_NEXT_ROW = 18  # rows of one running head stand no further apart
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
_FLOAT_NAME = re.compile(r"(?:fig|table)", re.IGNORECASE)
_LINE_NUMBER = re.compile(r"(\d{1,4})(?:\s+(?=\S)|$)")
_ENOUGH_NUMBERS = 8


def without_furniture(pages: list[PageLines]) -> list[PageLines]:
    """The pages without what repeats on them or is known not to be text."""
    repeated = _repeated(pages)
    kept = []
    for page in pages:
        low, high = (_edge(page, repeated, top=top) for top in (False, True))
        lines = [line for line in page.lines if low < line.y < high and not _is_note(line, page)]
        kept.append(PageLines(page.number, page.width, page.height, _without_line_numbers(lines)))
    return kept


def _key(line: Line) -> str:
    return _NUMBERS.sub("#", line.text.casefold()).strip()


def _repeated(pages: list[PageLines]) -> dict[tuple[bool, int, str], int]:
    """(whether at the top, page parity, text without its numbers) -> the height at which it stands on several pages."""
    seen: dict[tuple[bool, int, str], list[int]] = defaultdict(list)
    for page in pages:
        for line in page.lines:
            top = line.y > page.height * (1 - _ZONE)
            if (top or line.y < page.height * _ZONE) and not _FLOAT_NAME.match(line.text):
                seen[top, page.number % 2, _key(line)].append(round(line.y))
    result = {}
    for (top, parity, key), heights in seen.items():
        near = heights + seen.get((top, 1 - parity, key), [])
        usual, _ = Counter(heights).most_common(1)[0]
        count = sum(abs(height - usual) <= _SAME_HEIGHT for height in near)
        if count >= max(2, 0.2 * len(pages)):
            result[top, parity, key] = usual
    return result


def _edge(page: PageLines, repeated: dict[tuple[bool, int, str], int], *, top: bool) -> float:
    """The height beyond which a page's running head (or foot) stands: row by row inwards, as long as rows repeat.

    One row further out that does not repeat belongs to it too: a section's name, the authors of this page's paper.
    """
    sign = 1 if top else -1
    edge = sign * float("inf")
    height = sign * float("inf")
    strange_rows = 0
    for line in sorted(page.lines, key=lambda line: -sign * line.y):
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


def _is_note(line: Line, page: PageLines) -> bool:
    outer = not 0.07 < line.y / page.height < 0.93
    return bool(outer and _PAGE_NUMBER.fullmatch(line.text.strip())) or bool(_NOTE.match(line.text))


def _without_line_numbers(lines: list[Line]) -> list[Line]:
    """Manuscripts under review number their lines: many lines that begin with a number that counts up."""
    numbered = [(line, int(match[1])) for line in lines if (match := _LINE_NUMBER.match(line.text))]
    numbered.sort(key=lambda item: -item[0].y)
    for step in (1, 5):
        counted = _counting(numbered, step)
        if len(counted) < _ENOUGH_NUMBERS:
            continue
        rows = {round(line.y) for line in lines if id(line) not in counted or line.words > 1}
        # Where most lines go without a number, step by step, it is a numbered list.
        if step > 1 or len(counted) >= 0.6 * len(rows):
            return [line for line in lines if id(line) not in counted or _drop_number(line)]
    return lines


def _counting(numbered: list[tuple[Line, int]], step: int) -> set[int]:
    """The longest run of lines whose numbers go up by `step`; lines that begin with other numbers may stand between."""
    last: dict[int, tuple[int, int]] = {}  # number -> how long the run is that ends with it, and its line
    before: dict[int, int | None] = {}
    for line, number in numbered:
        length, previous = last.get(number - step, (0, None))
        before[id(line)] = previous
        last[number] = length + 1, id(line)
    run = set()
    at = max(last.values(), default=(0, None))[1]
    while at is not None:
        run.add(at)
        at = before[at]
    return run


def _drop_number(line: Line) -> bool:
    """Take the number off a line; False where it has nothing else."""
    rest = _LINE_NUMBER.sub("", line.text, count=1)
    if rest:
        line.x0 = line.spans[1][0] if len(line.spans) > 1 else line.x0 + line.width * (1 - len(rest) / len(line.text))
        line.skipped += count_letters(line.text[: len(line.text) - len(rest)])
        line.text, line.spans, line.words = rest, line.spans[1:], line.words - 1
    return bool(rest)
