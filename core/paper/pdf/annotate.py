"""Add highlight annotations to a PDF, appended to its own bytes, which stay unchanged."""

from __future__ import annotations

import ctypes
import io
import re
import struct
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import cast

import pypdf
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
from core.paper.pdf.extract import MALFORMED
from core.paper.pdf.page_view import FINE, Box
from core.paper.pdf.pdfium import PDFIUM_LOCK, open_document

# ---- Incremental updates, appended to the file's own bytes: ISO 32000-1, section 7.5.6 ----

_START = re.compile(rb"startxref\s+(\d+)\s+%%EOF")
_TABLE, _STREAM = re.compile(rb"\s*xref\s"), re.compile(rb"\s*\d+\s+\d+\s+obj\b")
_KEPT = ("/Root", "/Info", "/ID")


def writer_of(data: bytes) -> pypdf.PdfWriter:
    """A writer for the document. Change it, then pass it to `written`. Raises what pypdf raises."""
    reader = pypdf.PdfReader(io.BytesIO(data))
    return pypdf.PdfWriter(reader, incremental=not reader.is_encrypted and _last_table(data) is not None)


def written(writer: pypdf.PdfWriter, data: bytes) -> bytes:
    """The document `data` with the changes of its writer, appended to its own bytes.

    A file that is encrypted (without a password) or has a broken table of objects is written anew, without encryption.
    """
    start = _last_table(data)
    out = io.BytesIO()
    if start is None or not writer.incremental:
        writer.write(out)
        return out.getvalue()
    out.write(data)
    if not data.endswith(b"\n"):
        out.write(b"\n")
    places: list[tuple[int, int]] = []
    for reference in writer.list_objects_in_increment():
        places.append((reference.idnum, out.tell()))
        out.write(b"%d 0 obj\n" % reference.idnum)
        writer.get_object(reference).write_to_stream(out)
        out.write(b"\nendobj\n")
    trailer = _trailer(data, start, size=max(number for number, _ in places) + 1)
    at = out.tell()
    if _TABLE.match(data, start):
        rows = (b"%d 1\n%010d 00000 n \n" % place for place in places)
        out.write(b"xref\n0 1\n0000000000 65535 f \n" + b"".join(rows) + b"trailer\n")
        trailer.write_to_stream(out)
    else:
        _write_stream(out, trailer, places)
    out.write(b"\nstartxref\n%d\n%%%%EOF\n" % at)
    return out.getvalue()


def _last_table(data: bytes) -> int | None:
    """The offset of the last table of objects (or stream); None if the file states a wrong one."""
    starts = _START.findall(data, max(len(data) - 2048, 0))
    if not data.startswith(b"%PDF-") or not starts:
        return None
    start = int(starts[-1])
    return start if _TABLE.match(data, start) or _STREAM.match(data, start) else None


def _trailer(data: bytes, start: int, *, size: int) -> DictionaryObject:
    old = pypdf.PdfReader(io.BytesIO(data)).trailer
    size = max(size, cast(int, old["/Size"]))
    trailer = DictionaryObject({NameObject(key): old.raw_get(key) for key in _KEPT if key in old})
    trailer[NameObject("/Size")] = NumberObject(size)
    trailer[NameObject("/Prev")] = NumberObject(start)
    return trailer


def _write_stream(out: io.BytesIO, trailer: DictionaryObject, places: list[tuple[int, int]]) -> None:
    """Write the table as a stream, which is itself an object: ISO 32000-1, section 7.5.8."""
    number = cast(int, trailer["/Size"])
    places = [*places, (number, out.tell())]
    trailer[NameObject("/Size")] = NumberObject(number + 1)
    stream = StreamObject()
    stream.update(trailer)
    stream[NameObject("/Type")] = NameObject("/XRef")
    stream[NameObject("/W")] = ArrayObject(map(NumberObject, (1, 4, 2)))
    stream[NameObject("/Index")] = ArrayObject(NumberObject(entry) for place in places for entry in (place[0], 1))
    stream.set_data(b"".join(struct.pack(">BIH", 1, offset, 0) for _, offset in places))
    out.write(b"%d 0 obj\n" % number)
    stream.write_to_stream(out)
    out.write(b"\nendobj")


# ---- Highlight annotations, which every viewer shows ----

_PRINTED = 4  # the flag of an annotation that is printed with its page: ISO 32000-1, table 165
_Quad = tuple[float, ...]  # x and y of the corners top left, top right, bottom left, bottom right


@dataclass(frozen=True, slots=True)
class Highlight:
    """Boxes in one colour, with a note: one annotation on each page."""

    boxes: tuple[Box, ...]
    colour: tuple[float, float, float]  # red, green and blue from 0 to 1
    subject: str  # a few words, shown above the note
    note: str


def with_highlights(data: bytes, highlights: Iterable[Highlight], *, name: str, author: str, date: datetime) -> bytes:
    """The PDF with highlights added, appended to its own bytes if possible: see `written`.

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
    """The corners of each box in the coordinates of its page."""
    with PDFIUM_LOCK:
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
    """A highlight (ISO 32000-1, section 12.5.6.10). Its corners are in the order that Acrobat reads: like a Z."""
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
    """The highlight's appearance, for viewers that draw none themselves: a colour that darkens what is below it."""
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
