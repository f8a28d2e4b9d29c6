"""Signs that fonts file under other characters: “>” under the full stop, “=” under “¼”, “±” under “6”.

Journals set signs in fonts of their own, whose codes programs take for letters, digits and points. What a glyph looks
like proves what it is. What proves to be no such digit or point, or stands for nothing before a number, becomes `UNCERTAIN`.
"""

from __future__ import annotations

import ctypes
import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt
import pypdfium2
import pypdfium2.raw as pdfium

from core.paper.draft import Block
from core.paper.model import PaperWarning
from core.paper.pdf.asking import address, address_of, quick
from core.paper.pdf.characters import Characters
from core.paper.pdf.glyphs import Shape, likeness_to, outline_of, shape_in, shape_of, sign_of
from core.paper.pdf.view import View

UNCERTAIN = "\ufffd"

_CONTROLS = "\x01\x03-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ue000-\uf8ff\ufffd"
_AROUND_UNCERTAIN = re.compile(rf"(?:\S+\s+)?\S*{UNCERTAIN}\S*(?:\s+\S+)?")
_ONE_SIGN = "A sign on page {2} could not be made out: “{0}”. See what is printed there."
_SIGNS = "{1} signs on page {2} could not be made out, the first in “{0}”. See what is printed there."
_HYPHEN = "\x02"  # PDFium's sign for one at the end of a line, and the second code of a font that says nothing of it
# Between a word and a number; before a number at the beginning of a line it may be a bullet.
_BY_A_NUMBER = re.compile(rf"[{_CONTROLS}](?:(?<=[\w)\]%(].)|(?<=[\w)\]%(] .))(?=[ .−–-]{{0,2}}\d)")
# Signs, and what else fonts file signs under.
_ODD = re.compile(rf"[!-$&+<=>@^`|~\xa1-\xac\xae\xb0-\xff{_HYPHEN}{_CONTROLS}]")
_TOLD = frozenset("0123456789.#$þ")  # what is more like itself than `_UNLIKE` in any typeface
_UNLIKE = 0.5
_PICTURE = 128.0  # pixels, the height of the picture of a glyph
_BLACK = 128
_NAME_LENGTH = 128

_font_of = quick(pdfium.FPDFTextObj_GetFont, ctypes.c_void_p)
_base_name = quick(pdfium.FPDFFont_GetBaseFontName, ctypes.c_size_t)
_data = quick(pdfium.FPDFFont_GetFontData)
_glyph_width = quick(pdfium.FPDFFont_GetGlyphWidth)
_has_no_unicode = quick(pdfium.FPDFText_HasUnicodeMapError)


_IS_ODD, _IS_DIGIT, _IS_POINT, _IS_LETTER, _IS_SPACE = 1, 2, 4, 8, 16
_KINDS = {
    _IS_ODD: _ODD,
    _IS_DIGIT: re.compile(r"[0-9]"),
    _IS_POINT: re.compile(r"[.,]"),
    _IS_LETTER: re.compile(r"[A-Za-z]"),
    _IS_SPACE: re.compile(r"\s"),
}


def _kinds() -> npt.NDArray[np.uint8]:
    """The kind of each character by its code; 0 for one of no interest, as most are."""
    result = np.zeros(0x10000, np.uint8)
    for code in (*range(0x100), *range(0xE000, 0xF900), 0xFFFD):
        result[code] = next((kind for kind, pattern in _KINDS.items() if pattern.match(chr(code))), 0)
    return result


_KIND_OF = _kinds()


@dataclass(slots=True)
class _Font:
    """What a font of a file shows in place of characters, as far as it is known; None for the character itself."""

    shows: dict[str, str | None] = field(default_factory=dict)
    misfiles: bool = False  # at least one sign, so that all it draws deserves a closer look


_fonts: WeakKeyDictionary[pypdfium2.PdfDocument, dict[object, _Font]] = WeakKeyDictionary()


def mend_signs(page: pypdfium2.PdfPage, characters: Characters) -> None:
    """Put right the signs among the characters of a page that are filed under others. Call under the lock."""
    fonts = _fonts.setdefault(page.pdf, {})
    mended: dict[int, str] = {}
    if not any(font.misfiles for font in fonts.values()):
        mended = _mended(page, characters, fonts, closely=False)
    if any(font.misfiles for font in fonts.values()):
        mended = _mended(page, characters, fonts, closely=True)
    text = characters.text
    if mended:
        text = "".join(mended.get(index, character) for index, character in enumerate(text))
    characters.text = _BY_A_NUMBER.sub(UNCERTAIN, text)


