"""Columns, hyphens, running heads and what else stands on a page, each on a page made for it."""

from __future__ import annotations

import io

import pypdf
import pytest

from core.paper import Kind, Paper, SectionKind, read_paper
from tests.core.paper.pdf.pages import Text, column, pdf, prose


def read(*pages: list[Text], info: str = "") -> Paper:
    paper = read_paper(pdf(*pages, info=info), name="trial.pdf")
    assert all(paper.text[s.start : s.end] == s.text for s in paper.sentences)
    return paper


def heading(x: float, y: float, text: str, size: float = 12) -> Text:
    return Text(x, y, text, size, "bold")


TITLE = [
    Text(60, 780, "A randomised trial of sleep training for nurses who", 20, "bold"),
    Text(60, 756, "work at night", 20, "bold"),
    Text(60, 730, "Ann Example, Ben Sample", 9, "italic"),
]
ABSTRACT = [heading(60, 700, "Abstract"), *column(60, 684, prose("Sleep was short", 4, width=15))]


def first_page() -> list[Text]:
    """Title, abstract, and the beginning of an introduction in one column."""
    return [*TITLE, *ABSTRACT, heading(60, 610, "Introduction"), *column(60, 594, prose("Shift work", 6, width=15))]


def bodies(paper: Paper) -> str:
    return " ".join(s.text for s in paper.sentences if s.kind is Kind.BODY)


def test_front_of_a_paper() -> None:
    paper = read(first_page(), info="/Title (ignored.doc) /doi (10.5555/vouch.1)")
    assert paper.title == "A randomised trial of sleep training for nurses who work at night"
    assert paper.doi == "10.5555/vouch.1"
    assert [(s.title, s.kind) for s in paper.sections] == [
        ("Title", SectionKind.OTHER),
        ("Abstract", SectionKind.ABSTRACT),
        ("Introduction", SectionKind.INTRODUCTION),
    ]
    assert "Ann Example" not in paper.text


def test_two_columns_are_read_one_after_the_other_and_a_paragraph_goes_on_over_the_gutter() -> None:
    left = prose("Left column", 30, width=8, last="and the sentence goes on")
    right = ["in the right column until it ends.", *prose("A new start", 29, width=8)]
    paper = read(first_page(), [heading(60, 780, "Methods"), *column(60, 764, left), *column(320, 780, right)])
    assert "goes on in the right column until it ends." in bodies(paper)
    text = bodies(paper)
    assert text.index("Left column") < text.index("goes on") < text.index("A new start")


def test_what_spans_both_columns_divides_the_page() -> None:
    upper = [*column(60, 780, prose("First left", 10, width=8)), *column(320, 780, prose("First right", 10, width=8))]
    across = [heading(60, 640, "Results of the whole trial, over both columns of the page, in all its parts")]
    lower = [*column(60, 620, prose("Second left", 10, width=8)), *column(320, 620, prose("Second right", 10, width=8))]
    text = read(first_page(), upper + across + lower).text
    places = [text.index(f"{row} {side}") for row in ("First", "Second") for side in ("left", "right")]
    assert places == sorted(places)
    assert places[1] < text.index("Results of the whole trial") < places[2]


def test_running_heads_page_numbers_and_download_notes_are_removed() -> None:
    pages = []
    for number in range(1, 6):
        body = first_page() if number == 1 else column(60, 740, prose(f"Page {number} begins", 40, width=15))
        furniture = [
            Text(60, 810, "Example et al"),
            Text(300, 810, f"J Invented Med 2024;{number}"),
            Text(290, 30, str(number)),
            Text(60, 18, "Downloaded from example.org on 1 May 2024"),
        ]
        pages.append(body + furniture)
    text = read(*pages).text
    for furniture_text in ("Example et al", "J Invented", "Downloaded", "\n\n3"):
        assert furniture_text not in text
    assert "Page 5 begins" in text


def test_a_table_head_repeated_at_the_top_of_pages_is_no_running_head() -> None:
    pages = [first_page()]
    for number in range(2, 6):
        head = [Text(60, 810, "Example et al"), *column(60, 780, prose("The same opening words", 40, width=15))]
        pages.append([*head, Text(60, 200, f"closing line number {number}.")])
    assert read(*pages).text.count("The same opening words") == 4


