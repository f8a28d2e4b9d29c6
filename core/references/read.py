"""Read references from the bytes of a RIS, NBIB or CSV file, whatever its name."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import rispy

from core.errors import ReferencesError, UnknownFormat
from core.paper.read import decode
from core.paper.xml import squeeze
from core.references.layouts import NBIB, RIS, TABLE, Fields, Layout, build, column_key
from core.references.model import BrokenReference, Reference, ReferenceFile

# ---- Tables: CSV with commas, semicolons or tabs ----

_LINE_END = re.compile(r"(?<=\n)|(?<=\r)(?!\n)")
_SEPARATOR_LINE = re.compile(r"sep=.\s*$", re.IGNORECASE)  # some programs tell Excel the separator in such a line
_DELIMITERS = ",;\t"
_LONGEST_ROW = 200  # lines that one row may take up; without it, an open quotation mark would swallow all others


@dataclass(frozen=True, slots=True)
class CsvRow:
    """One row below the header, its cells named by the columns; empty cells are left out."""

    number: int  # from 1, without the header
    line: int  # in the file, from 1
    fields: dict[str, tuple[str, ...]]

    @property
    def place(self) -> str:
        return f"row {self.number}, line {self.line}"


@dataclass(frozen=True, slots=True)
class CsvTable:
    """A file's columns under its own names, and the separator of its cells."""

    columns: tuple[str, ...]
    delimiter: str
    lines: tuple[str, ...]
    first: int  # index of the line below the header


def open_table(text: str) -> CsvTable | None:
    """The table in a text; None if its first line has no column for titles."""
    lines = tuple(line for line in _LINE_END.split(text) if line)
    start = next((i for i, line in enumerate(lines) if line.strip() and not _SEPARATOR_LINE.match(line)), None)
    if start is None:
        return None
    best: tuple[int, CsvTable] | None = None
    for delimiter in _DELIMITERS:
        try:
            columns, taken = _row(lines, start, delimiter)
        except csv.Error:
            continue
        keys = [column_key(column) for column in columns]
        known = sum(key in TABLE.all_names() for key in keys)
        if any(key in TABLE.title for key in keys) and (best is None or known > best[0]):
            table = CsvTable(tuple(squeeze(column) for column in columns), delimiter, lines, start + taken)
            best = (known, table)
    return best[1] if best else None


def rows(table: CsvTable) -> Iterator[CsvRow | BrokenReference]:
    """Every row. A row that cannot be read is given with its place, and reading continues at the next line."""
    index, number = table.first, 0
    while index < len(table.lines):
        if not table.lines[index].strip(f" \r\n{table.delimiter}"):
            index += 1
            continue
        number += 1
        place = f"row {number}, line {index + 1}"
        try:
            cells, taken = _row(table.lines, index, table.delimiter)
        except csv.Error:
            yield BrokenReference(place, "A quotation mark in it is not closed. Close it, or export the file again.")
            index += 1
            continue
        while len(cells) > len(table.columns) and not cells[-1].strip():  # spreadsheets pad rows
            cells = cells[:-1]
        if len(cells) != len(table.columns):
            yield BrokenReference(
                place,
                f"It has {len(cells)} cells, and the header has {len(table.columns)}. "
                "Put cells that hold the separator into quotation marks, or export the file again.",
            )
        else:
            yield CsvRow(number, index + 1, _named(table.columns, cells))
        index += taken


def _row(lines: Sequence[str], index: int, delimiter: str) -> tuple[list[str], int]:
    """The cells of the row that begins at a line, and the number of its lines."""
    reader = csv.reader(lines[index : index + _LONGEST_ROW], delimiter=delimiter, strict=True)
    return next(reader), reader.line_num


def _named(columns: Sequence[str], cells: Sequence[str]) -> dict[str, tuple[str, ...]]:
    named: dict[str, tuple[str, ...]] = {}
    for column, cell in zip(columns, cells, strict=True):
        if value := squeeze(cell):
            named[column] = (*named.get(column, ()), value)
    return named


# ---- RIS and NBIB ----
# rispy (MIT) recognises tag lines and parses a record. From a whole file, it would join a record without an end to the
# next one, and silently skip lines before a record. So it is given one record at a time.

_LINE = re.compile(r"\r\n|\r|\n")
_RIS_LINE = re.compile(r"([A-Z][A-Z0-9])  -(?: (.*)|\s*|(\S.*))")
_LOOSE_RIS_LINE = re.compile(r"([A-Z][A-Z0-9])\s*-(?:\s+(.*)|)")
_NBIB_LINE = re.compile(r"([A-Z]{2,4}) *-(?: (.*)|\s*)")
_COUNTER = re.compile(r"\W*\d+\W*")  # some programs number their records


class _RisParser(rispy.RisParser):  # type: ignore[misc]  # rispy has no types
    """Tag lines of RIS, even without the space or anything else after the hyphen."""

    line = _RIS_LINE

    def parse_line(self, line: str) -> tuple[str, str] | tuple[None, str]:
        match = self.line.fullmatch(line.removeprefix("\ufeff"))
        value = squeeze("".join(filter(None, match.groups()[1:]))) if match else ""
        if not match or (match[1] == self.END_TAG and value):  # a line of text may begin like an end tag
            return None, squeeze(line)
        return match[1], value


