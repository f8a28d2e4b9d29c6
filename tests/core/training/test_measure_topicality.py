"""A hypothesis with the class of its drug in the drug's place."""

from __future__ import annotations

import pytest

from core.training.measure_topicality import _by_class


@pytest.mark.parametrize(
    ("hypothesis", "named"),
    [
        ("simvastatin 20 mg reduces stings compared with placebo", "statins reduces stings compared with placebo"),
        ("simvastatin reduces stings compared with pravastatin", None),  # of one class: nothing is left to compare
        ("naps reduces stings compared with simvastatin", None),
    ],
)
def test_the_class_stands_for_the_drug(hypothesis: str, named: str | None) -> None:
    assert _by_class(hypothesis) == named
