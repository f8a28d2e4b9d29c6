"""Recognise signs by the shapes of their glyphs, since fonts file some under other characters (“>” under “.”)."""

from __future__ import annotations

import ctypes
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt
import pypdfium2
import pypdfium2.raw as pdfium
from PIL import Image, ImageDraw

from core.paper.draft import Block
from core.paper.model import PaperWarning
from core.paper.pdf.objects import PageWindow
from core.paper.pdf.pdfium import Characters, address, address_of, fast_function

# ---- Outlines: a sign is recognised by its shape, whatever character its font files it under ----

_GRID = 32  # pixels: the side of the square that a glyph is stretched to
_ROWS, _WHOLE = _GRID * _GRID, (1 << _GRID * _GRID) - 1
_FIRST = sum(1 << row for row in range(0, _ROWS, _GRID))  # the last pixel of each row ...
_LAST = _FIRST << _GRID - 1  # ... and the first one
_CURVE_STEPS = (0.25, 0.5, 0.75, 1.0)
# The least likeness to a sign, in one of the standard typefaces, that counts. “≤” varies most.
_LIKE = dict.fromkeys("=<>±+−×÷", 0.92) | dict.fromkeys("≤≥", 0.87)
# Signs that symbol fonts have under these characters. They vary more between typefaces.
_CURVED, _CURVED_LIKE = {"8": "°", "m": "µ", "a": "α", "b": "β"}, 0.7
_TYPEFACES = (b"Helvetica", b"Helvetica-Bold", b"Times-Roman", b"Times-Bold", b"Symbol")
_CLEAR = 0.03  # by at least this much, a glyph must be more like one sign than any other
_BETTER = 0.15  # by at least this much, it must be more like the sign than the character it is filed under
_STRETCHED = 1.8  # the largest ratio between the proportions of two like shapes


class Shape:
    """A glyph stretched to a square, and its ratio of width to height."""

    __slots__ = ("_ink", "_near", "_ratio", "_size")

    def __init__(self, pixels: bytes, ratio: float) -> None:
        """`pixels`: one bit each, row by row from the upper left."""
        self._ink, self._ratio = int.from_bytes(pixels), ratio
        self._size = self._ink.bit_count()
        beside = self._ink | (self._ink & ~_LAST) << 1 | (self._ink & ~_FIRST) >> 1
        self._near = (beside | beside << _GRID | beside >> _GRID) & _WHOLE

    def likeness(self, other: Shape) -> float:
        """How much of the ink of each shape is on or right beside that of the other: 0 to 1."""
        if not 1 / _STRETCHED < self._ratio / other._ratio < _STRETCHED:
            return 0.0
        return min(
            (self._ink & other._near).bit_count() / self._size, (other._ink & self._near).bit_count() / other._size
        )


Outline = list[Any]  # the segments of a glyph's path, as addresses of PDFium's

_path = fast_function(pdfium.FPDFFont_GetGlyphPath, ctypes.c_void_p)
_count = fast_function(pdfium.FPDFGlyphPath_CountGlyphSegments)
_segment = fast_function(pdfium.FPDFGlyphPath_GetGlyphPathSegment, ctypes.c_void_p)
_kind = fast_function(pdfium.FPDFPathSegment_GetType)
_point = fast_function(pdfium.FPDFPathSegment_GetPoint)
_MOVE, _CURVE = pdfium.FPDF_SEGMENT_MOVETO, pdfium.FPDF_SEGMENT_BEZIERTO
_FONT_SIZE = ctypes.c_float(1000.0)


def outline_of(font: int, character: str, *, straight: bool = False) -> Outline | None:
    """The outline of a font's glyph for a character; None if there is none. `font` is PDFium's address of it.

    `straight`: return an outline with curves, which few signs have, as empty.
    """
    path = _path(address(font), ord(character), _FONT_SIZE)
    if not path:
        return None
    path = address(path)
    outline: Outline = []
    for index in range(_count(path)):
        segment = address(_segment(path, index))
        if straight and _kind(segment) == _CURVE:
            return []
        outline.append(segment)
    return outline


