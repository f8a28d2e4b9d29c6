"""What looks like a person's name."""

from __future__ import annotations

import pytest

from core.paper.names import family_name, is_name


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


@pytest.mark.parametrize(
    ("author", "family"),
    [
        ("Ada Rossi", "Rossi"), ("Johannes F. E. Mann", "Mann"), ("John A Rathmacher", "Rathmacher"), ("J. K. Ngũgĩ", "Ngũgĩ"),
        ("Rossi, Ada", "Rossi"), ("van der Berg, Ada", "van der Berg"), ("Lee, K", "Lee"), ("Li ,W", "Li"),
        ("Rossi AB", "Rossi"), ("Lee K", "Lee"), ("Kim S-Y", "Kim"), ("Rossi A. B.", "Rossi"), ("van der Berg A", "van der Berg"),
        ("Ada van der Berg", "van der Berg"), ("Piet Van Damme", "Van Damme"), ("Ana de la Cruz", "de la Cruz"),
        ("Van Nguyen", "Nguyen"), ("José Ortega y Gasset", "Ortega y Gasset"), ("Ole al-Rashid", "al-Rashid"),
        ("Ada Rossi Jr.", "Rossi"), ("Ada Rossi, Jr", "Rossi"), ("Rossi AB 3rd", "Rossi"), ("Ada Rossi III", "Rossi"),
        ("ADA ROSSI", "ROSSI"), ("HUI LI", "LI"), ("Bo Li", "Li"), ("Plato", "Plato"), ("J. K.", "J."), ("", ""), (" ", ""),
        ("The NAP Study Group", "NAP Study Group"), ("for the NAP Investigators", "NAP Investigators"),
    ],
)  # fmt: skip
def test_family_names(author: str, family: str) -> None:
    assert family_name(author) == family
