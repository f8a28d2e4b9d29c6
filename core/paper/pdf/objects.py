"""What a page draws: its objects in order, and parts of the page as pictures."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from itertools import repeat
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pypdfium2
import pypdfium2.raw as pdfium

from core.paper.pdf.pdfium import PLACES, address, address_of, fast_function

# ---- A page's objects: text, filled areas and pictures, in drawing order ----

Box = tuple[float, float, float, float]  # left, bottom, right, top, in points of the page
Colour = tuple[int, int, int]


class DrawnText(NamedTuple):
    """A piece of text that the file draws at once."""

    address: int  # PDFium's address
    order: int
    box: Box
    colour: Colour
    alpha: int  # 0 to 255
    invisible: bool  # drawn neither filled nor stroked
    optional: bool  # in a layer that can be switched off
    tiny: bool  # too small to be read as printed
    placed: bool  # part of a picture or page placed on this one


class Area(NamedTuple):
    """A filled shape, or a picture (without a colour). A plain rectangle fills its box."""

    order: int
    box: Box
    colour: Colour | None
    plain: bool


@dataclass(frozen=True, slots=True)
class DrawnTexts:
    """The pieces of text of a page in drawing order, as lists with one entry each and sets of indices.

    A page has hundreds, and few are ever looked at, so a `DrawnText` is made only on demand.
    """

    addresses: list[int]
    orders: list[int]
    boxes: list[Box]
    colours: list[tuple[int, int, int, int]]  # red, green, blue, alpha
    invisible: set[int]
    optional: set[int]
    tiny: set[int]
    placed: set[int]

    def __len__(self) -> int:
        return len(self.addresses)

    def __getitem__(self, at: int) -> DrawnText:
        red, green, blue, alpha = self.colours[at]
        return DrawnText(
            self.addresses[at],
            self.orders[at],
            self.boxes[at],
            (red, green, blue),
            alpha,
            invisible=at in self.invisible,
            optional=at in self.optional,
            tiny=at in self.tiny,
            placed=at in self.placed,
        )


@dataclass(frozen=True, slots=True)
class PageDrawing:
    """Everything on a page that decides whether its text can be seen."""

    texts: DrawnTexts
    areas: list[Area]
    without_size: list[int]  # texts that take up no room on the page, by address
    work: Callable[[], float]  # the work of drawing its shapes and pictures; 1 is a page filled once


# ---- Querying PDFium about all objects of a page at once ----

Matrix = tuple[float, float, float, float, float, float]

_SMALLEST_AREA = (8.0, 4.0)  # width and height in points: smaller shapes are rules, marks and letters
_OPAQUE = 230  # of 255
_TINY = 1.2  # points: the smallest print meant to be read, in figures, is three times as large
_NO_SIZE = 1e-4
_EDGES_OF_RECTANGLE = 6
_WORK_OF_EDGE = 20.0  # points: drawing an edge takes as long as filling a strip of this width
_INVISIBLE_MODES = frozenset({pdfium.FPDF_TEXTRENDERMODE_INVISIBLE, pdfium.FPDF_TEXTRENDERMODE_CLIP})
_OUTLINES = frozenset({pdfium.FPDF_TEXTRENDERMODE_STROKE, pdfium.FPDF_TEXTRENDERMODE_STROKE_CLIP})
_FORMS = frozenset({pdfium.FPDF_PAGEOBJ_FORM})
_UNKNOWN, _TEXT, _PATH = pdfium.FPDF_PAGEOBJ_UNKNOWN, pdfium.FPDF_PAGEOBJ_TEXT, pdfium.FPDF_PAGEOBJ_PATH
_WIDTH, _HEIGHT = (0, 2), (1, 3)  # the indices of the sides of a box that width and height lie between
_FOUR = range(0, 16, 4)  # the byte offsets of the four numbers of a box or a colour in a place
_NOT_FILLED = pdfium.FPDF_FILLMODE_NONE
_IDENTITY = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)


_count = fast_function(pdfium.FPDFPage_CountObjects)
_object = fast_function(pdfium.FPDFPage_GetObject, ctypes.c_void_p)
_count_inside = fast_function(pdfium.FPDFFormObj_CountObjects)
_object_inside = fast_function(pdfium.FPDFFormObj_GetObject, ctypes.c_void_p)
_kind = fast_function(pdfium.FPDFPageObj_GetType)
_bounds = fast_function(pdfium.FPDFPageObj_GetBounds)
_stroke = fast_function(pdfium.FPDFPageObj_GetStrokeColor)
_fill = fast_function(pdfium.FPDFPageObj_GetFillColor)
_mode = fast_function(pdfium.FPDFTextObj_GetTextRenderMode)
_font_size = fast_function(pdfium.FPDFTextObj_GetFontSize)
_draw_mode = fast_function(pdfium.FPDFPath_GetDrawMode)
_segments = fast_function(pdfium.FPDFPath_CountSegments)
_matrix = fast_function(pdfium.FPDFPageObj_GetMatrix)
_marks = fast_function(pdfium.FPDFPageObj_CountMarks)
_mark = fast_function(pdfium.FPDFPageObj_GetMark, ctypes.c_void_p)
_mark_name = fast_function(pdfium.FPDFPageObjMark_GetName)


def drawing_of(page: pypdfium2.PdfPage) -> PageDrawing:
    """The page's objects; those inside a form take the place of the form. Call under the lock."""
    return _Walk(page).drawing()


