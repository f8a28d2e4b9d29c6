"""The evidence table's page in a browser, opened as the file that it is: sorting and filtering, without a network."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from core.bias.model import Level
from core.evidence.model import PaperVerdict
from core.export.evidence_table import BiasCell, TableCell, TableRow, as_html
from core.findings.model import Finding, Passage
from tests.core.export.reviews import DATE

WORDS = "Tea improves sleep"


def row(study: str, verdict: PaperVerdict | None, level: Level | None = None) -> TableRow:
    finding = Finding("offline", WORDS, verdict, "Because.", Passage(1, f"Said by {study}.", 2, "Results"))
    return TableRow(study, study, bias=BiasCell(level), cells={WORDS: TableCell(finding)})


ROWS = (
    row("Ito 10", PaperVerdict.REFUTES, Level.LOW),
    row("Ito 9", None),
    row("Abel", PaperVerdict.SUPPORTS, Level.HIGH),
    row("<b>Zoe</b>", PaperVerdict.REFUTES),
)


@pytest.fixture(scope="module")
def table(chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    file: Path = tmp_path_factory.mktemp("table") / "table.html"
    file.write_text(as_html(ROWS, [WORDS], date=DATE), encoding="utf-8")
    page = chromium.new_page()
    faults: list[str] = []
    page.on("console", lambda message: faults.append(message.text))
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.goto(file.as_uri())
    yield page
    page.close()
    assert faults == []  # the security policy lets the page's own script and style through


def shown(page: Page) -> list[str]:
    return page.locator("tbody .study:visible").all_inner_texts()


def sort(page: Page, column: str) -> list[str]:
    page.locator(f"th[data-sort={column}] button").click()
    return shown(page)


def test_a_click_on_a_head_sorts_and_what_is_blank_comes_last(table: Page) -> None:
    assert sort(table, "study") == ["<b>Zoe</b>", "Abel", "Ito 9", "Ito 10"]
    assert sort(table, "study") == ["Ito 10", "Ito 9", "Abel", "<b>Zoe</b>"]
    assert sort(table, "h1") == ["Abel", "Ito 10", "<b>Zoe</b>", "Ito 9"]
    assert table.locator("th[aria-sort]").get_attribute("data-sort") == "h1"
    assert sort(table, "h1") == ["Ito 10", "<b>Zoe</b>", "Abel", "Ito 9"]
    assert sort(table, "bias") == ["Ito 10", "Abel", "Ito 9", "<b>Zoe</b>"]


def test_filters_leave_the_rows_that_fit_all_of_them(table: Page) -> None:
    table.select_option("[data-filter=h1]", "refutes")
    assert sorted(shown(table)) == ["<b>Zoe</b>", "Ito 10"]
    assert table.locator("#count").inner_text() == "2 of 4 shown"
    table.select_option("[data-filter=bias]", "")
    assert shown(table) == ["<b>Zoe</b>"]
    table.select_option("[data-filter=h1]", "")
    assert shown(table) == ["Ito 9"]
    table.select_option("[data-filter=h1]", "*")
    table.select_option("[data-filter=bias]", "*")
    table.fill("[data-filter=words]", "SAID  ito")
    assert sorted(shown(table)) == ["Ito 10", "Ito 9"]
    table.fill("[data-filter=words]", "")
    assert len(shown(table)) == 4


def test_all_sentences_open_at_once(table: Page) -> None:
    assert table.locator("blockquote:visible").count() == 0
    table.click("#open")
    assert table.locator("blockquote:visible").count() == 4
    table.click("#open")
    assert table.locator("blockquote:visible").count() == 0
