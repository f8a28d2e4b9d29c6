"""Changes to a PDF written behind its own bytes, so that all else stays as it is: ISO 32000-1, section 7.5.6."""

from __future__ import annotations

import io
import re
import struct
from typing import cast

import pypdf
from pypdf.generic import ArrayObject, DictionaryObject, NameObject, NumberObject, StreamObject

_START = re.compile(rb"startxref\s+(\d+)\s+%%EOF")
_TABLE, _STREAM = re.compile(rb"\s*xref\s"), re.compile(rb"\s*\d+\s+\d+\s+obj\b")
_KEPT = ("/Root", "/Info", "/ID")


def writer_of(data: bytes) -> pypdf.PdfWriter:
    """A writer of the document, to change it and to hand it to `written`. Raises what pypdf raises."""
    reader = pypdf.PdfReader(io.BytesIO(data))
    return pypdf.PdfWriter(reader, incremental=not reader.is_encrypted and _last_table(data) is not None)


def written(writer: pypdf.PdfWriter, data: bytes) -> bytes:
    """The document `data` with the changes of its writer.

    They stand behind its own bytes. A file that is encrypted, though it asks for no password, and one whose table of
    objects is broken are written anew, and then without the encryption.
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
    """Where the last table of objects begins, or the stream in its place; None where the file does not say it rightly."""
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
    """The table as a stream, which is an object of its own: ISO 32000-1, section 7.5.8."""
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
