"""A sentence that was copied and then changed in a word."""

from __future__ import annotations

import pytest

from core.summary.near_copies import changed_words

PAPER = (
    "Raters were blinded to the conditions, and 124 of 150 adults with asthma finished the twelve weeks of training.",
    "No difference in sleep was found between the training group and the control group after twelve weeks (p < 0.05).",
)


@pytest.mark.parametrize(
    ("said", "changed"),
    [
        (PAPER[0], ""),
        (PAPER[0].replace("were blinded", "were not blinded"), "not"),
        (PAPER[0].replace("124", "142"), "142"),
        (PAPER[0].replace("adults", "children"), "children"),
        (PAPER[0].replace("Raters were", "The raters were"), ""),
        (PAPER[0].replace("finished", "finishes"), ""),
        (PAPER[1].replace("No difference", "A difference"), "no"),
        (PAPER[1].replace("<", ">"), ">"),
        (PAPER[1].replace("control group", "training group"), "training"),
        ("Raters were blinded to the conditions, and 124 of 150 adults with asthma finished.", ""),
        ("Most of those who trained for three months slept no better than the others.", ""),
        ("Raters were not blinded.", ""),  # too short to be a copy
        (f"METHODS: {PAPER[0]}", ""),
        (
            PAPER[1].replace("No difference", "After twelve weeks of training, no difference"),
            "",
        ),  # words of the sources
        (PAPER[1].replace("No difference", "In children, no difference"), "in children"),
        (PAPER[0].replace("Raters", "No raters"), "no"),
    ],
)
def test_the_words_that_differ_are_named(said: str, changed: str) -> None:
    assert changed_words(said, PAPER) == changed
