"""Criteria taken apart: what is asked for, and what is ruled out."""

from __future__ import annotations

import pytest

from core.screening.model import Criterion, CriterionKind
from core.screening.offline.design_words import Design
from core.screening.offline.wording import alternatives, asked_in, clauses_of


def clauses(text: str, kind: CriterionKind = CriterionKind.OWN) -> list[tuple[str, bool, bool]]:
    return [(one.text, one.denied, one.tangled) for one in clauses_of(Criterion(kind, text))]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("not a protocol", [("protocol", True, False)]),
        ("adults without diabetes", [("adults", False, False), ("diabetes", True, False)]),
        ("RCTs; not pilot studies", [("RCTs", False, False), ("pilot studies", True, False)]),
        ("Exclusion criteria: animal studies", [("animal studies", True, False)]),
        ("non-small cell lung cancer", [("non-small cell lung cancer", False, False)]),
        ("no more than 20% dropouts", [("no more than 20% dropouts", False, False)]),
        ("with or without placebo", [("or without placebo", False, False)]),
        ("must not exclude children", [("must not exclude children", True, True)]),  # two denials: never judged
        ("protocols excluded", [("protocols", True, False)]),
        ("protocols are not eligible", [("protocols", True, False)]),
        ("not only children", [("not only children", True, True)]),
        ("reviews should not be included", [("reviews", True, False)]),
    ],
)
def test_clauses(text: str, expected: list[tuple[str, bool, bool]]) -> None:
    assert clauses(text) == expected


@pytest.mark.parametrize(
    ("text", "named", "either"),
    [
        ("randomised, double-blind crossover trial", {Design.RANDOMISED, Design.DOUBLE_BLIND, Design.CROSSOVER}, False),
        ("randomised or quasi-randomised controlled trials", {Design.RANDOMISED, Design.QUASI}, True),
        ("non-randomised studies", {Design.QUASI}, False),
        ("cohort and case-control studies", {Design.COHORT, Design.CASE_CONTROL}, True),
    ],
)
def test_designs_asked_for(text: str, named: set[Design], either: bool) -> None:
    found = asked_in(text, CriterionKind.DESIGN).designs
    assert (set(found.named), found.any_is_enough) == (named, either)


def test_a_word_for_a_design_in_another_criterion_is_a_topic() -> None:
    assert asked_in("has a registered protocol", CriterionKind.OWN).designs.named == ()
    assert asked_in("animal-assisted therapy", CriterionKind.INTERVENTION).designs.named == ()


def test_alternatives() -> None:
    assert alternatives("placebo, usual care or waiting list") == ["placebo", "usual care", "waiting list"]
    assert alternatives("tea with milk") == ["tea with milk"]
