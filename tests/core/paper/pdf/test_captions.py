"""Captions of figures, each on a page made for it."""

from __future__ import annotations

from core.paper import Kind, Paper, read_paper
from tests.core.paper.pdf.pages import Text, column, pdf, prose


def read(*captions: Text) -> Paper:
    opening = [
        Text(60, 780, "A randomised trial of sleep training for nurses", 20, "bold"),
        Text(60, 740, "Introduction", 12, "bold"),
        *column(60, 720, prose("Shift work", 40, width=8)),
        *column(320, 720, prose("Night work", 40, width=8)),
    ]
    body = [*column(60, 300, prose("Nurses slept", 8, width=8)), *column(320, 300, prose("They woke", 8, width=8))]
    return read_paper(pdf(opening, [*captions, *body]), name="trial.pdf")


def captions_of(paper: Paper) -> str:
    return " ".join(s.text for s in paper.sentences if s.kind is Kind.CAPTION)


def test_a_caption_set_in_two_columns_is_read_down_the_first_and_then_the_second() -> None:
    paper = read(
        Text(60, 400, "Fig. 1 | Flow of all the nurses", 8, "bold"),
        Text(60, 390, "through the trial. Boxes show how", 8),
        Text(60, 380, "many were asked, and how many of", 8),
        Text(320, 400, "them took part in it. Arrows show", 8),
        Text(320, 390, "who left before the end.", 8),
    )
    assert captions_of(paper) == (
        "Fig. 1 | Flow of all the nurses through the trial. Boxes show how many were asked, "
        "and how many of them took part in it. Arrows show who left before the end."
    )
    assert "took part in it" not in " ".join(s.text for s in paper.sentences if s.kind is Kind.BODY)


def test_captions_beside_each_other_stay_apart() -> None:
    paper = read(
        Text(60, 400, "Fig. 1 | Flow of all the nurses", 8, "bold"),
        Text(60, 390, "through the trial, and why they left.", 8),
        Text(320, 400, "Fig. 2 | Sleep by night", 8, "bold"),
        Text(320, 390, "of all who took part in it.", 8),
    )
    assert captions_of(paper) == (
        "Fig. 1 | Flow of all the nurses through the trial, and why they left. "
        "Fig. 2 | Sleep by night of all who took part in it."
    )


def test_the_title_of_a_caption_ends_where_its_type_does() -> None:
    title = Text(60, 400, "Figure 1: Flow of nurses", 8, "bold")
    assert captions_of(read(title, Text(60, 390, "*All who were asked to.", 8))) == (
        "Figure 1: Flow of nurses. *All who were asked to."
    )
    goes_on = [Text(60, 390, "Through the trial.", 8, "bold"), Text(129, 390, "All who were asked.", 8)]
    assert captions_of(read(title, *goes_on)) == "Figure 1: Flow of nurses Through the trial. All who were asked."


def test_rows_of_a_table_beside_a_caption_are_no_part_of_it() -> None:
    rows = [
        Text(x, 400 - 10 * n, text, 8)
        for n, row in enumerate((("Group", "Hours"), ("Training", "6.1"), ("Waiting list", "5.4")))
        for x, text in zip((320, 420), row, strict=True)
    ]
    caption = [
        Text(60, 400, "Fig. 1 | Flow of all the nurses", 8, "bold"),
        Text(60, 390, "through the trial. Boxes show how", 8),
        Text(60, 380, "many were asked.", 8),
    ]
    assert captions_of(read(*caption, *rows)) == (
        "Fig. 1 | Flow of all the nurses through the trial. Boxes show how many were asked."
    )
