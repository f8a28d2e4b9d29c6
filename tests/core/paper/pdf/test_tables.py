"""Tables, captions, the text of figures, and what belongs to numbers, each on a page made for it."""

from __future__ import annotations

import pytest

from core.paper import Kind, Paper, read_paper
from tests.core.paper.pdf.pages import Text, column, pdf, prose

# ---- Tables, the text of figures, and what belongs to numbers, each on a page made for it ----


def page_with(*pieces: Text) -> list[Text]:
    """A page with prose at its head and foot, the pieces between."""
    head = column(60, 800, prose("Nurses took part", 6, width=15))
    return [*head, *pieces, *column(60, 120, prose("They slept", 6, width=15))]


def read(*pages: list[Text]) -> Paper:
    opening = [
        Text(60, 780, "A randomised trial of sleep training for nurses", 20, "bold"),
        Text(60, 740, "Introduction", 12, "bold"),
        *column(60, 720, prose("Shift work", 40, width=15)),
    ]
    paper = read_paper(pdf(opening, *pages), name="trial.pdf")
    assert all(paper.text[s.start : s.end] == s.text for s in paper.sentences)
    return paper


def row(y: float, *cells: tuple[float, str]) -> list[Text]:
    return [Text(x, y, text, 8) for x, text in cells]


def floats(paper: Paper) -> list[str]:
    return [s.text for s in paper.sentences if s.kind in {Kind.CAPTION, Kind.TABLE}]


def simple_table(y: float, name: str) -> list[Text]:
    """Three rows, 12 points apart."""
    return [
        *row(y, (60, f"{name} group"), (200, "Training"), (300, "Waiting list")),
        *row(y - 12, (60, f"{name} nurses"), (200, "34 (33%)"), (300, "35 (34%)")),
        *row(y - 24, (60, f"{name} doctors"), (200, "69 (67%)"), (300, "68 (66%)")),
    ]


def test_rows_stand_with_the_caption_below_them_where_the_paper_has_it_so() -> None:
    caption_one, caption_two = "Table 1: Ward staff", "Table 2: Theatre staff"
    paper = read(
        page_with(
            *simple_table(600, "Ward"),
            Text(60, 556, caption_one, 8, "bold"),
            *simple_table(536, "Theatre"),
            Text(60, 492, caption_two, 8, "bold"),
        )
    )
    assert floats(paper) == [
        caption_one,
        "Ward group | Training | Waiting list",
        "Ward nurses | 34 (33%) | 35 (34%)",
        "Ward doctors | 69 (67%) | 68 (66%)",
        caption_two,
        "Theatre group | Training | Waiting list",
        "Theatre nurses | 34 (33%) | 35 (34%)",
        "Theatre doctors | 69 (67%) | 68 (66%)",
    ]


def test_one_page_of_the_paper_tells_where_the_captions_of_another_stand() -> None:
    below = page_with(*simple_table(600, "Ward"), Text(60, 556, "Table 1: Ward staff", 8, "bold"))
    both = page_with(
        *simple_table(600, "Theatre"), Text(60, 556, "Table 2: Theatre staff", 8, "bold"), *simple_table(536, "Loose")
    )
    shown = floats(read(below, both))
    assert shown[4:6] == ["Table 2: Theatre staff", "Theatre group | Training | Waiting list"]
    assert [text for text in shown if text.startswith("Loose")] == []  # three rows: too few without a caption


def test_rows_without_a_caption_are_kept() -> None:
    more = row(564, (60, "Ward porters"), (200, "9 (9%)"), (300, "8 (8%)"))
    last = row(552, (60, "Ward cooks"), (200, "7 (7%)"), (300, "6 (6%)"))
    assert floats(read(page_with(*simple_table(600, "Ward"), *more, *last)))[-2:] == [
        "Ward porters | 9 (9%) | 8 (8%)",
        "Ward cooks | 7 (7%) | 6 (6%)",
    ]


