"""Raised numbers in the notation of the other readers: "slept.[3]" for a citation, "10^9" for an exponent."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

# A run of numbers that could be raised: at the end of a word, or between it and closing punctuation.
_NUMBERS = re.compile(r"\d{1,3}(?:[,;–—‒-]\d{1,3})*[,;]?(?=[.,;:)\]]*$)")
# "m²", "kg/m2", "1.73m2", "R2", "χ2": powers, not citations.
_POWER = re.compile(r"\d[kcd]?m$|\dmm$|(?:^|[\s(/·.])(?:[kcmdµμn]?m|s|min|h|[A-Za-zχηρωτ])$")
_CLOSING = ".,;:)]"
_BASE = re.compile(r"\d$")


def mark_raised(word: str, before: Sequence[str], rise: Callable[[int], float], size: float) -> str:
    """The word with its raised numbers marked. `rise(at)` is how far the character at `at` stands above the line."""
    last = len(word.rstrip(_CLOSING)) - 1
    if last < 0 or not word[last].isdigit() or not is_raised(rise(last), size):
        return word
    match = _NUMBERS.search(word)
    if match is None:
        return word

    at = last
    for index in range(last - 1, match.start() - 1, -1):
        if word[index].isdigit():
            if not is_raised(rise(index), size):
                break
            at = index
    head, numbers, tail = word[:at], word[at : match.end()], word[match.end() :]
    if not head and not before:
        return word
    previous = head or before[-1]
    if previous[-1:] in "−–-+":
        return word  # "min−1"
    if _BASE.search(previous):
        return f"{head}^{numbers}{tail}" if head else word
    if numbers.isdigit() and len(numbers) == 1 and numbers in "23" and _POWER.search(previous):
        return word
    comma = numbers[-1] if numbers[-1] in ",;" else ""
    return f"{head}[{numbers.rstrip(',;')}]{comma}{tail}"


def is_raised(rise: float, size: float) -> bool:
    """Whether a character that stands so far above its line is raised."""
    return 0.15 * size < rise < size
