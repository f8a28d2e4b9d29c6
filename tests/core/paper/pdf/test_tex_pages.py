"""Pages as TeX and authors set them: long abstracts, notes at the foot, captions and tables in the type of the body."""

from __future__ import annotations

from core.paper import Kind, Paper, read_paper
from tests.core.paper.pdf.pages import Text, column, pdf, prose

_TITLE = Text(60, 780, "A randomised trial of sleep training for nurses who work", 20, "bold")
_ABSTRACT = [Text(60, 700, "Abstract", 12, "bold"), *column(60, 684, prose("Sleep was short", 4, width=15))]
_FIRST = [_TITLE, *_ABSTRACT, Text(60, 600, "Methods", 12, "bold"), *column(60, 584, prose("Nurses came", 9, width=15))]


def _read(*pages: list[Text]) -> Paper:
    return read_paper(pdf(*pages), name="article.pdf")


def _texts(paper: Paper, kind: Kind) -> list[str]:
    return [sentence.text for sentence in paper.sentences if sentence.kind is kind]


def test_an_abstract_in_small_type_goes_on_over_the_first_page() -> None:
    first = [
        _TITLE,
        Text(60, 200, "Abstract", 12, "bold"),
        *column(80, 184, prose("Sleep was", 9)[:-1], size=9, font="sans"),
    ]
    lines = [
        "and the rest of the abstract stands on the next page of the paper.",
        "It ends after two lines, and no more.",
    ]
    body = [Text(60, 700, "Introduction", 12, "bold"), *column(60, 684, prose("Shift work", 40, width=15))]
    abstract = _texts(_read(first, column(80, 780, lines, size=9, font="sans") + body), Kind.ABSTRACT)
    assert any("and the rest of the abstract stands on the next page" in text for text in abstract)


def test_a_note_wider_than_the_abstract_above_it_does_not_hide_it() -> None:
    lines = [
        "Abstract. Sleep was short, and nurses of all ages were rather",
        *["tired in all of the many wards where they worked in those years,"] * 12,
    ]
    abstract = column(110, 640, lines, size=9, font="sans")
    note = "* Correspondence to: Ann Example, 12 Night Street in the old part of the town of Sleepham, Ruritania, by letter"
    body = [Text(60, 780, "Methods", 12, "bold"), *column(60, 760, prose("We", 40, width=15))]
    paper = _read([_TITLE, *abstract, Text(60, 480, note, 9, "sans")], body)
    assert len(_texts(paper, Kind.ABSTRACT)) > 0


def test_a_note_with_its_mark_set_out_is_one_paragraph_and_no_text() -> None:
    body = [Text(60, 780, "Results", 12, "bold"), *column(60, 764, prose("Most slept", 20, width=15)[:-1])]
    note = [
        Text(
            60,
            100,
            "* Correspondence to: Ann Example, 12 Night Street in the old part of the town of Sleepham, and",
            10,
        ),
        Text(70, 90, "letters to the editor of the journal at the place that stands on the cover of this issue.", 10),
    ]
    assert "cover of this issue" not in _read(_FIRST, body + note).text


def test_a_colon_tells_a_caption_in_body_type_at_the_head_of_a_page() -> None:
    end = [Text(60, 780, "Results", 12, "bold"), *column(60, 764, prose("Most slept", 20, width=15)[:-1])]
    caption = Text(150, 780, "Figure 2: Sleep of the nurses by group")
    paper = _read(_FIRST, end, [caption, *column(60, 600, ["and the rest of it.", *prose("We saw", 20, width=15)])])
    assert "Figure 2: Sleep of the nurses by group" in _texts(paper, Kind.CAPTION)
    assert any("and the rest of it." in text for text in _texts(paper, Kind.BODY))


def test_a_bibliography_without_a_heading_is_left_out() -> None:
    entries = [
        line
        for number in range(1, 9)
        for line in (
            f"[{number}] A. Example, B. Sample, C. Specimen and D. Instance, on the many nights that number {number}",
            "of the nurses spent awake, and on what they did in all the hours until the morning came,",
            "with a remark on the length of the shortest night of the year in the town, in the journal",
            "that all the others who have ever written about nights have read and then cited there.",
        )
    ]
    end = [Text(60, 780, "Results", 12, "bold"), *column(60, 764, prose("Most slept", 9, width=15))]
    paper = _read(
        _FIRST, column(60, 780, prose("We asked", 50, width=15)), end + column(60, 560, entries, size=9, font="sans")
    )
    assert "Most slept" in paper.text
    assert "Specimen" not in paper.text


def test_a_label_in_capitals_has_its_title_below_it() -> None:
    page = [
        Text(184, 780, "TABLE 1", 8),
        Text(124.5, 770, "WHAT THE NURSES OF BOTH GROUPS WERE LIKE", 6.4),
        Text(174, 761, "AT BASELINE", 8),
    ]
    for row, name in enumerate(("Age", "Height", "Hours")):
        page += [
            Text(60, 740 - 10 * row, name, 8),
            Text(180, 740 - 10 * row, "31.2", 8),
            Text(260, 740 - 10 * row, "30.9", 8),
        ]
    paper = _read(_FIRST, page + column(60, 600, prose("We saw", 20, width=15)))
    assert any(text.endswith("WERE LIKE AT BASELINE") for text in _texts(paper, Kind.CAPTION))


def test_a_table_in_body_type_ends_where_text_begins() -> None:
    rows = [
        ("", "Training", "None"),
        ("Hours of sleep in a night",),
        ("Mean (standard deviation)", "7.1 (0.6)", "6.2 (0.7)"),
        ("Shifts in a month",),
        ("Median (range)", "12 (4-20)", "13 (5-21)"),
    ]
    page = [Text(60, 780, "Table 1: Sleep and shifts", 10, "bold")]
    for at, row in enumerate(rows):
        page += [Text(x, 762 - 12 * at, cell) for x, cell in zip((60, 185, 235), row, strict=False) if cell]
    columns = [*column(60, 690, prose("We saw", 40)), *column(330, 780, prose("They saw", 50))]
    paper = _read(_FIRST, page + columns, [*column(60, 780, prose("All", 50)), *column(330, 780, prose("Both", 50))])
    table = _texts(paper, Kind.TABLE)
    assert "Mean (standard deviation) | 7.1 (0.6) | 6.2 (0.7)" in table
    assert "Shifts in a month" in table
    assert any(text.startswith("We saw") for text in _texts(paper, Kind.BODY))


def test_text_below_a_wide_table_is_no_row_of_it() -> None:
    words = "nurses in both groups slept longer"  # fills a column
    columns = [text for x in (45, 218, 391) for text in column(x, 640, [words] * 30)]
    first = [_TITLE, Text(45, 660, "Methods", 12, "bold"), *columns]
    table = [Text(45, 780, "Table 1. Sleep at eight weeks", 8, "bold")]
    for row in range(6):
        table += [Text(x, 766 - 11 * row, cell, 8) for x, cell in ((45, f"Ward {row}"), (260, "7.1"), (430, "6.4"))]
    below = [
        Text(218, 690, "Discussion", 12, "bold"),
        *column(218, 676, [words] * 8),
        *column(391, 690, ["recommending convalescent therapy"] * 2 + [words] * 6),
    ]
    paper = _read(first, table + below)
    assert "Discussion" in [section.title for section in paper.sections]
    assert paper.text.count("recommending convalescent therapy") == 2
