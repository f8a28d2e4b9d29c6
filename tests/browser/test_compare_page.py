"""The compare page as a team uses it: two engines on a paper with gold."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser.desk import at_rest, entries, sentence, stands_in_view

RESULT = (
    "In week 8 participants had a mean of 3.9 cramps"  # the trial's main result: shares few words with the question
)


def test_two_engines_on_a_gold_sample_and_a_known_disagreement(
    page: Page, tmp_path: Path, screenshot: Callable[[Page, str], Path]
) -> None:
    page.get_by_role("button", name="Try a sample paper").click()
    expect(entries(page).first).to_be_attached(timeout=60_000)
    page.get_by_test_id("stSidebar").get_by_role("link", name="Compare").click()
    expect(page.locator(".st-key-compare button")).to_be_visible()  # else the switch of the page that is left is turned
    at_rest(page)
    page.get_by_text("Results first").click()  # with it bm25 finds the result, too
    expect(page.get_by_role("switch", name="Results first")).not_to_be_checked()
    at_rest(page)
    page.locator(".st-key-compare button").click()
    expect(entries(page).first).to_be_attached(timeout=90_000)

    # bm25 (A) passes over the result, which the trained ranker (B) finds, and which is gold.
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
    expect(page.locator(".paper .s").first).not_to_be_in_viewport(timeout=30_000)  # where it was being read is kept


def test_one_engine_alone_is_told_in_a_sentence(page: Page) -> None:
    page.get_by_role("button", name="Try a sample paper").click()
    expect(entries(page).first).to_be_attached(timeout=60_000)
    page.get_by_test_id("stSidebar").get_by_role("link", name="Compare").click()
    page.locator(".st-key-compare-engines-evidence").get_by_role("button", name="Clear all").click()
    page.locator(".st-key-compare button").click()
    expect(page.get_by_role("alert")).to_contain_text("Choose two engines at least")