def test_line_numbers_are_removed() -> None:
    lines = column(80, 780, prose("Manuscript text", 40, width=14))
    numbers = [Text(40, 780 - 12 * index, str(index + 1), 8) for index in range(40)]
    paper = read(first_page(), lines + numbers)
    assert not any(character.isdigit() for character in bodies(paper))


def test_hyphens_at_line_ends_follow_the_papers_own_spelling() -> None:
    lines = [
        "The intervention was long-term and the randomisation was done by an independent statistician who",
        "had no other part in the trial. Patients were told of the interven-",
        "tion and of the long-",
        "term aims before placebo-",
        "controlled treatment began with 10-",
        "week courses. We measured high- and low-",
        "dose groups at the end of the trial, and magnesium-",
        "treated patients slept. The supple-",
        "ments were weighed. A nonfatal or a fatal event was one that the NT-proBNP test of each patient and a non-",
        "fatal stroke foretold, or NT-proB-",
        "NP, given as ng/",
        "mL, with SGLT2-",
        "Inhibitors for all who wanted them and would take them every day of the weeks that the trial went on for.",
    ]
    text = bodies(read(first_page(), [heading(60, 780, "Methods"), *column(60, 764, lines)]))
    for wanted in (
        "the intervention and",
        "long-term aims",
        "placebo-controlled",
        "10-week",
        "high- and low-dose",
        "magnesium-treated",
        "supplements",
        "a nonfatal stroke",
        "NT-proBNP, given as ng/mL",
        "SGLT2-Inhibitors",
    ):
        assert wanted in text


def test_a_sentence_goes_on_in_the_next_column_inside_a_bracket_and_after_a_numbered_part() -> None:
    left = prose("Left column", 30, width=8, last="and it was less (95% CI:")
    right = ["-1.5, -0.5) in both groups; the aims were these two and no others at all;", *prose("(1) a first", 29)]
    paper = read(first_page(), [heading(60, 780, "Methods"), *column(60, 764, left), *column(320, 780, right)])
    wanted = "(95% CI: -1.5, -0.5) in both groups; the aims were these two and no others at all; (1) a first"
    assert any(wanted in sentence.text for sentence in paper.sentences)


def test_lines_of_two_columns_on_nearly_one_baseline_are_two() -> None:
    left = prose("Left column", 20, width=8)
    spread = [Text(60 + 35 * index, 656, word) for index, word in enumerate(["slept"] * 7)]
    page = [
        *column(60, 764, left[:9]),
        *spread,
        heading(306, 653.8, "Discussion", 10),
        *column(60, 644, left[9:]),
        *column(306, 764, prose("Right column", 9, width=8)),
        *column(306, 636, prose("A new start", 10, width=8)),
    ]
    paper = read(first_page(), [heading(60, 790, "Methods"), *page])
    assert "Discussion" in [section.title for section in paper.sections]
    assert not any("slept Discussion" in sentence.text for sentence in paper.sentences)


def test_a_statement_on_ethics_right_below_the_heading_of_the_methods_is_part_of_them() -> None:
    page = [
        heading(60, 780, "Methods", 14),
        heading(60, 764, "Ethics statement", 10),
        *column(60, 748, prose("The board approved", 5, width=15)),
        heading(60, 670, "Participants", 10),
        *column(60, 654, prose("Nurses took part", 5, width=15)),
        heading(60, 580, "Discussion", 14),
        *column(60, 564, prose("They slept", 5, width=15)),
        heading(60, 490, "Ethics statement", 10),
        *column(60, 474, prose("All of them agreed", 5, width=15)),
    ]
    paper = read(first_page(), page)
    assert "The board approved" in bodies(paper)
    assert "All of them agreed" not in bodies(paper)
    assert [section.title for section in paper.sections[3:]] == [
        "Methods",
        "Ethics statement",
        "Participants",
        "Discussion",
    ]
    assert paper.sections_left_out == ("Ethics statement",)


def test_a_sentence_goes_on_over_the_page_inside_a_bracket_that_has_another_in_it() -> None:
    left = prose("Left column", 30, width=8, last="as slept (t[50]=16.88; p<0.0001) and woke (t[50]=22.31;")
    paper = read(
        [*first_page(), heading(60, 500, "Methods"), *column(60, 484, left)],
        [Text(60, 780, "p<0.0001)."), *column(70, 768, prose("We then asked", 8, width=15))],
    )
    assert any(sentence.text.endswith("woke (t[50]=22.31; p<0.0001).") for sentence in paper.sentences)


