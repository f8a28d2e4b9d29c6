"""The numbers in a sentence."""

from __future__ import annotations

import pytest

from core.text.numbers import Quantity, consistent, numbers_in, same_but_unit


def written(sentence: str) -> list[str]:
    return [sentence[number.start : number.end] for number in numbers_in(sentence)]


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Pain fell by 12.5% (P = 0.03).", ["12.5%", "P = 0.03"]),
        ("In 24 of 120 patients", ["24 of 120", "24", "120"]),
        ("half of the people and one in five women", ["half", "one in five"]),
        ("twenty-four adults took 5 mg for 12 weeks", ["twenty-four", "5 mg", "12 weeks"]),
        ("1,234 people; a hundred doctors", ["1,234", "a hundred"]),
        ("IL-6, COVID-19 and vitamin B12 [3,4]", []),
        ("one of them; twice daily", []),
        ("doubled, 3-fold", ["doubled", "3-fold"]),
        ("95% CI 0.4-1.2", ["95%", "0.4", "1.2"]),
    ],
)
def test_numbers_are_found(sentence: str, expected: list[str]) -> None:
    assert written(sentence) == expected


@pytest.mark.parametrize(
    ("said", "stands"),
    [
        ("about 24%", "23.7%"),
        ("24%", "23.7%"),
        ("half of the people", "49.6%"),
        ("one in five people", "21%"),
        ("twelve weeks", "12 weeks"),
        ("3 months", "12 weeks"),
        ("two years", "24 months"),
        ("20%", "24 of 120"),
        ("P < 0.05", "p = 0.03"),
        ("nearly 400 people", "392 people"),
        ("doubled", "2-fold"),
        ("1 g", "1000 mg"),
        ("2000 kJ", "478 kcal"),
    ],
)
def test_what_means_the_same(said: str, stands: str) -> None:
    assert consistent(numbers_in(said)[0], numbers_in(stands)[0])


@pytest.mark.parametrize(
    ("said", "stands"),
    [
        ("34%", "23.7%"),
        ("12 months", "12 weeks"),
        ("5 g", "5 mg"),
        ("500 kcal", "500 kJ"),
        ("P > 0.05", "p = 0.03"),
        ("P = 0.3", "p = 0.03"),
        ("one in three people", "21%"),
        ("12.4", "12.5"),
        ("23 people", "24 people"),
    ],
)
def test_what_does_not(said: str, stands: str) -> None:
    assert not consistent(numbers_in(said)[0], numbers_in(stands)[0])


def test_the_same_figure_with_another_unit_is_told() -> None:
    assert same_but_unit(numbers_in("12 months")[0], numbers_in("12 weeks")[0])
    assert not same_but_unit(numbers_in("12 weeks")[0], numbers_in("12 weeks")[0])


def test_a_share_is_in_per_cent() -> None:
    [number] = [one for one in numbers_in("two-thirds of the women") if one.quantity is Quantity.PERCENT]
    assert number.value == pytest.approx(66.67, abs=0.01)
