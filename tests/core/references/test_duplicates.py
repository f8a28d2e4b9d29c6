"""What looks like a duplicate, and what only seems to."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest

from core.references import Entry, Strength, possible_duplicates

NAPS = Entry("a", "Randomised trial of naps in honey bees", ("Rossi, Ada", "Ng, Bo"), 2020)


def judged(one: Entry, other: Entry) -> tuple[Strength, str] | None:
    found = possible_duplicates([one, replace(other, id="b")])
    assert len(found) <= 1
    for likeness in found:
        assert (likeness.first, likeness.second) == ("a", "b")
    return (found[0].strength, found[0].reason) if found else None


@pytest.mark.parametrize(
    ("changes", "strength", "reason"),
    [
        ({}, Strength.LIKELY, "The titles are the same, and year and author fit."),
        ({"title": "A randomized trial of naps in honeybees."}, Strength.POSSIBLE, "small words"),
        ({"title": "Randomized Trial of Naps in Honey-Bees", "year": 2021}, Strength.LIKELY, "same"),
        ({"authors": ("A. Rossi",)}, Strength.LIKELY, "same"),
        ({"authors": (), "year": None}, Strength.POSSIBLE, "not known"),
        ({"authors": ()}, Strength.POSSIBLE, "and year fits."),
        ({"title": "Randomised trial of naps in honey bees: the SLEEP study"}, Strength.POSSIBLE, "beginning of the other"),
        ({"title": "Randomised trial of naps in honye bees"}, Strength.POSSIBLE, "single letters"),
        ({"title": "The SLEEP Investigators: Randomised trial of naps in honey bees"}, Strength.POSSIBLE, "end of the other"),
        ({"title": "Re: Randomised trial of naps in honey bees"}, None, ""),
        ({"title": "Rendomised trail of naps in honney bees"}, None, ""),  # three slips
        ({"title": "Randomised trial of naps™ in honey bees"}, Strength.LIKELY, "same"),
        ({"authors": ("Rosssi, A",)}, Strength.LIKELY, "same"),
        ({"title": "Randomised trial of naps in honney bees"}, Strength.POSSIBLE, "single letters"),
        ({"title": "Randomised trial of naps in honey bees: study protocol"}, None, ""),
        ({"title": "Protocol for a randomised trial of naps in honey bees"}, None, ""),
        ({"title": "Erratum to: Randomised trial of naps in honey bees"}, None, ""),
        ({"title": "Comment on: Randomised trial of naps in honey bees"}, None, ""),
        ({"title": "Randomised trial of naps in honey bees. Part II"}, None, ""),
        ({"title": "Randomised trial of naps in honey bees: 5-year follow-up"}, None, ""),
        ({"title": "Randomised trial of songs in honey bees"}, None, ""),
        ({"year": 2017}, None, ""),
        ({"authors": ("Unger, Zoe",)}, None, ""),
        ({"authors": ("Unger, Ada",)}, None, ""),
    ],
)  # fmt: skip
def test_titles(changes: dict[str, object], strength: Strength | None, reason: str) -> None:
    found = judged(NAPS, replace(NAPS, **changes))  # type: ignore[arg-type]
    assert (found[0] if found else None) == strength
    assert reason in (found[1] if found else "")


def test_what_differs_decides() -> None:
    parts = [replace(NAPS, title=f"Naps in honey bees, part {n}: what they dream") for n in ("I", "II")]
    assert judged(*parts) is None
    slips = [replace(NAPS, title=f"Naps in honey bees: study {word}") for word in ("protocol", "protocl")]
    assert judged(*slips) is not None
    british = [
        replace(NAPS, title="Randomised trial of haemorrhage, anaesthesia and colour in honey bees"),
        replace(NAPS, title="Randomized trial of hemorrhage, anesthesia and color in honney bees"),
    ]
    assert judged(*british) is not None
    letters = [replace(NAPS, title=f"Vitamin {letter} given to sleeping honey bees") for letter in "BD"]
    assert judged(*letters) is None


def test_a_report_of_every_year_is_another_paper() -> None:
    report = replace(NAPS, title="The registry of hives: annual report")
    assert judged(report, replace(report, year=2021)) is None
    assert judged(report, report) is not None
    assert (
        judged(replace(report, title="Hives: report of 2019"), replace(report, title="Hives: report of 2020")) is None
    )


@pytest.mark.parametrize("number", ["doi", "pmid"])
def test_numbers(number: str) -> None:
    one = replace(NAPS, **{number: "10.1"})  # type: ignore[arg-type]
    assert judged(one, Entry("b", **{number: "10.1"})) is not None  # type: ignore[arg-type]
    found = judged(one, replace(one, title="Quarterly cash flow of apiaries"))
    assert found is not None
    assert found[0] is Strength.POSSIBLE
    assert "number may be wrong" in found[1]
    erratum = judged(one, replace(one, title=f"Erratum to: {one.title}"))
    assert erratum is not None
    assert erratum[0] is Strength.POSSIBLE
    assert erratum[1].endswith("but their titles differ.")
    same = judged(one, one)
    assert same is not None
    assert same[0] is Strength.CERTAIN


def test_numbers_that_contradict_each_other() -> None:
    one = replace(NAPS, doi="10.1/a", pmid="1")
    assert judged(one, replace(one, pmid="2")) == (Strength.POSSIBLE, "They have the same DOI, but different PMIDs.")
    assert judged(one, replace(one, doi="10.1/b")) == (
        Strength.POSSIBLE,
        "They have the same PMID, but different DOIs.",
    )


def test_other_numbers_speak_against_the_same_title() -> None:
    one, other = replace(NAPS, doi="10.1/a"), replace(NAPS, doi="10.1/b")
    found = judged(one, other)
    assert found is not None
    assert found[0] is Strength.POSSIBLE
    assert "the DOI differ" in found[1]
    assert judged(one, replace(other, year=2021)) is None


def test_one_trial_in_two_reports_is_no_duplicate() -> None:
    one = replace(NAPS, registrations=("NCT01234567",))
    other = Entry("b", "Honey made after naps", ("Ng, Bo",), 2022, registrations=("NCT07654321", "NCT01234567"))
    [found] = possible_duplicates([one, other])
    assert found.strength is Strength.SAME_TRIAL
    assert not found.is_duplicate
    assert "NCT01234567" in found.reason


@pytest.mark.parametrize("title", ["", "Editorial", "Authors' reply"])
def test_titles_that_name_no_paper(title: str) -> None:
    assert judged(Entry("a", title), Entry("b", title)) is None
    assert judged(Entry("a", title, ("Rossi A",), 2020), Entry("b", title, ("Ng B",), 2020)) is None


def test_the_surest_come_first() -> None:
    entries = [NAPS, replace(NAPS, id="b", doi="10.1/a"), replace(NAPS, id="c", doi="10.1/a", title="")]
    assert [(one.first, one.second) for one in possible_duplicates(entries)] == [("b", "c"), ("a", "b")]


@pytest.mark.slow
@pytest.mark.parametrize(
    "same", [{}, {"doi": "10.1000/naps"}, {"title": NAPS.title}, {"registrations": ("NCT01234567",)}]
)
def test_five_thousand_entries_take_seconds(same: dict[str, object]) -> None:
    """Also where all have the same author and year, and one wrong DOI, title or trial."""
    entries = [
        replace(NAPS, id=str(n), title=f"Effect of drug {n % 700} on outcome {n} in patients with disease {n % 90}")
        for n in range(5000)
    ]
    start = time.process_time()
    found = possible_duplicates([replace(entry, **same) for entry in entries])  # type: ignore[arg-type]
    assert time.process_time() - start < 10  # below 1 on the machine it was written on
    assert 4999 <= len(found) < 25_000 if same else not found
