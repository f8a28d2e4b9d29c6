"""Small PDF files written by hand, so that every rule of the reader has a page that shows it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

FONTS = {
    "regular": "Times-Roman",
    "bold": "Times-Bold",
    "italic": "Times-Italic",
    "sans": "Helvetica",
    "tex-bold": "CMBX12",
}
# What the font "signs" draws for a character, by the names of its glyphs. Its table of characters says otherwise.
SIGNS = {
    ".": "greater",
    ",": "less",
    "1": "plus",
    "2": "minus",
    "3": "multiply",
    "5": "equal",
    "6": "plusminus",
    "8": "degree",
    "b": "less",
    "m": "mu",
    "\xa1": "less",
    "\xbc": "equal",
    "\xfe": "plus",
}
# What "drawn", a font without names and tables, draws for a code.
DRAWN = {
    3: "0 100 500 80 re 0 300 500 80 re",  # an equals sign
    4: "0 200 m 500 450 l 500 370 l 160 200 l 500 30 l 500 -50 l h 0 0 m",  # “less than”
    5: "0 0 m 250 500 l 500 0 l h",  # no sign
}
WORDS = (
    "nurses in both groups slept longer after eight weeks of training and few of them left the study before its end"
).split()


@dataclass(frozen=True)
class Text:
    """A piece of text at a place, in points from the bottom left."""

    x: float
    y: float
    text: str
    size: float = 10
    font: str = "regular"
    rise: float = 0


@dataclass(frozen=True)
class Operators:
    """A piece of a page's content stream as it stands."""

    text: str


def prose(first: str, count: int, *, width: int = 9, last: str = "at the end of the trial.") -> list[str]:
    """`count` lines of about equal length; the first begins with `first`, and the last is a shorter end of sentence."""
    lines = []
    step = 3 + sum(map(ord, first)) % 7  # another order of words for another paragraph
    for index in range(count - 1):
        words = [WORDS[(index * width + step * n + step) % len(WORDS)] for n in range(width)]
        lines.append(" ".join([first, *words[len(first.split()) :]]) if index == 0 else " ".join(words))
    return [*lines, last]


def column(x: float, y: float, lines: Sequence[str], *, size: float = 10, font: str = "regular") -> list[Text]:
    """Lines below each other, 12 points apart."""
    return [Text(x, y - 12 * index, line, size, font) for index, line in enumerate(lines)]


def pdf(*pages: Sequence[Text | Operators], info: str = "") -> bytes:
    """A PDF with the standard fonts; `info` is the body of its information dictionary."""
    names = [*FONTS, "signs", "drawn"]
    fonts = " ".join(f"/{name} {3 + index} 0 R" for index, name in enumerate(names))
    first_page = 3 + len(names) + 1 + len(DRAWN)
    kids = " ".join(f"{first_page + 2 * index} 0 R" for index in range(len(pages)))
    objects = [b"<< /Type /Catalog /Pages 2 0 R >>"]
    objects.append(f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>".encode())
    for base in FONTS.values():
        font = f"<< /Type /Font /Subtype /Type1 /BaseFont /{base} /Encoding /WinAnsiEncoding >>"
        objects.append(font.encode())
    objects += _fonts_of_signs(len(objects) + 1)
    for index, page in enumerate(pages):
        content = b"\n".join(_shown(piece) for piece in page)
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << {fonts} >> >> "
            f"/Contents {first_page + 2 * index + 1} 0 R >>".encode()
        )
        objects.append(_stream(content))
    objects.append(f"<< {info} >>".encode())
    return _file(objects)


def _fonts_of_signs(number: int) -> list[bytes]:
    """The fonts "signs" and "drawn", the first of which is this object of the file, and what they are made of."""
    named = " ".join(f"{ord(character)} /{name}" for character, name in SIGNS.items())
    mapped = "\n".join(f"<{ord(character):02x}> <{ord(character):04x}>" for character in SIGNS)
    table = f"begincmap 1 begincodespacerange <00> <ff> endcodespacerange {len(SIGNS)} beginbfchar\n{mapped}\nendbfchar endcmap"
    drawn = " ".join(f"{code} /g{code}" for code in DRAWN)
    procedures = " ".join(f"/g{code} {number + 3 + index} 0 R" for index, code in enumerate(DRAWN))
    return [
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Times-Roman /ToUnicode %d 0 R /Encoding << /Differences [ %s ] >> >>"
        % (number + 2, named.encode()),
        f"<< /Type /Font /Subtype /Type3 /FontBBox [0 -50 500 500] /FontMatrix [0.001 0 0 0.001 0 0] /FirstChar {min(DRAWN)} "
        f"/LastChar {max(DRAWN)} /Widths [ {'550 ' * len(DRAWN)}] /Encoding << /Type /Encoding /Differences [ {drawn} ] >> "
        f"/CharProcs << {procedures} >> /Resources << >> >>".encode(),
        _stream(table.encode()),
        *(_stream(f"550 0 0 -50 500 500 d1 {path} f".encode()) for path in DRAWN.values()),
    ]


def _stream(content: bytes) -> bytes:
    return b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content)


def _shown(piece: Text | Operators) -> bytes:
    if isinstance(piece, Operators):
        return b"q " + piece.text.encode("latin-1") + b" Q"
    text = piece.text.encode("cp1252").replace(b"\\", rb"\\").replace(b"(", rb"\(").replace(b")", rb"\)")
    place = f"BT /{piece.font} {piece.size} Tf 1 0 0 1 {piece.x} {piece.y} Tm {piece.rise} Ts ("
    return place.encode() + text + b") Tj ET"


def _file(objects: Sequence[bytes]) -> bytes:
    out = b"%PDF-1.7\n"
    offsets = []
    for number, body in enumerate(objects, 1):
        offsets.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    trailer = b"trailer << /Size %d /Root 1 0 R /Info %d 0 R >>\nstartxref\n%d\n%%%%EOF\n"
    return out + trailer % (len(objects) + 1, len(objects), start)
