"""PDFium behind its lock: limits, opening files, and queries about thousands of characters at once."""

from __future__ import annotations

import ctypes
import math
import re
import threading
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice, repeat
from operator import mul
from typing import Any, Literal, NamedTuple

import pypdfium2
import pypdfium2.raw as pdfium

from core.errors import DamagedFile, LockedFile

# ---- The lock: PDFium gives wrong text without an error when two threads use it at once ----

PDFIUM_LOCK = threading.RLock()


# ---- Limits: more than any paper has, but not enough to stall a program ----

MAX_PAGES = 3_000
MAX_CHARACTERS = 10_000_000
MAX_CHARACTERS_OF_PAGE = 200_000  # a page of dense print has some 10,000
MAX_LINES_OF_PAGE = 20_000  # a page of dense print has some 300; the labels of a large figure come to a few thousand
MAX_SIDE_OF_PAGE = 14_400.0  # points: the maximum of ISO 32000-1, annex C


class PageTooLarge(Exception):
    """A page holds more than any page of print."""


# ---- Opening a file ----


def open_document(data: bytes, *, name: str) -> pypdfium2.PdfDocument | None:
    """The document, or None if PDFium cannot open it and pypdf should try. Call under the lock.

    Raises `LockedFile` if it needs a password.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", pypdfium2.PdfiumWarning)
        try:
            document = pypdfium2.PdfDocument(data)
        except pypdfium2.PdfiumError as error:
            if error.err_code in {pdfium.FPDF_ERR_PASSWORD, pdfium.FPDF_ERR_SECURITY}:
                raise locked(name) from error
            return None
    if len(document) == 0:
        document.close()
        return None
    return document


def locked(name: str) -> LockedFile:
    """The error for a file that needs a password."""
    return LockedFile(
        f"“{name}” is locked with a password. Open it in a PDF viewer, save it without one and try again."
    )


def too_large(name: str) -> DamagedFile:
    """The error for a file with more in it than any paper."""
    return DamagedFile(
        f"“{name}” is too large to be a paper: Vouch reads up to {MAX_PAGES:,} pages and {MAX_CHARACTERS:,} characters. "
        "Save the paper's own pages as a PDF and upload that."
    )


def damaged(name: str) -> DamagedFile:
    """The error for a file that neither reader can open."""
    return DamagedFile(f"“{name}” is a damaged PDF: it may be cut off. Download or export the file again.")


def no_page(name: str) -> DamagedFile:
    """The error for a file that opens, but without a page that can be read."""
    return DamagedFile(f"No page of “{name}” could be read: it is a damaged PDF. Download or export the file again.")


# ---- Many small queries at once; everything here is used under the lock ----

_PLACE, _PLACES_AT_ONCE = 32, 4096  # bytes of a place for one answer, and the number of places


def fast_function(function: Any, result: Any = ctypes.c_int) -> Callable[..., Any]:
    """A function of PDFium without declared argument types: pass it addresses from `address_of`, and plain integers.

    Its calls cost less than half of those with typed pointers. They are all made under the lock, so they keep the GIL.
    """
    return ctypes.PYFUNCTYPE(result)(ctypes.cast(function, ctypes.c_void_p).value or 0)


# Turns an address that a `fast_function` returned into the form that is passed on fastest.
address: Callable[[int], Any] = ctypes.c_void_p.from_param


def address_of(handle: Any) -> Any:
    """The address of an object of pypdfium2, such as a page."""
    return address(ctypes.cast(handle, ctypes.c_void_p).value or 0)


class _Places:
    """Memory that PDFium writes its answers to, in places of 32 bytes; reused for every page."""

    def __init__(self) -> None:
        self._memory = bytearray(_PLACE * _PLACES_AT_ONCE)
        self._pointers: dict[int, list[Any]] = {}

    def ask(
        self,
        function: Callable[..., int],
        *arguments: Iterable[Any],
        numbers: Literal["f", "d", "I"],
        parts: Sequence[int],
        pointers: Sequence[int] = (0,),
    ) -> tuple[list[int], list[list[Any]]]:
        """Call a function once for each item of `arguments`; returns what it returns and what it writes.

        Each call gets one argument from each list, then `pointers`, given as byte offsets into its place. Each of
        `parts` is the index of a number in a place, and gives a list of the numbers written there (a place holds eight
        of "f" or "I", or four of "d").
        """
        returned: list[int] = []
        columns: list[list[Any]] = [[] for _ in parts]
        streams = list(map(iter, arguments))
        places = list(map(self._pointers_at, pointers))
        written = memoryview(self._memory).cast(numbers)
        each = _PLACE // written.itemsize
        while some := list(map(function, *(islice(stream, _PLACES_AT_ONCE) for stream in streams), *places)):
            returned += some
            for column, part in zip(columns, parts, strict=True):
                column.extend(written[part : each * len(some) : each].tolist())
        return returned, columns

    def _pointers_at(self, offset: int) -> list[Any]:
        """Pointers to the byte at `offset` in each place."""
        if offset not in self._pointers:
            start = ctypes.addressof(ctypes.c_char.from_buffer(self._memory)) + offset
            self._pointers[offset] = list(map(address, range(start, start + len(self._memory), _PLACE)))
        return self._pointers[offset]


PLACES = _Places()


# ---- Characters: place, size, font ----

_BOLD = re.compile(r"bold|black|heavy|demi|[-.,_]b[di]?$|[-.](?:bx|medi)|semib", re.IGNORECASE)
_ITALIC = re.compile(r"ital|obli|[-.,_]b?i$", re.IGNORECASE)
# TeX names its fonts by family, shape and size: “CMBX12”, “SFTI1000”, “LinLibertineTBI”.
_TEX_BOLD = re.compile(r"(?:CM|EC|SF|TC)(?:SSBX|SSDC|BX(?:TI|SL|CSC)?|B[IL]?|RB|S[XO]|XC)\d|Lin[BL][a-z]+[A-Z]*B")
_TEX_ITALIC = re.compile(r"(?:CM|EC|SF|TC)(?:(?:BX)?(?:TI|SL)|SS?I|B[IL]|IT|SO)\d|Lin[BL][a-z]+[A-Z]*I")
_FORCE_BOLD, _ITALIC_FLAG = 1 << 18, 1 << 6
_SUBSET = re.compile(r"^[A-Z]{6}\+")


@dataclass(frozen=True, slots=True)
class Font:
    """The properties of a font that help to recognise headings. `name` has no subset prefix."""

    name: str
    bold: bool
    italic: bool


_get_box = fast_function(pdfium.FPDFText_GetLooseCharBox)
_get_bounds = fast_function(pdfium.FPDFText_GetCharBox)
_get_origin = fast_function(pdfium.FPDFText_GetCharOrigin)
_get_matrix = fast_function(pdfium.FPDFText_GetMatrix)
_get_size = fast_function(pdfium.FPDFText_GetFontSize, ctypes.c_double)
_get_font = fast_function(pdfium.FPDFText_GetFontInfo)
_get_angle = fast_function(pdfium.FPDFText_GetCharAngle, ctypes.c_float)
_get_object = fast_function(pdfium.FPDFText_GetTextObject, ctypes.c_void_p)
_get_font_of = fast_function(pdfium.FPDFTextObj_GetFont, ctypes.c_void_p)

_NAME_LENGTH = 128


class TextStyle(NamedTuple):
    """The type of a piece of text: direction in quarter turns anticlockwise, size in points, font."""

    angle: int
    size: float
    font: Font


class Characters:
    """The characters of one text page. Indices are PDFium's and those of `text`. Use under the lock."""

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
        """Where a word (a half-open range of indices) begins and ends along its line."""
        box = self._box
        _get_box(self._page, first, self._at_box)
        start = (0.0, box.bottom, -box.right, -box.top)[angle] if angle else box.left
        if stop - first > 1:
            _get_box(self._page, stop - 1, self._at_box)
        return start, (0.0, box.top, -box.left, -box.bottom)[angle] if angle else box.right

    def left_sides(self, indices: Sequence[int]) -> list[float]:
        """The left side of each character, in upright text."""
        return PLACES.ask(_get_box, repeat(self._page), indices, numbers="f", parts=(0,))[1][0]

    def right_sides(self, indices: Sequence[int]) -> list[float]:
        """The right side of each character, in upright text."""
        return PLACES.ask(_get_box, repeat(self._page), indices, numbers="f", parts=(2,))[1][0]

    def baselines(self, indices: Sequence[int]) -> list[float]:
        """The height of each character's baseline, in upright text."""
        return PLACES.ask(_get_origin, repeat(self._page), indices, repeat(self._at_x), numbers="d", parts=(0,))[1][0]

    def owners(self, indices: Iterable[int]) -> list[int | None]:
        """The address of each character's text object; None for characters that PDFium adds."""
        return list(map(_get_object, repeat(self._page), indices))

    def bounds(self, index: int) -> tuple[float, float, float, float]:
        """Left, bottom, right and top of a character's ink."""
        sides = (ctypes.c_double * 4)()
        left, bottom, right, top = (ctypes.c_void_p(ctypes.addressof(sides) + 8 * side) for side in range(4))
        _get_bounds(self._page, index, left, right, bottom, top)
        return sides[0], sides[1], sides[2], sides[3]

    def baseline(self, index: int, angle: int) -> float:
        """The height of a character's baseline, as seen in the direction of its line."""
        _get_origin(self._page, index, self._at_x, self._at_y)
        return (self._y.value, -self._x.value, -self._y.value, self._x.value)[angle] if angle else self._y.value

    def size(self, index: int) -> float:
        """The printed size of a character, in points."""
        _get_matrix(self._page, index, self._at_matrix)
        size: float = _get_size(self._page, index)
        return in_tenths(size * math.hypot(self._matrix.c, self._matrix.d))

    def font(self, index: int) -> Font:
        """The font of a character."""
        _get_font(self._page, index, self._at_name, self._length, self._at_flags)
        return _font(self._name.value, self._flags.value)

    def type(self, index: int) -> TextStyle:
        """The type of a character, which is that of its whole text object."""
        size, matrix = self.size(index), self._matrix  # `size` has just filled it
        upright = matrix.b == matrix.c == 0 < matrix.a
        return TextStyle(0 if upright else self.angle(index), size, self.font(index))

    def types(self, owners: Mapping[int, int]) -> list[TextStyle]:
        """The type of text objects, each given by its address and the index of one of its characters."""
        indices = list(owners.values())
        _, (a, b, c, d) = PLACES.ask(_get_matrix, repeat(self._page), indices, numbers="f", parts=range(4))
        sizes = map(mul, map(_get_size, repeat(self._page), indices), map(math.hypot, c, d))
        fonts = map(_get_font_of, map(address, owners))
        return [
            TextStyle(
                0 if skew == slant == 0 < width else self.angle(index),
                in_tenths(size),
                self._fonts.get(font) or self._fonts.setdefault(font, self.font(index)),
            )
            for index, size, font, width, skew, slant in zip(indices, sizes, fonts, a, b, c, strict=True)
        ]


@lru_cache(maxsize=5000)
def in_tenths(points: float) -> float:
    """A length rounded to tenths; cached, because papers have few different ones."""
    return round(points, 1)


@lru_cache(maxsize=2000)
def _font(raw_name: bytes, flags: int) -> Font:
    name = _SUBSET.sub("", raw_name.decode("latin-1"))
    bold = flags & _FORCE_BOLD or _BOLD.search(name) or _TEX_BOLD.match(name)
    italic = flags & _ITALIC_FLAG or _ITALIC.search(name) or _TEX_ITALIC.match(name)
    return Font(name, bool(bold), bool(italic))


def _text_of(textpage: pdfium.FPDF_TEXTPAGE) -> str:
    """The page's text with one element for each of PDFium's characters, so that indices agree."""
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
