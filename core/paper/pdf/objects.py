"""What a page draws, in order: its text, and the filled areas and pictures that may lie under or over it."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import pypdfium2
import pypdfium2.raw as pdfium

Box = tuple[float, float, float, float]  # left, bottom, right, top, in points of the page
Colour = tuple[int, int, int]

_SMALLEST_AREA = (8.0, 4.0)  # width and height in points: smaller shapes are rules, marks and letters
_OPAQUE = 230  # of 255
_TINY = 1.2  # points: the smallest print that is meant to be read, in figures, is three times this size
_NO_SIZE = 1e-4
_EDGES_OF_RECTANGLE = 6
_WORK_OF_EDGE = 20.0  # points: an edge takes as long to draw as filling a strip of this width along it
_INVISIBLE_MODES = frozenset({pdfium.FPDF_TEXTRENDERMODE_INVISIBLE, pdfium.FPDF_TEXTRENDERMODE_CLIP})
_OUTLINES = frozenset({pdfium.FPDF_TEXTRENDERMODE_STROKE, pdfium.FPDF_TEXTRENDERMODE_STROKE_CLIP})
_NOT_FILLED = pdfium.FPDF_FILLMODE_NONE
_IDENTITY = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)


class DrawnText(NamedTuple):
    """A piece of text, as the file shows it in one go; a tuple, for a page has hundreds of them."""

    address: int  # PDFium's own
    order: int
    box: Box
    colour: Colour
    alpha: int  # 0 to 255
    invisible: bool  # by its mode: neither filled nor stroked
    optional: bool  # in a layer that can be switched off
    tiny: bool  # too small to be read as printed
    placed: bool  # part of a picture, or of another page, that was placed on this one


class Area(NamedTuple):
    """A filled shape, or a picture (no colour). It fills its box where it is a plain rectangle."""

    order: int
    box: Box
    colour: Colour | None
    plain: bool


@dataclass(slots=True)
class Drawing:
    """Everything of a page that matters for whether its text can be seen."""

    texts: list[DrawnText] = field(default_factory=list)
    areas: list[Area] = field(default_factory=list)
    without_size: list[int] = field(default_factory=list)  # text that takes no room on the page
    work: float = 0.0  # what its shapes and pictures take to draw, in whole pages filled once


def quick(function: Any, *arguments: Any, result: Any = ctypes.c_int) -> Callable[..., Any]:
    """A function of PDFium that takes plain addresses: cheap enough for the thousands of objects of a page."""
    prototype = ctypes.PYFUNCTYPE(result, ctypes.c_void_p, *arguments)
    return prototype(ctypes.cast(function, ctypes.c_void_p).value or 0)


_address = ctypes.c_void_p
_count = quick(pdfium.FPDFPage_CountObjects)
_object = quick(pdfium.FPDFPage_GetObject, ctypes.c_int, result=_address)
_count_inside = quick(pdfium.FPDFFormObj_CountObjects)
_object_inside = quick(pdfium.FPDFFormObj_GetObject, ctypes.c_ulong, result=_address)
_kind = quick(pdfium.FPDFPageObj_GetType)
_bounds = quick(pdfium.FPDFPageObj_GetBounds, _address, _address, _address, _address)
_stroke = quick(pdfium.FPDFPageObj_GetStrokeColor, _address, _address, _address, _address)
_fill = quick(pdfium.FPDFPageObj_GetFillColor, _address, _address, _address, _address)
_mode = quick(pdfium.FPDFTextObj_GetTextRenderMode)
_font_size = quick(pdfium.FPDFTextObj_GetFontSize, _address)
_draw_mode = quick(pdfium.FPDFPath_GetDrawMode, _address, _address)
_segments = quick(pdfium.FPDFPath_CountSegments)
_matrix = quick(pdfium.FPDFPageObj_GetMatrix, _address)
_marks = quick(pdfium.FPDFPageObj_CountMarks)
_mark = quick(pdfium.FPDFPageObj_GetMark, ctypes.c_ulong, result=_address)
_mark_name = quick(pdfium.FPDFPageObjMark_GetName, _address, ctypes.c_ulong, _address)


def drawing_of(page: pypdfium2.PdfPage) -> Drawing:
    """The page's objects, those inside forms where the forms stand. Call under the lock."""
    return _Walk(page.get_bbox()).of(ctypes.cast(page.raw, ctypes.c_void_p).value or 0)


