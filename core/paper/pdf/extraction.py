"""From a page's characters to its lines: text with the place, size and font that the layout is read from."""

from __future__ import annotations

import pypdfium2

from core.paper.draft import Draft
from core.paper.model import Account, LeftOut, SetAside
from core.paper.pdf.accounts import take_off
from core.paper.pdf.characters import Characters
from core.paper.pdf.hidden import without_clipped
from core.paper.pdf.limits import LINES_OF_PAGE, SIDE_OF_PAGE, PageTooLarge
from core.paper.pdf.line_reader import LineReader
from core.paper.pdf.lines import Line, PageLines
from core.paper.pdf.page_text import open_text
from core.paper.pdf.unseen import Eyes, Unseen


def page_lines(page: pypdfium2.PdfPage, number: int, eyes: Eyes, draft: Draft) -> PageLines:
    """Read one page; what nobody can see there goes to the accounts of the draft instead. Call under the lock.

    Raises `pypdfium2.PdfiumError` if PDFium cannot, or `PageTooLarge`.
    """
    left, bottom, right, top = page.get_bbox()  # what is shown of the page, before it is turned
    width, height = right - left, top - bottom
    if max(width, height) > SIDE_OF_PAGE:
        raise PageTooLarge
    with open_text(page) as (textpage, characters):
        _leave_out(eyes.unseen(page, textpage, characters.text), characters, number, draft)
        lines = LineReader(characters, number).lines()
        if len(lines) > LINES_OF_PAGE:
            raise PageTooLarge
        lines, clipped = without_clipped(lines, textpage.raw)
    take_off(draft, clipped, Account.UNSEEN)
    if turned := [line for line in lines if line.angle]:
        if 2 * _length(turned) > _length(lines):  # a table set sideways: read it as the reader would turn it
            width, height = height, width
            lines, other = turned, [line for line in lines if not line.angle]
        else:
            lines, other = [line for line in lines if not line.angle], turned
        take_off(draft, other, Account.SIDEWAYS)
    moves = ((-left, -bottom), (-bottom, right), (right, top), (top, -left))  # to the page's corner, for each angle
    for line in lines:
        across, up = moves[line.angle]
        if across or up:
            _move(line, across, up)
    shown = [line for line in lines if -5 < line.x0 < width + 5 and -5 < line.y < height + 5]
    if len(shown) < len(lines):
        kept = set(map(id, shown))
        take_off(draft, [line for line in lines if id(line) not in kept], Account.UNSEEN)
    return PageLines(number, width, height, shown)


def _leave_out(found: list[Unseen], characters: Characters, number: int, draft: Draft) -> None:
    """Blank what cannot be seen, so that all other characters keep their place; what may be a message is set aside."""
    text = characters.text
    for unseen in found:
        text = text[: unseen.start] + " " * (unseen.stop - unseen.start) + text[unseen.stop :]
    characters.text = text
    for unseen in found:
        if unseen.worth_listing:
            draft.set_aside.append(SetAside(unseen.text, unseen.reason, number))
        elif unseen.text:
            draft.left_out.append(LeftOut(Account.UNSEEN, unseen.text, number))


def _length(lines: list[Line]) -> int:
    return sum(len(line.text) for line in lines)


def _move(line: Line, right: float, up: float) -> None:
    line.starts, line.ends = [x + right for x in line.starts], [x + right for x in line.ends]
    line.x0, line.x1, line.y = line.x0 + right, line.x1 + right, line.y + up
