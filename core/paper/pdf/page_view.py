"""Pages as pictures, and the boxes of sentences on them, for the page view."""

from __future__ import annotations

import ctypes
import io
import re
import unicodedata
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher

import pypdfium2
import pypdfium2.raw as pdfium
from PIL import Image

from core.errors import DamagedFile
from core.paper.model import Paper, PrintedLine
from core.paper.pdf.extract import open_text
from core.paper.pdf.pdfium import PDFIUM_LOCK, Characters, open_document

# ---- Pages as pictures ----

_TALLEST = 4  # times its width: a longer page is drawn smaller, to save memory
_COLOURS = 128  # enough for a printed page: shades at the edges of black letters, some for headings and charts


def page_sizes(data: bytes) -> tuple[tuple[float, float], ...]:
    """Width and height of every page as shown, in points; none if PDFium cannot open the file."""
    with PDFIUM_LOCK:
        document = open_document(data, name="The PDF")
        if document is None:
            return ()
        try:
            return tuple(document.get_page_size(index) for index in range(len(document)))
        finally:
            document.close()


def page_picture(data: bytes, page: int, *, width: int) -> bytes:
    """A page, counted from 1, as a picture `width` pixels wide: as PNG, or as JPEG if that is smaller.

    Raises `DamagedFile` if PDFium cannot draw the page.
    """
    picture = _drawn(data, page, width)
    png, jpeg = io.BytesIO(), io.BytesIO()
    picture.quantize(_COLOURS, method=Image.Quantize.FASTOCTREE).save(png, "PNG", compress_level=3)
    picture.save(jpeg, "JPEG", quality=88, subsampling=0)
    return min(png.getvalue(), jpeg.getvalue(), key=len)


def _drawn(data: bytes, number: int, width: int) -> Image.Image:
    with PDFIUM_LOCK:
        document = open_document(data, name="The PDF")
        if document is None:
            raise _cannot_be_drawn(number)
        try:
            page = document[number - 1]
            across, down = page.get_size()
            scale = min(width / across, _TALLEST * width / down)
            picture: Image.Image = page.render(scale=scale, rev_byteorder=True).to_pil().convert("RGB")
            return picture
        except pypdfium2.PdfiumError as error:
            raise _cannot_be_drawn(number) from error
        finally:
            document.close()


def _cannot_be_drawn(number: int) -> DamagedFile:
    return DamagedFile(f"Page {number} is damaged and cannot be drawn. Read what it says in the text view.")


# ---- Which characters of a printed line a stretch of text was read from, letter by letter ----

_OPENING = frozenset({"Ps", "Pi", "Sm"})  # Unicode categories of characters that belong to the word after them


def characters_of(printed: str, text: str, start: int, end: int, *, skipped: int) -> range:
    """The indices of the characters of a line, `printed`, that `text[start:end]` was read from; empty if none.

    `text` comes after the line's first `skipped` letters and digits. Letters and digits are matched; the characters
    between and next to them, up to a space, are included.
    """
    spelt, page = _letters(text), _letters(printed)
    places = _places([letter for _, letter in spelt], [letter for _, letter in page[skipped:]])
    inside = [
        page[skipped + place][0]
        for (at, _), place in zip(spelt, places, strict=True)
        if start <= at < end and place is not None
    ]
    whole_start, whole_end = start == 0 and not skipped, end == len(text) and skipped + len(spelt) == len(page)
    if not inside:
        return range(len(printed)) if whole_start and whole_end else range(0)
    first, stop = min(inside), max(inside) + 1
    while first and (whole_start or _opens(printed[first - 1])):
        first -= 1
    while stop < len(printed) and (whole_end or _closes(printed[stop])):
        stop += 1
    return range(first, stop)


def _opens(character: str) -> bool:
    return unicodedata.category(character) in _OPENING


def _closes(character: str) -> bool:
    return not (character.isspace() or character.isalnum() or _opens(character))


def _letters(text: str) -> list[tuple[int, str]]:
    """The letters and digits of a text with their indices, ligatures spelt out."""
    return [
        (at, letter)
        for at, character in enumerate(text)
        for letter in unicodedata.normalize("NFKC", character)
        if letter.isalnum()
    ]


def _places(letters: list[str], page: list[str]) -> list[int | None]:
    """The index of each letter among those of the page; None if not found."""
    if page[: len(letters)] == letters:
        return list(range(len(letters)))
    places: list[int | None] = [None] * len(letters)
    for at, place, count in SequenceMatcher(None, letters, page, autojunk=False).get_matching_blocks():
        places[at : at + count] = range(place, place + count)
    return places


# ---- The boxes of sentences ----

_DESCENT, _ASCENT = 0.24, 0.76  # of the size of type: the height of a box unless a character is taller
_TALL = 1.5  # of the size of type: a drop cap or a summation sign has its own box
FINE = 1 << 20  # PDFium gives places in whole pixels of a picture; at this size, rounding does not matter
_WORD = re.compile(r"\S+")

