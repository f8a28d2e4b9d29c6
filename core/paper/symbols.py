"""Symbols that PDF fonts of older journals store under the wrong code point."""

from __future__ import annotations

import re

# Symbol fonts filed glyphs under Armenian and Coptic letters, control pictures and rare arrows and operators, which no
# biomedical paper uses: "P Ͻ 0.05" was printed as "P < 0.05".
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
        "⬍": "<",
        "⬎": ">",
        "⫽": "=",
        "⫹": "+",
        "⫺": "−",
        "⫾": "±",
        "⫻": "×",
        "ⱕ": "≤",
        "ⱖ": "≥",
        "⬃": "∼",
        "⬁": "∞",
        "⬚": "°",
        "⬘": "′",
        "⌬": "Δ",
        "␣": "α",
        "␤": "β",
        "␥": "γ",
        "␦": "δ",
        "␧": "ε",
        "␨": "ζ",
        "␩": "η",
        "␪": "θ",
        "␫": "ι",
        "␬": "κ",
        "␭": "λ",
        "␮": "µ",
        "␯": "ν",
        "␰": "ξ",
        "␱": "ο",
        "␲": "π",
        "␳": "ρ",
        "␴": "σ",
        "␵": "ς",
        "␶": "τ",
        "␷": "υ",
        "␸": "φ",
        "␹": "χ",
        "␺": "ψ",
        "␻": "ω",
    }
)
_LIGATURES = str.maketrans({"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"})

_ODD = re.compile(f"[{''.join(map(chr, (*_MISFILED, *_LIGATURES)))}]")

# "<", "=" and "±" stored as letters, digits and points, where the context leaves no doubt. Each group has a quick test,
# because most texts have none of these. In PDFs, the glyph itself is examined first (`pdf/glyphs.py`).
_AFTER_O = re.compile(r"o ?[.\d]")
_O_IN_PLACE = (
    (re.compile(r"\b([Pp]) ?o ?(?=\d?\.\d)"), r"\1<"),
    (re.compile(r"(?<![^\s(\[])o(?=\d{1,3}\.\d)"), "<"),
)
_MISFILED_IN_PLACE = (
    ("¼", re.compile(r"(?<=[A-Za-zα-ω²)\]%])( ?)¼(?= ?[-−–+<>≤≥À]? ?[.\d])"), r"\1="),
    ("¼", re.compile(r"(?<=\b[A-Z][A-Z])( ?)¼(?= ?[a-z])"), r"\1="),
    ("À", re.compile(r"(?<![^\W\d_])À(?=[.\d])"), "−"),
    ("Â", re.compile(r"(?<=\d)( ?)Â(?= ?\d)"), r"\1×"),
    ("Æ", re.compile(r"(?<=[\d%])( ?)Æ(?= ?\d)"), r"\1±"),
    ("þ", re.compile(r"(?<=[A-Za-z\d])( ?)þ(?= ?\d|[^\w\s]|\s|$)"), r"\1+"),
    ("¡", re.compile(r"\b([Pp] ?)¡(?= ?0?\.\d)"), r"\1<"),
    ("P5", re.compile(r"\bP5(?=0?\.\d)"), "P="),
    (",.", re.compile(r"\b([Pp] ?),(?=\.\d)"), r"\1<"),
    ("..", re.compile(r"\b([Pp] ?)\.(?=\.\d)"), r"\1>"),
    (" 5 ", re.compile(r"\b([Pp]) 5 (?=0?\.\d)"), r"\1 = "),
    ("◦", re.compile(r"(?<=\d)(\s?)◦(?=\s?[CF]\b)"), r"\1°"),
    (" AE ", re.compile(r"(?<=[\w%]) AE (?=(?:SDs?|SEM?|standard|\d)\b)"), " ± "),
)


def restore_symbols(text: str) -> str:
    """The text with misfiled symbols corrected and ligatures spelt out.

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
