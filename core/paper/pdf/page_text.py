"""The text of a page as PDFium gives it, also where PDFium takes lines for vertical writing."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Iterator
from contextlib import contextmanager

import pypdfium2
import pypdfium2.raw as pdfium

from core.paper.pdf.characters import Characters
from core.paper.pdf.limits import CHARACTERS_OF_PAGE, PageTooLarge
from core.paper.pdf.signs import mend_signs

_LETTER_LINE = re.compile(r"\n[a-z]\r")
_TORN_LETTERS = 10
_LONGEST_LINE = 400  # characters; a line of print has at most 200, and PDFium leaves out some breaks after hyphens
_RULE_SIZE = 10.0
_UNDERSCORE = 0.556  # of its size, the width of an underscore in Helvetica


@contextmanager
def open_text(page: pypdfium2.PdfPage) -> Iterator[tuple[pypdfium2.PdfTextPage, Characters]]:
    """The text of a page and its characters, until the end of the `with` block. Call under the lock.

    Where text stands in a part of a page's width only, as in the one column of a last page, PDFium can take it for
    vertical writing: it breaks lines between letters and not where they end. A rule across the whole page, which is
    text too, tells PDFium better; among the characters it is a blank.
    Raises `pypdfium2.PdfiumError` if PDFium cannot read the page, or `PageTooLarge`.
    """
    textpage = page.get_textpage()
    try:
        if textpage.count_chars() > CHARACTERS_OF_PAGE:
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
    """Make the rule white space among the characters, which PDFium may have put anywhere."""
    address = ctypes.cast(rule, ctypes.c_void_p).value
    for match in re.finditer("_", characters.text):
        owner = pdfium.FPDFText_GetTextObject(characters.textpage, match.start())
        if ctypes.cast(owner, ctypes.c_void_p).value == address:
            characters.text = f"{characters.text[: match.start()]} {characters.text[match.end() :]}"