class _Walk:
    """Collects the objects of a page, then queries PDFium about all of them at once."""

    def __init__(self, page: pypdfium2.PdfPage) -> None:
        self.page = page
        self.addresses: list[int] = []
        self.objects: list[Any] = []  # their addresses in the form that is passed on fastest
        self.kinds: list[int] = []
        self.frames: list[int] = []  # for each object, the index of its form's matrix
        self.matrices: list[Matrix] = [_IDENTITY]
        self._own = pdfium.FS_MATRIX()
        self._name, self._length, self._room = ctypes.create_string_buffer(16), ctypes.c_ulong(), ctypes.c_ulong(16)
        self._at_name, self._at_length = ctypes.byref(self._name), ctypes.byref(self._length)
        raw = address_of(page.raw)
        self._collect(list(map(_object, repeat(raw), range(_count(raw)))), 0)

    def _collect(self, addresses: list[int], frame: int) -> None:
        objects = list(map(address, addresses))
        kinds = list(map(_kind, objects))
        since = 0
        for at in _which(kinds, _FORMS):
            self._add(addresses[since:at], objects[since:at], kinds[since:at], frame)
            form, since = objects[at], at + 1
            self.matrices.append(_product(self._matrix(form), self.matrices[frame]))
            inside = map(_object_inside, repeat(form), map(ctypes.c_ulong, range(_count_inside(form))))
            self._collect(list(inside), len(self.matrices) - 1)
        self._add(addresses[since:], objects[since:], kinds[since:], frame)

    def _add(self, addresses: list[int], objects: list[Any], kinds: list[int], frame: int) -> None:
        self.addresses += addresses
        self.objects += objects
        self.kinds += kinds
        self.frames += [frame] * len(objects)

    def drawing(self) -> PageDrawing:
        boxes = self._boxes()
        texts = [index for index, kind in enumerate(self.kinds) if kind == _TEXT]
        others = [index for index, kind in enumerate(self.kinds) if kind not in {_TEXT, _UNKNOWN}]
        narrow = _lower([boxes[index] for index in texts], _WIDTH, _NO_SIZE)
        without_size = self._without_size([texts[at] for at in sorted(narrow)], boxes)
        shown = [index for at, index in enumerate(texts) if at not in narrow] if narrow else texts
        return PageDrawing(
            self._texts(shown, [boxes[index] for index in shown]),
            self._areas(others, boxes),
            [self.addresses[index] for index in without_size],
            partial(self._work, others, boxes),
        )

    def _boxes(self) -> list[Box]:
        """The boxes of all objects on the page; without size if PDFium knows none."""
        known, sides = PLACES.ask(_bounds, self.objects, numbers="f", parts=range(4), pointers=_FOUR)
        boxes: list[Box] = list(zip(*sides, strict=True))
        if len(self.matrices) > 1:
            frames = zip(boxes, self.frames, strict=True)
            boxes = [_placed(box, self.matrices[frame]) if frame else box for box, frame in frames]
        if not all(known):
            boxes = [box if yes else (0.0, 0.0, 0.0, 0.0) for box, yes in zip(boxes, known, strict=True)]
        return boxes

    def _without_size(self, narrow: list[int], boxes: list[Box]) -> list[int]:
        """The texts without width that take up no room. Spaces have no height either, but their type has a size."""
        sizes = zip(narrow, self._sizes(narrow), strict=True)
        return [index for index, size in sizes if boxes[index][3] - boxes[index][1] > _NO_SIZE or size < _NO_SIZE]

    def _texts(self, indices: list[int], boxes: list[Box]) -> DrawnTexts:
        objects = [self.objects[index] for index in indices]
        modes = list(map(_mode, objects))
        colours = self._colours(objects, _fill)
        for at in _which(modes, _OUTLINES):
            colours[at] = self._colours([objects[at]], _stroke)[0]
        counts = map(_marks, objects)
        return DrawnTexts(
            [self.addresses[index] for index in indices],
            indices,
            boxes,
            colours,
            invisible=set(_which(modes, _INVISIBLE_MODES)),
            optional={at for at, count in enumerate(counts) if count and self._optional(objects[at])},
            tiny=self._tiny(indices, boxes),
            placed={at for at, index in enumerate(indices) if self.frames[index]} if len(self.matrices) > 1 else set(),
        )

    def _colours(self, objects: list[Any], ask: Callable[..., int]) -> list[tuple[int, int, int, int]]:
        """Red, green, blue and alpha of each object, 0 to 255; black if PDFium knows none."""
        known, parts = PLACES.ask(ask, objects, numbers="I", parts=range(4), pointers=_FOUR)
        colours = list(zip(*parts, strict=True))
        if not all(known):
            colours = [colour if yes else (0, 0, 0, 255) for colour, yes in zip(colours, known, strict=True)]
        return colours

    def _tiny(self, indices: list[int], boxes: list[Box]) -> set[int]:
        """The texts in type too small to read, by index. The size of type decides: many low boxes hold only spaces."""
        low = sorted(_lower(boxes, _HEIGHT, _TINY))
        sizes = self._sizes([indices[at] for at in low])
        return {at for at, size in zip(low, sizes, strict=True) if size < _TINY}

    def _sizes(self, indices: list[int]) -> list[float]:
        """The printed sizes of type of some texts, in points."""
        objects = [self.objects[index] for index in indices]
        _, (sizes,) = PLACES.ask(_font_size, objects, numbers="f", parts=(0,))
        _, columns = PLACES.ask(_matrix, objects, numbers="f", parts=range(6))
        result: list[float] = []
        for index, size, matrix in zip(indices, sizes, zip(*columns, strict=True), strict=True):
            frame = self.frames[index]
            *_, c, d, _, _ = _product(matrix, self.matrices[frame]) if frame else matrix
            result.append(abs(size) * math.hypot(c, d))
        return result

    def _matrix(self, item: Any) -> Matrix:
        own = self._own
        _matrix(item, ctypes.byref(own))
        return own.a, own.b, own.c, own.d, own.e, own.f

    def _areas(self, indices: list[int], boxes: list[Box]) -> list[Area]:
        """The opaque shapes and the pictures that are large enough to matter."""
        width, height = _SMALLEST_AREA
        large = [
            index
            for index, (left, bottom, right, top) in ((index, boxes[index]) for index in indices)
            if right - left >= width and top - bottom >= height
        ]
        colours = self._fills([index for index in large if self.kinds[index] == _PATH])
        areas: list[Area] = []
        for index in large:
            kind = self.kinds[index]
            if kind != _PATH:
                areas.append(Area(index, boxes[index], None, plain=kind == pdfium.FPDF_PAGEOBJ_IMAGE))
            elif (colour := colours.get(index)) and colour[3] > _OPAQUE:
                plain = _segments(self.objects[index]) <= _EDGES_OF_RECTANGLE
                areas.append(Area(index, boxes[index], colour[:3], plain))
        return areas

    def _fills(self, paths: list[int]) -> dict[int, tuple[int, int, int, int]]:
        """The fill colours of filled shapes."""
        _, (modes,) = PLACES.ask(
            _draw_mode, map(self.objects.__getitem__, paths), numbers="I", parts=(0,), pointers=(0, 4)
        )
        filled = [index for index, mode in zip(paths, modes, strict=True) if mode != _NOT_FILLED]
        return dict(zip(filled, self._colours([self.objects[index] for index in filled], _fill), strict=True))

    def _work(self, indices: list[int], boxes: list[Box]) -> float:
        """The work of drawing the shapes and pictures, as far as they are on the page."""
        page: Box = self.page.get_bbox()
        left, bottom, right, top = page
        work = 0.0
        for index in indices:
            x0, y0, x1, y1 = boxes[index]
            width, height = min(x1, right) - max(x0, left), min(y1, top) - max(y0, bottom)
            segments = _segments(self.objects[index]) if self.kinds[index] == _PATH else 0
            width, height = max(width, 0.0), max(height, 0.0)
            work += width * height + _WORK_OF_EDGE * segments * (width + height)
        return work / max((right - left) * (top - bottom), 1.0)

    def _optional(self, item: Any) -> bool:
        """Whether a text belongs to an optional layer."""
        for index in range(_marks(item)):
            mark = address(_mark(item, ctypes.c_ulong(index)))
            _mark_name(mark, self._at_name, self._room, self._at_length)
            if self._length.value == 6 and self._name.raw[:4] == b"O\0C\0":
                return True
        return False