def test_a_note_after_a_list_begins_a_paragraph_though_its_mark_is_a_small_letter() -> None:
    lines = [*column(60, 764, prose("We asked", 5, width=15)), Text(60, 690, "The list of the hospitals")]
    notes = [Text(60, 660, "a", 6, rise=3), *column(65, 660, prose("Listed as they were", 4, width=14))]
    paragraphs = read(first_page(), [heading(60, 780, "Methods"), *lines, *notes]).text.split("\n\n")
    assert any(paragraph.startswith("a Listed") for paragraph in paragraphs)


@pytest.mark.parametrize(
    ("before", "raised", "after", "expected"),
    [
        ("as others found.", "3,4", " We then asked", "found.[3,4] We"),
        ("as others found", "12", ", and we", "found[12], and"),
        ("a count of 10", "9", " cells per", "10^9 cells"),
        ("a dose of 1.2000", "9", " cells per", "1.2000^9 cells"),
        ("guidelines of 2001", "4", ". Then we", "2001[4]. Then"),
        ("an index of 27 kg/m", "2", " or more", "kg/m2 or"),
    ],
)
def test_raised_numbers(before: str, raised: str, after: str, expected: str) -> None:
    # The three pieces follow each other in one line: each is shown where the one before it ends.
    joined = pdf(
        first_page(),
        [heading(60, 780, "Methods"), *column(60, 764, prose("Some words", 4, width=15)), Text(60, 700, "@@@")],
    )
    escaped = [piece.encode() for piece in (before, raised, after)]
    shown = b"(%b) Tj /regular 6 Tf 4 Ts (%b) Tj /regular 10 Tf 0 Ts (%b nurses who slept.) Tj" % tuple(escaped)
    data = joined.replace(b"(@@@) Tj", shown)
    paper = read_paper(data, name="trial.pdf")
    assert expected in bodies(paper)


def test_headings_have_levels_and_left_out_sections_are_left_out() -> None:
    page = [
        heading(60, 780, "METHODS"),
        heading(60, 764, "Participants", 10),
        *column(60, 748, prose("Nurses took part", 5, width=15)),
        heading(60, 670, "RESULTS"),
        *column(60, 654, prose("They slept", 5, width=15)),
        heading(60, 570, "Acknowledgements"),
        *column(60, 554, prose("We thank everyone", 3, width=15)),
        heading(60, 500, "References"),
        *column(
            60,
            484,
            ["1. Example A. Sleep. J Invented Med 2020;1:1-9.", "2. Sample B. Rest. J Invented Med 2021;2:3-7."],
        ),
    ]
    paper = read(first_page(), page)
    assert [(s.title, s.level, s.kind) for s in paper.sections[3:]] == [
        ("METHODS", 1, SectionKind.METHODS),
        ("Participants", 2, SectionKind.METHODS),
        ("RESULTS", 1, SectionKind.RESULTS),
    ]
    assert paper.sections_left_out == ("Acknowledgements", "References")
    assert "thank" not in paper.text
    assert "Example A" not in paper.text


def test_a_structured_abstract_keeps_its_parts() -> None:
    lines = [
        Text(60, 684, "Methods:", 10, "bold"),
        Text(108, 684, "We studied nurses in nine hospitals who worked at night for a year."),
        Text(60, 672, "Results:", 10, "bold"),
        Text(104, 672, "They slept longer with the training than they did without any of it."),
        Text(60, 650, "Keywords: sleep; nurses; shift work"),
        Text(60, 636, "Correspondence to: Ann Example, Department of Sleep, ann@example.org"),
    ]
    page = [*TITLE, heading(60, 700, "Abstract"), *lines, heading(60, 610, "Introduction")]
    paper = read([*page, *column(60, 594, prose("Shift work", 6, width=15))], [
        heading(60, 780, "Methods"), *column(60, 764, prose("We asked", 5, width=15)),
        heading(60, 680, "Results"), *column(60, 664, prose("They slept", 5, width=15)),
    ])  # fmt: skip
    abstract = paper.sentences_of(paper.sections[1])
    assert [s.text for s in abstract if s.kind is Kind.HEADING] == ["Abstract", "Methods:", "Results:"]
    assert [s.kind for s in paper.sections[1:]] == [
        SectionKind.ABSTRACT, SectionKind.INTRODUCTION, SectionKind.METHODS, SectionKind.RESULTS,
    ]  # fmt: skip
    assert "Keywords" not in paper.text
    assert "ann@example.org" not in paper.text