class _LooseRisParser(_RisParser):
    """The same for files with one space or a tab after the tag."""

    line = _LOOSE_RIS_LINE


class _NbibParser(_RisParser):
    """Tag lines of PubMed's own format, whose records have no closing tag."""

    START_TAG = "PMID"
    line = _NBIB_LINE


@dataclass(slots=True)
class TaggedRecord:
    """One record's lines, with continuation lines joined to the line before."""

    number: int  # in the file, from 1
    first_line: int  # in the file, from 1
    started: bool  # whether it begins with the start tag
    ended: bool = False
    lines: list[str] = field(default_factory=list)

    @property
    def place(self) -> str:
        return f"record {self.number}, line {self.first_line}"


@dataclass(frozen=True, slots=True)
class StrayLine:
    """A line that belongs to no record."""

    line: int
    text: str


def parser_for(text: str) -> rispy.RisParser | None:
    """The parser for a file's tag lines; None if it has none."""
    if re.search(r"^\ufeff?PMID ?- *\d", text, re.MULTILINE):
        return _NbibParser()
    if re.search(r"^\ufeff?TY  -|^\ufeff?(?:TI|T1|AU|A1)  - \S", text, re.MULTILINE):
        return _RisParser()
    if re.search(r"^\ufeff?TY\s*-\s+[A-Z]{3,}", text, re.MULTILINE):
        return _LooseRisParser()
    return None


def is_nbib(parser: rispy.RisParser) -> bool:
    return isinstance(parser, _NbibParser)


def cut(text: str, parser: rispy.RisParser) -> Iterator[TaggedRecord | StrayLine]:
    """The records of a file, and stray lines of text between them."""
    blank_ends = is_nbib(parser)
    record: TaggedRecord | None = None
    count = 0
    for number, line in enumerate(_LINE.split(text), start=1):
        tag, value = parser.parse_line(line)
        starts = tag == parser.START_TAG
        if record and (starts or (blank_ends and not line.strip())):
            record.ended = blank_ends
            yield record
            record = None
        if tag == parser.END_TAG and not blank_ends:
            if record:
                record.ended = True
                yield record
            record = None
        elif tag is not None:
            if record is None:
                count += 1
                record = TaggedRecord(count, number, started=starts)
            record.lines.append(f"{tag}  - {value}")
        elif value and record:
            record.lines[-1] = f"{record.lines[-1]} {value}"
        elif value and count and not _COUNTER.fullmatch(value):
            yield StrayLine(number, value)  # text before the first record only says where the file is from
    if record:
        record.ended = blank_ends
        yield record


def fields_of(record: TaggedRecord, parser: rispy.RisParser) -> dict[str, tuple[str, ...]]:
    """Every tag of a record, with all its values."""
    tags = {line.partition("  - ")[0]: line.partition("  - ")[0] for line in record.lines}
    reader = type(parser)(mapping=tags, list_tags=list(tags), delimiter_tags_mapping={})
    [found] = reader.parse("\n".join([*record.lines, f"{parser.END_TAG}  -"]))
    return {tag: (value,) if isinstance(value, str) else tuple(value) for tag, value in found.items()}


# ---- Any file ----

_WANTED = "Export the references as RIS, NBIB (PubMed) or CSV."
# Files that people take for references, recognised by their first bytes or by how the text begins.
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

    A record that cannot be read is listed with its place and reason, and so are wrong parts of records, which are left
    out. Raises `ReferencesError` if no reference can be read.
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
        if zeros and not zeros.strip(b"\0"):  # UTF-16 of Latin letters without a byte order mark
            return data.decode(encoding, errors="replace"), None
    try:
        text, guessed = decode(data, name=name)
    except UnknownFormat:
        raise ReferencesError(f"“{name}” holds binary data, not references. {_WANTED}") from None
    return text.lstrip("\ufeff"), guessed


class _Reader:
    """Collects the references of one file."""

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
    ends_are_left_out = not any(isinstance(part, TaggedRecord) and part.ended for part in parts)
    if ends_are_left_out:
        reader.doubts.append(BrokenReference("the file", "No record has an end tag (ER): the last one may be cut off."))
    for part in parts:
        if isinstance(part, StrayLine):
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
    """The fields with the DOIs, which NBIB lists among other numbers, with a mark: "10.1000/xyz [doi]"."""
    marked = tuple(value for tag in ("LID", "AID") for value in fields.get(tag, ()) if value.lower().endswith("[doi]"))
    return {**fields, "DOI": marked, "FAU": fields.get("FAU") or fields.get("AU", ())}


def _with_pmid(fields: Fields) -> Fields:
    """The fields with the PMIDs. RIS has no tag for them; records from MEDLINE have them as accession numbers."""
    database = " ".join((*fields.get("DB", ()), *fields.get("DP", ())))
    numbers = tuple(filter(str.isdecimal, fields.get("AN", ()))) if _MEDLINE.search(database) else ()
    return {**fields, "PM": (*fields.get("PM", ()), *numbers)}


def _read_table(table: CsvTable, name: str) -> ReferenceFile:
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
