"""Abbreviations and what they stand for."""

from __future__ import annotations

import pytest

from core.text.abbreviations import abbreviations, shortened


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the Hive Activity Index (HAI) rose", {"HAI": "Hive Activity Index"}),
        ("randomised controlled trials (RCTs) of", {"RCTs": "randomised controlled trials"}),
        ("body mass index (BMI; kg/m2)", {"BMI": "body mass index"}),
        ("heat shock protein 90 (HSP90)", {"HSP90": "heat shock protein 90"}),
        ("a group of men (12)", {}),
        ("it fell sharply (Figure 2)", {}),
        ("all of them (see below)", {}),
        ("quality of sleep (PSQI)", {}),  # no words for these letters
    ],
)
def test_definitions(text: str, expected: dict[str, str]) -> None:
    assert abbreviations([text]) == expected


def test_the_first_definition_counts() -> None:
    assert abbreviations(["mean corpuscular volume (MCV)", "my cat's vet (MCV)"]) == {"MCV": "mean corpuscular volume"}


def test_long_forms_are_shortened_with_their_definition() -> None:
    long_forms = {"HAI": "Hive Activity Index"}
    assert shortened("The hive activity index (HAI) and the Hive Activity Index", long_forms) == "The HAI and the HAI"