def _mended(
    page: pypdfium2.PdfPage, characters: Characters, fonts: dict[object, _Font], *, closely: bool
) -> dict[int, str]:
    """The signs that stand in place of suspect characters, by index."""
    text = characters.text
    raw = address_of(characters.textpage)
    indices = _suspects(text, closely=closely)
    if _HYPHEN in text:
        indices = [index for index in indices if text[index] != _HYPHEN or _has_no_unicode(raw, index) == 1]
    owners = characters.owners(indices)
    font_of = {owner: _font_of(address(owner)) if owner else 0 for owner in set(owners)}
    drawn = list(zip(map(font_of.__getitem__, owners), map(text.__getitem__, indices), strict=True))
    found: dict[int, dict[str, int]] = defaultdict(dict)  # of each font, one place of each character
    for (at, character), index in dict(zip(drawn, indices, strict=True)).items():
        if at:
            found[at][character] = index
    shown: dict[tuple[int, str], str] = {}
    for at, places in found.items():
        font = fonts.setdefault(_key(at), _Font())
        _look(page, characters, at, font, places)
        shown |= {(at, character): sign for character in places if (sign := font.shows[character])}
    return {index: shown[pair] for pair, index in zip(drawn, indices, strict=True) if pair in shown} if shown else {}


def _suspects(text: str, *, closely: bool) -> list[int]:
    """The characters of a text that may be signs filed under others.

    `closely`: all of them, as it is known that a font of the file does so. Otherwise those that a sign is likely to
    stand for: a point before a number and not within one, a digit that others may follow, and in "p b 0.05" a letter.
    """
    codes = np.frombuffer(text.encode("utf-32-le", "replace"), np.uint32)
    kinds = np.zeros(len(codes) + 3, np.uint8)  # and a place of no kind before them, and two behind
    np.take(_KIND_OF, codes, out=kinds[1:-2], mode="clip")
    before, kind, after, next_but_one = kinds[:-3], kinds[1:-2], kinds[2:-1], kinds[3:]
    number = _IS_DIGIT | _IS_POINT
    digit, letter = kind == _IS_DIGIT, kind == _IS_LETTER
    alone = letter & (before & (_IS_LETTER | _IS_DIGIT) == 0)
    if closely:
        found = (kind & (number | _IS_ODD) > 0) | (alone & (after != _IS_LETTER)) | (codes == ord("m"))
    else:
        found = kind == _IS_ODD
        found |= (kind == _IS_POINT) & (before != _IS_DIGIT) & ((after & number > 0) | (before == _IS_SPACE))
        found |= digit & ((before & number == 0) | ((before == _IS_DIGIT) & (after == _IS_DIGIT)))
        found |= alone & ((after & number > 0) | ((after == _IS_SPACE) & (next_but_one & number > 0)))
    indices: list[int] = np.flatnonzero(found).tolist()
    return indices


def _look(page: pypdfium2.PdfPage, characters: Characters, at: int, font: _Font, places: dict[str, int]) -> None:
    """Find out what a font, by PDFium's address, shows for the characters of a page; each with a place of it."""
    for character, index in places.items():
        if character not in font.shows:
            font.shows[character] = _shown(page, characters, at, index, closely=font.misfiles)
    if not font.misfiles and any(font.shows[character] for character in places):
        font.misfiles = True
        font.shows = {character: sign for character, sign in font.shows.items() if sign}
        _look(page, characters, at, font, places)


def _shown(page: pypdfium2.PdfPage, characters: Characters, font: int, index: int, *, closely: bool) -> str | None:
    """What a font shows in place of the character at `index`; `closely`: even if it has curves, as few signs do."""
    character = characters.text[index]
    outline = outline_of(font, character, straight=not closely)
    if outline is not None:
        shape = shape_of(outline)
    elif not character.isascii() or _has_no_unicode(address_of(characters.textpage), index) == 1:
        shape = _pictured(page, characters, index)
    else:
        return None
    if shape is None:
        return None
    if sign := sign_of(shape, character, closely=closely):
        return sign
    return UNCERTAIN if character in _TOLD and likeness_to(shape, character) < _UNLIKE else None


def _pictured(page: pypdfium2.PdfPage, characters: Characters, index: int) -> Shape | None:
    """The shape of a character as the page shows it, of which the font says nothing."""
    box = characters.bounds(index)
    height = box[3] - box[1]
    if height <= 0 or box[2] <= box[0]:
        return None
    view = View.around(page, [box], scale=_PICTURE / max(height, box[2] - box[0]))
    picture = view.picture()[view.part(box)]
    return shape_in(picture.min(axis=2) < _BLACK)


def _key(font: int) -> object:
    """What tells a font, by PDFium's address, from the others of its file: addresses are used again."""
    name, length, width = ctypes.create_string_buffer(_NAME_LENGTH), ctypes.c_size_t(), ctypes.c_float()
    at = address(font)
    _base_name(at, name, ctypes.c_size_t(_NAME_LENGTH))
    _data(at, None, ctypes.c_size_t(0), ctypes.byref(length))
    widths = []
    for character in ".5":
        _glyph_width(at, ord(character), ctypes.c_float(1.0), ctypes.byref(width))
        widths.append(width.value)
    return name.value, length.value, *widths


def uncertain_signs(blocks: Iterable[Block]) -> list[PaperWarning]:
    """A warning for each page that has signs which could not be told, with the words around the first of them."""
    pages: dict[int | None, list[str]] = defaultdict(list)
    for block in blocks:
        for match in _AROUND_UNCERTAIN.finditer(block.text):
            pages[block.page_at(match.start())].append(match[0].strip())
    return [
        PaperWarning(
            "uncertain-sign", (_ONE_SIGN if len(found) == 1 else _SIGNS).format(found[0], len(found), page), page
        )
        for page, found in pages.items()
    ]