def test_captions_and_tables_wait_for_the_end_of_the_paragraph() -> None:
    table = [
        Text(60, 500, "Table 1. Nurses at baseline", 8, "bold"),
        *[Text(x, 484, text, 8) for x, text in ((60, "Characteristic"), (200, "Training"), (300, "Waiting list"))],
        *[Text(x, 472, text, 8) for x, text in ((60, "Age, years"), (200, "34.1"), (300, "35.0"))],
        *[Text(x, 460, text, 8) for x, text in ((60, "Women"), (200, "81 (78%)"), (300, "79 (76%)"))],
        Text(60, 300, "Figure 1: Flow of participants", 8, "bold"),
        Text(60, 360, "Enrolled", 7, "sans"),
        Text(160, 340, "Lost", 7, "sans"),
    ]
    broken = prose("Nurses took part", 20, width=15, last="and this sentence ends only")
    following = ["on the next page, below its head.", *prose("Then another", 5, width=15)]
    paper = read(first_page(), [*column(60, 780, broken), *table], column(60, 780, following))
    sentence = next(s for s in paper.sentences if "ends only on the next page" in s.text)
    assert sentence.page == 2
    assert next(s for s in paper.sentences if s.text.startswith("Then another")).page == 3
    captions = [s for s in paper.sentences if s.kind is Kind.CAPTION]
    rows = [s.text for s in paper.sentences if s.kind is Kind.TABLE]
    assert [s.text for s in captions] == ["Table 1. Nurses at baseline", "Figure 1: Flow of participants"]
    assert captions[0].index > sentence.index
    assert rows == [
        "Characteristic | Training | Waiting list",
        "Age, years | 34.1 | 35.0",
        "Women | 81 (78%) | 79 (76%)",
    ]
    assert "Enrolled" not in paper.text


@pytest.mark.parametrize(
    ("title", "order"),
    [
        ("Box 2. Advice on sleep", ["Introduction", "Box 2. Advice on sleep", "Methods"]),
        ("What this study adds", ["Introduction", "Methods", "What this study adds"]),  # about the paper, no part of it
    ],
)
def test_a_box_has_a_section_of_its_own_at_the_end_of_the_section(title: str, order: list[str]) -> None:
    box = [
        heading(60, 780, title, 10),
        *column(60, 766, prose("Training helps", 5, width=15), size=9, font="sans"),
    ]
    rest = ["and goes on below the box.", *prose("Then more", 20, width=15)]
    before = prose("Shift work", 30, width=15, last="The last sentence of the page breaks off")
    paper = read([*TITLE, *ABSTRACT, heading(60, 610, "Introduction"), *column(60, 594, before)], [
        *box, *column(60, 680, rest), heading(60, 300, "Methods"), *column(60, 284, prose("We asked", 5, width=15)),
    ])  # fmt: skip
    assert "breaks off and goes on below the box." in bodies(paper)
    assert [s.title for s in paper.sections[2:]] == order


def test_a_large_initial_is_part_of_its_word() -> None:
    lines = [
        Text(60, 750, "N", 32, "bold"),
        Text(86, 764, "urses who work at night sleep badly and they often make errors at work too"),
        Text(86, 752, "and in the hospitals that we know of the rosters seldom let them rest enough"),
        *column(60, 740, prose("before they", 5, width=15)),
    ]
    assert "Nurses who work at night" in bodies(read(first_page(), lines))


SHORT = ["Dear colleagues", "We slept badly in all the nine hospitals", "Nobody asked the nurses", "With kind regards"]


def short_paragraphs() -> list[Text]:
    """Four paragraphs of 27 words or so each, set apart by empty lines."""
    return [
        piece for index, first in enumerate(SHORT) for piece in column(60, 780 - 60 * index, prose(first, 3, width=11))
    ]


def test_a_letter_without_headings_is_read_whole_and_says_so() -> None:
    paper = read(short_paragraphs())
    assert [first for first in SHORT if first not in bodies(paper)] == []
    assert [(w.kind, w.page) for w in paper.warnings] == [("no-headings", None)]


