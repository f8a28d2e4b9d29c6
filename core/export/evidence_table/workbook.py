"""The evidence table as a workbook: the lines, and a sheet that says what they are."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from core import __version__
from core.evidence.model import PaperVerdict
from core.export.evidence_table.lines import COLUMNS, lines_of
from core.export.evidence_table.links import doi_link
from core.export.evidence_table.model import (
    BLANK_MEANS,
    CHECK_MEANS,
    MEANING,
    PEOPLE_MEANS,
    PROBABILITY_MEANS,
    TableRow,
)
from core.export.shown import shown

if TYPE_CHECKING:
    from xlsxwriter.format import Format
    from xlsxwriter.workbook import Workbook
    from xlsxwriter.worksheet import Worksheet

_LONGEST = 32_767  # letters that a cell of a workbook holds
_PLACES = {column.name: place for place, column in enumerate(COLUMNS)}
_VERDICTS = ("verdict", "reviewers_verdict")
_FILLS = {
    PaperVerdict.SUPPORTS: "#D8EFDC",
    PaperVerdict.REFUTES: "#F6D9D7",
    PaperVerdict.MIXED: "#FBEFC6",
    PaperVerdict.NOT_REPORTED: "#E3EAF4",
    PaperVerdict.UNCLEAR: "#E8EBEE",
}


def as_xlsx(rows: Sequence[TableRow], hypotheses: Sequence[str], *, date: datetime, name: str = "") -> bytes:
    """The workbook; the same rows and date give the same bytes. `name`: the review's; `date` has a time zone.

    Text is text, whatever it begins with: nothing in it is run or becomes a link, DOIs apart.
    """
    from xlsxwriter.workbook import Workbook  # noqa: PLC0415 - only who asks for one needs it

    buffer = io.BytesIO()
    book = Workbook(buffer, {"in_memory": True})  # no temporary files, and no time of day in the bytes
    book.set_properties({"title": _cell(f"Evidence table {name}".strip()), "created": date.astimezone(UTC)})
    _evidence(book, rows, hypotheses)
    _about(book, list(_contents(rows, hypotheses, date, name)))
    book.close()
    return buffer.getvalue()


def _evidence(book: Workbook, rows: Sequence[TableRow], hypotheses: Sequence[str]) -> None:
    sheet = book.add_worksheet("Evidence")
    look = {"text_wrap": True, "valign": "top"}
    plain, link = book.add_format(look), book.add_format({**look, "font_color": "#1155CC", "underline": 1})
    verdicts = {verdict.value: book.add_format({**look, "bg_color": fill}) for verdict, fill in _FILLS.items()}
    head = book.add_format({**look, "bold": True, "bottom": 1, "bg_color": "#F1F3F5"})
    for place, column in enumerate(COLUMNS):
        sheet.set_column(place, place, column.width, plain)  # the cells left out have its look
        sheet.write_string(0, place, column.title, head)
    last = 0
    for last, line in enumerate(lines_of(rows, hypotheses), 1):
        for name, value in line.items():
            place = _PLACES[name]
            address = doi_link(value) if name == "doi" else None
            if address:
                sheet.write_url(last, place, address, link, string=_cell(value))
            else:
                _write(sheet, last, place, value, verdicts.get(value, plain) if name in _VERDICTS else plain)
    sheet.freeze_panes(1, 1)
    sheet.autofilter(0, 0, last, len(COLUMNS) - 1)
    sheet.repeat_rows(0)
    sheet.set_landscape()


def _about(book: Workbook, contents: Sequence[tuple[str, str]]) -> None:
    sheet = book.add_worksheet("About")
    bold, plain = (book.add_format({"text_wrap": True, "valign": "top", "bold": bold}) for bold in (True, False))
    sheet.set_column(0, 0, 26)
    sheet.set_column(1, 1, 100)
    for place, (term, words) in enumerate(contents):
        sheet.write_string(place, 0, _cell(term), bold)
        sheet.write_string(place, 1, _cell(words), plain)


def _contents(
    rows: Sequence[TableRow], hypotheses: Sequence[str], date: datetime, name: str
) -> Iterator[tuple[str, str]]:
    cells = [row.cell(hypothesis) for row in rows for hypothesis in hypotheses]
    findings = [cell.finding for cell in cells if cell.finding is not None]
    if name:
        yield "Review", name
    yield (
        "What this is",
        (
            "A line for each paper and hypothesis. Every quotation is a sentence of the paper, letter for letter; "
            "its number counts the paper's sentences from 0."
        ),
    )
    yield (
        "Whose it is",
        (
            "Verdicts, sentences and effects are suggestions of the engine that is named on the line, and no person's "
            "judgement, but for the columns that say that they are the reviewers'. Screening is the reviewers'. Risk of bias says whose it is."
        ),
    )
    yield "Written by", f"Vouch {__version__}, {date:%Y-%m-%d %H:%M %Z}".strip()
    yield "Papers", str(len(rows))
    for place, hypothesis in enumerate(hypotheses, 1):
        yield f"Hypothesis {place}", hypothesis
    for engine, count in sorted(Counter(finding.engine for finding in findings).items()):
        yield "Engine", f"{engine}: {count} {'finding' if count == 1 else 'findings'}"
    for prompt, digest in sorted({prompt for finding in findings for prompt in finding.prompts}):
        yield "Prompt (with hash)", f"{prompt} {digest}"
    for verdict, meaning in MEANING.items():
        yield f"Verdict: {verdict}", meaning
    yield "Reviewers", PEOPLE_MEANS
    yield "Probability", PROBABILITY_MEANS
    yield "Check", CHECK_MEANS
    yield "An empty cell", BLANK_MEANS


def _write(sheet: Worksheet, row: int, place: int, value: Any, look: Format) -> None:
    if isinstance(value, str):
        if value:
            sheet.write_string(row, place, _cell(value), look)
    elif value is not None:
        sheet.write_number(row, place, value, look)


def _cell(text: str) -> str:
    text = shown(text)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
