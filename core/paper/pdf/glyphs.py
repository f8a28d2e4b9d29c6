"""What glyphs look like: a sign is told by its outline, whatever character a font files it under."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt
import pypdfium2
import pypdfium2.raw as pdfium
from PIL import Image, ImageDraw

from core.paper.pdf.asking import address, quick

_GRID = 32  # pixels: the sides of the square that a glyph is stretched to
_ROWS, _WHOLE = _GRID * _GRID, (1 << _GRID * _GRID) - 1
_FIRST = sum(1 << row for row in range(0, _ROWS, _GRID))  # of each row its last pixel ...
_LAST = _FIRST << _GRID - 1  # ... and its first one
_CURVE_STEPS = (0.25, 0.5, 0.75, 1.0)
# How much a glyph is at least like a sign in some standard typeface: that of “≤” varies most.
_LIKE = dict.fromkeys("=<>±+−×÷", 0.92) | dict.fromkeys("≤≥", 0.87)
# What fonts of signs have under some characters; typefaces vary more in them.
_CURVED, _CURVED_LIKE = {"8": "°", "m": "µ", "a": "α", "b": "β"}, 0.7
_TYPEFACES = (b"Helvetica", b"Helvetica-Bold", b"Times-Roman", b"Times-Bold", b"Symbol")
_CLEAR = 0.03  # by so much more a glyph is like one sign than like any other
_BETTER = 0.15  # by so much more it is like another sign than like the character it is filed under
_STRETCHED = 1.8  # how many times the width by the height of one shape that of another may be


class Shape:
    """What a glyph looks like when it is stretched to a square, and its width by its height."""

    __slots__ = ("_ink", "_near", "_ratio", "_size")

    def __init__(self, pixels: bytes, ratio: float) -> None:
        """`pixels`: the square row by row, from its upper left, a bit for each."""
        self._ink, self._ratio = int.from_bytes(pixels), ratio
        self._size = self._ink.bit_count()
        beside = self._ink | (self._ink & ~_LAST) << 1 | (self._ink & ~_FIRST) >> 1
        self._near = (beside | beside << _GRID | beside >> _GRID) & _WHOLE

    def likeness(self, other: Shape) -> float:
        """How much the ink of each lies on that of the other, or right beside it: 0 to 1."""
        if not 1 / _STRETCHED < self._ratio / other._ratio < _STRETCHED:
            return 0.0
        return min(
            (self._ink & other._near).bit_count() / self._size, (other._ink & self._near).bit_count() / other._size
        )


Outline = list[Any]  # the segments of a glyph's path, as PDFium's addresses

_path = quick(pdfium.FPDFFont_GetGlyphPath, ctypes.c_void_p)
_count = quick(pdfium.FPDFGlyphPath_CountGlyphSegments)
_segment = quick(pdfium.FPDFGlyphPath_GetGlyphPathSegment, ctypes.c_void_p)
_kind = quick(pdfium.FPDFPathSegment_GetType)
_point = quick(pdfium.FPDFPathSegment_GetPoint)
_MOVE, _CURVE = pdfium.FPDF_SEGMENT_MOVETO, pdfium.FPDF_SEGMENT_BEZIERTO
_FONT_SIZE = ctypes.c_float(1000.0)


def outline_of(font: int, character: str, *, straight: bool = False) -> Outline | None:
    """The outline of the glyph that a font, by PDFium's address, has under a character; None where none is found.

    `straight`: wanted only if it has no curves, as most signs have none; else it is empty.
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
    """The sign that a shape shows, filed under a character; None where it shows the character, or no sign for sure.

    `closely`: its font is known to misfile signs, so that it may show one that is less sure by its shape alone.
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
    """How much a shape is like a character in one of the standard typefaces, 0 to 1; 0 for one that they do not have."""
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
        draw.polygon(placed, fill=int(area * outside > 0))  # what runs the other way round is a hole
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
    """The closed lines of a glyph, curves as a few straight pieces."""
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
    """Twice the area of a closed line, negative where it runs clockwise."""
    return sum(x0 * y1 - x1 * y0 for (x0, y0), (x1, y1) in zip(contour, contour[1:] + contour[:1], strict=True))


@lru_cache(maxsize=500)
def _standard_shapes(character: str) -> tuple[Shape, ...]:
    """A character in PDFium's own typefaces. Call under the lock."""
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
        shapes.append(Shape(bytes([255]) * (_ROWS // 8), 4.0))  # as short as bold typefaces have it
    if character in "≤≥":
        shapes += [_pointed(thickness, low, left=character == "≤") for thickness in (2, 4, 6) for low in (20, 24)]
    return tuple(shapes)


def _pointed(thickness: int, low: int, *, left: bool) -> Shape:
    """The sign “≤”, or “≥”, as bold and narrow typefaces have it; PDFium's own has but one. `low`: where its point ends."""
    picture = Image.new("1", (_GRID, _GRID))
    draw = ImageDraw.Draw(picture)
    inset = thickness / 2
    draw.line([(_GRID, inset), (inset, low / 2), (_GRID, low - inset)], fill=1, width=thickness)
    draw.rectangle([(0, _GRID - 0.8 * thickness), (_GRID, _GRID)], fill=1)
    if not left:
        picture = picture.transpose(Image.Transpose.FLIP_LEFT_RIGHT)
    return Shape(picture.tobytes(), 1.0)
