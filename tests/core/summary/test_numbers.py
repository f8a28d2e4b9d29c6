"""Numbers of a summary beside the paper's."""

from __future__ import annotations

import pytest

from core.summary.numbers import NumberAgreement, pair_numbers

AGREES, DIFFERS, NOT_FOUND = NumberAgreement


def pairs(text: str, *sources: str) -> list[tuple[str, NumberAgreement, str]]:
    """(what the summary says, how it compares, what stands in its place)."""
    found = pair_numbers(text, list(enumerate(sources)))
    return [
        (
            text[one.said.start : one.said.end],
            one.agreement,
            " and ".join(sources[one.index or 0][span.start : span.end] for span in one.stands),
        )
        for one in found
    ]


@pytest.mark.parametrize(
    ("text", "source", "expected"),
    [
        ("It lasted eight weeks.", "Treatment took 8 weeks.", ("eight weeks", AGREES, "8 weeks")),
        ("Eight years old.", "Children aged 8 to 10 years.", ("Eight years", AGREES, "8")),
        ("About a third of the bees slept.", "34% of bees slept.", ("a third", AGREES, "34%")),
        ("They were seen after a month.", "Seen at 4 weeks.", ("a month", AGREES, "4 weeks")),
        ("They were seen after a month.", "Seen at 8 weeks.", ("a month", DIFFERS, "8 weeks")),
        ("In all, 48 bees flew.", "20 drones and 28 workers flew.", ("48", AGREES, "20 and 28")),
        ("It was 25%.", "It was so in 10 and 40 bees.", ("25%", AGREES, "10 and 40")),
        ("Honey rose by 12%.", "Honey rose by 15%.", ("12%", DIFFERS, "15%")),
        ("There were 50 women.", "We asked 40 women in 1998.", ("50", DIFFERS, "40")),
        ("There were 50 women.", "We asked 40 men in 1998.", ("50", NOT_FOUND, "")),
        ("Honey rose by 12%.", "It rose by 15% and 20%.", ("12%", NOT_FOUND, "")),
        ("It took 12 months.", "Aged 60 to 75 years, for 12 weeks.", ("12 months", DIFFERS, "12 weeks")),
        ("It took 9 weeks.", "Aged 60 to 75 years, for 12 weeks.", ("9 weeks", DIFFERS, "12 weeks")),
        ("Honey rose by 12%.", "It rose.", ("12%", NOT_FOUND, "")),
    ],
)
def test_one_number(text: str, source: str, expected: tuple[str, NumberAgreement, str]) -> None:
    assert pairs(text, source) == [expected]


def test_how_often_is_no_length_of_time() -> None:
    assert pairs("They walked three times a week.", "Walks took place for a week.") == [("three", NOT_FOUND, "")]


def test_the_nearest_sentence_that_agrees_is_taken_before_one_that_differs() -> None:
    assert pairs("It took 5 weeks.", "It took 8 weeks.", "It took 5 weeks.") == [("5 weeks", AGREES, "5 weeks")]
    assert pair_numbers("It took 5 weeks.", [(7, "It took 8 weeks."), (9, "It took 5 weeks.")])[0].index == 9


def test_a_number_that_is_said_too_does_not_differ_from_another() -> None:
    assert pairs("It was 12% and 15%.", "It was 15%.") == [("12%", NOT_FOUND, ""), ("15%", AGREES, "15%")]
