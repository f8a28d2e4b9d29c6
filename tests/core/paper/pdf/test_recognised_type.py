"""Sizes of type that text recognition guessed."""

from __future__ import annotations

from core.paper.pdf.characters import Font
from core.paper.pdf.lines import Line, PageLines
from core.paper.pdf.recognised_type import even_out_sizes


def page(font: str, *sizes: float) -> PageLines:
    """A page of lines of text in these sizes, from top to bottom."""
    lines = [
        Line("a line of four words", 1, 40, 280, 700 - 12 * row, size, Font(font, False, False), False, 5)
        for row, size in enumerate(sizes)
    ]
    return PageLines(1, 600, 800, lines)


def sizes_after(read: PageLines) -> list[float]:
    even_out_sizes([read])
    return [line.size for line in read.lines]


def test_wrong_guesses_are_evened_out_and_headings_stay() -> None:
    assert sizes_after(page("GlyphLessFont", 9, 8, 9, 9, 12, 9, 10, 9)) == [9, 9, 9, 9, 12, 9, 9, 9]


def test_small_print_of_its_own_stays_small() -> None:
    notes = [7] * 20
    assert sizes_after(page("GlyphLessFont", *[10] * 20, *notes)) == [10] * 20 + notes


def test_printed_sizes_are_never_touched() -> None:
    assert sizes_after(page("Times", 9, 8, 9, 9)) == [9, 8, 9, 9]
