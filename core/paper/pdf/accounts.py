"""Account for every line of a page: read into the text, left out for a reason, or reported as unplaced."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby, pairwise
from operator import attrgetter

from core.paper.draft import Block, PaperDraft
from core.paper.model import Account, Kind, LeftOut, PaperWarning, PrintedLine
from core.paper.pdf.lines import Line, PageLines, PrintedText, count_letters
from core.paper.pdf.paragraphs import joined

_MOST = 0.005  # the share of a page's words that may be unplaced without a warning
_UNPLACED = (
    "{} words on page {} are in no part of the text that could be told, and were left out: “{}”. "
    "Look for them on the page."
)
_BEHIND = {Account.STATEMENT, Account.REFERENCES}  # what comes after a paper's text
_NO_FLOATS = {Account.UNPLACED, Account.FRONT, *_BEHIND}  # unlike a figure, never in the middle of a text
_CUT = (
    "A text on page {} is cut: the lines that follow it are not in the text. Look on the page for what follows “… {}”."
)
_ROOM, _NEAR = 1.7, 2.5  # sizes of type: the least gap that a line fits in, and the reach beyond a column or page break
_HEIGHT = attrgetter("y")
_FEW = 3  # words: fewer are no line of text, unless they are in its type
_SHOWN = 80  # characters of the text in the warning

_Place = tuple[int, int]  # the page of a line, and its first character there
_Rest = tuple[Account | None, Line]  # a line or a part of it, with its account; None: it is part of the text
_Run = tuple[Account | None, list[_Rest]]
_NUMBER = re.compile(r"[\d.]+|[IVX]+|[A-Z]")  # what may come before a heading


def take_off(draft: PaperDraft, lines: Sequence[Line], account: Account) -> None:
    """Note as left out the lines that are taken off a page before its text is read."""
    if any(any(map(str.isalnum, line.text)) for line in lines):
        draft.left_out.append(LeftOut(account, joined([*lines]).text, lines[0].page))


def settle(draft: PaperDraft, pages: Sequence[PageLines]) -> None:
    """Note everything on the pages that is not in the blocks as left out; warn if much of a page is of no known kind.

    A line's `account` says why it was left out. A block is cut where a line is missing inside a sentence.
    """
    printed: dict[_Place, list[tuple[PrintedLine, str]]] = defaultdict(list)
    for block in (*draft.blocks, *draft.about):
        for stretch in block.lines:
            printed[stretch.page, stretch.first].append((stretch, block.text))
    lost: dict[int, list[Line]] = {}  # by page, lines that may be missing inside the text
    behind = False
    for page in pages:
        rests = [rest for line in page.lines for rest in _rests(line, printed.get((page.number, line.at), ()))]
        runs = _named([(account, [*run]) for account, run in groupby(rests, key=lambda rest: rest[0])], behind=behind)
        behind = bool(runs) and runs[-1][0] in _BEHIND
        found = [(account, [line for _, line in run]) for account, run in runs if account is not None]
        draft.left_out += [LeftOut(account, joined(lines).text, page.number) for account, lines in found]
        if missing := [line for account, lines in found if account in _NO_FLOATS for line in lines]:
            lost[page.number] = sorted(missing, key=_HEIGHT)
        if unplaced := [lines for account, lines in found if account is Account.UNPLACED]:
            _warn(draft, page, unplaced)
    if lost:
        _end_at_gaps(draft, pages, lost)
    draft.left_out.sort(key=lambda item: item.page or 0)


def _warn(draft: PaperDraft, page: PageLines, unplaced: list[list[Line]]) -> None:
    count = sum(line.words for lines in unplaced for line in lines)
    if count > _MOST * sum(line.words for line in page.lines):
        shown = _shortened(max((joined(lines).text for lines in unplaced), key=len))
        draft.warnings.append(PaperWarning("unplaced", _UNPLACED.format(count, page.number, shown), page.number))


def _shortened(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN].rstrip()} …"


def _named(runs: list[_Run], *, behind: bool) -> list[_Run]:
    """Give unplaced lines the account of the left-out lines around them in the file.

    After the text of a paper, one side is enough. `behind`: the page before ended after that text.
    """
    named: list[_Run] = []
    for index, (account, run) in enumerate(runs):
        if account is Account.UNPLACED:
            before = named[-1][0] if named else Account.STATEMENT if behind else None
            after = runs[index + 1][0] if index + 1 < len(runs) else before if before in _BEHIND else None
            if before is not None and (before is after or {before, after} <= _BEHIND):
                account = before  # noqa: PLW2901
        named.append((account, run))
    return named


def _end_at_gaps(draft: PaperDraft, pages: Iterable[PageLines], lost: Mapping[int, list[Line]]) -> None:
    """Cut blocks in two where a line of the page is missing inside a sentence."""
    lines = {(page.number, line.at): line for page in pages for line in page.lines}
    draft.blocks = [part for block in draft.blocks for part in _cut_at_gaps(block, lines, lost, draft.warnings)]


def _cut_at_gaps(
    block: Block, lines: Mapping[_Place, Line], lost: Mapping[int, list[Line]], warnings: list[PaperWarning]
) -> Iterator[Block]:
    start, text = 0, PrintedText(block.text, block.lines)
    if block.kind in {Kind.ABSTRACT, Kind.BODY} and not lost.keys().isdisjoint(line.page for line in block.lines):
        for one, other in pairwise(block.lines):
            before, after = lines.get((one.page, one.first)), lines.get((other.page, other.first))
            ended = block.text[: other.start].rstrip().endswith((".", "?", "!", ":"))
            if before is not None and after is not None and not ended and _misses(before, after, lost):
                part = text.cut(start, other.start).stripped()
                yield part.block(block.kind)
                message = _CUT.format(before.page, part.text[-_SHOWN:].lstrip())
                warnings.append(PaperWarning("text-missing", message, before.page))
                start = other.start
    yield text.cut(start).block(block.kind, block.level, block.section_kind) if start else block


def _misses(before: Line, after: Line, lost: Mapping[int, list[Line]]) -> bool:
    """Whether a line is missing between two lines that a text joins."""
    if before.page == after.page and before.y > after.y:
        if before.y - after.y < _ROOM * after.size:
            return False
        return any(_over(line, before) for line in _between(lost.get(before.page, ()), after.y, before.y))
    reach = _NEAR * after.size
    below = _between(lost.get(before.page, ()), before.y - reach, before.y)
    above = _between(lost.get(after.page, ()), after.y, after.y + reach)
    found = [*(line for line in below if _over(line, before)), *(line for line in above if _over(line, after))]
    return any(line.account is None and (line.words > _FEW or line.style == after.style) for line in found)


def _between(lines: Sequence[Line], low: float, high: float) -> Sequence[Line]:
    """The lines (ordered by height) between two heights."""
    return lines[bisect_right(lines, low, key=_HEIGHT) : bisect_left(lines, high, key=_HEIGHT)]


def _over(line: Line, other: Line) -> bool:
    return line.x0 < other.x1 and other.x0 < line.x1


def _rests(line: Line, printed: Sequence[tuple[PrintedLine, str]]) -> Iterator[_Rest]:
    """The parts of a line that are not in the text, each with its account; and the line with None if some of it is."""
    if not printed:
        if any(map(str.isalnum, line.text)):
            yield line.account or Account.UNPLACED, line
        return
    yield None, line
    capital = line.cap is not None  # a drop cap has a stretch of its own
    if sum(stretch.end - stretch.start for stretch, _ in printed) >= len(line.text) - capital:
        return
    places = [at for at, sign in enumerate(line.text[capital:], capital) for _ in range(count_letters(sign))]
    reached = 0
    for first, stop in [*sorted(_letters_of(line, printed)), (len(places), len(places))]:
        if first > reached:
            text = line.text[places[reached] : places[first - 1] + 1]
            number = not reached and _NUMBER.fullmatch(text)
            account = Account.NUMBER if number else line.account or Account.UNPLACED
            yield account, replace(line, text=text, words=len(text.split()), hyphenated=False, cap=None)
        reached = max(reached, stop)


def _letters_of(line: Line, printed: Iterable[tuple[PrintedLine, str]]) -> Iterator[tuple[int, int]]:
    """The range of the line's letters and digits that each stretch covers."""
    for stretch, text in printed:
        first = stretch.skipped - line.skipped
        yield first, first + count_letters(text[stretch.start : stretch.end])
