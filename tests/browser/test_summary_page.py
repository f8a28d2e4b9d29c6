"""Plain summaries as a reviewer checks them."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from core.benchmarks.samples import SAMPLE_DATA
from tests.browser.conftest import App, Asking
from tests.browser.desk import at_rest, choose, sentence, stands_in_view, upload

WAIT = 60_000
RIGHT = (
    "Leg cramps at night disturb the sleep of about one in three people over 60.",
    "This study tested whether magnesium helps older adults with leg cramps.",
    "People took magnesium or placebo each evening for eight weeks.",
    "After eight weeks, people had 3.9 cramps a week with magnesium and 4.1 with placebo.",
)
WRONG = (
    "It took place in 25 general practices.",
    "Magnesium reduced leg cramps more than placebo.",
    "Diarrhoea was less frequent with magnesium.",
)
SUMMARY = "\n".join([RIGHT[0], RIGHT[1], *WRONG, RIGHT[2], RIGHT[3]])


def summary_page(page: Page, paper: Path = SAMPLE_DATA / "leg-cramps.xml") -> None:
    page.get_by_test_id("stSidebar").get_by_role("link", name="Plain summary").click(timeout=WAIT)
    expect(page.get_by_role("heading", name="Check a plain summary")).to_be_visible(timeout=WAIT)
    open_paper_here(page, paper)


def open_paper_here(page: Page, paper: Path) -> None:
    upload(page, paper)
    expect(field(page)).to_be_visible(timeout=WAIT)


def field(page: Page) -> Locator:
    return page.get_by_role("textbox", name="Summary")


def check(page: Page, summary: str) -> None:
    field(page).fill(summary)
    page.get_by_role("button", name="Check summary").click()
    expect(claims(page).first).to_be_visible(timeout=WAIT)


def claims(page: Page, label: str | None = None) -> Locator:
    return page.locator(".claim" + (f'[data-label="{label}"]' if label else ""))


def test_each_sentence_stands_above_the_nearest_with_its_numbers_marked(
    page: Page, screenshot: Callable[[Page, str], Path]
) -> None:
    summary_page(page)
    check(page, SUMMARY)
    expect(claims(page)).to_have_count(7)
    claims(page).filter(has_text="3.9 cramps").click()
    agrees = page.locator('.claim-said .paired[data-agreement="agrees"]')
    expect(agrees).to_have_count(3)  # eight weeks, 3.9, 4.1
    expect(page.locator('.nearest .paired[data-agreement="agrees"]').first).to_be_visible()
    expect(page.locator(".claim-detail")).to_contain_text("read the sentences beside each other")
    screenshot(page, "summary-agrees")
    claims(page).filter(has_text="25 general practices").click()
    expect(page.locator('.claim-said .paired[data-agreement="differs"]')).to_contain_text("25")
    differs = page.locator('.nearest .paired[data-agreement="differs"]')
    expect(differs).to_contain_text("11")
    screenshot(page, "summary")
    differs.click()
    stands_in_view(page.locator(".paper .current"))


def test_a_sentence_shows_its_support_in_the_paper(page: Page) -> None:
    summary_page(page)
    check(page, SUMMARY)
    claims(page).filter(has_text="3.9 cramps").click()
    best = sentence(page, "mean number of cramps per week was 3.9").first
    stands_in_view(best)
    expect(best).to_have_class(re.compile("marked"))
    page.keyboard.press("[")
    expect(page.locator('.claim[aria-current="true"]')).to_contain_text(RIGHT[2])


def test_the_reviewers_label_stands_on_the_page_and_in_the_file(page: Page) -> None:
    summary_page(page)
    check(page, SUMMARY)
    of_engine = claims(page, "contradicts the paper").filter(has_not_text="25 general practices").count()
    claims(page).filter(has_text="25 general practices").click()
    page.locator('[data-key="own-contradicts the paper"]').check()
    expect(claims(page, "contradicts the paper")).to_have_count(of_engine + 1)
    figures = page.locator(".st-key-summary-figures")
    expect(figures).to_contain_text(re.compile(rf"✕ {of_engine + 1} contradicts? the paper"), timeout=WAIT)
    page.get_by_test_id("stSidebar").get_by_role("link", name="Evidence").click()
    expect(page.get_by_label("Hypothesis")).to_be_visible(timeout=WAIT)
    page.get_by_test_id("stSidebar").get_by_role("link", name="Plain summary").click()
    expect(claims(page, "contradicts the paper")).to_have_count(of_engine + 1, timeout=WAIT)
    at_rest(page)  # a click while the page is still being drawn is lost
    with page.expect_download() as file:
        page.get_by_role("button", name="CSV", exact=True).click()
    rows = list(csv.DictReader(io.StringIO(Path(file.value.path()).read_text(encoding="utf-8-sig"))))
    assert [row["own_label"] for row in rows] == ["", "", "contradicts the paper", "", "", "", ""]


def test_the_page_for_co_authors_opens_by_itself(page: Page, screenshot: Callable[[Page, str], Path]) -> None:
    summary_page(page)
    check(page, SUMMARY)
    with page.expect_download() as file:
        page.get_by_role("button", name="HTML", exact=True).click()
    page.set_content(Path(file.value.path()).read_text(encoding="utf-8"))
    expect(page.get_by_role("heading", name="Sentence by sentence")).to_be_visible()
    expect(page.locator("a.claim")).to_have_count(7)
    expect(page.locator("h3 .number[data-agreement='differs']")).to_contain_text("25")
    screenshot(page, "summary-report")


def test_hostile_text_stays_text(page: Page) -> None:
    hostile = "<img src=x onerror=\"document.title='hit'\">"
    summary_page(page)
    check(page, f"Magnesium did not reduce leg cramps {hostile}. **Bold** $x$ :red[no].")
    expect(page.locator(".summary-text")).to_contain_text(hostile)
    expect(page.locator(".desk img")).to_have_count(0)
    assert page.title() != "hit"


def test_a_model_writes_and_repairs_and_versions_stand_side_by_side(
    asking: Asking, open_window: Callable[[App], Page]
) -> None:
    page = open_window(asking.app)
    summary_page(page)
    choose(page.get_by_role("combobox", name="Checked by"), "OpenAI model")
    page.get_by_role("textbox", name="OpenAI model: key for this session").fill("sk-test-0f4b1a9c7d22")
    page.get_by_role("button", name="Use this key").click()
    expect(page.get_by_text("A key is set for this session.")).to_be_visible(timeout=WAIT)
    model = page.get_by_role("textbox", name="Model", exact=True)
    model.fill("demo")
    model.press("Enter")
    expect(page.get_by_text(re.compile(r"About \d+ call"))).to_be_visible(timeout=WAIT)
    page.get_by_role("button", name="Write a summary").click()
    expect(claims(page).first).to_be_visible(timeout=WAIT)
    claims(page).last.click()  # the only sentence not in the paper, whatever the engine says
    page.locator('[data-key="own-not in the paper"]').check()
    repair = page.get_by_role("button", name="Repair")
    expect(repair).to_be_visible(timeout=WAIT)
    repair.click()
    expect(page.get_by_text("repaired by openai:demo")).to_be_visible(timeout=WAIT)
    expect(page.get_by_text("written by openai:demo")).to_be_visible()
    page.get_by_text("Compare versions").click()
    expect(page.get_by_label("Sentence by sentence, beside")).to_be_visible(timeout=WAIT)


def test_a_telephone_shows_paper_or_summary(small_page: Page, screenshot: Callable[[Page, str], Path]) -> None:
    page = small_page
    page.get_by_test_id("stExpandSidebarButton").click(timeout=WAIT)
    page.get_by_test_id("stSidebar").get_by_role("link", name="Plain summary").click()
    expect(page.get_by_role("heading", name="Check a plain summary")).to_be_attached(timeout=WAIT)
    at_rest(page)
    if (close := page.get_by_test_id("stSidebarCollapseButton").get_by_role("button")).is_visible():
        close.click()
    open_paper_here(page, SAMPLE_DATA / "leg-cramps.xml")
    check(page, SUMMARY)
    expect(page.locator(".paper")).to_be_hidden()
    screenshot(page, "summary-small")
    page.get_by_role("button", name="Paper", exact=True).click()
    expect(page.locator(".paper")).to_be_visible()
