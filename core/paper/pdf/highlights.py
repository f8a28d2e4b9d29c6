"""Real highlight annotations in a PDF, which every viewer shows; all else in the file stays as it is."""

from __future__ import annotations

import ctypes
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

import pypdfium2
import pypdfium2.raw as pdfium
from pypdf.generic import (
    ArrayObject,
    DictionaryObject,
    FloatObject,
    NameObject,
    NumberObject,
    RectangleObject,
    StreamObject,
    TextStringObject,
)

from core.errors import DamagedFile
from core.paper.pdf.lock import PDFIUM
from core.paper.pdf.opening import open_document
from core.paper.pdf.second_reader import MALFORMED
from core.paper.pdf.sentence_boxes import FINE, Box
from core.paper.pdf.updates import writer_of, written

_PRINTED = 4  # the flag of an annotation that is printed with its page: ISO 32000-1, table 165
_Quad = tuple[float, ...]  # x and y of the corners top left, top right, bottom left, bottom right


@dataclass(frozen=True, slots=True)
class Highlight:
    """Boxes in one colour, with a note. On every page that they stand on, they are one annotation."""

    boxes: tuple[Box, ...]
    colour: tuple[float, float, float]  # red, green and blue from 0 to 1
    subject: str  # a few words, shown above the note
    note: str


def with_highlights(data: bytes, highlights: Iterable[Highlight], *, name: str, author: str, date: datetime) -> bytes:
    """The PDF with highlights added, if possible behind its own bytes: see `written`.

    Raises `LockedFile` if it needs a password, or `DamagedFile` if it is too damaged to be written.
    """
    pages: dict[int, list[Highlight]] = defaultdict(list)
    for highlight in highlights:
        for number in sorted({box.page for box in highlight.boxes}):
            boxes = tuple(box for box in highlight.boxes if box.page == number)
            pages[number].append(Highlight(boxes, highlight.colour, highlight.subject, highlight.note))
    if not pages:
        return data
    quads = _quads(data, [box for marks in pages.values() for mark in marks for box in mark.boxes], name)
    when = TextStringObject(date.astimezone(UTC).strftime("D:%Y%m%d%H%M%SZ"))
    try:
        writer = writer_of(data)
        for number, marks in pages.items():
            page = writer.pages[number - 1]
            for mark in marks:
                corners = [quads[box] for box in mark.boxes]
                annotation = _annotation(mark, corners, author, when)
                look = writer._add_object(_appearance(mark, corners))
                annotation[NameObject("/AP")] = DictionaryObject({NameObject("/N"): look})
                writer.add_annotation(page, annotation)
        return written(writer, data)
    except MALFORMED as error:
        raise _cannot_be_written(name) from error


def _quads(data: bytes, boxes: Sequence[Box], name: str) -> Mapping[Box, _Quad]:
    """Where the corners of each box stand in the coordinates of its page."""
    with PDFIUM:
        document = open_document(data, name=name)
        if document is None:
            raise _cannot_be_written(name)
        try:
            pages = {number: document[number - 1] for number in {box.page for box in boxes}}
            return {box: _quad(pages[box.page], box) for box in boxes}
        finally:
            document.close()


def _quad(page: pypdfium2.PdfPage, box: Box) -> _Quad:
    x, y = ctypes.c_double(), ctypes.c_double()
    corners: list[float] = []
    for down in (box.top, box.top + box.height):
        for across in (box.left, box.left + box.width):
            pdfium.FPDF_DeviceToPage(page.raw, 0, 0, FINE, FINE, 0, round(across * FINE), round(down * FINE), x, y)
            corners += (round(x.value, 3), round(y.value, 3))
    return tuple(corners)


def _annotation(mark: Highlight, quads: Sequence[_Quad], author: str, when: TextStringObject) -> DictionaryObject:
    """A highlight (ISO 32000-1, section 12.5.6.10), its corners in the order in which Acrobat reads them: as in a Z."""
    return DictionaryObject(
        {
            NameObject("/Type"): NameObject("/Annot"),
            NameObject("/Subtype"): NameObject("/Highlight"),
            NameObject("/Rect"): _around(quads),
            NameObject("/QuadPoints"): ArrayObject(FloatObject(number) for quad in quads for number in quad),
            NameObject("/C"): ArrayObject(map(FloatObject, mark.colour)),
            NameObject("/F"): NumberObject(_PRINTED),
            NameObject("/T"): TextStringObject(author),
            NameObject("/Subj"): TextStringObject(mark.subject),
            NameObject("/Contents"): TextStringObject(mark.note),
            NameObject("/CreationDate"): when,
            NameObject("/M"): when,
        }
    )


def _appearance(mark: Highlight, quads: Sequence[_Quad]) -> StreamObject:
    """How the highlight looks, for viewers that do not draw one by themselves: colour that darkens what is below it."""
    blend = DictionaryObject(
        {NameObject("/Type"): NameObject("/ExtGState"), NameObject("/BM"): NameObject("/Multiply")}
    )
    states = DictionaryObject({NameObject("/Blend"): blend})
    stream = StreamObject()
    stream.update(
        {
            NameObject("/Type"): NameObject("/XObject"),
            NameObject("/Subtype"): NameObject("/Form"),
            NameObject("/BBox"): _around(quads),
            NameObject("/Resources"): DictionaryObject({NameObject("/ExtGState"): states}),
        }
    )
    red, green, blue = mark.colour
    drawn = [f"/Blend gs {red} {green} {blue} rg"]
    for x0, y0, x1, y1, x2, y2, x3, y3 in quads:  # once around
        drawn.append(f"{x0} {y0} m {x1} {y1} l {x3} {y3} l {x2} {y2} l f")
    stream.set_data("\n".join(drawn).encode())
    return stream


def _around(quads: Sequence[_Quad]) -> RectangleObject:
    x, y = ([number for quad in quads for number in quad[at::2]] for at in (0, 1))
    return RectangleObject((min(x), min(y), max(x), max(y)))


def _cannot_be_written(name: str) -> DamagedFile:
    return DamagedFile(
        f"“{name}” is too damaged for highlights to be written into it. Take the list of sentences instead, as CSV or JSON."
    )
