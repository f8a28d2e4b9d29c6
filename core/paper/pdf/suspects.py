"""Text of a page that may be hidden, judged by what is drawn around it; `unseen` takes a closer look at it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from core.paper.model import Reason
from core.paper.pdf.objects import Area, Box, Drawing, DrawnText

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
    beneath, covered = _around(drawing)
    suspects: dict[int, Suspect] = {}
    left, bottom, right, top = page
    for text in drawing.texts:
        box, area = text.box, beneath.get(text.order)
        reason, certain = None, True
        if text.tiny:
            reason = Reason.TINY
        elif text.invisible or text.alpha < _FAINT:
            reason = Reason.INVISIBLE
        elif box[0] < left - MARGIN or box[1] < bottom - MARGIN or box[2] > right + MARGIN or box[3] > top + MARGIN:
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
            suspects[text.address] = Suspect(text, reason, area, certain)
    return suspects


def _around(drawing: Drawing) -> tuple[dict[int, Area], set[int]]:
    """By the order of a text: the topmost area beneath it; and the texts that a later area lies over."""
    bands: dict[int, list[DrawnText]] = defaultdict(list)
    for text in drawing.texts:
        bands[int((text.box[1] + text.box[3]) / 2 // _BAND)].append(text)
    if len(drawing.texts) * len(drawing.areas) > _MOST_PAIRS:
        return {}, {text.order for text in drawing.texts}
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
                elif (
                    text.order < area.order
                    and min(x1, right) - max(x0, left) > 0.3 * (x1 - x0)
                    and bottom < y1
                    and top > y0
                ):
                    covered.add(text.order)
    return beneath, covered


def _bands(bands: dict[int, list[DrawnText]], bottom: float, top: float) -> Iterable[int]:
    first, last = int(bottom // _BAND) - 1, int(top // _BAND) + 1
    return range(first, last + 1) if last - first < len(bands) else [band for band in bands if first <= band <= last]


def _near(one: tuple[int, ...], other: tuple[int, ...]) -> bool:
    return max(abs(a - b) for a, b in zip(one, other, strict=True)) < _NEAR
