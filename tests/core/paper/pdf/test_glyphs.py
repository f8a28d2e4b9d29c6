"""Signs in fonts that file them under other characters, as journals set them."""

from __future__ import annotations

import pytest

from core.paper import Paper, read_paper
from core.paper.pdf.page_view import sentence_boxes
from tests.core.paper.pdf.pages import Text, column, pdf, prose

_WIDTH = 2.5  # points, of a space at ten points


def set_in(x: float, y: float, *pieces: tuple[str, str]) -> list[Text]:
    """Pieces of one line, each (font, text), one after the other; widths are those of Times."""
    placed = []
    for font, text in pieces:
        placed.append(Text(x, y, text, 10, font))
        x += 10 / 1000 * (sum(_WIDTHS.get(letter, 500) for letter in text) if font == "regular" else 564 * len(text))
    return placed


_WIDTHS = {" ": 250, ".": 250, ",": 250, "(": 333, ")": 333, "P": 556, "S": 556, "D": 722, "m": 778, "t": 278, "i": 278}
_WIDTHS |= {"r": 333, "s": 389, "e": 444, "a": 444, "l": 278, "f": 333, "w": 722}


def page(*pieces: tuple[str, str]) -> list[Text]:
    return [
        Text(60, 720, "Naps of nurses after duty", 20, "bold"),
        *column(60, 660, ["Abstract"], font="bold"),
        *column(60, 644, prose("Nurses in", 6)),
        *column(60, 560, ["Results"], font="bold", size=12),
        *column(60, 540, prose("Of those", 8)),
        *set_in(60, 420, *pieces),
    ]


def read(*pieces: tuple[str, str]) -> Paper:
    return read_paper(pdf(page(*pieces)), name="naps.pdf")


@pytest.mark.parametrize(
    ("pieces", "text"),
    [
        ((("regular", "Stays of "), ("signs", "."), ("regular", "24 h were rare.")), "Stays of >24 h were rare."),
        ((("regular", "Few slept (P "), ("signs", "\xbc"), ("regular", " 0.03).")), "Few slept (P = 0.03)."),
        ((("regular", "Doses ("), ("signs", "\xbc"), ("regular", " one a day) were few.")), "Doses (= one a day) were few."),
        ((("regular", "Few slept (P"), ("signs", ","), ("regular", ".001).")), "Few slept (P<.001)."),
        ((("regular", "Few slept (P"), ("signs", "5"), ("regular", ".03).")), "Few slept (P=.03)."),
        ((("regular", "Few slept (p "), ("signs", "b"), ("regular", " 0.05).")), "Few slept (p < 0.05)."),
        ((("regular", "Few slept (P "), ("signs", "\xa1"), ("regular", " 0.05).")), "Few slept (P < 0.05)."),
        ((("regular", "The mean was 26 "), ("signs", "6"), ("regular", " 4 years.")), "The mean was 26 ± 4 years."),
        ((("regular", "The mean was 26"), ("signs", "6"), ("regular", "7 years.")), "The mean was 26±7 years."),
        ((("regular", "The change was "), ("signs", "2"), ("regular", "4.1 points.")), "The change was −4.1 points."),
        ((("regular", "Cells were CD4"), ("signs", "\xfe"), ("regular", " and few.")), "Cells were CD4+ and few."),
        ((("regular", "It was 2 "), ("signs", "3"), ("regular", " 2 factorial.")), "It was 2 × 2 factorial."),
        ((("regular", "Few slept (P "), ("drawn", "\x03"), ("regular", " 0.03).")), "Few slept (P = 0.03)."),
        ((("regular", "Few slept (P "), ("drawn", "\x04"), ("regular", " 0.03).")), "Few slept (P < 0.03)."),
    ],
)  # fmt: skip
def test_a_sign_is_what_its_glyph_looks_like(pieces: tuple[tuple[str, str], ...], text: str) -> None:
    paper = read(*pieces)
    assert paper.sentences[-1].text == text
    assert not paper.warnings
    box = sentence_boxes(pdf(page(*pieces)), paper, [paper.sentences[-1].index])
    assert len(box[paper.sentences[-1].index]) == 1


def test_a_font_that_files_one_sign_elsewhere_is_looked_at_for_others() -> None:
    pieces = [("regular", "At 25"), ("signs", "8"), ("regular", "C they took "), ("signs", "."), ("regular", "5 ")]
    paper = read(*pieces, ("signs", "m"), ("regular", "g."))
    assert paper.sentences[-1].text == "At 25°C they took >5 µg."


def test_an_ordinary_font_keeps_its_points_and_numbers() -> None:
    line = "Of 24 (6 in 3) b 0.05, .5 and 5 were 1,200; a \xbc of 26 6 4 took 5 mg."
    assert read(("regular", line)).sentences[-1].text == line


def test_a_sign_that_cannot_be_told_is_marked_and_told() -> None:
    paper = read(("regular", "Few slept (P "), ("drawn", "\x05"), ("regular", " 0.03)."))
    assert paper.sentences[-1].text == "Few slept (P � 0.03)."
    (warning,) = paper.warnings
    assert (warning.kind, warning.page) == ("uncertain-sign", 1)
    assert "P � 0.03" in warning.message


def test_a_bullet_without_a_character_is_no_sign() -> None:
    line = [Text(60, 408, "\x05", 10, "drawn"), Text(72, 408, "24 nurses took part in this trial of naps and of rest.")]
    paper = read_paper(pdf([*page(("regular", "Two things were seen.")), *line]), name="naps.pdf")
    assert "24 nurses took part" in paper.text
    assert not paper.warnings
