"""The Benchmarks and Compare pages as a team uses them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from tests.browser.desk import (
    PAPER,
    at_rest,
    entries,
    open_paper,
    sentence,
    stands_in_view,
    text_file,
)

# ---- the Benchmarks page, from choosing two engines to the paper of a row ----

WAIT = 60_000
_HEAD, _ROW = 35, 35  # pixels of a table's head and of each row


def benchmarks_page(page: Page) -> None:
    page.get_by_test_id("stSidebar").get_by_role("link", name="Benchmarks").click(timeout=WAIT)
    expect(page.get_by_role("heading", name="Benchmarks")).to_be_visible(timeout=WAIT)


def choose(page: Page, *engines: str) -> None:
    """Choose only these engines."""
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
    """Tick a row of a table, once it is drawn on its canvas."""
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
    at_rest(page)
    page.get_by_text("Saved runs").click()
    stands_in_view(saved)  # the list has unfolded
    remove = page.get_by_role("button", name="Remove")
    for _ in range(10):  # a table that has just unfolded may miss a tick, or take it back
        tick(saved, 0)
        page.wait_for_timeout(1500)
        at_rest(page)
        if remove.is_enabled():
            break
    remove.click()
    page.get_by_role("dialog").get_by_role("button", name="Keep them").click()
    expect(page.get_by_role("dialog")).to_have_count(0, timeout=WAIT)
    at_rest(page)
    expect(page.get_by_role("tab", name="Results")).to_be_visible()
    page.get_by_role("button", name="Remove").click()
    page.get_by_role("dialog").get_by_role("button", name="Remove").click()
    expect(page.get_by_role("tab", name="Results")).to_have_count(0, timeout=WAIT)


# ---- the Compare page as a team uses it ----

RESULT = (
    "In week 8 participants had a mean of 3.9 cramps"  # the trial's main result: shares few words with the question
)


def test_two_engines_on_a_gold_sample_and_a_known_disagreement(
    page: Page, tmp_path: Path, screenshot: Callable[[Page, str], Path]
) -> None:
    page.get_by_role("button", name="Try a sample paper").click()
    expect(entries(page).first).to_be_attached(timeout=60_000)
    page.get_by_test_id("stSidebar").get_by_role("link", name="Compare").click()
    expect(page.locator(".st-key-compare button")).to_be_visible()  # else the previous page's switch is clicked
    at_rest(page)
    page.get_by_text("Results first").click()  # without it, bm25 finds the result too
    expect(page.get_by_role("switch", name="Results first")).not_to_be_checked()
    at_rest(page)
    page.locator(".st-key-compare button").click()
    expect(entries(page).first).to_be_attached(timeout=90_000)

    # Bm25 (A) misses the result, which is gold; the trained ranker (B) finds it.
    result = sentence(page, RESULT)
    expect(result).to_have_attribute("data-group", "B")
    expect(result.locator(".badge")).to_contain_text("gold")

    filters = page.get_by_role("group", name="Which sentences")
    filters.get_by_role("button", name="Disagreements").click()
    expect(page.locator('.entry[data-group="all"]')).to_have_count(0)
    entry = entries(page).filter(has_text=RESULT)
    expect(entry).to_have_attribute("data-group", "B")

    page.keyboard.press("]")  # both wrong
    expect(filters.get_by_role("button", name="Both wrong")).to_have_attribute("aria-pressed", "true")
    expect(entry).to_have_count(0)
    filters.get_by_role("button", name="Only A wrong").click()
    entry.locator(".jump").click()
    expect(page.locator(".paper .s.current")).to_contain_text(RESULT)
    screenshot(page, "compare")

    page.get_by_role("button", name="Files").click()
    with page.expect_download() as shared:
        page.get_by_role("button", name="Page (HTML)").click()
    file = tmp_path / "shared.html"
    shared.value.save_as(file)
    other = page.context.new_page()
    other.goto(file.as_uri())
    expect(other.get_by_role("heading", name="Only B (offline)")).to_be_visible()
    agreed = other.locator('li[data-group="all"]').first
    expect(agreed).to_be_visible()
    other.get_by_label("Disagreements").check()
    expect(agreed).to_be_hidden()
    expect(other.get_by_text(RESULT)).to_be_visible()
    screenshot(other, "compare-shared")


def test_it_opens_at_its_controls_wherever_the_paper_was_being_read(page: Page) -> None:
    page.set_viewport_size({"width": 1440, "height": 800})
    page.get_by_role("button", name="Try a sample paper").click()
    expect(entries(page).first).to_be_attached(timeout=60_000)
    last = page.locator(".paper .s").last
    last.scroll_into_view_if_needed()
    at_rest(page)
    page.get_by_test_id("stSidebar").get_by_role("link", name="Compare").click()
    stands_in_view(page.locator(".st-key-compare button"))
    page.get_by_test_id("stSidebar").get_by_role("link", name="Evidence").click()
    expect(page.locator(".paper .s").first).not_to_be_in_viewport(timeout=30_000)  # the place in the paper is kept


def test_one_engine_alone_is_told_in_a_sentence(page: Page) -> None:
    page.get_by_role("button", name="Try a sample paper").click()
    expect(entries(page).first).to_be_attached(timeout=60_000)
    page.get_by_test_id("stSidebar").get_by_role("link", name="Compare").click()
    page.locator(".st-key-compare-engines-evidence").get_by_role("button", name="Clear all").click()
    page.locator(".st-key-compare button").click()
    expect(page.get_by_role("alert")).to_contain_text("Choose two engines at least")


def test_what_was_set_on_the_evidence_page_is_set_here_though_nobody_touched_it(page: Page) -> None:
    open_paper(page, text_file(PAPER))
    page.get_by_test_id("stSidebar").get_by_role("link", name="Compare").click()
    expect(page.locator(".st-key-compare button")).to_be_visible(timeout=WAIT)
    at_rest(page)
    expect(page.get_by_role("spinbutton", name="Sentences (k)")).to_have_value("10")
    expect(page.get_by_role("switch", name="Tables and captions")).to_be_checked()
    page.get_by_test_id("stSidebar").get_by_role("link", name="Evidence").click()
    expect(page.get_by_role("button", name="Find evidence")).to_be_visible(timeout=WAIT)
    at_rest(page)
    expect(page.get_by_role("spinbutton", name="Sentences (k)")).to_have_value("10")
