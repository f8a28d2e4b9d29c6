"""Lines and their words: in one go, mended where PDFium split them, cut, joined, and of recognised type."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pypdfium2
import pytest

from core.paper import Kind
from core.paper.model import PrintedLine
from core.paper.pdf.extract import open_text
from core.paper.pdf.line_reader import PageWords, close_up, is_spaced, joins, mend
from core.paper.pdf.lines import Line, PageLines, PrintedText, join
from core.paper.pdf.pdfium import PDFIUM_LOCK, Font
from core.paper.pdf.typography import even_out_sizes
from tests.core.paper.pdf.pages import column, pdf

# ---- The words of a page, of which PDFium is asked for the places in one go ----

NAPS = [f"nap {number} rest {number + 1} bed {number + 2}" for number in range(100)]


def test_each_word_is_where_pdfium_says_it_is() -> None:
    page = [piece for x in range(0, 1600, 100) for piece in column(x + 10, 780, NAPS, size=6)]
    with PDFIUM_LOCK:
        document = pypdfium2.PdfDocument(pdf(page))
        with open_text(document[0]) as (_, characters):
            words = PageWords(characters)
            one_by_one = [characters.extent(*span, 0) for span in zip(words.firsts, words.stops, strict=True)]
            types = [characters.type(first) for first in words.firsts]
            known = words.types(range(len(words.texts)))
        document.close()
    assert len(words.texts) > 4096  # more than are asked about at once
    assert list(zip(words.x0, words.x1, strict=True)) == one_by_one
    assert words.gaps == [after[0] - before[1] for before, after in pairwise(one_by_one)]
    assert known == types


# ---- Lines that PDFium split ----

FONT = Font("Times", bold=False, italic=False)


def line(y: float, *words: tuple[str, float, float], at: int = 0) -> Line:
    """A line of words, each with its place from left to right."""
    text = " ".join(word for word, _, _ in words)
    _, starts, ends = zip(*words, strict=True)
    return Line(
        text, 1, starts[0], ends[-1], y, 10, FONT, False, len(words), starts=starts, ends=ends, at=at, stop=at + 9
    )


WHOLE = line(712, ("Nurses", 60, 90), ("slept", 94, 120), ("for", 124, 140), ("weeks", 144, 300))


def test_pieces_that_fill_the_width_of_the_line_after_them_are_one_line() -> None:
    pieces = [
        line(724, ("follow-up", 60, 104)),
        line(724, ("with", 118, 140), ("placebo.", 154, 190), at=11),
        line(724, ("[9,25]", 190, 202), ("Seven", 216, 242), ("left", 256, 300), at=30),
    ]
    lines = [*pieces, WHOLE]
    mend(lines)
    assert [line.text for line in lines] == ["follow-up with placebo.[9,25] Seven left", WHOLE.text]
    assert (lines[0].x0, lines[0].x1, lines[0].words, lines[0].stop) == (60, 300, 6, 39)
    assert len(lines[0].spans) == len(lines[0].text.split())


def test_the_indented_first_line_of_a_paragraph_is_one_line() -> None:
    pieces = [
        line(724, ("Nurses", 72, 104)),
        line(724, ("slept", 140, 164), at=11),
        line(724, ("then", 200, 300), at=22),
    ]
    lines = [*pieces, WHOLE]
    mend(lines)
    assert lines[0].text == "Nurses slept then"
    two = [line(724, ("Age", 72, 104)), line(724, ("34.1", 140, 300), at=11)]
    lines = [*two, WHOLE]
    mend(lines)
    assert len(lines) == 3


def test_cells_of_a_table_stay_apart() -> None:
    uneven = [line(724, ("Age", 60, 80)), line(724, ("34.1", 100, 120), at=11), line(724, ("35.0", 155, 300), at=22)]
    lines = [*uneven, WHOLE]
    mend(lines)
    assert len(lines) == 4
    narrow = [line(724, ("Age", 60, 80)), line(724, ("34.1", 110, 130), at=11), line(724, ("35.0", 160, 200), at=22)]
    lines = [*narrow, WHOLE]
    mend(lines)
    assert len(lines) == 4


@pytest.mark.parametrize(
    ("numbers", "text"),
    [("14", "slept[14]"), ("14,20-22", "slept[14,20-22]"), ("14, 20–22", "slept[14,20–22]"), ("6; 23", "slept[6;23]")],
)
def test_raised_numbers_that_stand_apart_are_put_to_the_word_before_them(numbers: str, text: str) -> None:
    words = line(712, ("Nurses", 60, 90), ("slept", 94, 120))
    raised = replace(line(716, (numbers, 120, 140), at=12), size=6.0, words=len(numbers.split()))
    assert joins(words, raised)
    assert (words.text, words.x1, words.stop) == (f"Nurses {text}", 140, 21)


@pytest.mark.parametrize(("numbers", "y"), [("14, 20", 712), ("14 of 20", 716), ("see below", 716)])
def test_other_small_words_beside_a_line_stand_for_themselves(numbers: str, y: float) -> None:
    small = replace(line(y, (numbers, 120, 140), at=12), size=6.0, words=len(numbers.split()))
    assert not joins(line(712, ("Nurses", 60, 90), ("slept", 94, 120)), small)


def spaced(text: str) -> Line:
    """Letters of 6 points each, 3 points apart, and words 9 points apart."""
    letters, x = [], 60.0
    for word in text.split():
        for letter in word:
            letters.append((letter, x, x + 6))
            x += 9
        x += 6
    return line(700, *letters)


def test_letter_spaced_words_are_closed_up() -> None:
    heading = spaced("PATIENTS AND METHODS")
    assert heading.text.startswith("P A T I E N T S A N D")
    assert is_spaced(heading)
    close_up(heading)
    assert (heading.text, heading.words) == ("PATIENTS AND METHODS", 3)
    assert heading.spans[1] == (138, 162)


def test_a_row_of_short_cells_is_no_letter_spaced_word() -> None:
    row = line(700, ("n", 60, 66), ("5", 70, 76), ("7", 80, 86), ("9", 90, 96), ("2", 100, 106))
    close_up(row)
    assert row.text == "n 5 7 9 2"


# ---- Sizes of type that text recognition guessed ----


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


# ---- Text that knows its lines: cut, joined and respelt ----

HEADING = PrintedText("2. M E T H O D S in brief", (PrintedLine(0, 16, 1, 0, 16), PrintedLine(17, 25, 1, 18, 26)))


def test_a_cut_counts_the_letters_before_it() -> None:
    cut = HEADING.cut(3, 19)
    assert cut == PrintedText("M E T H O D S in", (PrintedLine(0, 13, 1, 0, 16, 1), PrintedLine(14, 16, 1, 18, 26)))
    assert cut.cut(15).lines == (PrintedLine(0, 1, 1, 18, 26, 1),)
    assert HEADING.cut(0, 0) == PrintedText()


def test_parts_are_moved_where_they_are_joined() -> None:
    row = join([PrintedText(), HEADING.cut(17), PrintedText("5", (PrintedLine(0, 1, 2, 7, 8),))], " | ").stripped()
    assert row == PrintedText("| in brief | 5", (PrintedLine(2, 10, 1, 18, 26), PrintedLine(13, 14, 2, 7, 8)))
    assert row.block(Kind.TABLE).page == 1


def test_letters_set_apart_are_closed_up() -> None:
    closed = HEADING.closed_up("METHODS in brief")
    assert closed.lines == (PrintedLine(0, 7, 1, 0, 16, 1), PrintedLine(8, 16, 1, 18, 26))
