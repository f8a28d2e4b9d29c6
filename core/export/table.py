"""Tables for spreadsheets: safe to open, and read as UTF-8."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

# Spreadsheets run a cell that starts like this as a formula, the full-width forms included.
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
_BYTE_ORDER_MARK = "\ufeff"


def table_csv(columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> str:
    """A line of column names, and a line for each row.

    The text starts with a byte order mark, without which Excel reads UTF-8 as Latin letters (read it back as
    `utf-8-sig`). A text that a spreadsheet would run as a formula gets an apostrophe in front.
    """
    buffer = io.StringIO()
    buffer.write(_BYTE_ORDER_MARK)
    writer = csv.writer(buffer)
    writer.writerow(columns)
    writer.writerows([safe(row[column]) for column in columns] for row in rows)
    return buffer.getvalue()


def safe(value: object) -> object:
    """A cell that no spreadsheet runs as a formula.

    Numbers stay numbers, a negative score too; only text can carry somebody else's formula.
    """
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA_STARTS) else value