@pytest.mark.parametrize("title", [[], [heading(60, 540, "Rosters and rest")]])
def test_short_paragraphs_before_a_long_one_are_kept_where_no_section_has_a_usual_name(title: list[Text]) -> None:
    paper = read([*short_paragraphs(), *title, *column(60, 520, prose("At great length", 8, width=15))])
    text = bodies(paper)
    assert [first for first in [*SHORT, "At great length"] if text.count(first) != 1] == []
    assert [s.text for s in paper.sentences if s.kind is Kind.HEADING] == [piece.text for piece in title]
    assert [w.kind for w in paper.warnings] == ["no-headings"]


def test_a_letter_keeps_out_what_is_known_to_be_clutter() -> None:
    clutter = column(60, 500, ["Correspondence to: Ann Example, Department of Sleep, ann@example.org"])
    paper = read([*short_paragraphs(), *clutter])
    assert "ann@example.org" not in paper.text


def test_a_paper_with_headings_has_no_warning() -> None:
    assert read(first_page()).warnings == ()


def test_a_note_in_the_margin_does_not_part_the_sentence_beside_it() -> None:
    wide = "and all of this was done again by the nurses who had done it before, until the end of the whole trial."
    front = [
        *TITLE,
        Text(220, 700, "Abstract", 12, "bold"),
        *column(220, 684, prose("Sleep was short", 12, width=10, last="and this went on until the end of the trial.")),
        Text(60, 630, "Funding information", 9, "bold"),
        heading(60, 520, "Introduction, and the aims of the trial as they were before it began in all its wards"),
        *column(60, 504, prose("Shift work", 20, width=15, last=wide)),
    ]
    paper = read(front)
    abstract = [s.text for s in paper.sentences if s.kind is Kind.ABSTRACT]
    assert len(abstract) == 1
    assert "Funding information" not in paper.text


def test_an_equation_in_pieces_is_left_out_and_said_so() -> None:
    pieces = [(140, "Fractional excretion of FENa"), (222, "("), (262, ")"), (290, "%")]
    lines = [
        *column(60, 764, prose("We asked", 5, width=15, last="and reckoned as follows:")),
        *[Text(x, 698, text, 9 if text.isalnum() else 10) for x, text in pieces],
        *column(60, 680, prose("where FENa is", 4, width=15)),
    ]
    paper = read(first_page(), [heading(60, 780, "Methods"), *lines])
    assert "excretion" not in paper.text
    assert ("equation", 2) in {(warning.kind, warning.page) for warning in paper.warnings}
    assert "where FENa is" in bodies(paper)


def outlined(data: bytes, *titles: str) -> bytes:
    """The file with an outline of titles, all on its second page."""
    writer = pypdf.PdfWriter(clone_from=io.BytesIO(data))
    for title in titles:
        writer.add_outline_item(title=title, page_number=1)
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def test_the_outline_tells_a_heading_that_is_set_like_the_text() -> None:
    page = [
        heading(60, 780, "Methods"),
        *column(60, 764, prose("We asked", 5, width=15)),
        Text(60, 692, "Wards and nurses"),
        *column(60, 680, ["Nurses were asked in all the wards, and it was they who chose who took part in the trial."]),
        *column(60, 668, prose("Nine wards", 5, width=15)),
    ]
    data = pdf(first_page(), page)
    plain, with_outline = (
        read_paper(content, name="trial.pdf") for content in (data, outlined(data, "2 Wards", "Wards and Nurses", "We"))
    )
    assert [s.title for s in plain.sections][-1] == "Methods"
    assert [s.title for s in with_outline.sections][-2:] == ["Methods", "Wards and nurses"]


def test_statements_that_begin_in_bold_at_the_end_of_the_text_are_left_out() -> None:
    statements = [
        Text(60, 656, "Funding", 10, "bold"),
        Text(104, 656, "This trial was paid for by the hospitals that took part in it, and by nobody else."),
        Text(60, 640, "Provenance", 10, "bold"),
        Text(116, 640, "Not commissioned; seen by others before it was printed here in this journal."),
    ]
    page = [
        heading(60, 780, "Discussion"),
        *column(60, 764, prose("We found", 8, width=15)),
        *statements,
        heading(60, 600, "References"),
        *column(
            60, 584, ["1. Sample B. Sleep. J Sleep. 2019;3:1-9.", "2. Muster C. Work. J Work. 2020;4:2-8."], size=8
        ),
    ]
    paper = read(first_page(), page)
    assert paper.sections_left_out == ("Funding", "References")
    assert "paid for" not in paper.text
    assert "Not commissioned" not in paper.text


