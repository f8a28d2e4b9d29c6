"""Text of unknown origin where it is drawn or printed: what it shows, and nothing that steers."""

from __future__ import annotations

from unicodedata import category

_REORDERING = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_NO_CHARACTERS = frozenset("\ufffe\uffff")  # XML has no place for them


def shown(text: str) -> str:
    """The text on its lines, without control characters, reordering marks and half characters, which become spaces."""
    return "".join(" " if _steers(letter) else letter for letter in text)


def _steers(letter: str) -> bool:
    return letter in _REORDERING or letter in _NO_CHARACTERS or (category(letter) in ("Cc", "Cs") and letter != "\n")
