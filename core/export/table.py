"""Write text and tables that are safe to open: CSV for spreadsheets, Markdown, LaTeX."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

# ---- Text of unknown origin, without control and reordering characters ----

_REORDERING = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
_CONTROLS = "\x00-\x09\x0b-\x1f\x7f-\x9f"  # all except the line feed
_NO_CHARACTERS = "\ufffe\uffff"  # invalid in XML
_HALVES = "\ud800-\udfff"
_STEERS = re.compile(f"[{_REORDERING}{_CONTROLS}{_NO_CHARACTERS}{_HALVES}]")


def displayable(text: str) -> str:
    """The text with control characters, reordering marks and lone surrogates replaced by spaces."""
    return _STEERS.sub(" ", text)


# ---- CSV, safe to open, read as UTF-8 ----

# Spreadsheets run a cell that starts with one of these as a formula, including the full-width forms.
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
_BYTE_ORDER_MARK = "\ufeff"


def table_csv(columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> str:
    """A line of column names, and one line per row.

    The text starts with a byte order mark, because Excel does not read it as UTF-8 otherwise (read it back as
    `utf-8-sig`). A text that a spreadsheet would run as a formula gets an apostrophe in front.
    """
    buffer = io.StringIO()
    buffer.write(_BYTE_ORDER_MARK)
    writer = csv.writer(buffer)
    writer.writerow(columns)
    writer.writerows([safe(row[column]) for column in columns] for row in rows)
    return buffer.getvalue()


def safe(value: object) -> object:
    """A cell that spreadsheets do not run as a formula.

    Numbers stay numbers, even negative ones, because only text can contain a formula.
    """
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA_STARTS) else value


def table_markdown(columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> str:
    """The same as a table in GitHub's Markdown, escaped."""
    lines = [columns, ["---"] * len(columns), *([_markdown(row[column]) for column in columns] for row in rows)]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def table_latex(columns: Sequence[str], rows: Iterable[Mapping[str, Any]], *, caption: str) -> str:
    """The same as a LaTeX table with booktabs rules, escaped."""
    lines = [" & ".join(latex(cell) for cell in line) + r" \\" for line in ([row[c] for c in columns] for row in rows)]
    return "\n".join(
        [
            r"% needs \usepackage{booktabs}",
            r"\begin{table}",
            rf"\caption{{{latex(caption)}}}",
            rf"\begin{{tabular}}{{l{'r' * (len(columns) - 1)}}}",
            r"\toprule",
            " & ".join(map(latex, columns)) + r" \\",
            r"\midrule",
            *lines,
            r"\bottomrule",
            r"\end{tabular}",
            r"\end{table}",
            "",
        ]
    )


_IN_MARKDOWN = re.compile(r"([\\`*_\[\]<>|])")
_IN_LATEX = {
    **{letter: f"\\{letter}" for letter in "&%$#_{}"},
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "–": "--",
    "±": r"$\pm$",
}


def _markdown(value: object) -> str:
    return _IN_MARKDOWN.sub(r"\\\1", " ".join(_text(value).split()))


def latex(value: object) -> str:
    """A value on one line, escaped for LaTeX."""
    return "".join(_IN_LATEX.get(letter, letter) for letter in " ".join(_text(value).split()))


def _text(value: object) -> str:
    return "" if value is None else str(value)