def _lower(boxes: list[Box], sides: tuple[int, int], least: float) -> set[int]:
    """The indices of boxes with less width or height than `least`."""
    low, high = sides
    return {at for at, box in enumerate(boxes) if box[high] - box[low] < least}


def _which(values: list[int], wanted: frozenset[int]) -> list[int]:
    """The indices of wanted values; fast for a list that rarely has any."""
    return [] if wanted.isdisjoint(values) else [at for at, value in enumerate(values) if value in wanted]


def _placed(box: Box, matrix: Matrix) -> Box:
    """The box on the page of a box inside a form."""
    left, bottom, right, top = box
    a, b, c, d, e, f = matrix
    xs = [a * x + c * y + e for x in (left, right) for y in (bottom, top)]
    ys = [b * x + d * y + f for x in (left, right) for y in (bottom, top)]
    return min(xs), min(ys), max(xs), max(ys)


def _product(inner: Matrix, outer: Matrix) -> Matrix:
    """The matrix that applies `inner`, then `outer` (ISO 32000-1, section 8.3.4)."""
    a, b, c, d, e, f = inner
    g, h, i, j, k, m = outer
    return a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j, e * g + f * i + k, e * h + f * j + m


# ---- Pictures of a part of the page, because drawing a whole page is slow ----