def sign_of(shape: Shape, character: str, *, closely: bool = False) -> str | None:
    """The sign that a shape filed under a character shows; None if it shows the character itself or is not clear.

    `closely`: its font is known to misfile signs, so a less clear shape is enough.
    """
    itself = likeness_to(shape, character)
    if itself > 1 - _BETTER:
        return None
    if (
        closely
        and (usual := _CURVED.get(character))
        and likeness_to(shape, usual) > max(_CURVED_LIKE, itself + _BETTER)
    ):
        return usual
    likenesses = sorted(((likeness_to(shape, sign) - least, sign) for sign, least in _LIKE.items()), reverse=True)
    (likeness, sign), (second, _) = likenesses[:2]
    if sign == character or likeness < 0 or likeness < second + _CLEAR:
        return None
    return sign if likeness_to(shape, sign) > itself + _BETTER else None


def likeness_to(shape: Shape, character: str) -> float:
    """The best likeness of a shape to a character in the standard typefaces, 0 to 1; 0 if they lack the character."""
    return max(map(shape.likeness, _standard_shapes(character)), default=0.0)


def shape_of(outline: Outline) -> Shape | None:
    """The shape of a glyph; None for an empty one."""
    contours = list(_contours(outline))
    areas = [_area(contour) for contour in contours]
    points = [point for contour in contours for point in contour]
    if not points:
        return None
    left, bottom = (min(point[side] for point in points) for side in (0, 1))
    right, top = (max(point[side] for point in points) for side in (0, 1))
    width, height = max(right - left, 1e-6), max(top - bottom, 1e-6)
    across, down = (_GRID - 1) / width, (_GRID - 1) / height
    picture = Image.new("1", (_GRID, _GRID))
    draw = ImageDraw.Draw(picture)
    outside = max(areas, key=abs)
    for area, contour in sorted(zip(areas, contours, strict=True), key=lambda pair: -abs(pair[0])):
        placed = [((x - left) * across, (top - y) * down) for x, y in contour]
        draw.polygon(placed, fill=int(area * outside > 0))  # a contour in the other direction is a hole
    return Shape(picture.tobytes(), width / height)


