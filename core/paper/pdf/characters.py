"""Ask PDFium about single characters: where they stand, how large they are, in which font."""

from __future__ import annotations

import ctypes
import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import pypdfium2.raw as pdfium

_BOLD = re.compile(r"bold|black|heavy|demi|[-.,_]b[di]?$|[-.](?:bx|medi)|semib", re.IGNORECASE)
_ITALIC = re.compile(r"ital|obli|[-.,_]b?i$", re.IGNORECASE)
# The fonts of TeX are named by family, shape and size: “CMBX12”, “SFTI1000”, “LinLibertineTBI”.
_TEX_BOLD = re.compile(r"(?:CM|EC|SF|TC)(?:SSBX|SSDC|BX(?:TI|SL|CSC)?|B[IL]?|RB|S[XO]|XC)\d|Lin[BL][a-z]+[A-Z]*B")
_TEX_ITALIC = re.compile(r"(?:CM|EC|SF|TC)(?:(?:BX)?(?:TI|SL)|SS?I|B[IL]|IT|SO)\d|Lin[BL][a-z]+[A-Z]*I")
_FORCE_BOLD, _ITALIC_FLAG = 1 << 18, 1 << 6
_SUBSET = re.compile(r"^[A-Z]{6}\+")


@dataclass(frozen=True, slots=True)
class Font:
    """A font as headings are told by it. `name` is without the prefix of a subset."""

    name: str
    bold: bool
    italic: bool


def _quick(function: Any, *arguments: Any) -> Callable[..., Any]:
    """A function of PDFium that takes plain addresses, a third of the cost of typed pointers.

    A paper takes some twenty thousand such calls, all under the one lock, so they keep the interpreter's too.
    """
    prototype = ctypes.PYFUNCTYPE(function.restype, ctypes.c_void_p, ctypes.c_int, *arguments)
    return prototype(ctypes.cast(function, ctypes.c_void_p).value or 0)


_address = ctypes.c_void_p
_get_box = _quick(pdfium.FPDFText_GetLooseCharBox, _address)
_get_bounds = _quick(pdfium.FPDFText_GetCharBox, _address, _address, _address, _address)
_get_origin = _quick(pdfium.FPDFText_GetCharOrigin, _address, _address)
_get_matrix = _quick(pdfium.FPDFText_GetMatrix, _address)
_get_size = _quick(pdfium.FPDFText_GetFontSize)
_get_font = _quick(pdfium.FPDFText_GetFontInfo, _address, ctypes.c_ulong, _address)
_get_angle = _quick(pdfium.FPDFText_GetCharAngle)


class Characters:
    """The characters of one text page. Indices are PDFium's, and those of `text`. Use under the lock."""

    def __init__(self, textpage: pdfium.FPDF_TEXTPAGE) -> None:
        self.textpage = textpage
        self.text = _text_of(textpage).replace("\u2010", "-").replace("\u2011", "-")
        self._page = ctypes.cast(textpage, ctypes.c_void_p).value
        self._box = pdfium.FS_RECTF()
        self._matrix = pdfium.FS_MATRIX()
        self._name = ctypes.create_string_buffer(128)
        self._flags = ctypes.c_int()
        self._x, self._y = ctypes.c_double(), ctypes.c_double()
        self._addresses = tuple(
            ctypes.addressof(place) for place in (self._box, self._matrix, self._name, self._flags, self._x, self._y)
        )

    def angle(self, index: int) -> int:
        """The direction of writing, in quarter turns anticlockwise; PDFium counts clockwise."""
        return -round(float(_get_angle(self._page, index)) / (math.pi / 2)) % 4

    def extents(self, words: list[tuple[int, int]], angle: int) -> list[tuple[float, float]]:
        """Where each word, a half-open range of indices, begins and ends along its line."""
        page, box, at = self._page, self._box, self._addresses[0]
        result: list[tuple[float, float]] = []
        for first, end in words:
            _get_box(page, first, at)
            start = (0.0, box.bottom, -box.right, -box.top)[angle] if angle else box.left
            if end - first > 1:
                _get_box(page, end - 1, at)
            result.append((start, (0.0, box.top, -box.left, -box.bottom)[angle] if angle else box.right))
        return result

    def bounds(self, index: int) -> tuple[float, float, float, float]:
        """Left, bottom, right and top of what a character prints."""
        sides = (ctypes.c_double * 4)()
        at = ctypes.addressof(sides)
        _get_bounds(self._page, index, at, at + 16, at + 8, at + 24)
        return sides[0], sides[1], sides[2], sides[3]

    def baseline(self, index: int, angle: int) -> float:
        """The height of a character's baseline above its line's zero."""
        _get_origin(self._page, index, self._addresses[4], self._addresses[5])
        return (self._y.value, -self._x.value, -self._y.value, self._x.value)[angle] if angle else self._y.value

    def size(self, index: int) -> float:
        """The size of type in points, as it is printed."""
        _get_matrix(self._page, index, self._addresses[1])
        size: float = _get_size(self._page, index)
        return round(size * math.hypot(self._matrix.c, self._matrix.d), 1)

    def font(self, index: int) -> Font:
        """The font of a character."""
        _get_font(self._page, index, self._addresses[2], 128, self._addresses[3])
        return _font(self._name.value, self._flags.value)


@lru_cache(maxsize=2000)
def _font(raw_name: bytes, flags: int) -> Font:
    name = _SUBSET.sub("", raw_name.decode("latin-1"))
    bold = flags & _FORCE_BOLD or _BOLD.search(name) or _TEX_BOLD.match(name)
    italic = flags & _ITALIC_FLAG or _ITALIC.search(name) or _TEX_ITALIC.match(name)
    return Font(name, bool(bold), bool(italic))


def _text_of(textpage: pdfium.FPDF_TEXTPAGE) -> str:
    """The page's text, one element for each of PDFium's characters, so that indices agree."""
    count = pdfium.FPDFText_CountChars(textpage)
    if count <= 0:
        return ""
    buffer = (ctypes.c_ushort * (count * 2 + 1))()
    written = pdfium.FPDFText_GetText(textpage, 0, count, buffer)
    text = bytes(buffer)[: max(written - 1, 0) * 2].decode("utf-16-le", "replace")
    if len(text) == count:
        return text
    points = (pdfium.FPDFText_GetUnicode(textpage, index) for index in range(count))
    return "".join(chr(point) if 0 < point < 0x110000 and not 0xD800 <= point < 0xE000 else " " for point in points)
