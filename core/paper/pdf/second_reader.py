"""pypdf, the second reader: slower and without geometry, but forgiving where PDFium gives up."""

from __future__ import annotations

import io
import logging
import struct
import zlib
from collections.abc import Sequence

import pypdf
from pypdf.errors import DependencyError, FileNotDecryptedError, PyPdfError, WrongPasswordError

from core.errors import PaperError
from core.paper.pdf.characters import Font
from core.paper.pdf.limits import CHARACTERS_OF_PAGE, PAGES
from core.paper.pdf.lines import Line, PageLines
from core.paper.pdf.opening import damaged, locked, too_large
from core.paper.pdf.typography import Typography
from core.paper.xml import squeeze

# pypdf lets a malformed object surface as whatever the code that met it raised.
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
# Where lines are put that come without a place: a plain page of typescript.
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
    if count > PAGES:
        raise too_large(name)
    return [_page(reader, number) for number in range(1, count + 1)]


def some_pages(data: bytes, numbers: Sequence[int], *, of: int, name: str) -> list[PageLines | None]:
    """The pages with these numbers, counted from 1; None for one that pypdf cannot read either.

    None for all where pypdf does not count `of` pages, and so would give other pages.
    """
    try:
        reader = _open(data, name)
        agrees = len(reader.pages) == of
    except (PaperError, *MALFORMED):
        agrees = False
    return [_page(reader, number) if agrees else None for number in numbers]


def in_body_type(pages: list[PageLines], typography: Typography) -> None:
    """Give the lines that came without type the type of body text, now that it is known."""
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
    """A page as lines below each other in one column, for pypdf gives the text's order and not its place."""
    try:
        text = reader.pages[number - 1].extract_text()
    except MALFORMED:
        return None
    if len(text) > CHARACTERS_OF_PAGE:
        return None
    rows = [row for row in map(squeeze, text.splitlines()) if row]
    lines = [_line(row, number, index) for index, row in enumerate(rows)]
    return PageLines(number, _WIDTH, _TOP, lines)


def _line(text: str, number: int, index: int) -> Line:
    """A line without a place: it stands for no characters of the page, and `at` only tells it from the others."""
    hyphenated = len(text) > 2 and text[-1] in "-\xad\u2010" and text[-2].isalpha()
    text = text[:-1] if hyphenated else text
    right = _MARGIN + len(text) * _SIZE / 2
    y = _TOP - index * _LEADING
    return Line(text, number, _MARGIN, right, y, _SIZE, _UNKNOWN, hyphenated, len(text.split()), at=index, stop=index)
