"""The abbreviations that a paper introduces, "long form (LF)" (Schwartz and Hearst 2003)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

_BRACKETED = re.compile(r"\(\s*([^\W_][\w./+-]{0,9})\s*[);,]")
_LONGEST_LETTERS = 10


def abbreviations(texts: Iterable[str]) -> dict[str, str]:
    """Long form by abbreviation; the first definition counts.

    >>> abbreviations(["The International Eyecare Community (IEC) was founded."])
    {'IEC': 'International Eyecare Community'}
    """
    found: dict[str, str] = {}
    for text in texts:
        for bracket in _BRACKETED.finditer(text):
            short = bracket[1]
            long = _long_form(short, text[: bracket.start()]) if _may_abbreviate(short) else None
            if long:
                found.setdefault(short, long)
    return found


def shortened(text: str, long_forms: Mapping[str, str]) -> str:
    """The text with every long form, and the bracket that defines it, replaced by the abbreviation."""
    for short, long in long_forms.items():
        words = r"\s+".join(re.escape(word) for word in long.split())
        definition = rf"(?:\s*\(\s*{re.escape(short)}\s*\))?"
        text = re.sub(rf"\b{words}\b{definition}", short, text, flags=re.IGNORECASE)
    return text


def _may_abbreviate(short: str) -> bool:
    """Two characters or more with a capital among them, and not a number."""
    return 2 <= len(short) <= _LONGEST_LETTERS and any(map(str.isupper, short)) and not short.isdigit()


def _long_form(short: str, before: str) -> str | None:
    """The words before a bracket that the abbreviation in it stands for.

    Reading backwards, each letter of the abbreviation is found in the words; the first letter must begin a word. At
    most twice as many words as letters are searched, and at most five more (section 2).
    """
    letters = [letter for letter in short.lower() if letter.isalnum()]
    words = before.rstrip().split()
    window = " ".join(words[-min(len(letters) + 5, 2 * len(letters)) :])
    place = len(window)
    for number, letter in enumerate(reversed(letters), 1):
        first = number == len(letters)
        place -= 1
        while place >= 0 and not (
            window[place].lower() == letter and (not first or place == 0 or not window[place - 1].isalnum())
        ):
            place -= 1
        if place < 0:
            return None
    long = window[place:]
    apart = any(mark in long for mark in "()[]:;")  # another bracket or clause
    return long if len(long) > len(short) and short not in long.split() and not apart else None