def test_a_box_of_key_points_beside_the_abstract_is_kept_apart() -> None:
    box = [
        Text(440, 700, "Key Points", 8, "bold"),
        *[Text(440, 688 - 10 * n, line, 8) for n, line in enumerate(("Does training help", "nurses to sleep?"))],
        *[Text(440, 660 - 10 * n, line, 8) for n, line in enumerate(("They slept for an", "hour longer."))],
    ]
    abstract = [
        Text(60, 700, "IMPORTANCE", 9, "bold"),
        *[Text(130, 700, "Nurses sleep too little in all the weeks after", 9)],
        *column(60, 688, prose("their nights", 3, width=14, last="and this was so in all of the hospitals that there are."), size=9),
        Text(60, 648, "INTERVENTIONS", 9, "bold"),
        *[Text(145, 648, "Training in sleep for all who wanted to learn it", 9)],
        *column(60, 636, prose("at night", 3, width=14), size=9),
    ]  # fmt: skip
    page = [*TITLE, *abstract, *box, heading(60, 560, "Introduction")]
    paper = read([*page, *column(60, 544, prose("Shift work", 20, width=15))])
    kept = next(s for s in paper.sections if s.title == "Key Points")
    assert kept.kind is SectionKind.ABOUT
    assert "Does training help nurses to sleep?" in [s.text for s in paper.sentences_of(kept)]
    parts = [s.text for s in paper.sentences_of(paper.sections[1]) if s.kind is Kind.HEADING]
    assert parts == ["IMPORTANCE", "INTERVENTIONS"]


def test_strengths_and_limitations_are_a_box_at_the_front_and_a_section_in_the_discussion() -> None:
    name = "Strengths and limitations of this study"
    pages = [
        [heading(60, 780, "Methods", 14), *column(60, 764, prose("We asked", 5, width=15))],
        [
            heading(60, 780, "Discussion", 14),
            *column(60, 764, prose("We found", 5, width=15)),
            heading(60, 690, name),
            *column(60, 674, prose("Our sample", 5, width=15)),
        ],
    ]
    front = [*TITLE, *ABSTRACT, heading(60, 610, name), *column(60, 594, prose("Many nurses", 4, width=15))]
    paper = read(
        [*front, heading(60, 520, "Introduction", 14), *column(60, 504, prose("Shift work", 6, width=15))], *pages
    )
    kinds = [(s.kind, s.level) for s in paper.sections if s.title == name]
    assert kinds == [(SectionKind.DISCUSSION, 2), (SectionKind.ABOUT, 1)]


def test_an_abstract_ends_where_the_type_of_the_body_begins_though_no_heading_says_so() -> None:
    abstract = [heading(60, 700, "Abstract"), *column(60, 684, prose("To learn", 4, width=14), font="sans")]
    page = [*TITLE, *abstract, *column(60, 620, prose("Nurses sleep", 20, width=15))]
    paper = read(page, [heading(60, 780, "Methods"), *column(60, 764, prose("We asked", 20, width=15))])
    assert [s.kind for s in paper.sections] == [
        SectionKind.OTHER, SectionKind.ABSTRACT, SectionKind.INTRODUCTION, SectionKind.METHODS,
    ]  # fmt: skip
    assert paper.sentences_of(paper.sections[2])[0].text.startswith("Nurses sleep")


def test_a_heading_in_small_capitals_opens_a_section() -> None:
    page = [
        heading(60, 780, "Methods"),
        Text(60, 764, "STUDY DESIGN", 7.8),
        *column(60, 752, prose("We asked", 5, width=15)),
    ]
    assert read(first_page(), page).sections[-1].title == "STUDY DESIGN"


def test_a_heading_at_the_end_of_a_page_opens_the_section_of_the_next() -> None:
    lines = [heading(60, 780, "Methods", 14), *column(60, 764, prose("We asked", 20, width=15))]
    after = column(60, 780, prose("Nine wards", 20, width=15))
    assert read(first_page(), [*lines, heading(60, 510, "Wards", 10)], after).sections[-1].title == "Wards"
    figure = [heading(60, 510, "Wards", 10), Text(60, 300, "Figure 1. The wards of the hospitals", 8, "bold")]
    assert read(first_page(), [*lines, *figure], after).sections[-1].title == "Methods"


