"""What a page carries beside its text: running heads and feet, page and line numbers, download notes."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from operator import attrgetter

from core.paper.draft import Draft
from core.paper.model import Account
from core.paper.pdf.accounts import take_off
from core.paper.pdf.line_numbers import without_line_numbers
from core.paper.pdf.lines import Line, PageLines

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
# One of these stands in every such note.
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


def without_furniture(pages: list[PageLines], draft: Draft) -> list[PageLines]:
    """The pages without what repeats on them or is known not to be text, which goes to the accounts of the draft."""
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
    """(whether at the top, page parity, text without its numbers) -> the height at which it stands on several pages."""
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
    """The height beyond which a page's running head (or foot) stands: row by row inwards, as long as rows repeat.

    One row further out that does not repeat belongs to it too: a section's name, the authors of this page's paper.
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
