"""Lines of text that PDFium split: before raised text, and in wide spaces of justified lines."""

from __future__ import annotations

import re
import statistics
from itertools import chain, pairwise
from operator import attrgetter, sub

from core.paper.pdf.lines import Line
from core.paper.pdf.raised import is_raised, mark_raised

# What may stand before a wide gap without being a cell of a table: numbering and bullets.
MARK = re.compile(r"(?:\d{1,2}(?:\.\d{1,2})*[.)]?|[•▪■●◆►–—*·|○§-]|\(?[a-zA-Z0-9]{1,3}[.)]|[IVX]+\.)(?:\s\|)?")
_POINT = re.compile(r"[.,;:)](?=\s|$)")
_NUMBERS = re.compile(r"\d{1,3}(?:[,;–—‒-] ?\d{1,3})+")  # "14, 20–22", raised in one piece
_BASELINE = 0.1  # of the size of type, by which the baselines of pieces of one line may differ
_EDGE = 1.5  # points by which the edges of justified lines may differ
_INDENT = 3.0  # of the size of type, that the first line of a paragraph is indented by, at most
_WIDEST = 4.0  # of the size of type, that a space of a justified line may take
_SPACED = 4  # letters of a letter-spaced word, at least
_SPACED_LENGTH = 2.5  # characters for each of its letters, at most
_LETTERS = 0.7  # of the words of a letter-spaced line, that are single letters
_STARTS, _ENDS = attrgetter("starts"), attrgetter("ends")
_EVEN = 1.5  # how many times the narrowest space of a justified line the widest may be


def joins(line: Line, rest: Line) -> bool:
    """Join to a line what PDFium split from it, after raised text as a rule; False where `rest` is a line of its own."""
    gap = rest.x0 - line.x1
    if (
        len(line.text) < 3
        and line.size < 0.85 * rest.size
        and 0.1 < (line.y - rest.y) / rest.size < 0.7
        and 0 <= gap + 1 < rest.size
    ):
        line.size, line.font, line.y = rest.size, rest.font, rest.y  # a note's mark
        _append(line, rest, near=False)
        return True
    height = rest.y - line.y
    if (
        rest.size < 0.85 * line.size
        and (rest.words == 1 or (is_raised(height, line.size) and _NUMBERS.fullmatch(rest.text)))
        and abs(height) < 0.7 * line.size
        and -0.1 < gap / line.size < 0.3
    ):
        start, _, word = line.text.rpartition(" ")
        numbers = rest.text.replace(" ", "")
        raised = mark_raised(word + numbers, [], lambda at: height if at >= len(word) else 0.0, line.size)
        line.text, line.x1, line.stop = f"{start} {raised}".strip(), rest.x1, rest.stop
        return True
    if abs(line.y - rest.y) > _BASELINE * line.size or line.size != rest.size:
        return False
    reach = (2 if MARK.fullmatch(line.text) else 0.7) * line.size
    if not -0.5 * line.size < gap < reach:
        return False
    if line.font != rest.font and (line.font.bold or line.font.italic):
        line.lead, line.font = line.lead or line.text, rest.font
    _append(line, rest, near=_is_near(line, rest))
    return True


def mend(lines: list[Line]) -> None:
    """Put the pieces of justified lines together again; one that is whole shows how wide the next should be."""
    while _mend_runs(lines):
        pass


def _mend_runs(lines: list[Line]) -> bool:
    """Whether any pieces were put together."""
    first = 0
    runs: list[tuple[int, int]] = []
    for index, (before, line) in enumerate(pairwise(lines), 1):
        if abs(before.y - line.y) > _BASELINE * before.size or not _stands_beside(before, line):
            runs.append((first, index))
            first = index
    runs.append((first, len(lines)))
    found = [(first, end) for first, end in runs if end - first > 1 and _is_one_line(lines, first, end)]
    for first, end in reversed(found):
        for piece in lines[first + 1 : end]:
            _append(lines[first], piece, near=_is_near(lines[first], piece))
        del lines[first + 1 : end]
    return bool(found)


def close_up(line: Line) -> None:
    """Put the letters of letter-spaced words together: “M E T H O D S”."""
    words = line.text.split()
    if len(words) != len(line.starts) or sum(len(word) == 1 and word.isalpha() for word in words) < _LETTERS * len(
        words
    ):
        return
    spaces = list(map(sub, line.starts[1:], line.ends))
    usual = statistics.median_low(spaces)
    texts, starts, ends = words[:1], [line.starts[0]], [line.ends[0]]
    for word, start, end, space in zip(words[1:], line.starts[1:], line.ends[1:], spaces, strict=True):
        if space < _EVEN * usual:
            texts[-1] += word
            ends[-1] = end
        else:
            texts.append(word)
            starts.append(start)
            ends.append(end)
    line.text, line.starts, line.ends, line.words = " ".join(texts), starts, ends, len(texts)


def is_spaced(line: Line) -> bool:
    """Whether a line may be letter-spaced: hardly anything but single letters."""
    return line.words >= _SPACED and len(line.text) < _SPACED_LENGTH * line.words


def _stands_beside(line: Line, rest: Line) -> bool:
    """Whether `rest` could be the next piece of a justified line."""
    size = line.size
    beside = abs(line.y - rest.y) <= _BASELINE * size and -0.5 * size < rest.x0 - line.x1 < _WIDEST * size
    return beside and line.style == rest.style


def _is_one_line(lines: list[Line], first: int, end: int) -> bool:
    """Whether pieces fill the width of the whole line before or after them, with even spaces if PDFium split them.

    With even spaces, they may be the indented first line of a paragraph.
    """
    left, right, size = lines[first], lines[end - 1], lines[first].size
    indents = [
        left.x0 - other.x0
        for other in [lines[index] for index in (first - 1, end) if 0 <= index < len(lines)]
        if other.style == left.style and abs(other.x1 - right.x1) < _EDGE and abs(other.y - left.y) < 2.5 * size
    ]
    pieces = lines[first:end]
    if any(abs(indent) < _EDGE for indent in indents) and all(b.at - a.stop <= 1 for a, b in pairwise(pieces)):
        return True
    starts, ends = (list(chain.from_iterable(map(places, pieces))) for places in (_STARTS, _ENDS))
    spaces = [space for space in map(sub, starts[1:], ends) if space > 0.12 * size]
    even = len(spaces) > 1 and max(spaces) <= _EVEN * min(spaces)
    return even and any(-_EDGE < indent < _INDENT * size for indent in indents)


def _is_near(line: Line, rest: Line) -> bool:
    """Whether a piece goes on with the last word of the one before."""
    return rest.x0 - line.x1 < 0.12 * line.size or bool(_POINT.match(rest.text))


def _append(line: Line, rest: Line, *, near: bool) -> None:
    line.text += rest.text if near else f" {rest.text}"
    if near:  # their first and last words are one
        line.starts = [*line.starts, *rest.starts[1:]]
        line.ends = [*line.ends[:-1], *([rest.x1] if line.ends else []), *rest.ends[1:]]
    else:
        line.starts, line.ends = [*line.starts, *rest.starts], [*line.ends, *rest.ends]
    line.x1, line.stop, line.words, line.hyphenated = rest.x1, rest.stop, line.words + rest.words, rest.hyphenated