def test_cells_follow_the_columns_of_the_whole_table() -> None:
    paper = read(
        page_with(
            Text(60, 640, "Table 1. Sleep", 8, "bold"),
            *row(620, (60, "Outcome"), (200, "n"), (214, "Before"), (260, "After"), (310, "P value")),
            *row(608, (60, "Hours slept"), (200, "42"), (214, "80.8 (37.2)"), (260, "72.9 (37.0)"), (310, "0.015")),
            *row(596, (60, "Naps"), (200, "41"), (214, "114.7 (7.01)"), (260, "105.7 (3.1)"), (310, "0.25")),
            *row(584, (60, "Wakings"), (200, "40"), (260, "5.7 (3.1)")),
            *row(572, (60, "Dreams"), (200, "42"), (214, "1.7 (0.1)"), (260, "2.7 (0.2)"), (310, "0.04")),
        )
    )
    assert floats(paper)[1:] == [
        "Outcome | n | Before | After | P value",
        "Hours slept | 42 | 80.8 (37.2) | 72.9 (37.0) | 0.015",
        "Naps | 41 | 114.7 (7.01) | 105.7 (3.1) | 0.25",
        "Wakings | 40 |  | 5.7 (3.1) |",
        "Dreams | 42 | 1.7 (0.1) | 2.7 (0.2) | 0.04",
    ]
    assert paper.warnings == ()


@pytest.mark.parametrize("matrix", ["0 1 -1 0 {0} {1}", "0 -1 1 0 {1} {0}"])
def test_a_table_set_sideways_is_read_as_the_reader_would_turn_the_page(matrix: str) -> None:
    page = [
        Text(60, 440, "Table 1. Sleep", 8, "bold"),
        *row(420, (60, "Outcome"), (200, "Before"), (260, "After")),
        *row(408, (60, "Hours slept"), (200, "80.8 (37.2)"), (260, "72.9 (37.0)")),
        *row(396, (60, "Naps in a week"), (200, "1.7 (0.1)"), (260, "2.7 (0.2)")),
    ]
    data = pdf(column(60, 780, prose("Shift work", 40, width=15)), page)
    for piece in page:
        upright = f"1 0 0 1 {piece.x} {piece.y} Tm"
        across = 500 - piece.y if matrix.startswith("0 1") else 700 - piece.x
        turned = matrix.format(across, piece.x if matrix.startswith("0 1") else piece.y)
        data = data.replace(upright.encode(), f"{turned} Tm".encode())
    assert floats(read_paper(data, name="trial.pdf")) == [
        "Table 1. Sleep",
        "Outcome | Before | After",
        "Hours slept | 80.8 (37.2) | 72.9 (37.0)",
        "Naps in a week | 1.7 (0.1) | 2.7 (0.2)",
    ]


def test_what_is_wrapped_inside_a_cell_joins_its_row() -> None:
    pieces = [
        Text(60, 640, "Table 1. Sleep", 8, "bold"),
        *row(620, (200, "Training"), (300, "Difference"), (380, "P value")),
        *row(611, (300, "(95% CI)")),
    ]
    expected = ["| Training | Difference (95% CI) | P value"]
    for index, (label, rest) in enumerate((("Hours slept", "a night"), ("Length of", "Naps"), ("Dreams", ""))):
        y = 596 - 24 * index
        pieces += row(y, (60, label), (200, f"{index + 1}.5"), (300, "-6.0"), (380, "0.015"))
        pieces += row(y - 9, *([(60, rest)] if rest else []), (300, "(-10.8 to -1.2)"))
        expected.append(f"{f'{label} {rest}'.strip()} | {index + 1}.5 | -6.0 (-10.8 to -1.2) | 0.015")
    assert floats(read(page_with(*pieces)))[1:] == expected


def test_rows_set_as_close_as_wrapped_lines_stay_apart() -> None:
    pieces = [Text(60, 640, "Table 1. Sleep", 8, "bold"), *row(620, (200, "Training"), (300, "Waiting list"))]
    for index, label in enumerate(("Hours", "Naps", "Dreams", "Longest sleep in the")):
        pieces += row(608 - 9 * index, (60, label), (200, f"{index}.5"), (300, f"{index}.7"))
    pieces += row(572, (60, "ICU, a week"))
    pieces += row(563, (60, "eGFR, all"))
    pieces += row(550, (60, "In summer"), (200, "7.5"), (300, "7.7"))
    assert floats(read(page_with(*pieces)))[2:] == [
        "Hours | 0.5 | 0.7",
        "Naps | 1.5 | 1.7",
        "Dreams | 2.5 | 2.7",
        "Longest sleep in the ICU, a week | 3.5 | 3.7",
        "eGFR, all",
        "In summer | 7.5 | 7.7",
    ]


