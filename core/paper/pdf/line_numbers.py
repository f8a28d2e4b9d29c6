"""The numbers in the margin of manuscripts under review, one at every line or at every fifth."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.paper.draft import Draft
from core.paper.model import Account, LeftOut
from core.paper.pdf.lines import Line, PageLines, count_letters

_LINE_NUMBER = re.compile(r"(\d{1,4})(?:\s+(?=\S)|$)")
_ENOUGH_NUMBERS = 8
_STEPS = (1, 5)

_Run = list[tuple[Line, int]]  # lines from top to bottom, and the numbers they begin with


def without_line_numbers(pages: Sequence[PageLines], draft: Draft) -> list[PageLines]:
    """The pages without the numbers of their lines, which go to the accounts of the draft.

    A page with few lines goes on from the page before, or to the next.
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
    """Those that number the lines of a page: many, and they count up."""
    for step in _STEPS:
        run = _counting(numbered, step)
        if len(run) < _ENOUGH_NUMBERS:
            continue
        counted = {id(line) for line, _ in run}
        rows = {round(line.y) for line in lines if id(line) not in counted or line.words > 1}
        # Where most lines go without a number, step by step, it is a numbered list.
        if step > 1 or len(run) >= 0.6 * len(rows):
            return run
    return []


def _goes_on(run: _Run, around: Sequence[_Run], step: int) -> bool:
    """Whether a run counts on from that of the page before, counts up to that of the next, or begins anew like one."""
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
    """Take the number off a line; False where it has nothing else."""
    rest = _LINE_NUMBER.sub("", line.text, count=1)
    if rest:
        line.x0 = line.starts[1] if len(line.starts) > 1 else line.x0 + line.width * (1 - len(rest) / len(line.text))
        line.skipped += count_letters(line.text[: len(line.text) - len(rest)])
        line.text, line.starts, line.ends, line.words = rest, line.starts[1:], line.ends[1:], line.words - 1
    return bool(rest)