def test_a_numbered_heading_that_the_text_runs_on_from_opens_a_section() -> None:
    page = [
        heading(60, 780, "2. Methods"),
        Text(60, 764, "2.1. Study Design.", 10, "italic"),
        Text(140, 764, "Nurses were asked in all the wards whether they would take part in the trial."),
        *column(60, 752, prose("Many came", 5, width=15)),
        Text(60, 684, "1. First aim:", 10, "italic"),
        Text(116, 684, "To learn whether nurses sleep longer than they did before they were trained."),
        *column(60, 672, prose("Few left", 5, width=15)),
    ]
    paper = read(first_page(), page)
    assert [(s.title, s.level) for s in paper.sections[-2:]] == [("Methods", 1), ("Study Design", 2)]
    assert paper.sentences_of(paper.sections[-1])[1].text.startswith("Nurses were asked")


def test_the_parts_of_an_abstract_within_one_paragraph_may_end_in_full_stops() -> None:
    lines = [
        "Background. Nurses sleep too little after their nights on the ward. Methods. We trained some of them to sleep.",
        "Results. They slept for an hour longer than they did before. Conclusions. Training helps nurses to sleep.",
    ]
    page = [*TITLE, heading(60, 700, "Abstract"), *column(60, 684, lines), heading(60, 610, "Introduction")]
    paper = read([*page, *column(60, 594, prose("Shift work", 6, width=15))])
    parts = [s.text for s in paper.sentences_of(paper.sections[1]) if s.kind is Kind.HEADING]
    assert parts == ["Abstract", "Background.", "Methods.", "Results.", "Conclusions."]


def test_a_line_that_begins_with_a_number_keeps_it_where_the_lines_are_numbered() -> None:
    lines = prose("Shift work", 20, width=12)
    lines[9] = "117 hours of sleep were lost in the weeks of the trial by those nurses"
    numbers = [Text(30, 594 - 12 * index, str(index + 1), 8) for index in range(len(lines))]
    paper = read([*TITLE, *ABSTRACT, heading(60, 610, "Introduction"), *column(60, 594, lines), *numbers])
    assert " 117 hours of sleep" in bodies(paper)
    assert not any(f" {number} " in bodies(paper) for number in range(1, 21))


def test_a_lesser_heading_with_the_name_of_a_main_part_stays_inside_its_section() -> None:
    methods = [heading(60, 780, "Methods"), *column(60, 764, prose("We asked nurses", 6, width=15))]
    aims = [heading(60, 670, "Objectives", size=10), *column(60, 654, prose("The aim", 6, width=15))]
    paper = read(first_page(), [*methods, *aims])
    objectives = next(section for section in paper.sections if section.title == "Objectives")
    assert (objectives.kind, objectives.level) == (SectionKind.METHODS, 2)


def under_headings(headings: list[Text]) -> list[Text]:
    """Methods in a narrow column, headings of some lines in the middle of it, and text right below them."""
    y = min(line.y for line in headings) - 13
    above = [heading(60, 780, "Methods", 14), *column(60, 764, prose("We asked", 6, width=8))]
    return [*above, *headings, *column(60, y, prose("Nine wards", 8, width=8))]


SUBHEADINGS = {
    "numbered": [Text(60, 685, "2.1.1. Wards of both")],
    "set like the text": [Text(60, 685, "Wards in the city")],
    "small first letter": [Text(60, 685, "eHealth on the wards", 10, "italic")],
    "comma": column(60, 685, ["Wards of both hospitals, their nurses,", "and their rooms"], font="italic"),
    "four lines": column(
        60,
        685,
        [
            "Differences between hospitals in how long nurses slept",
            "increased afterwards significantly among participants",
            "randomised individually, irrespective of departmental",
            "circumstances elsewhere",
        ],
        font="bold",
    ),
}


@pytest.mark.parametrize("lines", SUBHEADINGS.values(), ids=SUBHEADINGS)
def test_a_heading_is_never_part_of_the_sentence_below_it(lines: list[Text]) -> None:
    paper = read(first_page(), under_headings(lines))
    title = " ".join(line.text for line in lines)
    texts = [s.text for s in paper.sentences]
    assert any(title.endswith(text) for text in texts)
    assert any(text.startswith("Nine wards") for text in texts)
    if lines != SUBHEADINGS["set like the text"]:
        assert paper.sections[-1].title == title.removeprefix("2.1.1. ")


