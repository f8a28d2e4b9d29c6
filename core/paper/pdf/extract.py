"""Read the lines of a page, with PDFium or, where PDFium fails, with pypdf."""

from __future__ import annotations

import ctypes
import io
import logging
import re
import struct
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import pypdf
import pypdfium2
import pypdfium2.raw as pdfium
from pypdf.errors import DependencyError, FileNotDecryptedError, PyPdfError, WrongPasswordError

from core.errors import PaperError
from core.paper.draft import PaperDraft
from core.paper.model import Account, LeftOut, SetAside
from core.paper.pdf.accounts import take_off
from core.paper.pdf.glyphs import mend_signs
from core.paper.pdf.hidden import HiddenText, HiddenTextFinder, without_clipped
from core.paper.pdf.line_reader import LineReader
from core.paper.pdf.lines import Line, PageLines
from core.paper.pdf.pdfium import (
    MAX_CHARACTERS_OF_PAGE,
    MAX_LINES_OF_PAGE,
    MAX_PAGES,
    MAX_SIDE_OF_PAGE,
    Characters,
    Font,
    PageTooLarge,
    damaged,
    locked,
    too_large,
)
from core.paper.pdf.typography import Typography
from core.paper.xml import squeeze

# ---- The text of a page, even where PDFium mistakes its lines for vertical writing ----

_LETTER_LINE = re.compile(r"\n[a-z]\r")
_TORN_LETTERS = 10
_LONGEST_LINE = 400  # characters; a printed line has at most 200, and PDFium leaves out some breaks after hyphens
_RULE_SIZE = 10.0
_UNDERSCORE = 0.556  # the width of an underscore in Helvetica, as a share of its size


@contextmanager
def open_text(page: pypdfium2.PdfPage) -> Iterator[tuple[pypdfium2.PdfTextPage, Characters]]:
    """Open the text of a page and its characters for a `with` block. Call under the lock.

    Where text takes up only a part of a page's width, as on a last page, PDFium may take it for vertical writing and
    break lines between letters. To prevent that, a line across the whole page is drawn as text, and then blanked out
    among the characters.
    Raises `pypdfium2.PdfiumError` if PDFium cannot read the page, or `PageTooLarge`.
    """
    textpage = page.get_textpage()
    try:
        if textpage.count_chars() > MAX_CHARACTERS_OF_PAGE:
            raise PageTooLarge
        characters = Characters(textpage.raw)
        if _is_torn(characters):
            textpage.close()
            rule = _draw_rule(page)
            textpage = page.get_textpage()
            characters = Characters(textpage.raw)
            _blank_out(characters, rule)
        mend_signs(page, characters)
        yield textpage, characters
    finally:
        textpage.close()


def _is_torn(characters: Characters) -> bool:
    text = characters.text
    if len(text) > _LONGEST_LINE and max(map(len, text.split("\r\n"))) > _LONGEST_LINE:
        return True
    letters = [match.start() + 1 for match in _LETTER_LINE.finditer(text)]
    return len(letters) >= _TORN_LETTERS and sum(not characters.angle(at) for at in letters) >= _TORN_LETTERS


def _draw_rule(page: pypdfium2.PdfPage) -> pdfium.FPDF_PAGEOBJECT:
    """Draw an underscore as wide as the page at its lower edge."""
    left, bottom, right, _ = page.get_bbox()
    font = pdfium.FPDFText_LoadStandardFont(page.pdf.raw, b"Helvetica")
    rule = pdfium.FPDFPageObj_CreateTextObj(page.pdf.raw, font, _RULE_SIZE)
    pdfium.FPDFText_SetText(rule, (pdfium.FPDF_WCHAR * 2)(ord("_"), 0))
    stretch = (right - left) / (_UNDERSCORE * _RULE_SIZE)
    pdfium.FPDFPageObj_SetMatrix(rule, pdfium.FS_MATRIX(stretch, 0, 0, 1, left, bottom + _RULE_SIZE / 2))
    pdfium.FPDFPage_InsertObject(page.raw, rule)
    pdfium.FPDFFont_Close(font)
    return rule


def _blank_out(characters: Characters, rule: pdfium.FPDF_PAGEOBJECT) -> None:
    """Replace the drawn underscore by a space among the characters, wherever PDFium has put it."""
    address = ctypes.cast(rule, ctypes.c_void_p).value
    for match in re.finditer("_", characters.text):
        owner = pdfium.FPDFText_GetTextObject(characters.textpage, match.start())
        if ctypes.cast(owner, ctypes.c_void_p).value == address:
            characters.text = f"{characters.text[: match.start()]} {characters.text[match.end() :]}"


# ---- From characters to lines ----


