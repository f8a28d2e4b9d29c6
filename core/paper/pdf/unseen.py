"""Text that is in the file and that nobody can see on the page: hidden from readers, meant for machines.

Objects that look suspicious (light, transparent, tiny, under a later shape, outside the page, in a layer) are looked
at more closely: the page is drawn with and without them, and what makes no difference cannot be seen. Pages without
suspicious text, which is nearly all, are not drawn.
"""

from __future__ import annotations

import ctypes
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import groupby

import numpy as np
import numpy.typing as npt
import pypdfium2
import pypdfium2.raw as pdfium

from core.paper.model import Reason
from core.paper.pdf.objects import Area, Box, Drawing, DrawnText, drawing_of, quick

_LIGHT = 200  # of 255 in each colour: text this light is seen only on something darker
_FAINT = 30  # of 255: the alpha below which nothing is seen
_NEAR = 40  # of 255: colours no further apart than this, in every part, are nearly the same
_SCALE, _MOST_PIXELS = 2.0, 3000.0  # of the pictures that are compared: per point, and along the longer side
_CHANGED, _ENOUGH = 20, 0.06  # a pixel differs by more than so much of 255; so much of a word's box must differ
_BAND = 24.0  # points: texts are looked up by bands of this height
_MARGIN = 5.0  # points beyond the page's edge that are still let pass
_WORD = re.compile(r"\S+")
_MARKS = "\ufffe\x02"

_text_object = quick(pdfium.FPDFText_GetTextObject, ctypes.c_int, result=ctypes.c_void_p)
_char_box = quick(pdfium.FPDFText_GetCharBox, ctypes.c_int, *[ctypes.c_void_p] * 4)


@dataclass(frozen=True, slots=True)
class Unseen:
    """A stretch of a page's characters, from `start` up to `stop`, that cannot be seen; without any, it has no size."""

    text: str
    reason: Reason
    start: int = 0
    stop: int = 0
    placed: bool = False  # part of a picture or another page that was placed on this one


@dataclass(slots=True)
class Eyes:
    """Looks at the pages of one file. What stands in the same place on every page is looked at once."""

    seen: dict[object, bool] = field(default_factory=dict)

    def unseen(self, page: pypdfium2.PdfPage, textpage: pypdfium2.PdfTextPage, text: str) -> list[Unseen]:
        """What nobody can see among the characters `text` of a page. Call under the lock."""
        drawing = drawing_of(page)
        suspects = _suspects(drawing, page.get_bbox())
        found = list(_without_size(page, drawing)) if drawing.without_size else []
        if suspects:
            look = _Look(page, textpage, text, drawing, suspects, self.seen)
            found += look.unseen()
        return found


@dataclass(frozen=True, slots=True)
class _Suspect:
    text: DrawnText
    reason: Reason
    beneath: Area | None
    certain: bool  # needs no look at the page


def _suspects(drawing: Drawing, page: Box) -> dict[int, _Suspect]:
    """The texts that may be hidden, by PDFium's address."""
    beneath, covered = _around(drawing)
    suspects: dict[int, _Suspect] = {}
    left, bottom, right, top = page
    for text in drawing.texts:
        box, area = text.box, beneath.get(text.order)
        reason, certain = None, True
        if text.tiny:
            reason = Reason.TINY
        elif text.invisible or text.alpha < _FAINT:
            reason = Reason.INVISIBLE
        elif (
            box[0] < left - _MARGIN
            or box[1] < bottom - _MARGIN
            or box[2] > right + _MARGIN
            or box[3] > top + _MARGIN
        ):
            reason = Reason.OFF_PAGE
        elif text.order in covered:
            reason, certain = Reason.COVERED, False
        elif text.optional:
            reason, certain = Reason.INVISIBLE, False
        elif area is not None and area.colour is not None:
            if _near(area.colour, text.colour) or (min(text.colour) >= _LIGHT and not area.plain):
                reason, certain = Reason.SAME_COLOUR, False
        elif min(text.colour) >= _LIGHT:
            reason, certain = Reason.SAME_COLOUR, False
        if reason is not None:
            suspects[text.address] = _Suspect(text, reason, area, certain)
    return suspects


