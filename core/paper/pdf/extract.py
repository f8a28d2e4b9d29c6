"""From a page to its lines: with PDFium, or with pypdf where PDFium gives up."""

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

# ---- The text of a page, also where PDFium takes its lines for vertical writing ----

_LETTER_LINE = re.compile(r"\n[a-z]\r")
_TORN_LETTERS = 10
_LONGEST_LINE = 400  # characters; a line of print has at most 200, and PDFium leaves out some breaks after hyphens
_RULE_SIZE = 10.0
_UNDERSCORE = 0.556  # of its size, the width of an underscore in Helvetica


@contextmanager
def open_text(page: pypdfium2.PdfPage) -> Iterator[tuple[pypdfium2.PdfTextPage, Characters]]:
    """The text of a page and its characters, until the end of the `with` block. Call under the lock.

    Where text takes up only a part of a page's width, as on a last page, PDFium can take it for vertical writing: it
    breaks lines between letters. A line of text across the whole page, drawn for the purpose and then blanked out among
    the characters, prevents that.
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
    """Put an underscore as wide as the page at its lower edge."""
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
    """Make the rule white space among the characters, wherever PDFium has put it."""
    address = ctypes.cast(rule, ctypes.c_void_p).value
    for match in re.finditer("_", characters.text):
        owner = pdfium.FPDFText_GetTextObject(characters.textpage, match.start())
        if ctypes.cast(owner, ctypes.c_void_p).value == address:
            characters.text = f"{characters.text[: match.start()]} {characters.text[match.end() :]}"


# ---- From characters to lines ----


def page_lines(page: pypdfium2.PdfPage, number: int, finder: HiddenTextFinder, draft: PaperDraft) -> PageLines:
    """Read one page; what nobody can see is set aside in the draft. Call under the lock.

    Raises `pypdfium2.PdfiumError` if PDFium cannot, or `PageTooLarge`.
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


def _leave_out(found: list[HiddenText], characters: Characters, number: int, draft: PaperDraft) -> None:
    """Blank what cannot be seen, so that all other characters keep their index; possible messages are set aside."""
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

# On a malformed object, pypdf raises whatever the code raised that met it.
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
# The page on which lines without a place are laid out: a plain typescript.
_WIDTH, _TOP, _MARGIN, _SIZE, _LEADING = 595.0, 842.0, 72.0, 10.0, 12.0
_UNKNOWN = Font("", bold=False, italic=False)
logging.getLogger("pypdf").setLevel(logging.CRITICAL)  # the draft's warnings speak for both readers


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
    """The pages with these numbers, counted from 1; None for one that pypdf cannot read either.

    None for all where pypdf does not find `of` pages, since its numbers would differ.
    """
    try:
        reader = _open(data, name)
        agrees = len(reader.pages) == of
    except (PaperError, *MALFORMED):
        agrees = False
    return [_page(reader, number) if agrees else None for number in numbers]


def in_body_type(pages: list[PageLines], typography: Typography) -> None:
    """Give lines without a type that of the body, once it is known."""
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
    """A page as lines in one column, since pypdf gives the text's order and not its place."""
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
    """A line without characters of the page; `at` only tells it from the others."""
    hyphenated = len(text) > 2 and text[-1] in "-\xad\u2010" and text[-2].isalpha()
    text = text[:-1] if hyphenated else text
    right = _MARGIN + len(text) * _SIZE / 2
    y = _TOP - index * _LEADING
    return Line(text, number, _MARGIN, right, y, _SIZE, _UNKNOWN, hyphenated, len(text.split()), at=index, stop=index)
