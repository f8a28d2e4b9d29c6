"""DOIs, PMIDs and years in the ways that files write them."""

from __future__ import annotations

import pytest

from core.references.identifiers import bare_doi, bare_pmid, year_in


@pytest.mark.parametrize(
    ("text", "doi"),
    [
        ("10.1000/ABC", "10.1000/abc"),
        ("https://doi.org/10.1000/abc.", "10.1000/abc"),
        ("http://dx.doi.org/10.1000/abc", "10.1000/abc"),
        ("doi:10.1000/abc", "10.1000/abc"),
        ("DOI: https://doi.org/10.1000/abc", "10.1000/abc"),
        ("10.1000/abc [doi]", "10.1000/abc"),
        ("https://doi.org/10.1000%2Fabc", "10.1000/abc"),
        ("10.1002/(SICI)1(19980815)17:15<1661::AID>3.0.CO;2-2", "10.1002/(sici)1(19980815)17:15<1661::aid>3.0.co;2-2"),
        ("10.1016/S0140-6736(20)30183-5", "10.1016/s0140-6736(20)30183-5"),
        ("10.1000/abc)", "10.1000/abc"),
        ("10.1000/abc(1)", "10.1000/abc(1)"),
        ("10.1000/abc and more", None),
        ("10.1000/", None),
        ("11.1000/abc", None),
        ("n/a", None),
        ("", None),
    ],
)
def test_bare_doi(text: str, doi: str | None) -> None:
    assert bare_doi(text) == doi


@pytest.mark.parametrize(
    ("text", "pmid"), [("123", "123"), ("PMID: 123", "123"), ("00123", "123"), ("123.0", "123"), ("0", None), ("PMC12", None), ("12a", None)]
)  # fmt: skip
def test_bare_pmid(text: str, pmid: str | None) -> None:
    assert bare_pmid(text) == pmid


@pytest.mark.parametrize(
    ("text", "year"), [("2020", 2020), ("15 March 2020", 2020), ("2020//", 2020), ("1499", None), ("20201", None), ("in press", None)]
)  # fmt: skip
def test_year_in(text: str, year: int | None) -> None:
    assert year_in(text) == year
