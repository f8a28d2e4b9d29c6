"""The part of a page around some boxes as a picture: most of what is looked at closely is small, and drawing is slow."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pypdfium2
import pypdfium2.raw as pdfium

from core.paper.pdf.drawing import Box

_SCALE, _MOST_PIXELS = 1.5, 3000.0  # of the picture of a whole page: per point, and along the longer side
_AROUND = 2  # pixels

Picture = npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class View:
    """A window on a page: its edges in pixels, in a picture of the whole page that is `width` by `height`."""

    page: pypdfium2.PdfPage
    scale: float
    width: int
    height: int
    left: int = 0
    top: int = 0
    right: int = 0
    bottom: int = 0

    @staticmethod
    def around(page: pypdfium2.PdfPage, boxes: Iterable[Box], *, scale: float | None = None) -> View:
        """The window that shows all of the boxes, as far as they are on the page; `scale` in pixels per point."""
        scale = scale or min(_SCALE, _MOST_PIXELS / max(page.get_size()))
        width, height = (math.ceil(side * scale) for side in page.get_size())
        whole = View(page, scale, width, height)
        lefts, tops, rights, bottoms = zip(*map(whole._pixels, boxes), strict=True)
        left, top = (
            min(max(least - _AROUND, 0), side - 1) for least, side in ((min(lefts), width), (min(tops), height))
        )
        right = min(max(max(rights) + _AROUND, left + 1), width)
        bottom = min(max(max(bottoms) + _AROUND, top + 1), height)
        return View(page, scale, width, height, left, top, right, bottom)

    def picture(self) -> Picture:
        """What the window shows now. Call under the lock."""
        cut = (self.left, self.height - self.bottom, self.width - self.right, self.top)
        # In points, which are rounded up to pixels.
        picture: Picture = self.page.render(
            scale=self.scale, crop=tuple(max(pixels - 0.5, 0) / self.scale for pixels in cut)
        ).to_numpy()
        return picture

    def part(self, box: Box) -> tuple[slice, slice]:
        """The rows and columns of the picture that show a box."""
        left, top, right, bottom = (max(pixel, 0) for pixel in self._pixels(box))
        return slice(top, bottom + 1), slice(left, right + 1)

    def _pixels(self, box: Box) -> tuple[int, int, int, int]:
        """The first and last columns and rows of a box in the window."""
        x, y = ctypes.c_int(), ctypes.c_int()
        corners = []
        for corner in ((box[0], box[1]), (box[2], box[3])):
            place = (-self.left, -self.top, self.width, self.height, 0)
            pdfium.FPDF_PageToDevice(self.page.raw, *place, *corner, x, y)
            corners.append((x.value, y.value))
        (x0, y0), (x1, y1) = corners
        return min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)
