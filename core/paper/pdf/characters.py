"""Ask PDFium about single characters: where they stand, how large they are, in which font."""

from __future__ import annotations

import ctypes
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import repeat
from operator import mul
from typing import NamedTuple

import pypdfium2.raw as pdfium

from core.paper.pdf.asking import PLACES, address, address_of, quick

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


_get_box = quick(pdfium.FPDFText_GetLooseCharBox)
_get_bounds = quick(pdfium.FPDFText_GetCharBox)
_get_origin = quick(pdfium.FPDFText_GetCharOrigin)
_get_matrix = quick(pdfium.FPDFText_GetMatrix)
_get_size = quick(pdfium.FPDFText_GetFontSize, ctypes.c_double)
_get_font = quick(pdfium.FPDFText_GetFontInfo)
_get_angle = quick(pdfium.FPDFText_GetCharAngle, ctypes.c_float)
_get_object = quick(pdfium.FPDFText_GetTextObject, ctypes.c_void_p)
_get_font_of = quick(pdfium.FPDFTextObj_GetFont, ctypes.c_void_p)

_NAME_LENGTH = 128


class Type(NamedTuple):
    """What a piece of text is set in: its direction in quarter turns anticlockwise, its size in points, its font."""

    angle: int
    size: float
    font: Font


class Characters:
    """The characters of one text page. Indices are PDFium's, and those of `text`. Use under the lock."""

    def __init__(self, textpage: pdfium.FPDF_TEXTPAGE) -> None:
        self.textpage = textpage
        self.text = _text_of(textpage).replace("\u2010", "-").replace("\u2011", "-")
        self._page = address_of(textpage)
        self._box, self._matrix = pdfium.FS_RECTF(), pdfium.FS_MATRIX()
        self._name, self._flags = ctypes.create_string_buffer(_NAME_LENGTH), ctypes.c_int()
        self._length = ctypes.c_ulong(_NAME_LENGTH)
        self._x, self._y = ctypes.c_double(), ctypes.c_double()
        self._at_box, self._at_matrix, self._at_name, self._at_flags, self._at_x, self._at_y = map(
            ctypes.byref, (self._box, self._matrix, self._name, self._flags, self._x, self._y)
        )
        self._fonts: dict[int, Font] = {}  # by PDFium's address

    def angle(self, index: int) -> int:
        """The direction of writing, in quarter turns anticlockwise; PDFium counts clockwise."""
        return -round(float(_get_angle(self._page, index)) / (math.pi / 2)) % 4

    def extent(self, first: int, stop: int, angle: int) -> tuple[float, float]:
        """Where a word, a half-open range of indices, begins and ends along its line."""
        box = self._box
        _get_box(self._page, first, self._at_box)
        start = (0.0, box.bottom, -box.right, -box.top)[angle] if angle else box.left
        if stop - first > 1:
            _get_box(self._page, stop - 1, self._at_box)
        return start, (0.0, box.top, -box.left, -box.bottom)[angle] if angle else box.right

    def left_sides(self, indices: Sequence[int]) -> list[float]:
        """Where the room that each character takes up begins, in upright text."""
        return PLACES.ask(_get_box, repeat(self._page), indices, numbers="f", parts=(0,))[1][0]

    def right_sides(self, indices: Sequence[int]) -> list[float]:
        """Where the room that each character takes up ends, in upright text."""
        return PLACES.ask(_get_box, repeat(self._page), indices, numbers="f", parts=(2,))[1][0]

    def baselines(self, indices: Sequence[int]) -> list[float]:
        """The height of each character's baseline, in upright text."""
        return PLACES.ask(_get_origin, repeat(self._page), indices, repeat(self._at_x), numbers="d", parts=(0,))[1][0]

    def owners(self, indices: Iterable[int]) -> list[int | None]:
        """The address of the text object that each character is part of; None for one that PDFium made up."""
        return list(map(_get_object, repeat(self._page), indices))

    def bounds(self, index: int) -> tuple[float, float, float, float]:
        """Left, bottom, right and top of what a character prints."""
        sides = (ctypes.c_double * 4)()
        left, bottom, right, top = (ctypes.c_void_p(ctypes.addressof(sides) + 8 * side) for side in range(4))
        _get_bounds(self._page, index, left, right, bottom, top)
        return sides[0], sides[1], sides[2], sides[3]

    def baseline(self, index: int, angle: int) -> float:
        """The height of a character's baseline above its line's zero."""
        _get_origin(self._page, index, self._at_x, self._at_y)
        return (self._y.value, -self._x.value, -self._y.value, self._x.value)[angle] if angle else self._y.value

    def size(self, index: int) -> float:
        """The size of type in points, as it is printed."""
        _get_matrix(self._page, index, self._at_matrix)
        size: float = _get_size(self._page, index)
        return in_tenths(size * math.hypot(self._matrix.c, self._matrix.d))

    def font(self, index: int) -> Font:
        """The font of a character."""
        _get_font(self._page, index, self._at_name, self._length, self._at_flags)
        return _font(self._name.value, self._flags.value)

    def type(self, index: int) -> Type:
        """What a character is set in, and with it the whole of its text object."""
        size, matrix = self.size(index), self._matrix  # which `size` has asked for
        upright = matrix.b == matrix.c == 0 < matrix.a
        return Type(0 if upright else self.angle(index), size, self.font(index))

    def types(self, owners: Mapping[int, int]) -> list[Type]:
        """What text objects are set in, given by their address and the index of a character of theirs."""
        indices = list(owners.values())
        _, (a, b, c, d) = PLACES.ask(_get_matrix, repeat(self._page), indices, numbers="f", parts=range(4))
        sizes = map(mul, map(_get_size, repeat(self._page), indices), map(math.hypot, c, d))
        fonts = map(_get_font_of, map(address, owners))
        return [
            Type(
                0 if skew == slant == 0 < width else self.angle(index),
                in_tenths(size),
                self._fonts.get(font) or self._fonts.setdefault(font, self.font(index)),
            )
            for index, size, font, width, skew, slant in zip(indices, sizes, fonts, a, b, c, strict=True)
        ]


@lru_cache(maxsize=5000)
def in_tenths(points: float) -> float:
    """A length rounded to tenths. Papers have few sizes and distances, and many of each."""
    return round(points, 1)


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