_SCALE, _MOST_PIXELS = 1.5, 3000.0  # of a picture of the whole page: pixels per point, and pixels along the longer side
_AROUND = 2  # pixels

Picture = npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class PageWindow:
    """A window on a page: its edges in pixels of a picture of the whole page, `width` by `height`."""

    page: pypdfium2.PdfPage
    scale: float
    width: int
    height: int
    left: int = 0
    top: int = 0
    right: int = 0
    bottom: int = 0

    @staticmethod
    def around(page: pypdfium2.PdfPage, boxes: Iterable[Box], *, scale: float | None = None) -> PageWindow:
        """The window that shows all boxes, as far as they are on the page; `scale` is in pixels per point."""
        scale = scale or min(_SCALE, _MOST_PIXELS / max(page.get_size()))
        width, height = (math.ceil(side * scale) for side in page.get_size())
        whole = PageWindow(page, scale, width, height)
        lefts, tops, rights, bottoms = zip(*map(whole._pixels, boxes), strict=True)
        left, top = (
            min(max(least - _AROUND, 0), side - 1) for least, side in ((min(lefts), width), (min(tops), height))
        )
        right = min(max(max(rights) + _AROUND, left + 1), width)
        bottom = min(max(max(bottoms) + _AROUND, top + 1), height)
        return PageWindow(page, scale, width, height, left, top, right, bottom)

    def picture(self) -> Picture:
        """A picture of what the window shows now. Call under the lock."""
        cut = (self.left, self.height - self.bottom, self.width - self.right, self.top)
        # The crop is given in points, which PDFium rounds up to pixels.
        picture: Picture = self.page.render(
            scale=self.scale, crop=tuple(max(pixels - 0.5, 0) / self.scale for pixels in cut)
        ).to_numpy()
        return picture

    def part(self, box: Box) -> tuple[slice, slice]:
        """The rows and columns of the picture that show a box."""
        left, top, right, bottom = (max(pixel, 0) for pixel in self._pixels(box))
        return slice(top, bottom + 1), slice(left, right + 1)

    def _pixels(self, box: Box) -> tuple[int, int, int, int]:
        """The left, top, right and bottom pixels of a box, counted from the corner of the window."""
        x, y = ctypes.c_int(), ctypes.c_int()
        corners = []
        for corner in ((box[0], box[1]), (box[2], box[3])):
            place = (-self.left, -self.top, self.width, self.height, 0)
            pdfium.FPDF_PageToDevice(self.page.raw, *place, *corner, x, y)
            corners.append((x.value, y.value))
        (x0, y0), (x1, y1) = corners
        return min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)
