"""What TeX and manuscripts under review do: fonts, numbers, title pages, long abstracts, notes, captions."""

from __future__ import annotations

from core.paper import Kind, Paper, SectionKind, read_paper
from tests.core.paper.pdf.pages import Text, column, pdf, prose

# ---- What TeX and manuscripts under review do: their fonts, the numbers of headings and of lines, title pages ----

_TITLE = Text(60, 760, "A randomised trial of sleep training for nurses who work", 20, "bold")
_ABSTRACT = [Text(60, 700, "Abstract", 12, "bold"), *column(60, 684, prose("Sleep was short", 4, width=15))]


def _read(*pages: list[Text]) -> Paper:
    return read_paper(pdf(*pages), name="manuscript.pdf")


def _headings(paper: Paper) -> list[tuple[str, int]]:
    return [(section.title, section.level) for section in paper.sections]


def _part(y: float, title: str, first: str, font: str = "bold") -> list[Text]:
    """A heading and a paragraph of five lines."""
    return [Text(60, y, title, 10, font), *column(60, y - 14, prose(first, 5, width=15))]


def test_roman_numbers_and_letters_of_headings_tell_their_levels() -> None:
    paper = _read(
        [_TITLE, *_ABSTRACT, *_part(600, "I. INTRODUCTION", "Shift work", "regular")],
        [
            *_part(780, "II. MATERIALS AND METHODS", "Nurses came", "regular"),
            *_part(680, "A. Study design and participants", "They slept", "italic"),
            *_part(580, "B. Statistical analysis", "We counted", "italic"),
            *_part(480, "III. RESULTS", "Most slept", "regular"),
        ],
    )
    assert _headings(paper)[2:] == [
        ("INTRODUCTION", 1),
        ("MATERIALS AND METHODS", 1),
        ("Study design and participants", 2),
        ("Statistical analysis", 2),
        ("RESULTS", 1),
    ]


def test_a_letter_is_part_of_a_heading_where_no_parts_have_roman_numbers() -> None:
    paper = _read(
        [_TITLE, *_ABSTRACT, *_part(600, "Methods", "Shift work")], [*_part(780, "C. Difficile Infection", "It")]
    )
    assert _headings(paper)[-1][0] == "C. Difficile Infection"


def test_a_font_of_tex_is_bold_by_its_name() -> None:
    text = [Text(60, 586, "Participants.", 10, "tex-bold"), Text(130, 586, "We asked all nurses of the hospital who")]
    paper = _read([_TITLE, *_ABSTRACT, Text(60, 600, "Methods", 12, "bold"), *text, *column(60, 574, prose("Few", 9))])
    assert "Participants." in [s.text for s in paper.sentences if s.kind is Kind.HEADING]


def test_a_centred_heading_above_an_indented_line_of_a_narrow_column() -> None:
    first, *rest = prose("Nurses came", 20, width=8)
    right = [Text(320, 780 - 12 * index, line) for index, line in enumerate(prose("Right", 40, width=8))]
    left = [Text(134, 780, "B. Protocol", 9, "bold"), Text(80, 756, first), *column(60, 744, rest)]
    paper = _read([_TITLE, *_ABSTRACT, *_part(600, "II. METHODS", "Shift work")], left + right)
    assert _headings(paper)[-1] == ("Protocol", 2)


def test_the_names_on_a_title_page_are_no_text_where_an_abstract_is_to_come() -> None:
    names = [f"Ann Example and Ben Sample of the University of Night at number {at} of the street" for at in range(6)]
    paper = _read(
        [_TITLE, *column(60, 700, names)],
        [Text(60, 780, "Abstract", 12, "bold"), *column(60, 764, prose("Sleep was short", 4, width=15))],
        _part(780, "Introduction", "Shift work"),
    )
    assert [section.kind for section in paper.sections][1:] == [SectionKind.ABSTRACT, SectionKind.INTRODUCTION]
    assert "University of Night" not in paper.text


def _numbered(number: int, y: float, text: str, size: float = 10, font: str = "regular") -> list[Text]:
    """A line with its number in the margin."""
    return [Text(44, y, str(number), 6), Text(60, y, text, size, font)]


def test_the_small_numbers_of_lines_leave_headings_as_they_are_and_repeat_on_no_page() -> None:
    pages = []
    lines = prose("Nurses came", 24, width=15)
    for at, title in enumerate(("Abstract", "Introduction", "Methods", "Results")):
        numbers = [(25 * at + index + 1, 756 - 24 * index, line) for index, line in enumerate(lines, 1)]
        page = _numbered(25 * at + 1, 780, title, 12, "bold")
        pages.append(page + [text for line in numbers for text in _numbered(*line)])
    short = [
        *_numbered(101, 780, "A last sentence stands on a page of its own, and its number"),
        *_numbered(102, 756, "goes on."),
    ]
    paper = _read([_TITLE], *pages, short)
    assert [title for title, _ in _headings(paper)][1:] == ["Abstract", "Introduction", "Methods", "Results"]
    assert not any(character.isdigit() for character in paper.text)