def test_a_value_for_two_columns_is_one_cell() -> None:
    pieces = [Text(60, 640, "Table 1. Sleep", 8, "bold"), *row(620, (200, "Training"), (300, "Waiting list"))]
    for index in range(4):
        pieces += row(608 - 12 * index, (60, f"Hours in week {index}"), (200, f"{index}.5"), (300, f"{index}.7"))
    pieces += row(560, (60, "P value"), (255, "0.02"))
    assert floats(read(page_with(*pieces)))[-1] == "P value | 0.02"


def test_columns_that_cannot_be_told_apart_are_one_line_with_a_warning() -> None:
    pieces = [Text(60, 640, "Table 1. Sleep", 8, "bold")]
    for index in range(6):
        pieces += row(620 - 12 * index, (60 + 41 * index, "Nurses slept"), (140 + 41 * index, f"for {index}.5 hours"))
    paper = read(page_with(*pieces))
    assert floats(paper)[1] == "Nurses slept for 0.5 hours"
    assert [(w.kind, w.page, w.message) for w in paper.warnings] == [
        ("table-columns", 2, "The columns of a table on page 2 could not be told apart; check its rows on the page.")
    ]


def test_a_bibliography_beside_a_table_is_no_part_of_it() -> None:
    left = [Text(60, 640, "Table 1. Sleep", 8, "bold"), *simple_table(620, "Ward")]
    left = [Text(60 + (piece.x - 60) / 2, piece.y, piece.text, 8, piece.font) for piece in left]
    entries = [f"{index}. Example A, Sample B. Sleep of nurses in wards. J Med 2020" for index in range(12)]
    right = [Text(320, 640 - 9 * index, entry, 8) for index, entry in enumerate(entries)]
    above = [*column(60, 800, prose("Nurses took", 12, width=8)), *column(320, 800, prose("We asked", 12, width=8))]
    pages = [
        [*column(60, 800, prose(f"Page {n}", 50, width=8)), *column(320, 800, prose(f"Side {n}", 50, width=8))]
        for n in range(3)
    ]
    assert "Example A" not in " ".join(floats(read(*pages, [*above, *left, *right])))


def test_text_inside_a_figure_is_left_out_with_one_warning() -> None:
    lettering = [Text(100 + 60 * n, 600 - 20 * n, f"Hazard {n} 0.{n}3", 7, "sans") for n in range(4)]
    captions = [Text(60, 500, "Figure 1: Hazards of the night", 8, "bold"), Text(60, 300, "Figure 2: Days", 8, "bold")]
    days = [Text(100, 400 - 15 * n, f"Day {n} and {n}3 nights", 7, "sans") for n in range(4)]
    paper = read(page_with(*lettering, *captions, *days))
    assert "Hazard 1" not in paper.text
    assert [(w.kind, w.page) for w in paper.warnings] == [("figure-text", 2)]


def test_the_letters_of_a_figures_parts_need_no_warning() -> None:
    parts = [Text(60, 600, "A", 9, "sans"), Text(300, 600, "B", 9, "sans")]
    assert read(page_with(*parts, Text(60, 500, "Figure 1: Hazards", 8, "bold"))).warnings == ()


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("fell in few of them (2%–", "47%) after", "(2%–47%) after"),
        ("which is likely—", "and was known", "likely—and was"),
        ("which is likely", "—and was known", "likely—and was"),
        ("the inhibitor–", "induced sleep", "inhibitor–induced sleep"),
        ("in some wards –", "all in towns", "wards – all"),
    ],
)
def test_no_space_after_a_dash_at_the_end_of_a_line(first: str, second: str, expected: str) -> None:
    lines = [f"Nurses who work at night for a whole year in all the wards of a town slept {first}", second]
    text = read(
        [*column(60, 780, prose("We asked", 6, width=15)), *column(60, 690, [*lines, *prose("as we saw", 6, width=15)])]
    ).text
    assert expected in text


@pytest.mark.parametrize(("unit", "raised"), [("1.73m", "2"), ("10mm", "3"), ("5 cm", "2")])
def test_a_raised_digit_after_a_unit_is_an_exponent(unit: str, raised: str) -> None:
    data = pdf(
        [Text(60, 780, "Methods", 12, "bold"), *column(60, 764, prose("Nurses", 9, width=15)), Text(60, 600, "@@@")]
    )
    shown = b"(a filtration rate of %b) Tj /regular 6 Tf 4 Ts (%b) Tj /regular 10 Tf 0 Ts ( or more.) Tj"
    data = data.replace(b"(@@@) Tj", shown % (unit.encode(), raised.encode()))
    assert f"{unit}{raised} or more" in read_paper(data, name="trial.pdf").text


