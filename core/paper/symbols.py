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

# Fonts that file "<", "=" and "±" under letters and digits, where the place leaves no doubt.
_MISFILED_IN_PLACE = (
    (re.compile(r"\b([Pp]) ?o ?(?=\d?\.\d)"), r"\1<"),
    (re.compile(r"(?<![^\s(\[])o(?=\d{1,3}\.\d)"), "<"),
    (re.compile(r"\b([Pp]) 5 (?=0?\.\d)"), r"\1 = "),
    (re.compile(r"(?<=\d)(\s?)◦(?=\s?[CF]\b)"), r"\1°"),
    (re.compile(r"(?<=[\w%]) AE (?=(?:SDs?|SEM?|standard|\d)\b)"), " ± "),
)


def restore_symbols(text: str) -> str:
    """The text with misfiled symbols put right and ligatures spelt out.

    >>> restore_symbols("signiﬁcant (P Ͻ 0.05)")
    'significant (P < 0.05)'
    """
    text = text.translate(_MISFILED).translate(_LIGATURES)
    for pattern, replacement in _MISFILED_IN_PLACE:
        text = pattern.sub(replacement, text)
    return text
