"""JSON that anyone may have written, read without taking many times its size in memory.

Python keeps even an empty list in some eighty bytes, and pydantic a wrong value's error in a thousand: a few megabytes that
are nothing but brackets, or nothing but mistakes, would fill a machine. So the values of a document are counted before
it is read, and those of each part before it is checked.
"""

from __future__ import annotations

from typing import Any

from pydantic_core import from_json

_FEW, _BYTES, _MOST = 1_000_000, 10, 40_000_000  # values that any document may hold; or one in so many bytes; at most


class TooManyValues(ValueError):
    """A document holds more values than one of its size that we wrote."""


def parsed(text: str | bytes) -> Any:
    """What a document holds. Raises `TooManyValues`, or another `ValueError` if it is no JSON."""
    data = text.encode() if isinstance(text, str) else text
    if has_too_many_values(data):
        raise TooManyValues
    return from_json(data)


def has_too_many_values(data: bytes) -> bool:
    """Whether `parsed` refuses it. Commas and brackets of texts count, too: there are few of them in what we write."""
    return sum(map(data.count, (b",", b"[", b"{"))) > min(_MOST, max(_FEW, len(data) // _BYTES))


def holds_more(part: object, most: int) -> bool:
    """Whether there are more values in it, at any depth, than this."""
    found, open_ = 0, [part]
    while open_:
        one = open_.pop()
        inside = list(one.values()) if isinstance(one, dict) else one if isinstance(one, list) else []
        found += len(inside)
        if found > most:
            return True
        open_ += [value for value in inside if isinstance(value, dict | list)]
    return False
