"""Text of unknown origin where it is drawn or printed: what it shows, and nothing that steers."""

from __future__ import annotations

import re

_REORDERING = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
_CONTROLS = "\x00-\x09\x0b-\x1f\x7f-\x9f"  # all but the end of a line
_NO_CHARACTERS = "\ufffe\uffff"  # XML has no place for them
_HALVES = "\ud800-\udfff"
_STEERS = re.compile(f"[{_REORDERING}{_CONTROLS}{_NO_CHARACTERS}{_HALVES}]")


def shown(text: str) -> str:
    """The text on its lines, without control characters, reordering marks and half characters, which become spaces."""
    return _STEERS.sub(" ", text)
