"""Abstracts as journals set them: with and without a heading, under labels of many kinds, in the type of the text."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from core.paper import Kind, Paper, SectionKind, read_paper
from tests.core.paper.pdf.pages import Text, column, pdf, prose

TITLE = [Text(60, 760, "Naps of nurses after duty", 20, "bold"), Text(60, 735, "Ada J. Rossi, MD, and Cy Ng, PhD", 11)]
METHODS = [*column(60, 780, ["Methods"], font="bold", size=12), *column(60, 760, prose("We asked", 20))]
RESULTS = [*column(60, 500, ["Results"], font="bold", size=12), *column(60, 480, prose("They slept", 20))]


def read(front: Sequence[Text], *, heading: str = "Introduction", initial: bool = False) -> Paper:
    """A paper whose front is followed by its text, with or without a heading."""
    text = column(60, 400, prose("Nurses sleep", 16))
    if heading:
        text = [*column(60, 420, [heading], font="bold", size=12), *text]
    if initial:
        text = [
            Text(60, 388, "N", 32, "bold"),
            Text(86, 402, prose("urses sleep", 2)[0]),
            *column(60, 376, prose("and", 14)),
        ]
    return read_paper(pdf([*TITLE, *front, *text], [*METHODS, *RESULTS]), name="naps.pdf")


def abstract(paper: Paper) -> str:
    assert [s.kind for s in paper.sections if s.kind is not SectionKind.OTHER][:3] == [
        SectionKind.ABSTRACT,
        SectionKind.INTRODUCTION,
        SectionKind.METHODS,
    ]
    section = next(s for s in paper.sections if s.kind is SectionKind.ABSTRACT)
    introduction = next(s for s in paper.sections if s.kind is SectionKind.INTRODUCTION)
    assert "urses sleep" in " ".join(s.text for s in paper.sentences_of(introduction))
    return " ".join(s.text for s in paper.sentences_of(section) if s.kind is Kind.ABSTRACT)


PLAIN = column(60, 700, prose("Training helped", 8))


def test_the_first_block_after_the_authors_in_the_type_of_the_text() -> None:
    assert abstract(read(PLAIN)).startswith("Training helped")


def test_a_block_before_keywords_and_a_text_without_a_heading() -> None:
    keywords = column(60, 580, ["Key words: sleep, nurses, night work, training"])
    assert abstract(read([*PLAIN, *keywords], heading="")).startswith("Training helped")


def test_a_block_before_a_large_initial() -> None:
    assert abstract(read(PLAIN, heading="", initial=True)).startswith("Training helped")


@pytest.mark.parametrize(("font", "size"), [("italic", 10), ("sans", 10), ("bold", 10), ("regular", 8.5)])
def test_a_block_in_other_type_than_the_text(font: str, size: float) -> None:
    front = column(60, 700, prose("Training helped", 8), font=font, size=size)
    assert abstract(read(front, heading="")).startswith("Training helped")


def test_a_long_note_above_an_abstract_whose_parts_are_named_is_not_its_beginning() -> None:
    note = column(60, 712, prose("Both authors work at the Clinic of Sleep in Oslo and", 4), size=7)
    parts = [
        *column(60, 640, prose("Background: Training helped", 4)),
        *column(60, 590, prose("Results: They slept", 4)),
    ]
    text = abstract(read([*note, *parts]))
    assert text.startswith("Training helped")
    assert "Both authors" not in text


def test_a_text_that_begins_without_an_abstract_is_an_introduction() -> None:
    paper = read([], heading="")
    assert SectionKind.ABSTRACT not in {s.kind for s in paper.sections}


@pytest.mark.parametrize("heading", ["Introduction", ""])
@pytest.mark.parametrize(
    ("labels", "font"),
    [
        (("BACKGROUND—", "METHODS—", "RESULTS—", "CONCLUSIONS—"), "regular"),
        (("Background—", "Methods and Results—", "Findings—", "Conclusions—"), "bold"),
        (("Objective— ", "Design— ", "Results— ", "Conclusion— "), "italic"),
        (("BACKGROUND: ", "METHODS: ", "RESULTS: ", "CONCLUSIONS: "), "regular"),
        (("Purpose: ", "Methods: ", "Results: ", "Conclusion: "), "bold"),
        (("Aims/hypothesis ", "Methods ", "Results ", "Conclusions/interpretation "), "bold"),
        (("Aim. ", "Methods. ", "Results. ", "Conclusions. "), "italic"),
        (("OBJECTIVE ", "METHODS ", "RESULTS ", "CONCLUSIONS "), "regular"),
        (("Background | ", "Methods | ", "Results | ", "Conclusions | "), "regular"),
    ],
)
def test_labels(labels: Sequence[str], font: str, heading: str) -> None:
    front: list[Text] = []
    for index, label in enumerate(labels):
        y = 700 - 60 * index
        width = len(label) * (7.2 if label.isupper() else 5.5)
        first, *rest = prose("Training helped", 4)
        if font == "regular":
            front.append(Text(60, y, label + first))
        else:
            front += [Text(60, y, label, 10, font), Text(60 + width, y, first)]
        front += column(60, y - 12, rest)
    text = abstract(read(front, heading=heading))
    assert text.count("Training helped") == 4
    assert labels[0].strip() not in text


def test_labels_on_lines_of_their_own_before_a_text_without_a_heading() -> None:
    front: list[Text] = []
    for index, label in enumerate(("Background", "Methods", "Results", "Conclusions")):
        front += [
            *column(60, 700 - 66 * index, [label], font="bold"),
            *column(60, 688 - 66 * index, prose("Training helped", 3)),
        ]
    assert abstract(read(front, heading="")).count("Training helped") == 4


def test_what_was_written_about_the_paper_is_apart() -> None:
    box = [
        *column(60, 700, ["CLINICAL PERSPECTIVE"], font="bold"),
        *column(60, 688, prose("Nurses who", 4), font="sans", size=8),
        *column(60, 630, ["Abstract"], font="bold"),
        *column(60, 618, prose("Training helped", 6)),
    ]
    paper = read(box)
    about = [s for s in paper.sections if s.kind is SectionKind.ABOUT]
    assert [s.title for s in about] == ["CLINICAL PERSPECTIVE"]
    assert about[0].index == paper.sections[-1].index
    assert abstract(paper).startswith("Training helped")
