"""The order of lines that stand in columns."""

from __future__ import annotations

from core.paper.pdf.columns import in_columns
from core.paper.pdf.lines import Line
from core.paper.pdf.pdfium import Font

FONT = Font("Times", bold=False, italic=False)


def lines(x0: float, x1: float, top: float, *texts: str) -> list[Line]:
    return [Line(text, 1, x0, x1, top - 12 * at, 10, FONT, False, len(text.split())) for at, text in enumerate(texts)]


def read(*parts: list[Line]) -> list[str]:
    return [line.text for column in in_columns([line for part in parts for line in part]) for line in column]


LEFT, RIGHT = ["a", "b", "c", "d", "e"], ["v", "w", "x", "y", "z"]
COLUMNS = [*lines(45, 290, 597, *LEFT), *lines(306, 550, 600, *RIGHT)]


def test_columns_below_a_text_whose_last_line_ends_right_before_their_gutter() -> None:
    for end in (150, 290, 302, 304, 330, 540):
        above = [*lines(55, 540, 700, "one", "two"), *lines(55, end, 676, "three")]
        assert read(above, COLUMNS) == ["one", "two", "three", *LEFT, *RIGHT]


def test_a_line_that_sticks_out_of_its_column_stays_in_it() -> None:
    left = [*lines(45, 290, 597, *LEFT[:2]), *lines(45, 300, 573, LEFT[2]), *lines(45, 290, 561, *LEFT[3:])]
    assert read(lines(55, 540, 700, "one"), left, COLUMNS[5:]) == ["one", *LEFT, *RIGHT]