class _Walk:
    def __init__(self, page: Box) -> None:
        self.page = page
        self.drawing = Drawing()
        self.order = 0
        self._floats = (ctypes.c_float * 4)()
        self._numbers = (ctypes.c_uint * 4)()
        self._stroked, self._filled = ctypes.c_int(), ctypes.c_int()
        self._form = pdfium.FS_MATRIX()
        self._name, self._length = ctypes.create_string_buffer(16), ctypes.c_ulong()
        self._float_at = [ctypes.addressof(self._floats) + 4 * index for index in range(4)]
        self._number_at = [ctypes.addressof(self._numbers) + 4 * index for index in range(4)]

    def of(self, page: int) -> Drawing:
        self._visit((_object(page, index) for index in range(_count(page))), _IDENTITY)
        return self.drawing

    def _visit(self, objects: Iterator[int], matrix: tuple[float, ...]) -> None:
        for address in objects:
            self.order += 1
            kind = _kind(address)
            if kind == pdfium.FPDF_PAGEOBJ_TEXT:
                self._text(address, matrix)
            elif kind == pdfium.FPDF_PAGEOBJ_FORM:
                _matrix(address, ctypes.addressof(self._form))
                form = self._form
                inner = _product((form.a, form.b, form.c, form.d, form.e, form.f), matrix)
                self._visit((_object_inside(address, index) for index in range(_count_inside(address))), inner)
            elif kind:
                self._area(address, kind, matrix)

    def _text(self, address: int, matrix: tuple[float, ...]) -> None:
        box = self._box(address, matrix)
        if box[2] - box[0] < _NO_SIZE:
            if box[3] - box[1] > _NO_SIZE or self._size(address, matrix) < _NO_SIZE:  # spaces have no box either
                self.drawing.without_size.append(address)
            return
        mode = _mode(address)
        colour, alpha = self._colour(address, _stroke if mode in _OUTLINES else _fill)
        text = DrawnText(
            address,
            self.order,
            box,
            colour,
            alpha,
            invisible=mode in _INVISIBLE_MODES,
            optional=_marks(address) > 0 and self._optional(address),
            placed=matrix is not _IDENTITY,
            tiny=box[3] - box[1] < _TINY and self._size(address, matrix) < _TINY,
        )
        self.drawing.texts.append(text)

    def _size(self, address: int, matrix: tuple[float, ...]) -> float:
        """The size of type in points, as it is printed."""
        _font_size(address, self._float_at[0])
        size = abs(self._floats[0])
        _matrix(address, ctypes.addressof(self._form))
        own = self._form
        *_, c, d, _, _ = _product((own.a, own.b, own.c, own.d, own.e, own.f), matrix)
        return size * math.hypot(c, d)

    def _area(self, address: int, kind: int, matrix: tuple[float, ...]) -> None:
        box = self._box(address, matrix)
        self.drawing.work += self._work(box, _segments(address) if kind == pdfium.FPDF_PAGEOBJ_PATH else 0)
        if box[2] - box[0] < _SMALLEST_AREA[0] or box[3] - box[1] < _SMALLEST_AREA[1]:
            return
        if kind != pdfium.FPDF_PAGEOBJ_PATH:
            self.drawing.areas.append(Area(self.order, box, None, plain=kind == pdfium.FPDF_PAGEOBJ_IMAGE))
            return
        _draw_mode(address, ctypes.addressof(self._filled), ctypes.addressof(self._stroked))
        if self._filled.value == _NOT_FILLED:
            return
        colour, alpha = self._colour(address, _fill)
        if alpha > _OPAQUE:
            self.drawing.areas.append(Area(self.order, box, colour, _segments(address) <= _EDGES_OF_RECTANGLE))

    def _work(self, box: Box, segments: int) -> float:
        """What it takes to draw a shape of so many segments, as far as it is on the page."""
        left, bottom, right, top = self.page
        width = max(min(box[2], right) - max(box[0], left), 0.0)
        height = max(min(box[3], top) - max(box[1], bottom), 0.0)
        whole = max((right - left) * (top - bottom), 1.0)
        return (width * height + _WORK_OF_EDGE * segments * (width + height)) / whole

    def _box(self, address: int, matrix: tuple[float, ...]) -> Box:
        if not _bounds(address, *self._float_at):
            return 0.0, 0.0, 0.0, 0.0
        left, bottom, right, top = self._floats[:]
        if matrix is _IDENTITY:
            return left, bottom, right, top
        a, b, c, d, e, f = matrix
        xs = [a * x + c * y + e for x in (left, right) for y in (bottom, top)]
        ys = [b * x + d * y + f for x in (left, right) for y in (bottom, top)]
        return min(xs), min(ys), max(xs), max(ys)

    def _colour(self, address: int, ask: Callable[..., int]) -> tuple[Colour, int]:
        if not ask(address, *self._number_at):
            return (0, 0, 0), 255
        red, green, blue, alpha = self._numbers[:]
        return (red, green, blue), alpha

    def _optional(self, address: int) -> bool:
        for index in range(_marks(address)):
            mark = _mark(address, index)
            _mark_name(mark, ctypes.addressof(self._name), 16, ctypes.addressof(self._length))
            if self._length.value == 6 and self._name.raw[:4] == b"O\0C\0":
                return True
        return False


def _product(inner: tuple[float, ...], outer: tuple[float, ...]) -> tuple[float, ...]:
    """The matrix that applies `inner`, then `outer` (ISO 32000-1, section 8.3.4)."""
    a, b, c, d, e, f = inner
    g, h, i, j, k, m = outer
    return a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j, e * g + f * i + k, e * h + f * j + m
