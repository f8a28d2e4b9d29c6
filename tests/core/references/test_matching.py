"""Which paper a reference belongs to."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.references import Entry, MatchedBy, ReferenceMatch, match

NAPS = Entry("naps", "Naps in honey bees: a trial", ("Ada Rossi", "Bo Ng"), 2020, "10.1000/naps", "77")
RAIN = Entry("rain", "Rain and the flight of honey bees", ("Cy Oda",), 2018, "10.1000/rain", "78")
REGISTRY = tuple(
    Entry(f"registry {year}", "The registry of hives: annual report", ("Hive Society",), year) for year in (2018, 2019)
)


def matched(reference: Entry, *papers: Entry) -> ReferenceMatch:
    [found] = match([reference], papers or (NAPS, RAIN, *REGISTRY))
    assert found.reference == reference.id
    return found


@pytest.mark.parametrize(
    ("reference", "by"),
    [
        (Entry("r", doi="10.1000/naps"), MatchedBy.DOI),
        (Entry("r", "Something else entirely", pmid="77"), MatchedBy.PMID),
        (Entry("r", "NAPS in Honey-Bees - A Trial.", ("Rossi A", "Ng B"), 2021), MatchedBy.TITLE),
        (Entry("r", "<i>Naps</i> in honey&nbsp;bees; a trial"), MatchedBy.TITLE),
        (replace(NAPS, id="r"), MatchedBy.DOI),
    ],
)
def test_by_doi_pmid_and_title(reference: Entry, by: MatchedBy) -> None:
    found = matched(reference)
    assert (found.paper, found.by, found.candidates) == ("naps", by, ())


@pytest.mark.parametrize(
    ("reference", "said"),
    [
        (Entry("r", "Rain and the flight of honey bees", doi="10.1000/naps"), "contradicts itself: its DOI is that of “Naps"),
        (Entry("r", pmid="78", doi="10.1000/naps"), "contradicts itself"),
        (Entry("r", "Naps in honey bees: a trial", year=2015), "is of 2020, not 2015"),
        (Entry("r", "Naps in honey bees: a trial", doi="10.1000/other"), "another DOI"),
        (Entry("r", "Naps in honey bees: a trial", pmid="79"), "another PMID"),
        (Entry("r", "Naps in honey bees: a trial", ("Zoe Unger",)), "other authors"),
        (Entry("r", "The registry of hives: annual report"), "2 papers have its title"),
        (Entry("r", "The registry of hives: annual report", year=2017), "2 papers have its title"),
    ],
)  # fmt: skip
def test_what_is_not_clear_is_not_matched(reference: Entry, said: str) -> None:
    found = matched(reference)
    assert found.is_ambiguous
    assert found.by is None
    assert said in found.reason


def test_two_papers_with_one_doi() -> None:
    found = matched(Entry("r", doi="10.1000/naps"), NAPS, replace(NAPS, id="copy", title="Scan"))
    assert (found.paper, found.candidates, found.reason) == (None, ("naps", "copy"), "2 papers have its DOI.")
    assert matched(replace(NAPS, id="r"), NAPS, replace(NAPS, id="copy", title="Scan")).paper == "naps"


def test_a_report_of_every_year_is_matched_by_its_year() -> None:
    assert matched(Entry("r", "The registry of hives: annual report", year=2019)).paper == "registry 2019"


def test_a_short_title_needs_year_and_author() -> None:
    editorial = Entry("e", "Editorial", ("Ada Rossi",), 2020)
    assert matched(Entry("r", "Editorial", ("Rossi A",), 2020), editorial).paper == "e"
    assert matched(Entry("r", "Editorial", ("Rossi A",)), editorial).is_ambiguous


def test_no_paper() -> None:
    found = matched(Entry("r", "Protocol for naps in honey bees: a trial", doi="10.1000/protocol"))
    assert (found.paper, found.candidates) == (None, ())
    assert found.reason


@pytest.mark.parametrize("title", ["Naps in honny bees: a trial", "The SLEEP Group. Naps in honey bees: a trial"])
def test_nearly_the_title_is_asked_about(title: str) -> None:
    found = matched(Entry("r", title, ("Rossi A",), 2020))
    assert (found.paper, found.candidates) == (None, ("naps",))
    assert "nearly its title" in found.reason
    assert not matched(Entry("r", title, ("Rossi A",), 2012)).candidates


def test_a_match_whose_titles_differ_says_so() -> None:
    assert "titles differ" in matched(Entry("r", "Quarterly cash flow of apiaries", doi="10.1000/naps")).reason
    assert matched(Entry("r", "Naps in honey bees", doi="10.1000/naps")).reason == ""
    assert matched(Entry("r", "Naps in honey bees", doi="10.1000/typo", pmid="77")).reason == "The DOIs differ."


def test_entries_without_titles_are_not_alike() -> None:
    assert matched(Entry("r"), Entry("scan")).candidates == ()