def test_a_label_that_is_longer_than_the_others_keeps_its_words_and_its_value() -> None:
    rows = [
        row(
            560 - 12 * n, (60, f"Item {n} of the ward, years"), (240, f"{30 + n}.{n} (8.{n})"), (320, f"{31 + n}.0 (9)")
        )
        for n in range(22)
    ]
    rows[3] = row(524, (60, "Hours of sleep in the week before the first visit"), (240, "6.1 (1.2)"), (320, "6.3 (1)"))
    rows[4] = row(515, (60, "of a nurse, hours"))
    cells = [piece for pieces in rows for piece in pieces]
    shown = floats(read(page_with(Text(60, 576, "Table 1: Ward staff", 8, "bold"), *cells)))
    assert "Hours of sleep in the week before the first visit of a nurse, hours | 6.1 (1.2) | 6.3 (1)" in shown


def test_the_heading_of_a_first_column_that_sticks_out_to_the_left_of_the_caption() -> None:
    table = [
        Text(160, 600, "Table 1: Ward staff of the hospitals that took part in it", 8, "bold"),
        Text(60, 583, "Characteristic", 8, "bold"),
        *row(577, (200, "Training"), (300, "Waiting list")),
        Text(60, 571, "of nurses", 8, "bold"),
        *row(556, (60, "Age, years"), (200, "34.1 (8.2)"), (300, "35.0 (8.5)")),
        *row(544, (60, "Women"), (200, "81 (78%)"), (300, "79 (76%)")),
        *row(532, (60, "Nights a month"), (200, "6.1 (2.0)"), (300, "6.4 (2.2)")),
    ]
    shown = floats(read(page_with(*table)))
    assert shown[1] == "Characteristic of nurses | Training | Waiting list"


def test_each_note_below_a_table_stands_for_itself() -> None:
    notes = [
        "*Mean and standard deviation of all who answered the question at baseline.",
        "†Counted on the ward by a nurse who did not know the group of anybody there.",
    ]
    table = [*simple_table(600, "Ward"), *[Text(60, 560 - 10 * n, note, 8) for n, note in enumerate(notes)]]
    assert floats(read(page_with(Text(60, 616, "Table 1: Ward staff", 8, "bold"), *table)))[-2:] == notes


def test_a_table_goes_on_at_the_head_of_the_next_page() -> None:
    head = column(60, 800, prose("Nurses took part", 40, width=15))
    first = [*head, Text(60, 120, "Table 1: Ward staff", 8, "bold"), *simple_table(100, "Ward")]
    rest = row(720, (60, "Porters"), (200, "9 (2%)"), (300, "8 (2%)"))
    following = column(60, 690, prose("They slept", 20, width=15))
    assert floats(read(first, [*rest, *following]))[-1] == "Porters | 9 (2%) | 8 (2%)"
    other = [Text(x, 720, text, 7, "sans") for x, text in ((60, "Enrolled"), (200, "Lost"))]
    assert floats(read(first, [*other, *following]))[-1].startswith("Ward doctors")
    below = [*first, Text(60, 60, "and this is a line of the text that stands below the table on its page.")]
    assert floats(read(below, [*rest, *following]))[-1].startswith("Ward doctors")


# ---- Captions of figures, each on a page made for it ----


def read_captions(*captions: Text) -> Paper:
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
    paper = read_captions(
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
    paper = read_captions(
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
    assert captions_of(read_captions(title, Text(60, 390, "*All who were asked to.", 8))) == (
        "Figure 1: Flow of nurses. *All who were asked to."
    )
    goes_on = [Text(60, 390, "Through the trial.", 8, "bold"), Text(129, 390, "All who were asked.", 8)]
    assert (
        captions_of(read_captions(title, *goes_on)) == "Figure 1: Flow of nurses Through the trial. All who were asked."
    )


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
    assert captions_of(read_captions(*caption, *rows)) == (
        "Fig. 1 | Flow of all the nurses through the trial. Boxes show how many were asked."
    )
