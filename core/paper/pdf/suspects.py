"""Text of a page that may be hidden, judged by what is drawn around it; `unseen` takes a closer look at it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from core.paper.model import Reason
from core.paper.pdf.drawing import Area, Box, Drawing, DrawnText

_LIGHT = 200  # of 255 in each colour: text this light is seen only on something darker
_FAINT = 30  # of 255: the alpha below which nothing is seen
_NEAR = 40  # of 255: colours no further apart than this, in every part, are nearly the same
_BAND = 24.0  # points: texts are looked up by bands of this height
_MOST_PAIRS = 2_000_000  # of texts and areas; where there are more, every text is suspicious
MARGIN = 5.0  # points beyond the page's edge that are still let pass


@dataclass(frozen=True, slots=True)
class Suspect:
    """A piece of text that may be hidden, and why."""

    text: DrawnText
    reason: Reason
    beneath: Area | None
    certain: bool  # needs no look at the page


def suspects_of(drawing: Drawing, page: Box) -> dict[int, Suspect]:
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


def _around(drawing: Drawing) -> tuple[dict[int, Area], set[int]]:
    """The topmost area beneath a text, and the texts that a later area lies over: by their place among the texts."""
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
