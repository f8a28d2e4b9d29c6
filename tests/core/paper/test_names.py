"""What looks like a person's name."""

from __future__ import annotations

import pytest

from core.paper.names import is_name


@pytest.mark.parametrize(
    "text",
    [
        "Ada Rossi", "J. K. Rossi", "Ada J. de la Rossi", "Mary-Ann O’Neil", "A.-M. Löfgren", "Ole al-Rashid", "Ngô Thị Mai",
        "ADA ROSSI", "HUI LI", "Bo Li", "Ada van 't Hof", "Ludwig McRae",
    ],
)  # fmt: skip
def test_names(text: str) -> None:
    assert is_name(text)


@pytest.mark.parametrize(
    "text",
    [
        "", "Rossi", "J. K.", "Open Access", "Department of Bees", "see page 4", "Ada Rossi et al", "ada rossi",
        "Academic Editor: Ada Rossi", "Ada Rossi 2", "One Two Three Four Five Six Seven", "University Oslo", "ada@hive.example",
    ],
)  # fmt: skip
def test_other_words(text: str) -> None:
    assert not is_name(text)
