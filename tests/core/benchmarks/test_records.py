"""Records one by one, whatever the shape of the file and wherever the chunks end."""

from __future__ import annotations

import io
import json
import tracemalloc
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.benchmarks.records import records
from core.errors import DatasetError

FIELDS = {"text", "label"}


def read(data: str | bytes, chunk: int = 1 << 20) -> list[tuple[str, Any]]:
    stream = io.BytesIO(data.encode() if isinstance(data, str) else data)
    return list(records(stream, name="data.json", fields=FIELDS, chunk=chunk))


@pytest.mark.parametrize("chunk", [1, 2, 7, 1 << 20])
@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ('{"a": {"text": 1}, "b": {"text": 2}}', [("a", {"text": 1}), ("b", {"text": 2})]),
        ('[{"text": 1}, 23, null]', [("1", {"text": 1}), ("2", 23), ("3", None)]),
        ('{"text": "ä", "other": {"x": 1}}', [("1", {"text": "ä", "other": {"x": 1}})]),
        ('{"text": 1}\n{"text": 2}\n\n{"text": 3}\n', [("1", {"text": 1}), ("2", {"text": 2}), ("3", {"text": 3})]),
        ("\ufeff  [ ]  ", []),
        ("{}", []),
        ("[0.5, 1e5, -12.25e-3, 7]", [("1", 0.5), ("2", 1e5), ("3", -0.01225), ("4", 7)]),
        ("3", []),
        ('"text"', []),
    ],
)
def test_every_shape(data: str, expected: list[tuple[str, Any]], chunk: int) -> None:
    assert read(data, chunk) == expected


@pytest.mark.slow
@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.dictionaries(
        st.text().filter(lambda key: key not in FIELDS),
        st.recursive(
            st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
            lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
            max_leaves=5,
        ),
        max_size=4,
    ),
    st.integers(1, 40),
    st.booleans(),
)
def test_the_same_as_reading_all_at_once(content: dict[str, Any], chunk: int, ascii: bool) -> None:
    data = json.dumps(content, ensure_ascii=ascii).encode("utf-8", "surrogatepass")
    try:
        data.decode()
    except UnicodeDecodeError:
        return  # half a character, which no file in UTF-8 holds
    assert read(data, chunk) == list(content.items())


@pytest.mark.parametrize(
    "data",
    [
        '{"a": {"text": 1}, "b": {"te',
        "[1, 2",
        "[1 2]",
        '{"a": 1} {"b": 2}',
        "[1] 2",
        "{1: 2}",
        "text",
        "",
        '{"text": 1} {',
        "[1,",
    ],
)
@pytest.mark.parametrize("chunk", [1, 1 << 20])
def test_what_is_not_whole_is_told(data: str, chunk: int) -> None:
    with pytest.raises(DatasetError, match="not complete JSON"):
        read(data, chunk)


def test_the_records_before_a_break_are_read() -> None:
    found = records(io.BytesIO(b'[{"text": 1}, {"text": 2}, {"tex'), name="data.json", fields=FIELDS)
    assert next(found) == ("1", {"text": 1})
    assert next(found) == ("2", {"text": 2})
    with pytest.raises(DatasetError, match="cut off"):
        next(found)


def test_another_encoding_and_bottomless_nesting() -> None:
    with pytest.raises(DatasetError, match="UTF-8"):
        read('["ä"]'.encode("latin-1"))
    with pytest.raises(DatasetError, match="not complete JSON"):
        read("[" * 100_000)


def test_memory_does_not_grow_with_the_file() -> None:
    record = json.dumps({"text": "x" * 20_000}).encode()

    class Endless(io.RawIOBase):
        """Two thousand records, 40 MB, made as they are read."""

        left = 2_000

        def read(self, size: int = -1) -> bytes:
            if self.left < 0:
                return b""
            self.left -= 1
            return b"[" + record if self.left == 1_999 else b"]" if self.left < 0 else b"," + record

    tracemalloc.start()
    count = sum(1 for _ in records(Endless(), name="data.json", fields=FIELDS))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert count == 2_000
    assert peak < 2_000_000


def test_a_record_without_end_is_given_up() -> None:
    class Endless(io.RawIOBase):
        def read(self, size: int = -1) -> bytes:
            self.given = getattr(self, "given", 0) + size
            return b'["' + b"x" * (size - 2) if self.given == size else b"x" * size

    stream = Endless()
    with pytest.raises(DatasetError, match="not complete JSON"):
        list(records(stream, name="data.json", fields=FIELDS, chunk=1 << 10, largest=1 << 14))
    assert stream.given < 1 << 16