def page_lines(page: pypdfium2.PdfPage, number: int, finder: HiddenTextFinder, draft: PaperDraft) -> PageLines:
    """Read one page; text that nobody can see is set aside in the draft. Call under the lock.

    Raises `pypdfium2.PdfiumError` if PDFium cannot read the page, or `PageTooLarge`.
    """
    left, bottom, right, top = page.get_bbox()  # the visible part of the page, before it is turned
    width, height = right - left, top - bottom
    if max(width, height) > MAX_SIDE_OF_PAGE:
        raise PageTooLarge
    with open_text(page) as (textpage, characters):
        _leave_out(finder.hidden_text(page, textpage, characters.text), characters, number, draft)
        lines = LineReader(characters, number).lines()
        if len(lines) > MAX_LINES_OF_PAGE:
            raise PageTooLarge
        lines, clipped = without_clipped(lines, textpage.raw)
    take_off(draft, clipped, Account.UNSEEN)
    if turned := [line for line in lines if line.angle]:
        if 2 * _length(turned) > _length(lines):  # a table set sideways: read the page as a person would turn it
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


def _leave_out(found: list[HiddenText], characters: Characters, number: int, draft: PaperDraft) -> None:
    """Blank out hidden text, so that other characters keep their index; set possible messages aside."""
    text = characters.text
    for hidden in found:
        text = text[: hidden.start] + " " * (hidden.stop - hidden.start) + text[hidden.stop :]
    characters.text = text
    for hidden in found:
        if hidden.may_be_message:
            draft.set_aside.append(SetAside(hidden.text, hidden.reason, number))
        elif hidden.text:
            draft.left_out.append(LeftOut(Account.UNSEEN, hidden.text, number))


def _length(lines: list[Line]) -> int:
    return sum(len(line.text) for line in lines)


def _move(line: Line, right: float, up: float) -> None:
    line.starts, line.ends = [x + right for x in line.starts], [x + right for x in line.ends]
    line.x0, line.x1, line.y = line.x0 + right, line.x1 + right, line.y + up


# ---- pypdf, the second reader: slower and without geometry, but it reads files that PDFium gives up on ----

# On a malformed object, pypdf raises whatever exception its code happens to meet.
MALFORMED = (
    PyPdfError,
    ValueError,
    LookupError,
    TypeError,
    AttributeError,
    ArithmeticError,
    RecursionError,
    OSError,
    NotImplementedError,
    struct.error,
    zlib.error,
)
# Lines without a known place are laid out on a page like plain typescript.
_WIDTH, _TOP, _MARGIN, _SIZE, _LEADING = 595.0, 842.0, 72.0, 10.0, 12.0
_UNKNOWN = Font("", bold=False, italic=False)
logging.getLogger("pypdf").setLevel(logging.CRITICAL)  # the draft's warnings report the problems of both readers


def all_pages(data: bytes, *, name: str) -> list[PageLines | None]:
    """Every page; None for one that pypdf cannot read either. Raises `LockedFile` or `DamagedFile`."""
    reader = _open(data, name)
    try:
        count = len(reader.pages)
    except MALFORMED as error:
        raise damaged(name) from error
    if count == 0:
        raise damaged(name)
    if count > MAX_PAGES:
        raise too_large(name)
    return [_page(reader, number) for number in range(1, count + 1)]


def some_pages(data: bytes, numbers: Sequence[int], *, of: int, name: str) -> list[PageLines | None]:
    """The pages with these numbers, counted from 1; None for each that pypdf cannot read either.

    All are None if pypdf does not find `of` pages, because its page numbers would differ.
    """
    try:
        reader = _open(data, name)
        agrees = len(reader.pages) == of
    except (PaperError, *MALFORMED):
        agrees = False
    return [_page(reader, number) if agrees else None for number in numbers]


def in_body_type(pages: list[PageLines], typography: Typography) -> None:
    """Give lines whose type is unknown the type of the body, once that has been measured."""
    for page in pages:
        for line in page.lines:
            if line.font is _UNKNOWN:
                line.size = typography.size
                line.font = Font(typography.font, bold=False, italic=False)


def _open(data: bytes, name: str) -> pypdf.PdfReader:
    try:
        reader = pypdf.PdfReader(io.BytesIO(data), strict=False)
        if reader.is_encrypted and not reader.decrypt(""):
            raise locked(name)
    except (DependencyError, FileNotDecryptedError, WrongPasswordError) as error:
        raise locked(name) from error
    except MALFORMED as error:
        raise damaged(name) from error
    return reader


def _page(reader: pypdf.PdfReader, number: int) -> PageLines | None:
    """A page as lines in one column, because pypdf gives the order of the text but not its place."""
    try:
        text = reader.pages[number - 1].extract_text()
    except MALFORMED:
        return None
    if len(text) > MAX_CHARACTERS_OF_PAGE:
        return None
    rows = [row for row in map(squeeze, text.splitlines()) if row]
    lines = [_line(row, number, index) for index, row in enumerate(rows)]
    return PageLines(number, _WIDTH, _TOP, lines)


def _line(text: str, number: int, index: int) -> Line:
    """A line without characters on the page; `at` only tells it from the other lines."""
    hyphenated = len(text) > 2 and text[-1] in "-\xad\u2010" and text[-2].isalpha()
    text = text[:-1] if hyphenated else text
    right = _MARGIN + len(text) * _SIZE / 2
    y = _TOP - index * _LEADING
    return Line(text, number, _MARGIN, right, y, _SIZE, _UNKNOWN, hyphenated, len(text.split()), at=index, stop=index)
