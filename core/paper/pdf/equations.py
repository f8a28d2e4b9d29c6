"""Equations whose pieces lie across each other on the page: what they say cannot be told from the order of the text."""

from __future__ import annotations

from itertools import pairwise

from core.paper.model import Account, PaperWarning
from core.paper.pdf.lines import Line, PageLines, from_left, from_top, leave_out

_MESSAGE = "An equation on page {} was left out; look at it on the page."
_BASELINE = 0.1  # of the size of type, by which the baselines of one row may differ
_ACROSS = 0.5  # of the size of type, that pieces of an equation lie over each other


def remove_torn_equations(page: PageLines, warnings: list[PaperWarning]) -> None:
    """Take out rows of pieces that lie across each other, some of them nothing but signs; a warning is added."""
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
