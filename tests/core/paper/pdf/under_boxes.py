"""What stands on the pages under boxes: an independent look, character by character."""

from __future__ import annotations

import ctypes
import unicodedata
from collections import Counter
from collections.abc import Iterable

import numpy as np
import numpy.typing as npt
import pypdfium2
import pypdfium2.raw as pdfium

from core.paper.pdf.page_view import Box
from core.paper.pdf.pdfium import PDFIUM_LOCK

FINE = 1 << 20


class Pages:
    """Every character of a PDF, and where its middle stands on its page as it is shown."""

    def __init__(self, data: bytes, *, clipped: bool = True) -> None:
        """Without `clipped`, text that was cut to size with a picture does not count: nobody sees it."""
        self.texts: list[str] = []
        self.middles: list[npt.NDArray[np.float64]] = []
        with PDFIUM_LOCK:
            document = pypdfium2.PdfDocument(data)
            for page in document:
                textpage = page.get_textpage()
                count = textpage.count_chars()
                points = (pdfium.FPDFText_GetUnicode(textpage.raw, at) for at in range(count))
                self.texts.append("".join(map(chr, points)))
                places = [_middle(page, textpage, at, clipped=clipped) for at in range(count)]
                self.middles.append(np.array(places).reshape(-1, 2))
            document.close()

    def under(self, boxes: Iterable[Box]) -> str:
        """The characters with their middle in any of the boxes, in the order of the file."""
        found: list[str] = []
        for number in sorted({box.page for box in boxes}):
            x, y = self.middles[number - 1].T
            inside = np.zeros(len(x), dtype=bool)
            for box in boxes:
                if box.page == number:
                    inside |= (
                        (x >= box.left) & (x <= box.left + box.width) & (y >= box.top) & (y <= box.top + box.height)
                    )
            found += [self.texts[number - 1][at] for at in np.flatnonzero(inside)]
        return "".join(found)


def _middle(page: pypdfium2.PdfPage, textpage: pypdfium2.PdfTextPage, at: int, *, clipped: bool) -> tuple[float, float]:
    if not clipped:
        piece = pdfium.FPDFText_GetTextObject(textpage.raw, at)
        path = pdfium.FPDFPageObj_GetClipPath(piece) if piece else None
        if path and pdfium.FPDFClipPath_CountPaths(path) > 0:
            return -1.0, -1.0
    left, right, bottom, top = (ctypes.c_double() for _ in range(4))
    pdfium.FPDFText_GetCharBox(textpage.raw, at, left, right, bottom, top)
    x, y = (left.value + right.value) / 2, (bottom.value + top.value) / 2
    across, down = ctypes.c_int(), ctypes.c_int()
    pdfium.FPDF_PageToDevice(page.raw, 0, 0, FINE, FINE, 0, x, y, across, down)
    return across.value / FINE, down.value / FINE


def shares(text: str, printed: str) -> tuple[float, float]:
    """How much of a sentence's letters and digits is printed there, and how much of what is printed there is its own."""
    wanted, found = _letters(text), _letters(printed)
    common = (wanted & found).total()
    return common / max(wanted.total(), 1), common / max(found.total(), 1)


def _letters(text: str) -> Counter[str]:
    return Counter(filter(str.isalnum, unicodedata.normalize("NFKC", text)))
