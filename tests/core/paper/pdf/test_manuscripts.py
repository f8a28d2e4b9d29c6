"""What TeX and manuscripts under review do: their fonts, the numbers of headings and of lines, title pages."""

from __future__ import annotations

from core.paper import Kind, Paper, SectionKind, read_paper
from tests.core.paper.pdf.pages import Text, column, pdf, prose

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
