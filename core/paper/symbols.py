"""Symbols that PDF fonts of older journals store under the wrong code point."""

from __future__ import annotations

# Symbol fonts whose glyphs were filed under Coptic letters and control pictures, which no
# biomedical paper uses: "P Ͻ 0.05" was printed as "P < 0.05".
_MISFILED = str.maketrans(
    {
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


def restore_symbols(text: str) -> str:
    """The text with misfiled symbols put right and ligatures spelt out.

    >>> restore_symbols("signiﬁcant (P Ͻ 0.05)")
    'significant (P < 0.05)'
    """
    return text.translate(_MISFILED).translate(_LIGATURES)
