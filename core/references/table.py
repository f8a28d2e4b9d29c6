"""Tables of references: CSV, with commas, semicolons or tabs between the cells."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from core.paper.xml import squeeze
from core.references.layouts import TABLE, column_key
from core.references.model import BrokenReference

_LINE_END = re.compile(r"(?<=\n)|(?<=\r)(?!\n)")
_SEPARATOR_LINE = re.compile(r"sep=.\s*$", re.IGNORECASE)  # with which some programs tell Excel what to expect
_DELIMITERS = ",;\t"
_LONGEST_ROW = 200  # lines that one row may take up; an open quotation mark would swallow all others


@dataclass(frozen=True, slots=True)
class Row:
    """One row below the header, its cells named by the columns; empty cells are left out."""

    number: int  # from 1, the header apart
    line: int  # in the file, from 1
    fields: dict[str, tuple[str, ...]]

    @property
    def place(self) -> str:
        return f"row {self.number}, line {self.line}"


@dataclass(frozen=True, slots=True)
class Table:
    """A file's columns, as the file names them, and what stands between its cells."""

    columns: tuple[str, ...]
    delimiter: str
    lines: tuple[str, ...]
    first: int  # index of the line below the header


def open_table(text: str) -> Table | None:
    """The table that a text is; None if its first line names no column with titles."""
    lines = tuple(line for line in _LINE_END.split(text) if line)
    start = next((i for i, line in enumerate(lines) if line.strip() and not _SEPARATOR_LINE.match(line)), None)
    if start is None:
        return None
    best: tuple[int, Table] | None = None
    for delimiter in _DELIMITERS:
        try:
            columns, taken = _row(lines, start, delimiter)
        except csv.Error:
            continue
        keys = [column_key(column) for column in columns]
        known = sum(key in TABLE.all_names() for key in keys)
        if any(key in TABLE.title for key in keys) and (best is None or known > best[0]):
            table = Table(tuple(squeeze(column) for column in columns), delimiter, lines, start + taken)
            best = (known, table)
    return best[1] if best else None


def rows(table: Table) -> Iterator[Row | BrokenReference]:
    """Every row, and those that cannot be read with their place. Reading goes on at the line below."""
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
        while len(cells) > len(table.columns) and not cells[-1].strip():  # spreadsheets fill rows up
            cells = cells[:-1]
        if len(cells) != len(table.columns):
            yield BrokenReference(
                place,
                f"It has {len(cells)} cells, and the header has {len(table.columns)}. "
                "Put cells that hold the separator into quotation marks, or export the file again.",
            )
        else:
            yield Row(number, index + 1, _named(table.columns, cells))
        index += taken


def _row(lines: Sequence[str], index: int, delimiter: str) -> tuple[list[str], int]:
    """The cells of the row that begins at a line, and how many lines it takes up."""
    reader = csv.reader(lines[index : index + _LONGEST_ROW], delimiter=delimiter, strict=True)
    return next(reader), reader.line_num


def _named(columns: Sequence[str], cells: Sequence[str]) -> dict[str, tuple[str, ...]]:
    named: dict[str, tuple[str, ...]] = {}
    for column, cell in zip(columns, cells, strict=True):
        if value := squeeze(cell):
            named[column] = (*named.get(column, ()), value)
    return named
