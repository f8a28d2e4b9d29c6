"""JSON that anyone may have written, read without taking many times its size in memory.

Python keeps even an empty list in some eighty bytes, and pydantic a wrong value's error in a thousand: a few megabytes that
are nothing but brackets, or nothing but mistakes, would fill a machine. So the values of a document are counted before
it is read, and those of each part before it is checked.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pydantic_core import from_json


@dataclass(frozen=True, slots=True)
class ValueLimits:
    """How many values a document may hold: a few whatever its size, beyond that one in so many bytes, at most so many."""

    few: int = 1_000_000
    bytes_each: int = 10
    most: int = 40_000_000

    def allow(self, data: bytes) -> bool:
        """Whether a document holds no more. Commas and brackets of texts count, too: in what we write they are few."""
        values = sum(map(data.count, (b",", b"[", b"{")))
        return values <= min(self.most, max(self.few, len(data) // self.bytes_each))


VALUE_LIMITS = ValueLimits()


class TooManyValues(ValueError):
    """A document holds more values than one of its size that we wrote."""


def parsed(text: str | bytes, limits: ValueLimits = VALUE_LIMITS) -> Any:
    """What a document holds. Raises `TooManyValues`, or another `ValueError` if it is no JSON."""
    data = text.encode() if isinstance(text, str) else text
    if not limits.allow(data):
        raise TooManyValues
    return from_json(data)


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
