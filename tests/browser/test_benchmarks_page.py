"""The page of benchmarks, from choosing two engines to the paper of a row."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from tests.browser.desk import at_rest

WAIT = 60_000
_HEAD, _ROW = 35, 35  # pixels of a table's first line, and of each row below


def benchmarks_page(page: Page) -> None:
    page.get_by_test_id("stSidebar").get_by_role("link", name="Benchmarks").click(timeout=WAIT)
    expect(page.get_by_role("heading", name="Benchmarks")).to_be_visible(timeout=WAIT)


def choose(page: Page, *engines: str) -> None:
    """Choose these engines alone."""
    field = page.get_by_test_id("stMultiSelect")
    field.get_by_role("button", name="Remove offline").or_(field.get_by_label("Remove offline")).first.click()
    expect(field.get_by_text("offline", exact=True)).to_have_count(0)
    box = page.get_by_role("combobox", name="Engines")
    for engine in engines:
        box.click()
        box.fill(engine)
        page.get_by_role("option", name=engine).first.click()
        expect(field.get_by_text(engine, exact=True)).to_have_count(1)
    page.keyboard.press("Escape")


def tab(page: Page, name: str) -> None:
    page.get_by_role("tab", name=name, exact=True).click(timeout=WAIT)


def tick(table: Locator, row: int) -> None:
    """Tick a row of a table, which is drawn on a canvas, once it is."""
    expect(table.locator("canvas").first).to_be_visible()
    at_rest(table.page)
    table.click(position={"x": 17, "y": _HEAD + _ROW * row + _ROW // 2})


def test_two_engines_from_the_order_to_the_paper_of_a_row(page: Page, screenshot: Callable[[Page, str], Path]) -> None:
    benchmarks_page(page)
    choose(page, "bm25", "embedding")
    page.get_by_role("button", name="Run", exact=True).click()
    tab(page, "Results")
    expect(page.get_by_text("bm25: 8 items on 4 papers")).to_be_visible(timeout=WAIT)
    expect(page.get_by_text("embedding: 8 items on 4 papers")).to_be_visible()
    expect(page.get_by_text("nothing published stands beside them")).to_be_visible()
    screenshot(page, "benchmarks")
    with page.expect_download() as latex:
        page.get_by_role("button", name="Table (LaTeX)").click()
    assert "bm25" in Path(latex.value.path()).read_text(encoding="utf-8")

    tab(page, "Plot")
    plot = page.get_by_test_id("stVegaLiteChart")
    expect(plot.locator("canvas, svg").first).to_be_visible(timeout=WAIT)
    tab(page, "Pairs")
    expect(page.get_by_text("embedding is ahead of bm25")).to_be_visible(timeout=WAIT)

    tab(page, "Items")
    expect(page.get_by_text("Tick one to see its question")).to_be_visible(timeout=WAIT)
    tick(page.get_by_test_id("stDataFrame").last, 0)
    expect(page.get_by_text("✓ chosen, and gold")).to_be_visible(timeout=WAIT)
    screenshot(page, "benchmark-item")
    page.get_by_role("button", name="Open the paper").click()
    expect(page.locator(".paper h1")).to_contain_text("Magnesium citrate", timeout=WAIT)
    expect(page.get_by_role("textbox", name="Hypothesis")).to_have_value(
        "Magnesium supplements reduce the frequency of nocturnal leg cramps in older adults."
    )
    expect(page.get_by_text("chosen, and in gold")).to_be_visible(timeout=WAIT)


def test_a_saved_run_is_opened_and_removed(page: Page) -> None:
    benchmarks_page(page)
    choose(page, "bm25")
    page.get_by_role("button", name="Run", exact=True).click()
    expect(page.get_by_text("bm25: 8 items on 4 papers")).to_be_visible(timeout=WAIT)
    page.reload()
    expect(page.get_by_text("Saved runs")).to_be_visible(timeout=WAIT)
    saved = page.get_by_test_id("stDataFrame").first
    tick(saved, 0)
    page.get_by_role("button", name="Show results").click(timeout=WAIT)
    expect(page.get_by_role("tab", name="Results")).to_be_visible(timeout=WAIT)
    page.get_by_text("Saved runs").click()
    tick(saved, 0)
    page.get_by_role("button", name="Remove").click()
    page.get_by_role("dialog").get_by_role("button", name="Keep them").click()
    expect(page.get_by_role("dialog")).to_have_count(0, timeout=WAIT)
    at_rest(page)
    expect(page.get_by_role("tab", name="Results")).to_be_visible()
    page.get_by_role("button", name="Remove").click()
    page.get_by_role("dialog").get_by_role("button", name="Remove").click()
    expect(page.get_by_role("tab", name="Results")).to_have_count(0, timeout=WAIT)
