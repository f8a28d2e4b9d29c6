"""Symbols that PDF fonts of older journals store under the wrong code point."""

from __future__ import annotations

import re

# Symbol fonts whose glyphs were filed under Armenian and Coptic letters and control pictures,
# which no biomedical paper uses: "P Ͻ 0.05" was printed as "P < 0.05".
_MISFILED = str.maketrans(
    {
        "Յ": "≤",
        "Ն": "≥",
        "Ͻ": "<",
        "Ͼ": ">",
        "ϭ": "=",
        "ϩ": "+",
        "Ϫ": "−",
        "Ϯ": "±",
        "ϫ": "×",
        "␮": "µ",
        "␣": "α",
        "␤": "β",
        "␥": "γ",
        "␦": "δ",
        "␬": "κ",
        "␹": "χ",
        "␭": "λ",
    }
)
_LIGATURES = str.maketrans({"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"})

_ODD = re.compile(f"[{''.join(map(chr, (*_MISFILED, *_LIGATURES)))}]")

# Fonts that file "<", "=" and "±" under letters and digits, where the place leaves no doubt. What comes first is a
# quick look for whether there is anything to do, which is rare.
_AFTER_O = re.compile(r"o ?[.\d]")
_O_IN_PLACE = (
    (re.compile(r"\b([Pp]) ?o ?(?=\d?\.\d)"), r"\1<"),
    (re.compile(r"(?<![^\s(\[])o(?=\d{1,3}\.\d)"), "<"),
)
_MISFILED_IN_PLACE = (
    (" 5 ", re.compile(r"\b([Pp]) 5 (?=0?\.\d)"), r"\1 = "),
    ("◦", re.compile(r"(?<=\d)(\s?)◦(?=\s?[CF]\b)"), r"\1°"),
    (" AE ", re.compile(r"(?<=[\w%]) AE (?=(?:SDs?|SEM?|standard|\d)\b)"), " ± "),
)


def restore_symbols(text: str) -> str:
    """The text with misfiled symbols put right and ligatures spelt out.

    >>> restore_symbols("signiﬁcant (P Ͻ 0.05)")
    'significant (P < 0.05)'
    """
    if not text.isascii() and _ODD.search(text):
        text = text.translate(_MISFILED).translate(_LIGATURES)
    if _AFTER_O.search(text):
        for pattern, replacement in _O_IN_PLACE:
            text = pattern.sub(replacement, text)
    for sign, pattern, replacement in _MISFILED_IN_PLACE:
        if sign in text:
            text = pattern.sub(replacement, text)
    return text
