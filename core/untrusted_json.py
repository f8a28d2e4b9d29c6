"""Read JSON from untrusted sources without taking many times its size in memory.

Python needs some eighty bytes for an empty list, and pydantic a thousand for the error about a wrong value. So a few
megabytes of nothing but brackets, or nothing but mistakes, would fill a machine's memory. Therefore the values of a
document are counted before it is parsed, and those of each part before it is validated.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pydantic_core import from_json


@dataclass(frozen=True, slots=True)
class ValueLimits:
    """How many values a document may hold: `few`, or one per `bytes_each` bytes if that is more, but at most `most`."""

    few: int = 1_000_000
    bytes_each: int = 10
    most: int = 40_000_000

    def allow(self, data: bytes) -> bool:
        """Whether a document is within the limits. Commas and brackets in strings count too; we write few of them."""
        values = sum(map(data.count, (b",", b"[", b"{")))
        return values <= min(self.most, max(self.few, len(data) // self.bytes_each))


VALUE_LIMITS = ValueLimits()


class TooManyValues(ValueError):
    """A document holds more values than one that Vouch wrote would, given its size."""


def parsed(text: str | bytes, limits: ValueLimits = VALUE_LIMITS) -> Any:
    """Parse a JSON document. Raises `TooManyValues` beyond the limits, another `ValueError` if it is not JSON."""
    data = text.encode() if isinstance(text, str) else text
    if not limits.allow(data):
        raise TooManyValues
    return from_json(data)


def holds_more(part: object, most: int) -> bool:
    """Whether `part` holds more than `most` values, at any depth."""
    found, open_ = 0, [part]
    while open_:
        one = open_.pop()
        inside = list(one.values()) if isinstance(one, dict) else one if isinstance(one, list) else []
        found += len(inside)
        if found > most:
            return True
        open_ += [value for value in inside if isinstance(value, dict | list)]
    return False