@pytest.mark.parametrize(("short", "next_word"), [("nurses of the ward", ""), ("sleep (300;", "Mondays")])
def test_a_line_of_text_that_is_shorter_than_others_need_not_end_the_sentence(short: str, next_word: str) -> None:
    lines = prose("We asked", 12, width=8)
    lines[4], lines[5] = short, f"{next_word} {lines[5]}".strip()
    paper = read(first_page(), [heading(60, 780, "Methods", 14), *column(60, 764, lines)])
    assert [s.text for s in paper.sentences_of(paper.sections[-1])] == ["Methods", " ".join(lines)]


def test_keywords_on_the_next_page_are_not_part_of_the_abstracts_last_line() -> None:
    lines = [*prose("Background: Sleep was short", 4, width=15), "Trial registration: Dutch Trial Register, NTR12345"]
    first = [*TITLE, heading(60, 700, "Abstract"), *column(60, 684, lines)]
    second = [
        Text(60, 780, "Keywords: naps; nurses; sleep"),
        heading(60, 740, "Introduction"),
        *column(60, 724, prose("Shift work", 20, width=15)),
    ]
    assert not any("NTR12345 Key" in s.text for s in read(first, second).sentences)


def test_an_abstract_that_says_where_its_supplement_is_keeps_that_apart() -> None:
    lines = [
        *prose("Background: Sleep was short", 4, width=14),
        "Trial registration: NTR12345. Electronic supplementary material: The online version of this",
        "article (10.1186/s1) contains supplementary material, which authorised users can open.",
    ]
    first = [*TITLE, heading(60, 700, "Abstract"), *column(60, 684, lines), heading(60, 590, "Introduction")]
    paper = read([*first, *column(60, 574, prose("Shift work", 20, width=15))])
    assert [s.text for s in paper.sentences_of(paper.sections[1])][-2:] == [
        "Electronic supplementary material:",
        "The online version of this article (10.1186/s1) contains supplementary material, which authorised users can open.",
    ]


def test_the_end_of_a_sentence_right_below_a_small_table_is_text() -> None:
    lines = [heading(60, 780, "Results", 14), *column(60, 764, prose("We saw", 50, width=8)[:-1])]
    caption = Text(60, 790, "Table 1. The nurses of the wards.", 7, "bold")
    cells = [
        Text(x, 776 - 9 * row, f"{word} {row}", 7)
        for row in range(7)
        for x, word in ((60, "Age"), (170, "12"), (300, "14"), (420, "17"))
    ]
    rest = [Text(60, 704, "(10.3%, 3/29)."), *column(60, 692, prose("Others slept", 20, width=8))]
    right = column(320, 704, prose("We found", 20, width=8))
    paper = read(first_page(), lines, [caption, *cells, *rest, *right])
    assert any(s.text.endswith(" (10.3%, 3/29).") for s in paper.sentences)


def test_the_end_of_a_line_drawn_after_a_short_word_of_the_next_column_is_no_part_of_that() -> None:
    y = 764 - 24
    torn = [Text(60, y, "nurses used as p"), Text(320, y - 3, "OMT."), Text(128, y, "rimary each week and month")]
    columns = [*column(60, 764, prose("We asked", 3)[:-1]), *column(320, 764, prose("They were", 3)[:-1]), *torn]
    below = [*column(60, y - 12, prose("nine", 12)), *column(320, y - 12, prose("So", 12))]
    paper = read(first_page(), [heading(60, 780, "Methods", 14), *columns, *below])
    assert "OMT. rimary" not in bodies(paper)


def test_the_short_last_line_of_a_bold_abstract_over_two_columns_is_no_heading() -> None:
    lines = [
        *prose("To learn", 4, width=14),
        "Registered at the Dutch Trial Register. First received on 23 January 2009, last updated:",
        "July 14, 2009, verified: July 2009.",
    ]
    abstract = [Text(60, 684 - 12 * index, line, 10, "bold") for index, line in enumerate(lines)]
    columns = [*column(60, 580, prose("Nurses sleep", 20, width=8)), *column(320, 580, prose("They work", 20, width=8))]
    page = [*TITLE, heading(60, 700, "Abstract"), *abstract, heading(60, 600, "Introduction"), *columns]
    paper = read(page, [heading(60, 780, "Methods"), *column(60, 764, prose("We asked", 20, width=8))])
    assert any(s.text.endswith("July 14, 2009, verified: July 2009.") for s in paper.sentences_of(paper.sections[1]))
