"""A paper in one line."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.paper import Paper, cite, read_paper, study_name

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
