"""Find text in the file that nobody can see on the page: hidden from readers, perhaps meant for machines."""

from __future__ import annotations

import ctypes
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import groupby, pairwise

import numpy as np
import numpy.typing as npt
import pypdfium2
import pypdfium2.raw as pdfium

from core.paper.model import Reason
from core.paper.pdf.lines import Line, from_top
from core.paper.pdf.objects import Area, Box, DrawnText, PageDrawing, PageWindow, Picture, drawing_of
from core.paper.pdf.pdfium import fast_function
from core.paper.prompt_injection import flag_injections

_ENOUGH_OVERLAPS = 3  # pairs of lines that overlap: fewer can be accidents of typesetting


def without_clipped(lines: list[Line], raw: pdfium.FPDF_TEXTPAGE) -> tuple[list[Line], list[Line]]:
    """Separate the clipped text of a page placed as a picture, which lies unseen across the real text."""
    ordered = from_top(line for line in lines if line.words > 3 and not line.angle)
    pairs = [
        (upper, lower)
        for upper, lower in pairwise(ordered)
        if upper.y - lower.y < 0.7 * lower.size
        and min(upper.x1, lower.x1) - max(upper.x0, lower.x0) > 0.5 * lower.width
    ]
    if len(pairs) < _ENOUGH_OVERLAPS:
        return lines, []
    clipped = {id(line) for line in lines if _is_clipped(raw, line.at)}
    if sum((id(upper) in clipped) != (id(lower) in clipped) for upper, lower in pairs) < 0.5 * len(pairs):
        return lines, []
    return [line for line in lines if id(line) not in clipped], [line for line in lines if id(line) in clipped]


def _is_clipped(raw: pdfium.FPDF_TEXTPAGE, index: int) -> bool:
    text_object = pdfium.FPDFText_GetTextObject(raw, index)
    path = pdfium.FPDFPageObj_GetClipPath(text_object) if text_object else None
    return bool(path) and pdfium.FPDFClipPath_CountPaths(path) > 0


# ---- Suspects: text that may be hidden, judged by what is drawn around it ----

_LIGHT = 200  # of 255 in each colour: lighter text shows only on something darker
_FAINT = 30  # of 255: with less alpha nothing shows
_NEAR = 40  # of 255: colours no further apart than this, in every part, are nearly the same
_BAND = 24.0  # points: texts are looked up by bands of this height
_MOST_PAIRS = 2_000_000  # of texts and areas; if there are more, every text is a suspect
MARGIN = 5.0  # points beyond the page's edge that are tolerated


@dataclass(frozen=True, slots=True)
class Suspect:
    """A piece of text that may be hidden, and why."""

    text: DrawnText
    reason: Reason
    beneath: Area | None
    certain: bool  # no doubt that it is hidden, so the page need not be drawn


def suspects_of(drawing: PageDrawing, page: Box) -> dict[int, Suspect]:
    """The texts that may be hidden, by PDFium's address."""
    texts = drawing.texts
    if not texts.boxes:
        return {}
    beneath, covered = _around(drawing)
    left, bottom, right, top = page[0] - MARGIN, page[1] - MARGIN, page[2] + MARGIN, page[3] + MARGIN
    odd = {colour for colour in set(texts.colours) if colour[3] < _FAINT or min(colour[:3]) >= _LIGHT}
    special = {at for at, colour in enumerate(texts.colours) if colour in odd} if odd else set()
    special |= {
        at for at, (x0, y0, x1, y1) in enumerate(texts.boxes) if x0 < left or y0 < bottom or x1 > right or y1 > top
    }
    suspects: dict[int, Suspect] = {}
    for at in sorted(special.union(beneath, covered, texts.invisible, texts.optional, texts.tiny)):
        text, area = texts[at], beneath.get(at)
        reason, certain = None, True
        if text.tiny:
            reason = Reason.TINY
        elif text.invisible or text.alpha < _FAINT:
            reason = Reason.INVISIBLE
        elif text.box[0] < left or text.box[1] < bottom or text.box[2] > right or text.box[3] > top:
            reason = Reason.OFF_PAGE
        elif at in covered:
            reason, certain = Reason.COVERED, False
        elif text.optional:
            reason, certain = Reason.INVISIBLE, False
        elif area is not None and area.colour is not None:
            if _near(area.colour, text.colour) or (min(text.colour) >= _LIGHT and not area.plain):
                reason, certain = Reason.SAME_COLOUR, False
        elif min(text.colour) >= _LIGHT:
            reason, certain = Reason.SAME_COLOUR, False
        if reason is not None:
            suspects[text.address] = Suspect(text, reason, area, certain)
    return suspects


