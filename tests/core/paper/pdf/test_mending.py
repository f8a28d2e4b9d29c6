"""Lines that PDFium split."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.paper.pdf.characters import Font
from core.paper.pdf.lines import Line
from core.paper.pdf.mending import close_up, is_spaced, joins, mend

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
