"""Names, lines of authors, registrations, and a paper in one line."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.paper import Paper, cite, read_paper, study_name
from core.paper.metadata import family_name, is_name, names_in, registrations_in

# ---- What looks like a person's name ----


@pytest.mark.parametrize(
    "text",
    [
        "Ada Rossi", "J. K. Rossi", "Ada J. de la Rossi", "Mary-Ann O’Neil", "A.-M. Löfgren", "Ole al-Rashid", "Ngô Thị Mai",
        "ADA ROSSI", "HUI LI", "Bo Li", "Ada van 't Hof", "Ludwig McRae",
    ],
)  # fmt: skip
def test_names(text: str) -> None:
    assert is_name(text)


@pytest.mark.parametrize(
    "text",
    [
        "", "Rossi", "J. K.", "Open Access", "Department of Bees", "see page 4", "Ada Rossi et al", "ada rossi",
        "Academic Editor: Ada Rossi", "Ada Rossi 2", "One Two Three Four Five Six Seven", "University Oslo", "ada@hive.example",
    ],
)  # fmt: skip
def test_other_words(text: str) -> None:
    assert not is_name(text)


@pytest.mark.parametrize(
    ("author", "family"),
    [
        ("Ada Rossi", "Rossi"), ("Johannes F. E. Mann", "Mann"), ("John A Rathmacher", "Rathmacher"), ("J. K. Ngũgĩ", "Ngũgĩ"),
        ("Rossi, Ada", "Rossi"), ("van der Berg, Ada", "van der Berg"), ("Lee, K", "Lee"), ("Li ,W", "Li"),
        ("Rossi AB", "Rossi"), ("Lee K", "Lee"), ("Kim S-Y", "Kim"), ("Rossi A. B.", "Rossi"), ("van der Berg A", "van der Berg"),
        ("Ada van der Berg", "van der Berg"), ("Piet Van Damme", "Van Damme"), ("Ana de la Cruz", "de la Cruz"),
        ("Van Nguyen", "Nguyen"), ("José Ortega y Gasset", "Ortega y Gasset"), ("Ole al-Rashid", "al-Rashid"),
        ("Ada Rossi Jr.", "Rossi"), ("Ada Rossi, Jr", "Rossi"), ("Rossi AB 3rd", "Rossi"), ("Ada Rossi III", "Rossi"),
        ("ADA ROSSI", "ROSSI"), ("HUI LI", "LI"), ("Bo Li", "Li"), ("Plato", "Plato"), ("Aiji Sato (Boku)", "Sato"), ("J. K.", "J."), ("", ""),
        (" ", ""),
        ("The NAP Study Group", "NAP Study Group"), ("for the NAP Investigators", "NAP Investigators"),
    ],
)  # fmt: skip
def test_family_names(author: str, family: str) -> None:
    assert family_name(author) == family


# ---- Lines of authors as journals print them ----

TWO = ("Ada J. Rossi", "Bo van der Bie")


@pytest.mark.parametrize(
    "line",
    [
        "Ada J. Rossi and Bo van der Bie",
        "Ada J. Rossi, Bo van der Bie",
        "Ada J. Rossi[1,2], Bo van der Bie[3]",
        "Ada J. Rossi1,2†, Bo van der Bie1*",
        "Ada J. Rossi [1], Bo van der Bie 1,2,*",
        "Ada J. Rossi a,b,*, Bo van der Bie c",
        "Ada J. Rossi, MD, PhD, Bo van der Bie, MBChB",
        "Ada J. Rossi, M.D., Ph.D.; Bo van der Bie, M.Sc.",
        "Ada J. Rossi MD PhD, Bo van der Bie FRCP",
        "Prof Ada J. Rossi, Dr Bo van der Bie",
        "Ada J. Rossi • Bo van der Bie",
        "Ada J. Rossi · Bo van der Bie",
        "Ada J. Rossi[1] | Bo van der Bie[2]",
        "Ada J. Rossi & Bo van der Bie",
        "Authors: Ada J. Rossi; Bo van der Bie",
        "Ada J. Rossi, Bo van der Bie, for the Nap Study Group*",
        "Ada J. Rossi, Bo van der Bie, on behalf of the NAP Investigators",
        "Ada J. Rossi (ada@hive.example), Bo van der Bie",
    ],
)
def test_separators_marks_and_degrees(line: str) -> None:
    assert names_in([line]) == TWO


@pytest.mark.parametrize(
    "line",
    [
        "",
        "Departments of Bees, University of Oslo",
        "Ada J. Rossi, Department of Bees, Oslo",
        "Open Access, Research Article",
        "Bees, naps and honey",
        "Academic Editor: Ada J. Rossi",
        "Correspondence to Ada J. Rossi, Bo van der Bie",
        "Rossi AJ, van der Bie B. Naps in bees. Hive 2020;12:3",
    ],
)
def test_all_or_nothing(line: str) -> None:
    assert names_in([line]) == ()


def test_a_list_over_several_lines() -> None:
    assert names_in(["Ada J. Rossi, Bo van", "der Bie and Cy Ng"]) == (*TWO, "Cy Ng")


def test_a_list_of_one_name_a_line() -> None:
    assert names_in(["Ada J. Rossi, MD*", "Bo van der Bie, MSc,", "MBChB, PhD", "Cy Ng"]) == (*TWO, "Cy Ng")


def test_a_suffix_belongs_to_its_name_and_initials_are_no_degree() -> None:
    assert names_in(["Ada Rossi, Jr, MD, Rossi MA, Cy Ng"]) == ("Ada Rossi Jr", "Rossi MA", "Cy Ng")


# ---- Registration numbers of trials ----


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("(ClinicalTrials.gov number, NCT01234567.)", "NCT01234567"),
        ("NCT 0123-4567", "NCT01234567"),
        ("nct#01234567", "NCT01234567"),
        ("ISRCTN 12345678", "ISRCTN12345678"),
        ("ISRCTN registry number: 12345678", "ISRCTN12345678"),
        ("EudraCT number 2008–007149–30", "2008-007149-30"),
        ("EudraCT 2008-007149-30-GB", "2008-007149-30"),
        ("EU CT 2022-501234-12-00", "2022-501234-12-00"),
        ("UMIN-CTR ID: UMIN000012345", "UMIN000012345"),
        ("UMIN Clinical Trials Registry", None),
        ("ACTRN: 12605000000606p", "ACTRN12605000000606"),
        ("ChiCTR-TRC-10001234", "ChiCTR-TRC-10001234"),
        ("ChiCTR 1900022345", "ChiCTR1900022345"),
        ("CTRI / 2018/01/011234", "CTRI/2018/01/011234"),
        ("DRKS-ID: DRKS00012345", "DRKS00012345"),
        ("Dutch Trial Register (NTR 1234)", "NTR1234"),
        ("trialregister.nl, NL7654", "NL7654"),
        ("NTR 1234 mice", None),
        ("registered address: NL12345", None),
        ("IRCT 20130812014333N45", "IRCT20130812014333N45"),
        ("KCT0001234", "KCT0001234"),
        ("TCTR20180101001", "TCTR20180101001"),
        ("PACTR201801001234567", "PACTR201801001234567"),
        ("RBR-9k2bhy", "RBR-9k2bhy"),
        ("jRCTs031180123", "jRCTs031180123"),
        ("JapicCTI-123456", "JapicCTI-123456"),
        ("SLCTR/2018/012", "SLCTR/2018/012"),
        ("PROSPERO (CRD42014012345)", "CRD42014012345"),
        ("LBCTR2020012345", "LBCTR2020012345"),
        ("RPCEC00000123", "RPCEC00000123"),
        ("NCT012345678", None),  # a digit too many
        ("tel. 2008-007149-3", None),
        ("a dose of 12345678 units", None),
    ],
)
def test_the_look_of_each_register(text: str, number: str | None) -> None:
    assert registrations_in(text) == (() if number is None else (number,))


def test_order_of_first_mention_and_each_once() -> None:
    text = "ISRCTN12345678, NCT01234567, ISRCTN 12345678"
    assert registrations_in(text) == ("ISRCTN12345678", "NCT01234567")


PAPER = """# Naps in bees: a trial

