"""JSON of strangers: no more values than a document of its size may hold, at any depth."""

from __future__ import annotations

import pytest

from core.untrusted_json import TooManyValues, ValueLimits, holds_more, parsed


def test_json_is_read_from_text_and_bytes() -> None:
    assert parsed('{"a": [1, "é"]}') == parsed('{"a": [1, "é"]}'.encode()) == {"a": [1, "é"]}


@pytest.mark.parametrize("text", ["", "{", b"\xff", "\ud800"])
def test_what_is_no_json_is_told(text: str | bytes) -> None:
    with pytest.raises(ValueError):  # noqa: PT011  of any kind
        parsed(text)


@pytest.mark.parametrize(
    ("text", "refused"),
    [
        ("[[],0]", False),  # two brackets and a comma: as many as any document may hold
        ("[[],[]]", True),
        (f'[[],[],"{"a" * 40}"]', False),  # five for more than fifty bytes
        (f'[[],[],[],"{"a" * 400}"]', True),  # seven, and six is the most
    ],
)
def test_values_are_counted_against_the_size(text: str, refused: bool) -> None:
    limits = ValueLimits(few=3, most=6)
    assert limits.allow(text.encode()) is not refused
    if refused:
        with pytest.raises(TooManyValues):
            parsed(text, limits)


def test_values_are_counted_at_any_depth() -> None:
    part = {"a": [1, 2, {"b": []}], "c": "text"}  # two, three, and one
    assert not holds_more(part, 6)
    assert holds_more(part, 5)
    assert not holds_more("text", 0)
