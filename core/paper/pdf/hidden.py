"""Text that is in the file and not on the page."""

from __future__ import annotations

from itertools import pairwise

import pypdfium2.raw as pdfium

from core.paper.pdf.lines import Line, from_top

_ENOUGH_OVERLAPS = 3  # lines that lie across another line: fewer can be accidents of typesetting


def without_clipped(lines: list[Line], raw: pdfium.FPDF_TEXTPAGE) -> tuple[list[Line], list[Line]]:
    """Apart from the others the text of a page that was placed as a picture and cut to size: it lies, unseen, across the real text."""
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
