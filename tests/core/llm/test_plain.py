"""The plain form of answers that hold more than a list of numbers."""

from __future__ import annotations

import pytest

from core.llm.plain import NotPlain, fields, numbers


def test_each_keyword_has_what_stands_after_it() -> None:
    text = "REASON: It says so.\nIt does. SENTENCES: [3, 7]\nDECISION: low\n"
    assert fields(text, "REASON", "SENTENCES", "DECISION") == ("It says so.\nIt does.", "[3, 7]", "low")


@pytest.mark.parametrize(
    "text",
    [
        "REASON: So.\nDECISION: low",
        "REASON: So.\nDECISION: low\nSENTENCES: [3]",
        "Well. REASON: So.\nSENTENCES: [3]\nDECISION: low",
        "REASON: So.\nSENTENCES: [3]\nSENTENCES: [4]\nDECISION: low",
        "REASON: So.\nSENTENCES: [3]\nDECISION: low\nREASON: No.\n",
        "",
    ],
)
def test_a_keyword_that_lacks_or_stands_elsewhere_or_twice_makes_it_unreadable(text: str) -> None:
    with pytest.raises(NotPlain, match=r"REASON: \.\.\. SENTENCES"):
        fields(text, "REASON", "SENTENCES", "DECISION")


def test_numbers_stand_in_brackets_and_alone() -> None:
    assert numbers("[3,\n 07]", "SENTENCES") == [3, 7]
    assert numbers("[]", "SENTENCES") == []
    for other in ("3", "[3] or so", "[three]", "none"):
        with pytest.raises(NotPlain, match="after SENTENCES"):
            numbers(other, "SENTENCES")
