"""Who, where and when: first pages in the styles of several publishers, with invented papers."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from core.paper import Paper, read_paper
from tests.core.paper.pdf.pages import Text, column, pdf, prose

TITLE = "Afternoon naps of nurses after night duty"
AUTHORS = ("Ada J. Rossi", "Bo van der Bie", "Cy Ng")
BODY = [
    *column(60, 560, ["Abstract"], font="bold"),
    *column(60, 544, prose("Background Nurses", 6)),
    *column(60, 460, ["Introduction"], font="bold", size=12),
    *column(60, 440, prose("Nurses are", 12)),
    *column(60, 280, ["Methods"], font="bold", size=12),
    *column(60, 260, prose("We asked", 10)),
]


def read(*front: Text, info: str = "", second: Sequence[Text] = ()) -> Paper:
    title = Text(60, 720, TITLE, 20, "bold")
    pages = [[title, *BODY, *front], *([list(second)] if second else [])]
    return read_paper(pdf(*pages, info=info), name="naps.pdf")


def raised(x: float, y: float, *pieces: tuple[str, str], size: float = 11) -> list[Text]:
    """Names, each followed by raised marks in small type."""
    placed = []
    for text, mark in pieces:
        placed.append(Text(x, y, text, size))
        x += 0.5 * size * len(text)
        placed.append(Text(x, y, mark, 0.6 * size, rise=0.4 * size))
        x += 0.3 * size * len(mark) + 2
    return placed


@pytest.mark.parametrize(
    "byline",
    [
        column(60, 690, ["Ada J. Rossi, Bo van der Bie, Cy Ng"], size=11),
        column(60, 690, ["ADA J. ROSSI"], size=11),
        column(60, 690, ["Ada J. Rossi, M.D., Ph.D., Bo van der Bie, M.D.,", "and Cy Ng, R.N., for the NAP Study Group*"], size=11),
        column(60, 690, ["Ada J. Rossi • Bo van der Bie • Cy Ng"], size=11, font="bold"),
        column(60, 690, ["Ada J. Rossi; Bo van der Bie; Cy Ng"], size=9, font="italic"),
        column(60, 690, ["Ada J. Rossi, MD", "Bo van der Bie, MBChB", "Cy Ng, PhD"], size=11),
        raised(60, 690, ("Ada J. Rossi", "1,2"), (", Bo van der Bie", "2*"), (" and Cy Ng", "3")),
    ],
)  # fmt: skip
def test_authors_under_the_title(byline: list[Text]) -> None:
    expected = () if len(byline) == 1 and byline[0].text.isupper() else AUTHORS  # one name without any sign of it
    affiliation = column(60, 640, ["1 Department of Sleep, University of Oslo, Norway"], size=8)
    assert read(*byline, *affiliation).authors == expected


# Widths in thousandths of the size, so that a mark stands right against its name.
WIDTHS = {
    "i": 278,
    "l": 278,
    "t": 278,
    "r": 333,
    "s": 389,
    "e": 444,
    "a": 444,
    " ": 250,
    ",": 250,
    ".": 250,
    "J": 389,
} | dict.fromkeys("ABCNR", 700)


def glued(x: float, y: float, *pieces: tuple[str, str], size: float = 11) -> list[Text]:
    placed = []
    for text, mark in pieces:
        placed.append(Text(x, y, text, size))
        x += sum(WIDTHS.get(letter, 500) for letter in text) / 1000 * size
        placed.append(Text(x, y, mark, 0.6 * size, rise=0.4 * size))
        x += 0.3 * size * len(mark)
    return placed


def test_letters_of_notes_are_no_part_of_the_names_they_stand_against() -> None:
    byline = glued(60, 690, ("Ada J. Rossi", "a,b,*"), (", Bo van der Bie", "b"), (", Cy Ng", "a"))
    affiliation = column(60, 660, ["a Department of Sleep, University of Oslo", "b Clinic of Naps, Oslo"], size=8)
    assert read(*byline, *affiliation).authors == AUTHORS


def test_authors_in_a_column_beside_the_abstract() -> None:
    beside = column(470, 620, ["Ada J. Rossi, MRCP*", "Bo van der Bie, MD", "Cy Ng, PhD"], font="bold")
    assert read(*beside).authors == AUTHORS


def test_one_author_counts_where_a_degree_or_the_file_says_so() -> None:
    assert read(*column(60, 690, ["Ada J. Rossi, MD"], size=11)).authors == AUTHORS[:1]
    assert read(*column(60, 690, ["Ada J. Rossi"], size=11), info="/Author (Ada J. Rossi)").authors == AUTHORS[:1]
    assert read(*column(60, 690, ["Sleep Matters"], size=11)).authors == ()


def test_authors_listed_at_the_end() -> None:
    listed = column(
        60, 700, ["Ada J. Rossi 1, Bo van der Bie 2 &", "Cy Ng 1", "1 Department of Sleep, University of Oslo"]
    )
    note = column(60, 690, ["A list of authors appears at the end of the paper"], font="bold")
    found = read(*note, info="/Author (Ada J. Rossi)", second=[*listed, *column(60, 600, prose("More was", 9))])
    assert found.authors == AUTHORS


def test_what_the_file_states_counts_only_as_a_list() -> None:
    assert read(info="/Author (Ada J. Rossi, Bo van der Bie and Cy Ng)").authors == AUTHORS
    assert read(info="/Author (Ada J. Rossi)").authors == ()  # may be the first of many
    assert read(info="/Author (typesetter07)").authors == ()


@pytest.mark.parametrize(
    ("line", "journal", "year"),
    [
        ("Sleep Letters. 2020;12(3):45-56", "Sleep Letters", 2020),
        ("Sleep Letters 2020; 12: e45", "Sleep Letters", 2020),
        ("Sleep Letters 2020, 12, 45", "Sleep Letters", 2020),
        ("Sleep Letters (2020) 12:45", "Sleep Letters", 2020),
        ("Sleep Letters, 2020; 12: 45-56", "Sleep Letters", 2020),
        ("Sleep Letters 12 (2020) 45-56", "Sleep Letters", 2020),
        ("Sleep Letters | Volume 12 | May 2020 | 45-56", "Sleep Letters", 2020),
        ("SLEEP ONE | https://doi.org/10.1000/naps.1 May 3, 2020 1 / 12", "SLEEP ONE", 2020),
        ("www.sleep.example Vol 12 May 3, 2020", None, 2020),
        ("n engl j sleep 12;3 sleep.example May 3, 2020", None, 2020),
        ("SLEEP May 3, 2020 Volume 12, Number 3", None, 2020),
        ("Published online: 3 May 2020", None, 2020),
        ("© 2020 The Authors. Published by Sleep Press.", None, 2020),
        ("Copyright: 2020 Rossi et al.", None, 2020),
        ("Received 3 May 2018; accepted 4 June 2019", None, None),
        ("See editorial Sleep Letters 2019;11:3", None, None),
        ("Downloaded on 3 March 2021", None, None),
    ],
)
def test_journal_and_year_from_the_line_of_citation(line: str, journal: str | None, year: int | None) -> None:
    paper = read(Text(60, 30, line, 7), info="/CreationDate (D:20180101000000Z)")
    assert (paper.journal, paper.year) == (journal, year)


def test_the_year_of_the_issue_comes_before_publication_online_and_copyright() -> None:
    lines = column(60, 60, ["© 2018 The Authors", "Published online 3 May 2019", "Sleep Letters. 2020;12:45"], size=7)
    assert read(*lines).year == 2020


def test_no_year_from_the_text_and_its_references() -> None:
    cited = column(60, 130, prose("As Rossi (Sleep Letters. 2011;3:45) found", 5))
    assert read(*cited, info="/CreationDate (D:20180101000000Z)").year is None


def test_a_registration_in_a_note_beside_the_text() -> None:
    note = column(60, 60, ["Trial registration: ClinicalTrials.gov", "NCT01234567. Not to be confused."], size=7)
    assert read(*note).registrations == ("NCT01234567",)


@pytest.mark.parametrize(
    ("lines", "doi"),
    [
        (["https://doi.org/10.1000/naps.1."], "10.1000/naps.1"),
        (["(doi: 10.1000/naps.1)."], "10.1000/naps.1"),
        (["doi:10.1000/S0140-6736(15)00257-3"], "10.1000/S0140-6736(15)00257-3"),
        (["https://doi.org/10.1000/", "naps.1"], "10.1000/naps.1"),
        (["Correction: doi 10.1000/naps.9", "doi 10.1000/tea.1"], "10.1000/tea.1"),
        (["See editorial, doi 10.1000/naps.9"], None),
        (["Supporting file: https://doi.org/10.1000/naps.1.s001", "doi 10.1000/naps.1"], "10.1000/naps.1"),
        (["Data: https://doi.org/10.5281/zenodo.123", "doi 10.1000/naps.1"], "10.1000/naps.1"),
    ],
)
def test_the_papers_own_doi(lines: list[str], doi: str | None) -> None:
    assert read(*column(60, 70, lines, size=7)).doi == doi


@pytest.mark.parametrize("subtitle", ["a randomised trial of tea and rest", ""])
def test_a_title_over_two_lines_and_its_subtitle(subtitle: str) -> None:
    second = [Text(60, 698, "in two hospitals", 20, "bold")]
    third = [Text(60, 680, subtitle, 14, "bold")] if subtitle else []
    expected = f"{TITLE} in two hospitals" + (f": {subtitle}" if subtitle else "")
    assert read(*second, *third, *column(60, 655, ["Ada J. Rossi, Bo van der Bie"])).title == expected


# Read from the printed pages: how many authors and a hash of their names, the journal, the year and the registrations.
PUBLISHED = {
    "38914124pmid": (18, "8f889eac56bf", "Nature Medicine", 2024, ("NCT03819153",)),
    "PMC12113407": (11, "834e3695e58d", "Life", 2025, ()),
    "PMC4655321": (13, "0118730d31ae", "Lancet", 2015, ("2008-007149-30", "NCT02369081")),
    "PMC7068068": (8, "578f03725038", "Clinical Cardiology", 2020, ()),
    "PMC7594536": (6, "7a69483a61e3", "Circulation", 2020, ("NCT03226457",)),
    "PMC7864599": (28, "326c86fbc989", "Circulation", 2021, ("NCT03485092",)),
    "PMC9669535": (20, "0b5eb0b9c277", "Diabetology & Metabolic Syndrome", 2022, ("IRCT20190412043247N2",)),
}


@pytest.mark.parametrize("name", PUBLISHED)
def test_published_papers(name: str, shared_data: Path, read_once: Callable[[Path], Paper]) -> None:
    paper = read_once(shared_data / "pdf" / f"{name}.pdf")
    names = hashlib.sha256("; ".join(paper.authors).encode()).hexdigest()[:12]
    assert (len(paper.authors), names, paper.journal, paper.year, paper.registrations) == PUBLISHED[name]