def _around(drawing: Drawing) -> tuple[dict[int, Area], set[int]]:
    """By the order of a text: the topmost area beneath it; and the texts that a later area lies over."""
    bands: dict[int, list[DrawnText]] = defaultdict(list)
    for text in drawing.texts:
        bands[int((text.box[1] + text.box[3]) / 2 // _BAND)].append(text)
    beneath: dict[int, Area] = {}
    covered: set[int] = set()
    for area in drawing.areas:
        left, bottom, right, top = area.box
        for band in _bands(bands, bottom, top):
            for text in bands[band]:
                x0, y0, x1, y1 = text.box
                if left <= (x0 + x1) / 2 <= right and bottom <= (y0 + y1) / 2 <= top:
                    if text.order > area.order:
                        beneath[text.order] = area
                    else:
                        covered.add(text.order)
                elif text.order < area.order and min(x1, right) - max(x0, left) > 0.3 * (x1 - x0) and bottom < y1 and top > y0:
                    covered.add(text.order)
    return beneath, covered


def _bands(bands: dict[int, list[DrawnText]], bottom: float, top: float) -> Iterable[int]:
    first, last = int(bottom // _BAND) - 1, int(top // _BAND) + 1
    return range(first, last + 1) if last - first < len(bands) else [band for band in bands if first <= band <= last]


def _near(one: tuple[int, ...], other: tuple[int, ...]) -> bool:
    return max(abs(a - b) for a, b in zip(one, other, strict=True)) < _NEAR


class _Look:
    """A closer look at one page's suspects, word by word."""

    def __init__(
        self,
        page: pypdfium2.PdfPage,
        textpage: pypdfium2.PdfTextPage,
        text: str,
        drawing: Drawing,
        suspects: dict[int, _Suspect],
        seen: dict[object, bool],
    ) -> None:
        self.page, self.text, self.drawing, self.suspects, self.seen = page, text, drawing, suspects, seen
        self.raw = ctypes.cast(textpage.raw, ctypes.c_void_p).value
        self.edges = page.get_bbox()
        self._sides = (ctypes.c_double * 4)()
        self._sides_at = [ctypes.addressof(self._sides) + 8 * index for index in range(4)]

    def unseen(self) -> list[Unseen]:
        words = list(self._words())
        doubtful = {
            suspect.text.address
            for _, _, suspect in words
            if not suspect.certain and not self.seen.get(_likeness(suspect), False)
        }
        changed = self._changed(doubtful) if doubtful else None
        hidden: list[tuple[int, int, _Suspect]] = []
        for start, stop, suspect in words:
            box = self._box(start, stop)
            if suspect.reason is Reason.OFF_PAGE:
                visible = self._on_page(box)
            elif suspect.certain:
                visible = False
            elif suspect.text.address in doubtful and changed is not None:
                visible = self._differs(changed, box)
                self.seen[_likeness(suspect)] = visible
            else:
                visible = True
            if not visible:
                hidden.append((start, stop, suspect))
        return list(self._passages(self._without_recognised(hidden)))

    def _words(self) -> Iterator[tuple[int, int, _Suspect]]:
        """The words of suspects: where each begins and ends among the page's characters."""
        for match in _WORD.finditer(self.text):
            objects = [(index, _text_object(self.raw, index)) for index in range(*match.span())]
            for address, group in groupby(objects, key=lambda pair: pair[1]):
                indices = [index for index, _ in group]
                if (suspect := self.suspects.get(address)) is not None:
                    yield indices[0], indices[-1] + 1, suspect

    def _box(self, start: int, stop: int) -> Box:
        boxes = []
        for index in range(start, stop):
            _char_box(self.raw, index, *self._sides_at)
            left, right, bottom, top = self._sides
            boxes.append((left, bottom, right, top))
        lefts, bottoms, rights, tops = zip(*boxes, strict=True)
        return min(lefts), min(bottoms), max(rights), max(tops)

    def _on_page(self, box: Box) -> bool:
        left, bottom, right, top = self.edges
        x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
        return left - _MARGIN < x < right + _MARGIN and bottom - _MARGIN < y < top + _MARGIN

    def _changed(self, addresses: set[int]) -> npt.NDArray[np.bool_]:
        """Where the page looks different without the given objects."""
        width, height = self.page.get_size()
        self.scale = min(_SCALE, _MOST_PIXELS / max(width, height))
        before = self.page.render(scale=self.scale, draw_annots=True).to_numpy().astype(np.int16)
        for address in addresses:
            pdfium.FPDFPageObj_SetIsActive(ctypes.cast(address, pdfium.FPDF_PAGEOBJECT), False)
        after = self.page.render(scale=self.scale, draw_annots=True).to_numpy()
        for address in addresses:
            pdfium.FPDFPageObj_SetIsActive(ctypes.cast(address, pdfium.FPDF_PAGEOBJECT), True)
        changed: npt.NDArray[np.bool_] = np.abs(before - after).max(axis=2) > _CHANGED
        return changed

    def _differs(self, changed: npt.NDArray[np.bool_], box: Box) -> bool:
        height, width = changed.shape
        x, y = ctypes.c_int(), ctypes.c_int()
        corners = []
        for corner in ((box[0], box[1]), (box[2], box[3])):
            pdfium.FPDF_PageToDevice(self.page.raw, 0, 0, width, height, 0, *corner, x, y)
            corners.append((x.value, y.value))
        (x0, y0), (x1, y1) = corners
        part = changed[max(min(y0, y1), 0) : max(y0, y1) + 1, max(min(x0, x1), 0) : max(x0, x1) + 1]
        return part.size > 0 and float(part.mean()) > _ENOUGH

    def _without_recognised(self, hidden: list[tuple[int, int, _Suspect]]) -> list[tuple[int, int, _Suspect]]:
        """Without the text layer of a scan: unseen text over, or under, a picture of it that is most of the page's."""
        pictures = [area.box for area in self.drawing.areas if area.colour is None]
        layer = [
            word
            for word in hidden
            if word[2].reason in {Reason.INVISIBLE, Reason.COVERED, Reason.SAME_COLOUR}
            and any(_inside(self._box(word[0], word[1]), picture) for picture in pictures)
        ]
        letters = sum(stop - start for start, stop, _ in layer)
        if 2 * letters < sum(map(len, self.text.split())):
            return hidden
        return [word for word in hidden if word not in layer]

    def _passages(self, hidden: list[tuple[int, int, _Suspect]]) -> Iterator[Unseen]:
        """Neighbouring words in one passage."""
        passage: list[tuple[int, int, _Suspect]] = []
        for word in hidden:
            if passage and (self.text[passage[-1][1] : word[0]].strip() or passage[-1][2].reason is not word[2].reason):
                yield self._passage(passage)
                passage = []
            passage.append(word)
        if passage:
            yield self._passage(passage)

    def _passage(self, words: list[tuple[int, int, _Suspect]]) -> Unseen:
        start, stop, first = words[0][0], words[-1][1], words[0][2]
        text = re.sub(rf"[{_MARKS}]\s*", "", self.text[start:stop])
        return Unseen(" ".join(text.split()), first.reason, start, stop, all(word[2].text.placed for word in words))


def _likeness(suspect: _Suspect) -> object:
    """What tells a piece of text that stands on every page, such as the name of the journal on its coloured tab."""
    text, area = suspect.text, suspect.beneath
    return tuple(map(round, text.box)), text.colour, suspect.reason, area and (tuple(map(round, area.box)), area.colour)


def _inside(box: Box, other: Box) -> bool:
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    return other[0] <= x <= other[2] and other[1] <= y <= other[3]


def _without_size(page: pypdfium2.PdfPage, drawing: Drawing) -> Iterator[Unseen]:
    """Text of no size, which PDFium leaves out of a page's text: it is given one, and the page is read again."""
    objects = [ctypes.cast(address, pdfium.FPDF_PAGEOBJECT) for address in drawing.without_size]
    for number, text_object in enumerate(objects):
        upright = pdfium.FS_MATRIX(1, 0, 0, 1, 0, 20_000 + 30 * number)
        pdfium.FPDFTextObj_SetFontSize(text_object, 10)
        pdfium.FPDFPageObj_SetMatrix(text_object, upright)
    textpage = page.get_textpage()
    try:
        for text_object in objects:
            if text := " ".join(_text_of(text_object, textpage.raw).split()):
                yield Unseen(text, Reason.TINY)
    finally:
        textpage.close()


def _text_of(text_object: pdfium.FPDF_PAGEOBJECT, textpage: pdfium.FPDF_TEXTPAGE) -> str:
    size = pdfium.FPDFTextObj_GetText(text_object, textpage, None, 0)
    buffer = (ctypes.c_ushort * (size // 2 + 1))()
    pdfium.FPDFTextObj_GetText(text_object, textpage, buffer, size)
    return bytes(buffer)[: max(size - 2, 0)].decode("utf-16-le", "replace")
