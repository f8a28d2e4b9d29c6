"""Words on several lines: wrapped at the width of a box by how wide their letters are."""

from __future__ import annotations

import re
from collections.abc import Iterator
from unicodedata import combining, east_asian_width, normalize

from core.export.shown import shown

# Shares of the size, rounded up: DejaVu Sans, which draws the PNG and is wider than the faces of the SVG.
_WIDTHS = {
    0.30: "'IJijl",
    0.35: " \N{NO-BREAK SPACE},./:;\\|",
    0.40: "()-[]ft",
    0.45: "!r",
    0.50: '"*_`–“”‘’',
    0.55: "?csz",
    0.60: "FLkvxy",
    0.65: "$0123456789EPSTYabdeghnopqu{}",
    0.70: "ABCKRVXZ",
    0.75: "NU",
    0.80: "&DGHOQ",
    0.85: "#+<=>^w~≤≥×±",
    0.90: "M",
    1.00: "%@Wm—…",
}
_WIDTH_OF = {letter: width for width, letters in _WIDTHS.items() for letter in letters}
_WIDE, _OTHER = 1.1, 0.8  # East Asian letters and the widest of other scripts; any letter that is not listed
_BOLD = 1.16  # bold letters are wider by so much
_SPACES = re.compile(r"[^\S\N{NO-BREAK SPACE}]+")


def measured(words: str, size: float, *, bold: bool = False) -> float:
    """How wide words are, in pixels, on the safe side."""
    letters = (letter for letter in normalize("NFD", words) if not combining(letter))
    return size * sum(map(_width, letters)) * (_BOLD if bold else 1)


def wrapped(words: str, size: float, width: float, *, bold: bool = False) -> list[str]:
    """The words on lines of at most this width, in pixels. A word that is wider is broken; nothing is left out."""
    lines: list[str] = []
    for word in filter(None, _SPACES.split(shown(words))):
        longer = f"{lines[-1]} {word}" if lines else word
        if measured(longer, size, bold=bold) <= width:
            lines[-1:] = [longer]
        else:
            lines += _broken(word, size, width, bold)
    return lines


def _broken(word: str, size: float, width: float, bold: bool) -> Iterator[str]:
    line = ""
    for letter in word:
        if line and measured(line + letter, size, bold=bold) > width:
            yield line
            line = ""
        line += letter
    yield line


def _width(letter: str) -> float:
    if letter in _WIDTH_OF:
        return _WIDTH_OF[letter]
    return _WIDE if east_asian_width(letter) in "WF" else _OTHER