## Abstract

{abstract}

## Methods

{methods}

## Discussion

Our result agrees with that of the registered trial NCT09999999.

## References

1. Bee A. Hive. ClinicalTrials.gov NCT08888888.
"""


@pytest.mark.parametrize(
    ("abstract", "methods", "numbers"),
    [
        ("Bees nap (NCT01111111).", "As in NCT07777777, bees napped.", ("NCT01111111",)),
        ("Bees nap.", "It was registered (NCT01111111). Another did so too (NCT07777777).", ("NCT01111111",)),
        ("NCT01111111.", "It was registered as EudraCT 2008-007149-30.", ("NCT01111111", "2008-007149-30")),
        ("Bees nap.", "Bees were those of NCT01111111.", ("NCT01111111",)),
        ("Bees nap.", "Bees napped.", ()),
    ],
)
def test_a_papers_own_number_and_not_those_that_it_cites(abstract: str, methods: str, numbers: tuple[str, ...]) -> None:
    paper = read_paper(PAPER.format(abstract=abstract, methods=methods).encode(), name="bees.md")
    assert paper.registrations == numbers


# ---- A paper in one line ----

KNOWN = {
    "journal": "Hive Notes",
    "year": 2020,
    "doi": "10.1000/naps",
    "registrations": ("2008-007149-30", "NCT01234567"),
}


@pytest.fixture
def paper() -> Paper:
    return read_paper(b"# Naps in bees\n\nBees nap.\n", name="bees.md")


@pytest.mark.parametrize(
    ("authors", "first"),
    [
        (("Ada Rossi",), "Ada Rossi"),
        (("Ada Rossi", "Bo Li"), "Ada Rossi and Bo Li"),
        (("Ada Rossi", "Bo Li", "Cy Ng"), "Ada Rossi et al."),
    ],
)
def test_what_is_known_in_one_order(paper: Paper, authors: tuple[str, ...], first: str) -> None:
    rest = ("Hive Notes 2020", "doi:10.1000/naps", "EudraCT 2008-007149-30", "NCT01234567")
    assert cite(replace(paper, authors=authors, **KNOWN)) == (first, *rest)


def test_what_is_not_known_is_left_out(paper: Paper) -> None:
    assert cite(paper) == ()
    assert cite(replace(paper, year=2020)) == ("2020",)


def test_a_study_goes_by_family_name_and_year_or_else_by_its_title() -> None:
    assert study_name(("Ada van der Berg", "Bo Li"), 2021, otherwise="Naps") == "van der Berg 2021"
    assert study_name(("Berg, Ada van der",), 2021, otherwise="Naps") == "Berg 2021"
    assert study_name((), 2021, otherwise="Naps\n in bees") == "Naps in bees"
    assert study_name(("Bo Li",), None, otherwise="Naps") == "Naps"
    assert study_name((" ",), 2021, otherwise="Naps") == "Naps"