_Rectangle = tuple[float, float, float, float]  # left, bottom, right, top


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle on a page as shown, in fractions of its width and height from the top left."""

    page: int  # counted from 1
    left: float
    top: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class _Part:
    """The part of a sentence on one printed line: a stretch of the paper's text."""

    sentence: int
    line: PrintedLine
    start: int
    end: int


def sentence_boxes(data: bytes, paper: Paper, indices: Iterable[int]) -> dict[int, tuple[Box, ...]]:
    """The boxes of the sentences with these indices, in reading order, one for each line or part of one.

    `data` are the bytes that `paper` was read from. A sentence whose place is unknown has no boxes.
    """
    wanted = list(dict.fromkeys(indices))
    pages: dict[int, list[_Part]] = defaultdict(list)
    for part in _parts(paper, wanted):
        pages[part.line.page].append(part)
    found: dict[int, list[Box]] = {index: [] for index in wanted}
    if pages:
        with PDFIUM_LOCK:
            document = open_document(data, name=paper.name)
        if document is not None:
            try:
                for number in sorted(pages):
                    with PDFIUM_LOCK:  # one page at a time, so that others can take the lock
                        for index, box in _page_boxes(document, number, pages[number], paper.text):
                            found[index].append(box)
            finally:
                with PDFIUM_LOCK:
                    document.close()
    return {index: tuple(boxes) for index, boxes in found.items()}


def _parts(paper: Paper, indices: Iterable[int]) -> Iterator[_Part]:
    ends = [line.end for line in paper.lines]
    for index in indices:
        sentence = paper.sentences[index]
        for line in paper.lines[bisect_right(ends, sentence.start) :]:
            if line.start >= sentence.end:
                break
            if line.first < line.stop:
                yield _Part(index, line, max(line.start, sentence.start), min(line.end, sentence.end))


def _page_boxes(
    document: pypdfium2.PdfDocument, number: int, parts: Iterable[_Part], text: str
) -> Iterator[tuple[int, Box]]:
    """(sentence, box) for each part of the sentences on one page. Call under the lock."""
    page = document[number - 1]
    try:
        with open_text(page) as (_, characters):
            for part in parts:
                line = part.line
                run = characters_of(
                    characters.text[line.first : line.stop],
                    text[line.start : line.end],
                    part.start - line.start,
                    part.end - line.start,
                    skipped=line.skipped,
                )
                for rectangle in _rectangles(characters, line, range(line.first + run.start, line.first + run.stop)):
                    yield part.sentence, _box(page, number, rectangle)
    finally:
        page.close()


def _rectangles(characters: Characters, line: PrintedLine, run: range) -> Iterator[_Rectangle]:
    """The rectangle of a run of characters, and one more for each character too tall for it.

    All runs of a line have the same height: that of its type, and of the characters that reach beyond it.
    """
    words = [match.span() for match in _WORD.finditer(characters.text, line.first, line.stop)]
    if not words:
        return
    reference = max(words, key=lambda word: word[1] - word[0])[0]
    angle, size = characters.angle(reference), characters.size(reference)
    baseline = characters.baseline(reference, angle)
    low, high = baseline - _DESCENT * size, baseline + _ASCENT * size
    pieces: list[tuple[float, float]] = []  # where the words of the run begin and end along the line
    tall: list[_Rectangle] = []
    for first, stop in words:
        since = first
        for at in range(first, stop):
            left, bottom, right, top = _turned(characters.bounds(at), angle)
            if 0 < top - bottom < _TALL * size:
                low, high = min(low, bottom), max(high, top)
                continue
            if at in run and top > bottom:
                tall.append((left, bottom, right, top))
            pieces += _extent(characters, range(since, at), run, angle)
            since = at + 1
        pieces += _extent(characters, range(since, stop), run, angle)
    if pieces:
        yield _turned((min(piece[0] for piece in pieces), low, max(piece[1] for piece in pieces), high), -angle)
    for rectangle in tall:
        yield _turned(rectangle, -angle)


def _extent(characters: Characters, word: range, run: range, angle: int) -> list[tuple[float, float]]:
    """Where the run's part of a word begins and ends; empty if there is none."""
    first, stop = max(word.start, run.start), min(word.stop, run.stop)
    return [characters.extent(first, stop, angle)] if first < stop else []


def _box(page: pypdfium2.PdfPage, number: int, rectangle: _Rectangle) -> Box:
    """The box of a rectangle on the page as shown: turned, and cut to the crop box."""
    left, bottom, right, top = rectangle
    corners = []
    for x, y in ((left, bottom), (right, top)):
        across, down = ctypes.c_int(), ctypes.c_int()
        pdfium.FPDF_PageToDevice(page.raw, 0, 0, FINE, FINE, 0, x, y, across, down)
        corners.append([min(max(place.value / FINE, 0.0), 1.0) for place in (across, down)])
    (x0, x1), (y0, y1) = (sorted(side) for side in zip(*corners, strict=True))
    return Box(number, x0, y0, x1 - x0, y1 - y0)


def _turned(rectangle: _Rectangle, quarters: int) -> _Rectangle:
    """A rectangle turned clockwise about the origin, by quarter turns."""
    for _ in range(quarters % 4):
        left, bottom, right, top = rectangle
        rectangle = bottom, -right, top, -left
    return rectangle