def _around(drawing: PageDrawing) -> tuple[dict[int, Area], set[int]]:
    """The topmost area beneath each text, and the texts that a later area covers, by their index."""
    texts = drawing.texts
    if len(texts) * len(drawing.areas) > _MOST_PAIRS:
        return {}, set(range(len(texts)))
    beneath: dict[int, Area] = {}
    covered: set[int] = set()
    if not drawing.areas:
        return beneath, covered
    bands: dict[int, list[tuple[int, int, Box]]] = defaultdict(list)
    for at, (order, box) in enumerate(zip(texts.orders, texts.boxes, strict=True)):
        bands[int((box[1] + box[3]) / 2 // _BAND)].append((at, order, box))
    for area in drawing.areas:
        left, bottom, right, top = area.box
        for band in _bands(bands, bottom, top):
            for at, order, (x0, y0, x1, y1) in bands.get(band, ()):
                if left <= (x0 + x1) / 2 <= right and bottom <= (y0 + y1) / 2 <= top:
                    if order > area.order:
                        beneath[at] = area
                    else:
                        covered.add(at)
                elif (
                    order < area.order and min(x1, right) - max(x0, left) > 0.3 * (x1 - x0) and bottom < y1 and top > y0
                ):
                    covered.add(at)
    return beneath, covered


def _bands(bands: Collection[int], bottom: float, top: float) -> Iterable[int]:
    first, last = int(bottom // _BAND) - 1, int(top // _BAND) + 1
    return range(first, last + 1) if last - first < len(bands) else [band for band in bands if first <= band <= last]


def _near(one: tuple[int, ...], other: tuple[int, ...]) -> bool:
    return max(abs(a - b) for a, b in zip(one, other, strict=True)) < _NEAR


# ---- The closer look: pages with suspects are drawn ----
# A page with suspects (light, transparent, tiny, under a later shape, outside the page, in a layer) is drawn with and
# without them: text that makes no difference cannot be seen. Nearly all pages have no suspects and are not drawn.

_OUT_OF_PLACE = frozenset({Reason.OFF_PAGE, Reason.TINY})
_CUT_OFF = frozenset({Reason.OFF_PAGE, Reason.COVERED})
_CHANGED = 20  # of 255: pixels that differ by more can be told apart
_ENOUGH = 0.5  # the share of a word that must stand out from what is beneath it
_GLARING = (255, 0, 255, 255)
_LETTERS, _MESSAGE = re.compile(r"[^\W\d_]{2,}|[\u3040-\u9fff\uac00-\ud7af]"), 2  # words of a message, at least
_WORD = re.compile(r"\S+")
_LINE_MARKS = re.compile(r"[\ufffe\x02]\s*")  # hyphens at line ends, as PDFium writes them
_MOST_WORK = 3_000.0  # in whole pages filled once, for all pages drawn; the busiest page measured comes to 160
_MOST_PICTURES = 500  # of a scanned page, which may be cut into strips
_OF_A_LAYER = frozenset({Reason.INVISIBLE, Reason.COVERED, Reason.SAME_COLOUR})

_text_object = fast_function(pdfium.FPDFText_GetTextObject, ctypes.c_void_p)
_char_box = fast_function(pdfium.FPDFText_GetCharBox)


@dataclass(frozen=True, slots=True)
class HiddenText:
    """Characters of a page, from `start` up to `stop`, that cannot be seen; the range is empty for text of no size."""

    text: str
    reason: Reason
    start: int = 0
    stop: int = 0
    placed: bool = False  # part of a picture or page placed on this one

    @property
    def may_be_message(self) -> bool:
        """Whether it may be a message, and not just a scrap of typesetting.

        Programs leave invisible words and marks on pages, and placed pictures and pages have parts that are cut off.
        """
        if len(_LETTERS.findall(self.text)) < _MESSAGE:
            return False
        return not (self.placed and self.reason in _CUT_OFF) or flag_injections([self.text])[0]


@dataclass(slots=True)
class HiddenTextFinder:
    """Looks at the pages of one file. Text that was seen is not looked at again in the same place on other pages.

    Some pages are made to stall readers by the work of drawing them. Suspects there count as hidden without a look.
    `keep`: hidden text is to be read, so only text outside the page or too small to read is found.
    """

    keep: bool = False
    seen: dict[object, bool] = field(default_factory=dict)
    work: float = 0.0  # of the pages looked at so far

    def hidden_text(self, page: pypdfium2.PdfPage, textpage: pypdfium2.PdfTextPage, text: str) -> list[HiddenText]:
        """The hidden text among the characters `text` of a page. Call under the lock."""
        drawing = drawing_of(page)
        suspects = {
            address: suspect
            for address, suspect in suspects_of(drawing, page.get_bbox()).items()
            if suspect.certain or not self.seen.get(_likeness(suspect), False)
        }
        found = list(_without_size(page, drawing)) if drawing.without_size else []
        if suspects:
            self.work += drawing.work()
            draws = self.work < _MOST_WORK
            found += _VisibilityCheck(
                page, textpage, text, drawing, suspects=suspects, seen=self.seen, draws=draws
            ).hidden_text()
        return [hidden for hidden in found if hidden.reason in _OUT_OF_PLACE] if self.keep else found


def _differs(one: Picture, other: Picture) -> npt.NDArray[np.bool_]:
    different: npt.NDArray[np.bool_] = np.abs(one.astype(np.int16) - other).max(axis=2, initial=0) > _CHANGED
    return different


@dataclass(frozen=True, slots=True)
class _Word:
    """Characters of one suspect without a space between them."""

    start: int
    stop: int
    suspect: Suspect


class _VisibilityCheck:
    """A closer look at one page's suspects, word by word."""

    def __init__(
        self,
        page: pypdfium2.PdfPage,
        textpage: pypdfium2.PdfTextPage,
        text: str,
        drawing: PageDrawing,
        *,
        suspects: dict[int, Suspect],
        seen: dict[object, bool],
        draws: bool,
    ) -> None:
        self.page, self.text, self.drawing, self.suspects, self.seen = page, text, drawing, suspects, seen
        self.raw = ctypes.cast(textpage.raw, ctypes.c_void_p)
        self.edges, self.draws = page.get_bbox(), draws
        self._sides = (ctypes.c_double * 4)()
        self._sides_at = [ctypes.c_void_p(ctypes.addressof(self._sides) + 8 * index) for index in range(4)]

    def hidden_text(self) -> list[HiddenText]:
        words = list(self._words())
        visible = self._visible([word for word in words if not word.suspect.certain])
        hidden: list[_Word] = []
        for word in words:
            if word.suspect.reason is Reason.OFF_PAGE:
                seen = self._on_page(self._box(word))
            else:
                seen = visible.get(word.start, False)  # certain suspects are not drawn
                if not word.suspect.certain:
                    self.seen[_likeness(word.suspect)] = seen
            if not seen:
                hidden.append(word)
        return list(self._passages(self._without_recognised(hidden)))

    def _words(self) -> Iterator[_Word]:
        for match in _WORD.finditer(self.text):
            start, stop = match.span()
            if (
                _text_object(self.raw, start) not in self.suspects
                and _text_object(self.raw, stop - 1) not in self.suspects
            ):
                continue
            objects = [(index, _text_object(self.raw, index)) for index in range(start, stop)]
            for address, group in groupby(objects, key=lambda pair: pair[1]):
                indices = [index for index, _ in group]
                if (suspect := self.suspects.get(address)) is not None:
                    yield _Word(indices[0], indices[-1] + 1, suspect)

    def _box(self, word: _Word) -> Box:
        boxes = []
        for index in range(word.start, word.stop):
            _char_box(self.raw, index, *self._sides_at)
            left, right, bottom, top = self._sides
            boxes.append((left, bottom, right, top))
        lefts, bottoms, rights, tops = zip(*boxes, strict=True)
        return min(lefts), min(bottoms), max(rights), max(tops)

    def _on_page(self, box: Box) -> bool:
        left, bottom, right, top = self.edges
        x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
        return bool(left - MARGIN < x < right + MARGIN and bottom - MARGIN < y < top + MARGIN)

    def _visible(self, words: list[_Word]) -> dict[int, bool]:
        """Whether each word (by its start) stands out from what is beneath it, and so does its whole text object."""
        if not words or not self.draws:
            return {}
        boxes = {word.start: self._box(word) for word in words}
        view = PageWindow.around(self.page, boxes.values())
        as_it_is, glaring, without = _pictures(view, {word.suspect.text.address for word in words})
        pixels: dict[int, tuple[int, int]] = {}  # of each word's letters: those seen, and all
        of_objects: dict[int, tuple[int, int]] = defaultdict(lambda: (0, 0))
        for word in words:
            part = view.part(boxes[word.start])
            letters = _differs(glaring[part], without[part])
            seen, all_of_them = int((letters & _differs(as_it_is[part], without[part])).sum()), int(letters.sum())
            pixels[word.start] = seen, all_of_them
            so_far = of_objects[word.suspect.text.address]
            of_objects[word.suspect.text.address] = so_far[0] + seen, so_far[1] + all_of_them
        return {
            word.start: all(
                seen > _ENOUGH * whole for seen, whole in (pixels[word.start], of_objects[word.suspect.text.address])
            )
            for word in words
        }

    def _without_recognised(self, hidden: list[_Word]) -> list[_Word]:
        """Drop the text layer of a scan: hidden words on a picture, if they are at least half of the page's text."""
        pictures = sorted((area.box for area in self.drawing.areas if area.colour is None), key=_size, reverse=True)
        pictures = pictures[:_MOST_PICTURES]
        boxes = ((word, self._box(word)) for word in hidden if word.suspect.reason in _OF_A_LAYER)
        layer = {word.start for word, box in boxes if any(_inside(box, picture) for picture in pictures)}
        letters = sum(word.stop - word.start for word in hidden if word.start in layer)
        if 2 * letters < sum(map(len, self.text.split())):
            return hidden
        return [word for word in hidden if word.start not in layer]

    def _passages(self, hidden: list[_Word]) -> Iterator[HiddenText]:
        """Join neighbouring words into passages."""
        passage: list[_Word] = []
        for word in hidden:
            if passage:
                last = passage[-1]
                if self.text[last.stop : word.start].strip() or last.suspect.reason is not word.suspect.reason:
                    yield self._passage(passage)
                    passage = []
            passage.append(word)
        if passage:
            yield self._passage(passage)

    def _passage(self, words: list[_Word]) -> HiddenText:
        start, stop = words[0].start, words[-1].stop
        text = _LINE_MARKS.sub("", self.text[start:stop])
        placed = all(word.suspect.text.placed for word in words)
        return HiddenText(" ".join(text.split()), words[0].suspect.reason, start, stop, placed)


def _pictures(view: PageWindow, addresses: set[int]) -> tuple[Picture, Picture, Picture]:
    """A part of a page as it is, with some objects in a glaring colour, and without them."""
    objects = [ctypes.cast(address, pdfium.FPDF_PAGEOBJECT) for address in addresses]
    as_it_is = view.picture()
    for text_object in objects:
        pdfium.FPDFPageObj_SetFillColor(text_object, *_GLARING)
        pdfium.FPDFPageObj_SetStrokeColor(text_object, *_GLARING)
    glaring = view.picture()
    for text_object in objects:
        pdfium.FPDFPageObj_SetIsActive(text_object, False)
    return as_it_is, glaring, view.picture()


def _likeness(suspect: Suspect) -> object:
    """A key that is the same for a text repeated on every page, such as the journal's name on a coloured tab."""
    text, area = suspect.text, suspect.beneath
    return tuple(map(round, text.box)), text.colour, suspect.reason, area and (tuple(map(round, area.box)), area.colour)


def _size(box: Box) -> float:
    return (box[2] - box[0]) * (box[3] - box[1])


def _inside(box: Box, other: Box) -> bool:
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    return other[0] <= x <= other[2] and other[1] <= y <= other[3]


def _without_size(page: pypdfium2.PdfPage, drawing: PageDrawing) -> Iterator[HiddenText]:
    """Text of no size, which PDFium leaves out. To read it, it is given a size, and the page is read again."""
    objects = [ctypes.cast(address, pdfium.FPDF_PAGEOBJECT) for address in drawing.without_size]
    for number, text_object in enumerate(objects):
        upright = pdfium.FS_MATRIX(1, 0, 0, 1, 0, 20_000 + 30 * number)
        pdfium.FPDFTextObj_SetFontSize(text_object, 10)
        pdfium.FPDFPageObj_SetMatrix(text_object, upright)
    textpage = page.get_textpage()
    try:
        for text_object in objects:
            if text := " ".join(_text_of(text_object, textpage.raw).split()):
                yield HiddenText(text, Reason.TINY)
    finally:
        textpage.close()


def _text_of(text_object: pdfium.FPDF_PAGEOBJECT, textpage: pdfium.FPDF_TEXTPAGE) -> str:
    size = pdfium.FPDFTextObj_GetText(text_object, textpage, None, 0)
    buffer = (ctypes.c_ushort * (size // 2 + 1))()
    pdfium.FPDFTextObj_GetText(text_object, textpage, buffer, size)
    return bytes(buffer)[: max(size - 2, 0)].decode("utf-16-le", "replace")