def shape_in(picture: npt.NDArray[np.bool_]) -> Shape | None:
    """The shape of what a picture shows in black; None for an empty one."""
    rows, columns = np.flatnonzero(picture.any(1)), np.flatnonzero(picture.any(0))
    if not len(rows):
        return None
    part = picture[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    height, width = part.shape
    across, down = ((np.arange(_GRID) + 0.5) * side / _GRID for side in (width, height))
    return Shape(np.packbits(part[np.ix_(down.astype(int), across.astype(int))]).tobytes(), width / height)


def _contours(outline: Outline) -> Iterator[list[tuple[float, float]]]:
    """The contours of a glyph, with curves as a few straight pieces."""
    x, y = ctypes.c_float(), ctypes.c_float()
    contour: list[tuple[float, float]] = []
    waiting: list[tuple[float, float]] = []  # the first points of a curve
    at_x, at_y = ctypes.byref(x), ctypes.byref(y)
    for segment in outline:
        _point(segment, at_x, at_y)
        kind, point = _kind(segment), (x.value, y.value)
        if kind == _MOVE:
            if len(contour) > 2:
                yield contour
            contour = [point]
        elif kind == _CURVE:
            waiting.append(point)
            if len(waiting) == 3:
                contour += _curve(contour[-1], *waiting)
                waiting = []
        else:
            contour.append(point)
    if len(contour) > 2:
        yield contour


def _curve(
    start: tuple[float, float], one: tuple[float, float], two: tuple[float, float], end: tuple[float, float]
) -> list[tuple[float, float]]:
    def at(t: float, side: int) -> float:
        u = 1 - t
        return u**3 * start[side] + 3 * u * u * t * one[side] + 3 * u * t * t * two[side] + t**3 * end[side]

    return [(at(t, 0), at(t, 1)) for t in _CURVE_STEPS]


def _area(contour: list[tuple[float, float]]) -> float:
    """Twice the area of a contour, negative if clockwise."""
    return sum(x0 * y1 - x1 * y0 for (x0, y0), (x1, y1) in zip(contour, contour[1:] + contour[:1], strict=True))


@lru_cache(maxsize=500)
def _standard_shapes(character: str) -> tuple[Shape, ...]:
    """The shapes of a character in PDFium's own typefaces. Call under the lock."""
    shapes: list[Shape] = []
    document = pypdfium2.PdfDocument.new()
    try:
        for name in _TYPEFACES:
            font = pdfium.FPDFText_LoadStandardFont(document.raw, name)
            handle = ctypes.cast(font, ctypes.c_void_p).value or 0
            outline = outline_of(handle, character)
            if outline and (shape := shape_of(outline)) is not None:
                shapes.append(shape)
            pdfium.FPDFFont_Close(font)
    finally:
        document.close()
    if character == "−":
        shapes.append(Shape(bytes([255]) * (_ROWS // 8), 4.0))  # as short as in bold typefaces
    if character in "≤≥":
        shapes += [_pointed(thickness, low, left=character == "≤") for thickness in (2, 4, 6) for low in (20, 24)]
    return tuple(shapes)


def _pointed(thickness: int, low: int, *, left: bool) -> Shape:
    """“≤” or “≥” as in bold and narrow typefaces, which PDFium does not have. `low`: where its point ends."""
    picture = Image.new("1", (_GRID, _GRID))
    draw = ImageDraw.Draw(picture)
    inset = thickness / 2
    draw.line([(_GRID, inset), (inset, low / 2), (_GRID, low - inset)], fill=1, width=thickness)
    draw.rectangle([(0, _GRID - 0.8 * thickness), (_GRID, _GRID)], fill=1)
    if not left:
        picture = picture.transpose(Image.Transpose.FLIP_LEFT_RIGHT)
    return Shape(picture.tobytes(), 1.0)


# ---- Signs that fonts file under other characters: “>” under the full stop, “=” under “¼”, “±” under “6” ----
# Journals set signs in fonts of their own, whose codes programs take for letters, digits and points. The shape of a
# glyph proves what it is. A digit or point of another shape, or a code that stands for nothing before a number, becomes
# `UNCERTAIN`.

UNCERTAIN = "\ufffd"

_CONTROLS = "\x01\x03-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ue000-\uf8ff\ufffd"
_AROUND_UNCERTAIN = re.compile(rf"(?:\S+\s+)?\S*{UNCERTAIN}\S*(?:\s+\S+)?")
_ONE_SIGN = "A sign on page {2} could not be made out: “{0}”. See what is printed there."
_SIGNS = "{1} signs on page {2} could not be made out, the first in “{0}”. See what is printed there."
_HYPHEN = (
    "\x02"  # PDFium's character for a hyphen at a line's end; also the second code of a font without an encoding for it
)
# Between a word and a number. At the start of a line, it may be a bullet.
_BY_A_NUMBER = re.compile(rf"[{_CONTROLS}](?:(?<=[\w)\]%(].)|(?<=[\w)\]%(] .))(?=[ .−–-]{{0,2}}\d)")
# Signs, and other characters that fonts file signs under.
_ODD = re.compile(rf"[!-$&+<=>@^`|~\xa1-\xac\xae\xb0-\xff{_HYPHEN}{_CONTROLS}]")
_TOLD = frozenset("0123456789.#$þ")  # in any typeface, these are more like themselves than `_UNLIKE`
_UNLIKE = 0.5
_PICTURE = 128.0  # pixels, the height of the picture of a glyph
_BLACK = 128
_NAME_LENGTH = 128

_font_of = fast_function(pdfium.FPDFTextObj_GetFont, ctypes.c_void_p)
_base_name = fast_function(pdfium.FPDFFont_GetBaseFontName, ctypes.c_size_t)
_data = fast_function(pdfium.FPDFFont_GetFontData)
_glyph_width = fast_function(pdfium.FPDFFont_GetGlyphWidth)
_has_no_unicode = fast_function(pdfium.FPDFText_HasUnicodeMapError)


_IS_ODD, _IS_DIGIT, _IS_POINT, _IS_LETTER, _IS_SPACE = 1, 2, 4, 8, 16
_KINDS = {
    _IS_ODD: _ODD,
    _IS_DIGIT: re.compile(r"[0-9]"),
    _IS_POINT: re.compile(r"[.,]"),
    _IS_LETTER: re.compile(r"[A-Za-z]"),
    _IS_SPACE: re.compile(r"\s"),
}


def _kinds() -> npt.NDArray[np.uint8]:
    """The kind of each character by its code; 0 for the many that do not matter."""
    result = np.zeros(0x10000, np.uint8)
    for code in (*range(0x100), *range(0xE000, 0xF900), 0xFFFD):
        result[code] = next((kind for kind, pattern in _KINDS.items() if pattern.match(chr(code))), 0)
    return result


_KIND_OF = _kinds()


@dataclass(slots=True)
class _Font:
    """What a font shows for the characters looked at so far; None means the character itself."""

    shows: dict[str, str | None] = field(default_factory=dict)
    misfiles: bool = False  # it shows at least one sign, so all its characters deserve a closer look


_fonts: WeakKeyDictionary[pypdfium2.PdfDocument, dict[object, _Font]] = WeakKeyDictionary()


def mend_signs(page: pypdfium2.PdfPage, characters: Characters) -> None:
    """Correct the signs of a page that are filed under other characters. Call under the lock."""
    fonts = _fonts.setdefault(page.pdf, {})
    mended: dict[int, str] = {}
    if not any(font.misfiles for font in fonts.values()):
        mended = _mended(page, characters, fonts, closely=False)
    if any(font.misfiles for font in fonts.values()):
        mended = _mended(page, characters, fonts, closely=True)
    text = characters.text
    if mended:
        text = "".join(mended.get(index, character) for index, character in enumerate(text))
    characters.text = _BY_A_NUMBER.sub(UNCERTAIN, text)


def _mended(
    page: pypdfium2.PdfPage, characters: Characters, fonts: dict[object, _Font], *, closely: bool
) -> dict[int, str]:
    """The signs to put in place of suspect characters, by index."""
    text = characters.text
    raw = address_of(characters.textpage)
    indices = _suspects(text, closely=closely)
    if _HYPHEN in text:
        indices = [index for index in indices if text[index] != _HYPHEN or _has_no_unicode(raw, index) == 1]
    owners = characters.owners(indices)
    font_of = {owner: _font_of(address(owner)) if owner else 0 for owner in set(owners)}
    drawn = list(zip(map(font_of.__getitem__, owners), map(text.__getitem__, indices), strict=True))
    found: dict[int, dict[str, int]] = defaultdict(dict)  # for each font, one place of each character
    for (at, character), index in dict(zip(drawn, indices, strict=True)).items():
        if at:
            found[at][character] = index
    shown: dict[tuple[int, str], str] = {}
    for at, places in found.items():
        font = fonts.setdefault(_key(at), _Font())
        _look(page, characters, at, font, places)
        shown |= {(at, character): sign for character in places if (sign := font.shows[character])}
    return {index: shown[pair] for pair, index in zip(drawn, indices, strict=True) if pair in shown} if shown else {}


def _suspects(text: str, *, closely: bool) -> list[int]:
    """The indices of the characters that may be misfiled signs.

    `closely`: all of them, since a font of the file is known to misfile. Otherwise only likely ones: a point before a
    number but not within one, a digit that others may follow, and the letter in "p b 0.05".
    """
    codes = np.frombuffer(text.encode("utf-32-le", "replace"), np.uint32)
    kinds = np.zeros(len(codes) + 3, np.uint8)  # with one entry of no kind before them and two after
    np.take(_KIND_OF, codes, out=kinds[1:-2], mode="clip")
    before, kind, after, next_but_one = kinds[:-3], kinds[1:-2], kinds[2:-1], kinds[3:]
    number = _IS_DIGIT | _IS_POINT
    digit, letter = kind == _IS_DIGIT, kind == _IS_LETTER
    alone = letter & (before & (_IS_LETTER | _IS_DIGIT) == 0)
    if closely:
        found = (kind & (number | _IS_ODD) > 0) | (alone & (after != _IS_LETTER)) | (codes == ord("m"))
    else:
        found = kind == _IS_ODD
        found |= (kind == _IS_POINT) & (before != _IS_DIGIT) & ((after & number > 0) | (before == _IS_SPACE))
        found |= digit & ((before & number == 0) | ((before == _IS_DIGIT) & (after == _IS_DIGIT)))
        found |= alone & ((after & number > 0) | ((after == _IS_SPACE) & (next_but_one & number > 0)))
    indices: list[int] = np.flatnonzero(found).tolist()
    return indices


def _look(page: pypdfium2.PdfPage, characters: Characters, at: int, font: _Font, places: dict[str, int]) -> None:
    """Find out what a font (PDFium's address) shows for characters; `places` has one index of each on the page."""
    for character, index in places.items():
        if character not in font.shows:
            font.shows[character] = _shown(page, characters, at, index, closely=font.misfiles)
    if not font.misfiles and any(font.shows[character] for character in places):
        font.misfiles = True
        font.shows = {character: sign for character, sign in font.shows.items() if sign}
        _look(page, characters, at, font, places)


def _shown(page: pypdfium2.PdfPage, characters: Characters, font: int, index: int, *, closely: bool) -> str | None:
    """What a font shows for the character at `index`; with `closely`, even if its outline has curves."""
    character = characters.text[index]
    outline = outline_of(font, character, straight=not closely)
    if outline is not None:
        shape = shape_of(outline)
    elif not character.isascii() or _has_no_unicode(address_of(characters.textpage), index) == 1:
        shape = _pictured(page, characters, index)
    else:
        return None
    if shape is None:
        return None
    if sign := sign_of(shape, character, closely=closely):
        return sign
    return UNCERTAIN if character in _TOLD and likeness_to(shape, character) < _UNLIKE else None


def _pictured(page: pypdfium2.PdfPage, characters: Characters, index: int) -> Shape | None:
    """The shape of a character as drawn on the page, where the font gives no outline."""
    box = characters.bounds(index)
    height = box[3] - box[1]
    if height <= 0 or box[2] <= box[0]:
        return None
    view = PageWindow.around(page, [box], scale=_PICTURE / max(height, box[2] - box[0]))
    picture = view.picture()[view.part(box)]
    return shape_in(picture.min(axis=2) < _BLACK)


def _key(font: int) -> object:
    """A font's identity within its file. The address alone does not do, because it may be used again."""
    name, length, width = ctypes.create_string_buffer(_NAME_LENGTH), ctypes.c_size_t(), ctypes.c_float()
    at = address(font)
    _base_name(at, name, ctypes.c_size_t(_NAME_LENGTH))
    _data(at, None, ctypes.c_size_t(0), ctypes.byref(length))
    widths = []
    for character in ".5":
        _glyph_width(at, ord(character), ctypes.c_float(1.0), ctypes.byref(width))
        widths.append(width.value)
    return name.value, length.value, *widths


def uncertain_signs(blocks: Iterable[Block]) -> list[PaperWarning]:
    """A warning for each page with uncertain signs, with the words around the first of them."""
    pages: dict[int | None, list[str]] = defaultdict(list)
    for block in blocks:
        for match in _AROUND_UNCERTAIN.finditer(block.text):
            pages[block.page_at(match.start())].append(match[0].strip())
    return [
        PaperWarning(
            "uncertain-sign", (_ONE_SIGN if len(found) == 1 else _SIGNS).format(found[0], len(found), page), page
        )
        for page, found in pages.items()
    ]
