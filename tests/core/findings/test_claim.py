"""Hypotheses taken apart."""

from __future__ import annotations

import pytest

from core.findings.claim import claim_of


@pytest.mark.parametrize(
    ("hypothesis", "sign"),
    [
        ("Naps increase honey yield", 1),
        ("Naps reduce stings compared with no naps", -1),
        ("Naps improve memory in bees", 1),
        ("Naps improve pain", -1),  # better pain is less pain
        ("Naps worsen pain", 1),
        ("Naps improve pain relief", 1),
        ("Naps prevent falls", -1),
        ("Naps raise the heart rate", 1),
        ("Naps are superior to walks for memory", 1),
        ("Naps are inferior to walks for memory", -1),
        ("Naps are effective for pain", -1),
        ("Mortality is lower with naps than with walks", -1),
        ("Napping is associated with a lower risk of stroke", -1),
        ("Napping leads to greater weight loss than walking", 1),
        ("Napping is associated with memory", None),
        ("Naps affect memory", None),
        ("Naps and memory", None),
        ("Naps do not affect memory", 0),
        ("Naps have no effect on memory", 0),
        ("There is no difference in memory between naps and walks", 0),
        ("Naps and walks do not differ in memory", 0),
        ("Naps are equivalent to walks for memory", 0),
        ("Naps do not prevent falls", 0),
        ("Reduced naps increase stings", 1),
    ],
)
def test_the_direction_of_a_claim(hypothesis: str, sign: int | None) -> None:
    assert claim_of(hypothesis).sign == sign


@pytest.mark.parametrize(
    "hypothesis",
    [
        "Naps reduce stings compared with drills",
        "Naps lead to fewer stings than drills",
        "Stings are fewer with naps than with drills",
        "Naps are superior to drills for stings",
        "There is no difference in stings between naps and drills.",
    ],
)
def test_who_is_who(hypothesis: str) -> None:
    claim = claim_of(hypothesis)
    assert (claim.intervention, claim.comparator, claim.outcome) == ({"nap"}, {"drill"}, {"sting"})


@pytest.mark.parametrize(
    ("hypothesis", "intervention", "comparator"),
    [
        ("Weekly naps reduce stings compared with daily naps", {"week"}, {"dail"}),
        ("Group naps reduce stings compared with single naps", {"group"}, {"singl"}),
        ("Naps once daily reduce stings compared with drills twice daily", {"nap"}, {"drill"}),
    ],
)
def test_how_often_tells_the_sides_apart_where_nothing_else_does(
    hypothesis: str, intervention: set[str], comparator: set[str]
) -> None:
    claim = claim_of(hypothesis)
    assert (claim.intervention, claim.comparator) == (intervention, comparator)


def test_no_worse_is_also_supported_by_no_difference() -> None:
    claim = claim_of("Naps are no worse than walks for memory")
    assert claim.at_least
    assert claim.sign == 1
    assert not claim_of("Naps are better than walks for memory").at_least


def test_a_denied_claim() -> None:
    claim = claim_of("It is not the case that naps reduce stings.")
    assert claim.denied
    assert claim.sign == -1


def test_what_slows_a_decline_makes_it_less() -> None:
    claim = claim_of("Naps slow the decline of memory compared with walks")
    assert (claim.studied, claim.about, claim.sign, claim.valence) == ("Naps", "the decline of memory", -1, -1)
