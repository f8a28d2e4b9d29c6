"""What a page carries beside its text: running heads and feet, page and line numbers, download notes."""

from __future__ import annotations

import itertools
import re
from collections import Counter, defaultdict

from core.paper.pdf.lines import Line, PageLines

_ZONE = 0.13  # the share of a page's height, at top and bottom, in which running heads and feet stand
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
    bands = _bands(pages)
    kept = []
    for page in pages:
        low, high = bands[page.number % 2]
        lines = [line for line in page.lines if low < line.y < high and not _is_note(line, page)]
        kept.append(PageLines(page.number, page.width, page.height, _without_line_numbers(lines)))
    return kept


def _bands(pages: list[PageLines]) -> dict[int, tuple[float, float]]:
    """For odd and even pages, the lowest and highest baseline between which the text stands."""
    seen: dict[tuple[bool, str], list[tuple[int, float, float]]] = defaultdict(list)
    for page in pages:
        for line in page.lines:
            top = line.y > page.height * (1 - _ZONE)
            if (top or line.y < page.height * _ZONE) and not _FLOAT_NAME.match(line.text):
                seen[top, _NUMBERS.sub("#", line.text.casefold()).strip()].append((page.number, line.y, line.size))
    needed = 2 if len(pages) < 8 else 3
    lowest, highest = -1e9, 1e9
    bands = {0: (lowest, highest), 1: (lowest, highest)}
    for (top, _), places in seen.items():
        for parity in (0, 1):
            heights = Counter(round(y / 3) for number, y, _ in places if number % 2 == parity)
            pages_with = len({number for number, _, _ in places})
            if pages_with < needed or not heights:
                continue
            usual = heights.most_common(1)[0][0]
            low, high = bands[parity]
            for number, y, size in places:
                if number % 2 == parity and abs(round(y / 3) - usual) <= 1:
                    if top:
                        high = min(high, y - 0.1 * size)
                    else:
                        low = max(low, y + 0.1 * size)
            bands[parity] = (low, high)
    return bands


def _is_note(line: Line, page: PageLines) -> bool:
    outer = not 0.07 < line.y / page.height < 0.93
    return bool(outer and _PAGE_NUMBER.fullmatch(line.text.strip())) or bool(_NOTE.match(line.text))


def _without_line_numbers(lines: list[Line]) -> list[Line]:
    """Manuscripts under review number their lines: many lines that begin with a number that counts up."""
    numbered = [(line, int(match[1])) for line in lines if (match := _LINE_NUMBER.match(line.text))]
    if len(numbered) < _ENOUGH_NUMBERS:
        return lines
    numbered.sort(key=lambda item: -item[0].y)
    steps = Counter(after[1] - before[1] for before, after in itertools.pairwise(numbered))
    step, count = steps.most_common(1)[0]
    if step not in {1, 5} or count < max(_ENOUGH_NUMBERS - 1, 0.7 * (len(numbered) - 1)):
        return lines
    if step == 1 and len(numbered) < 0.6 * len({round(line.y) for line in lines}):
        return lines  # a numbered list: most lines go without a number
    counted = {id(line) for line, _ in numbered}
    kept = []
    for line in lines:
        if id(line) in counted:
            rest = _LINE_NUMBER.sub("", line.text, count=1)
            if not rest:
                continue
            line.x0 += (line.x1 - line.x0) * (1 - len(rest) / len(line.text))
            line.text = rest
        kept.append(line)
    return kept
