"""Type as text recognition gives it: its size is guessed line by line, from letters with and without tails."""

from __future__ import annotations

import statistics

from core.paper.pdf.lines import Line, PageLines

_FONT = "GlyphLess"  # what Tesseract, and so ocrmypdf, names the font of its text layer
_WOBBLE = 0.18  # of a size: a guess further off is another size
_NEAR = 8  # lines before and after that a line is compared with


def even_out_sizes(pages: list[PageLines]) -> None:
    """Give recognised lines the usual size of their neighbours, unless they are clearly set in another.

    Readers tell paragraphs, notes and headings by their size, and would take every wrong guess for one of these.
    """
    for page in pages:
        recognised = [line for line in page.lines if line.font.name.startswith(_FONT)]
        usual = [_usual(recognised, index) for index in range(len(recognised))]
        for line, size in zip(recognised, usual, strict=True):
            if abs(line.size - size) <= _WOBBLE * size:
                line.size = size


def _usual(lines: list[Line], index: int) -> float:
    near = lines[max(0, index - _NEAR) : index + _NEAR + 1]
    return statistics.median_low([line.size for line in near if line.words > 2] or [lines[index].size])
