"""The evidence table as a workbook, read back with another library."""

from __future__ import annotations

import io
from datetime import UTC, datetime, timedelta, timezone

import openpyxl
import pytest
from openpyxl.worksheet.worksheet import Worksheet

from core.evidence.model import PaperVerdict
from core.export.evidence_table import TableRow, as_xlsx
from core.export.evidence_table.lines import COLUMNS, lines_of
from core.export.shown import shown
from tests.core.export.evidence_table.rows import HYPOTHESES, PAIN, ROWS, SLEEP
from tests.core.export.reviews import DATE


@pytest.fixture(scope="module")
def book() -> openpyxl.Workbook:
    return openpyxl.load_workbook(io.BytesIO(as_xlsx(ROWS, HYPOTHESES, date=DATE, name="=Tea")))


def place(name: str) -> int:
    return [column.name for column in COLUMNS].index(name) + 1


def test_every_cell_says_what_the_line_says(book: openpyxl.Workbook) -> None:
    sheet: Worksheet = book["Evidence"]
    assert [cell.value for cell in sheet[1]] == [column.title for column in COLUMNS]
    lines = list(lines_of(ROWS, HYPOTHESES))
    assert sheet.max_row == len(lines) + 1
    for number, line in enumerate(lines, 2):
        for column in COLUMNS:
            wanted = line[column.name]
            wanted = (shown(wanted) or None) if isinstance(wanted, str) else wanted
            assert sheet.cell(number, place(column.name)).value == wanted


def test_numbers_are_numbers_and_text_is_never_a_formula(book: openpyxl.Workbook) -> None:
    sheet: Worksheet = book["Evidence"]
    assert sheet.cell(2, place("effect_value")).data_type == "n"
    assert sheet.cell(2, place("for_page")).value == 4
    assert sheet.cell(2, place("for_sentence")).value.startswith("=Sleep")
    assert {cell.data_type for row in sheet.iter_rows() for cell in row if cell.value is not None} == {"s", "n"}
    assert book["About"].cell(1, 2).data_type == "s"


def test_the_head_stays_and_filters_and_only_dois_are_links(book: openpyxl.Workbook) -> None:
    sheet: Worksheet = book["Evidence"]
    assert sheet.freeze_panes == "B2"
    assert sheet.auto_filter.ref == "A1:AT7"
    assert sheet.cell(2, place("for_sentence")).alignment.wrap_text
    links = {cell.coordinate: cell.hyperlink.target for row in sheet.iter_rows() for cell in row if cell.hyperlink}
    assert links == {"D2": "https://doi.org/10.1000/tea.1", "D3": "https://doi.org/10.1000/tea.1"}
    fills = {sheet.cell(row, place("verdict")).fill.fgColor.rgb for row in (2, 3)}
    assert fills == {"FFD8EFDC", "00000000"}


def test_the_second_sheet_says_what_the_first_is(book: openpyxl.Workbook) -> None:
    said = [(term.value, words.value) for term, words in book["About"].iter_rows(max_col=2)]
    assert said[0] == ("Review", "=Tea")
    assert ("Papers", "3") in said
    assert ("Hypothesis 2", PAIN) in said
    assert ("Engine", "offline: 1 finding") in said
    assert ("Prompt (with hash)", f"finding {'a' * 64}") in said
    assert any(term == "Written by" and words.endswith("2026-11-20 09:30 UTC") for term, words in said)
    terms = [term for term, _ in said]
    assert [f"Verdict: {word}" for word in PaperVerdict] == terms[-9:-4]
    assert book.properties.created == datetime(2026, 11, 20, 9, 30)


def test_the_same_table_is_the_same_bytes() -> None:
    elsewhere = DATE.astimezone(timezone(timedelta(hours=9)))
    one, other = (as_xlsx(ROWS, HYPOTHESES, date=date.astimezone(UTC)) for date in (DATE, elsewhere))
    assert one == other
    assert as_xlsx(ROWS, HYPOTHESES, date=DATE + timedelta(days=1)) != one


def test_texts_that_no_cell_holds_are_cut_and_others_kept() -> None:
    long = TableRow("x", "a" * 40_000, title="_x0041_ \ud800\x01")
    sheet = openpyxl.load_workbook(io.BytesIO(as_xlsx([long], [SLEEP], date=DATE)))["Evidence"]
    value = sheet.cell(2, 1).value
    assert (len(value), value[-1]) == (32_767, "…")
    empty = openpyxl.load_workbook(io.BytesIO(as_xlsx([], [SLEEP], date=DATE)))["Evidence"]
    assert empty.max_row == 1