def test_a_line_that_goes_on_after_a_raised_citation_and_its_own_number_is_one() -> None:
    page = [_TITLE, *_ABSTRACT, Text(60, 600, "Introduction", 12, "bold")]
    for number in range(1, 21):
        y = 600 - 20 * number
        page += [
            Text(60, y, "The nurses of this line had slept for some hours"),
            Text(249.8, y + 3.6, "4", 6),
            Text(44, y, str(number), 6),
            Text(253, y, ", and all of them in the line were asked."),
        ]
    body = [sentence.text for sentence in _read(page).sentences if sentence.kind is Kind.BODY]
    assert set(body) == {"The nurses of this line had slept for some hours[4], and all of them in the line were asked."}
    assert len(body) == 20


# ---- Pages as TeX and authors set them: long abstracts, notes at the foot, captions and tables in the type of the body ----

_TEX_TITLE = Text(60, 780, "A randomised trial of sleep training for nurses who work", 20, "bold")
_FIRST = [
    _TEX_TITLE,
    *_ABSTRACT,
    Text(60, 600, "Methods", 12, "bold"),
    *column(60, 584, prose("Nurses came", 9, width=15)),
]


def _read_tex(*pages: list[Text]) -> Paper:
    return read_paper(pdf(*pages), name="article.pdf")


def _texts(paper: Paper, kind: Kind) -> list[str]:
    return [sentence.text for sentence in paper.sentences if sentence.kind is kind]


def test_an_abstract_in_small_type_goes_on_over_the_first_page() -> None:
    first = [
        _TEX_TITLE,
        Text(60, 200, "Abstract", 12, "bold"),
        *column(80, 184, prose("Sleep was", 9)[:-1], size=9, font="sans"),
    ]
    lines = [
        "and the rest of the abstract stands on the next page of the paper.",
        "It ends after two lines, and no more.",
    ]
    body = [Text(60, 700, "Introduction", 12, "bold"), *column(60, 684, prose("Shift work", 40, width=15))]
    abstract = _texts(_read_tex(first, column(80, 780, lines, size=9, font="sans") + body), Kind.ABSTRACT)
    assert any("and the rest of the abstract stands on the next page" in text for text in abstract)


def test_a_note_wider_than_the_abstract_above_it_does_not_hide_it() -> None:
    lines = [
        "Abstract. Sleep was short, and nurses of all ages were rather",
        *["tired in all of the many wards where they worked in those years,"] * 12,
    ]
    abstract = column(110, 640, lines, size=9, font="sans")
    note = "* Correspondence to: Ann Example, 12 Night Street in the old part of the town of Sleepham, Ruritania, by letter"
    body = [Text(60, 780, "Methods", 12, "bold"), *column(60, 760, prose("We", 40, width=15))]
    paper = _read_tex([_TEX_TITLE, *abstract, Text(60, 480, note, 9, "sans")], body)
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
    assert "cover of this issue" not in _read_tex(_FIRST, body + note).text


def test_a_colon_tells_a_caption_in_body_type_at_the_head_of_a_page() -> None:
    end = [Text(60, 780, "Results", 12, "bold"), *column(60, 764, prose("Most slept", 20, width=15)[:-1])]
    caption = Text(150, 780, "Figure 2: Sleep of the nurses by group")
    paper = _read_tex(_FIRST, end, [caption, *column(60, 600, ["and the rest of it.", *prose("We saw", 20, width=15)])])
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
    paper = _read_tex(
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
    paper = _read_tex(_FIRST, page + column(60, 600, prose("We saw", 20, width=15)))
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
    paper = _read_tex(
        _FIRST, page + columns, [*column(60, 780, prose("All", 50)), *column(330, 780, prose("Both", 50))]
    )
    table = _texts(paper, Kind.TABLE)
    assert "Mean (standard deviation) | 7.1 (0.6) | 6.2 (0.7)" in table
    assert "Shifts in a month" in table
    assert any(text.startswith("We saw") for text in _texts(paper, Kind.BODY))


def test_text_below_a_wide_table_is_no_row_of_it() -> None:
    words = "nurses in both groups slept longer"  # fills a column
    columns = [text for x in (45, 218, 391) for text in column(x, 640, [words] * 30)]
    first = [_TEX_TITLE, Text(45, 660, "Methods", 12, "bold"), *columns]
    table = [Text(45, 780, "Table 1. Sleep at eight weeks", 8, "bold")]
    for row in range(6):
        table += [Text(x, 766 - 11 * row, cell, 8) for x, cell in ((45, f"Ward {row}"), (260, "7.1"), (430, "6.4"))]
    below = [
        Text(218, 690, "Discussion", 12, "bold"),
        *column(218, 676, [words] * 8),
        *column(391, 690, ["recommending convalescent therapy"] * 2 + [words] * 6),
    ]
    paper = _read_tex(first, table + below)
    assert "Discussion" in [section.title for section in paper.sections]
    assert paper.text.count("recommending convalescent therapy") == 2
