"""`read_references`: from the bytes of a file to references, whatever its format and name."""

from __future__ import annotations

import re

import rispy

from core.errors import ReferencesError, UnknownFormat
from core.paper.decoding import decode
from core.references.layouts import NBIB, RIS, TABLE, column_key
from core.references.model import BrokenReference, Reference, ReferenceFile
from core.references.record import Fields, Layout, build
from core.references.table import Table, open_table, rows
from core.references.tagged import Record, Stray, cut, fields_of, is_nbib, parser_for

_WANTED = "Export the references as RIS, NBIB (PubMed) or CSV."
# What people take for references: by first bytes, and by what the text looks like.
_OTHER_FILES = (
    (b"%PDF-", "a PDF"),
    (b"PK\x03\x04", "an Excel workbook or a ZIP archive"),
    (b"\xd0\xcf\x11\xe0", "an old Office document"),
    (b"\x1f\x8b", "a compressed archive"),
    (b"{\\rtf", "an RTF document"),
    (b"SQLite format 3", "a database, such as Zotero's own"),
)
_OTHER_TEXTS = (
    (re.compile(r"\s*(?:<!doctype html|<html|<head|<body)", re.IGNORECASE), "a web page"),
    (re.compile(r"\s*(?:<\?xml|<!DOCTYPE|<[A-Za-z][\w:.-]*[\s/>])"), "XML"),
    (re.compile(r"(?:\s*%[^\n]*\n)*\s*@\s*[A-Za-z]+\s*[{(]"), "BibTeX"),
    (re.compile(r"\s*[\[{]\s*[\[{\"\]}]"), "JSON"),
    (re.compile(r"\s*%0 [A-Z]"), "EndNote's own format"),
    (re.compile(r"\s*(?:FN [^\n]*\s+VR [\d.]+\s+)?PT [A-Z]\s*\n(?:AU|TI) "), "a plain text file of Web of Science"),
)
_MEDLINE = re.compile(r"medline|pubmed", re.IGNORECASE)


def read_references(data: bytes, *, name: str) -> ReferenceFile:
    """Read a file of references: RIS, NBIB or CSV, recognised by content, never by the file's name.

    A record that cannot be read is listed with its place and reason, and the others are read; what is wrong within a
    record is left out of it and listed too. Raises `ReferencesError` if not one reference can be read.
    """
    text, guessed = _decoded(data, name)
    for pattern, what in _OTHER_TEXTS:
        if pattern.match(text):
            raise ReferencesError(f"“{name}” is {what}, not a file of references that Vouch can read. {_WANTED}")
    if parser := parser_for(text):
        file = _read_tagged(text, parser, name)
    elif table := open_table(text):
        file = _read_table(table, name)
    else:
        raise ReferencesError(
            f"“{name}” holds no references in RIS, NBIB or CSV. {_WANTED} A CSV file needs a first row that names its "
            "columns, “title” among them."
        )
    if not file.references:
        first = f": {file.broken[0].place}. {file.broken[0].reason}" if file.broken else "."
        raise ReferencesError(f"“{name}” holds no reference that could be read{first}")
    if guessed:
        doubt = BrokenReference("the file", f"It is not UTF-8, and was read as {guessed}. Look for wrong accents.")
        return ReferenceFile(name, file.references, file.broken, (doubt, *file.doubts))
    return file


def _decoded(data: bytes, name: str) -> tuple[str, str | None]:
    if not data.strip(b"\0 \t\r\n"):
        raise ReferencesError(f"“{name}” is empty. {_WANTED}")
    for start, what in _OTHER_FILES:
        if data.startswith(start):
            raise ReferencesError(f"“{name}” is {what}, not a file of references. {_WANTED}")
    for zeros, encoding in ((data[1:2000:2], "utf-16-le"), (data[:2000:2], "utf-16-be")):
        if zeros and not zeros.strip(b"\0"):  # UTF-16 of Latin letters without a mark
            return data.decode(encoding, errors="replace"), None
    try:
        text, guessed = decode(data, name=name)
    except UnknownFormat:
        raise ReferencesError(f"“{name}” holds binary data, not references. {_WANTED}") from None
    return text.lstrip("\ufeff"), guessed


class _Reader:
    """Collects what the records of one file give."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.references: list[tuple[int, Reference]] = []
        self.broken: list[BrokenReference] = []
        self.doubts: list[BrokenReference] = []

    def add(self, number: int, place: str, fields: Fields, kept: Fields) -> None:
        built = build(fields, self.layout, kept=kept)
        if built.reference is None:
            self.broken.append(BrokenReference(place, "It has no title. Add one, or export the record again."))
            return
        self.references.append((number, built.reference))
        self.doubts += [BrokenReference(place, doubt) for doubt in built.doubts]

    def file(self, name: str) -> ReferenceFile:
        return ReferenceFile(name, tuple(self.references), tuple(self.broken), tuple(self.doubts))


def _read_tagged(text: str, parser: rispy.RisParser, name: str) -> ReferenceFile:
    nbib = is_nbib(parser)
    reader = _Reader(NBIB if nbib else RIS)
    parts = list(cut(text, parser))
    ends_are_left_out = not any(isinstance(part, Record) and part.ended for part in parts)
    if ends_are_left_out:
        reader.doubts.append(BrokenReference("the file", "No record has an end tag (ER): the last one may be cut off."))
    for part in parts:
        if isinstance(part, Stray):
            reader.doubts.append(BrokenReference(f"line {part.line}", "This line belongs to no record. Look at it."))
        elif not part.started:
            reader.broken.append(
                BrokenReference(part.place, f"It does not begin with {parser.START_TAG}. Export the record again.")
            )
        elif not part.ended and not ends_are_left_out:
            reader.broken.append(
                BrokenReference(part.place, "It has no end tag (ER), so it may be cut off. Export the record again.")
            )
        else:
            fields = fields_of(part, parser)
            reader.add(part.number, part.place, _with_doi(fields) if nbib else _with_pmid(fields), kept=fields)
    return reader.file(name)


def _with_doi(fields: Fields) -> Fields:
    """NBIB has DOIs among other numbers of an article, marked: "10.1000/xyz [doi]"."""
    marked = tuple(value for tag in ("LID", "AID") for value in fields.get(tag, ()) if value.lower().endswith("[doi]"))
    return {**fields, "DOI": marked, "FAU": fields.get("FAU") or fields.get("AU", ())}


def _with_pmid(fields: Fields) -> Fields:
    """RIS has no tag for PMIDs; records of MEDLINE have them as their number in the database."""
    database = " ".join((*fields.get("DB", ()), *fields.get("DP", ())))
    numbers = tuple(filter(str.isdecimal, fields.get("AN", ()))) if _MEDLINE.search(database) else ()
    return {**fields, "PM": (*fields.get("PM", ()), *numbers)}


def _read_table(table: Table, name: str) -> ReferenceFile:
    reader = _Reader(TABLE)
    for row in rows(table):
        if isinstance(row, BrokenReference):
            reader.broken.append(row)
        else:
            by_key: dict[str, tuple[str, ...]] = {}
            for column, values in row.fields.items():
                by_key[column_key(column)] = (*by_key.get(column_key(column), ()), *values)
            reader.add(row.number, row.place, by_key, kept=row.fields)
    return reader.file(name)
