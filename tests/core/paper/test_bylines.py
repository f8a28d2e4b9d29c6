"""Lines of authors as journals print them."""

from __future__ import annotations

import pytest

from core.paper.bylines import names_in

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
