"""What is decided on a paper outside a project is there after a reload, after the app was killed, and in a second window."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser.conftest import App, serve
from tests.browser.desk import HYPOTHESIS, PAPER, arrived, entries, find, open_paper, text_file
from tests.browser.test_review_page import create

LONG = 60_000
SIDEBAR = "stSidebar"


def decide(page: Page) -> tuple[str, str]:
    """Accept the first sentence of the list and reject the second; which they are."""
    open_paper(page, text_file(PAPER))
    find(page)
    first, second = (entries(page).nth(number).get_attribute("data-i") or "" for number in (0, 1))
    entries(page).nth(0).locator(".decide.accepted").click()
    entries(page).nth(1).locator(".decide.rejected").click()
    expect(entries(page, "rejected")).to_have_count(1)
    arrived(page)
    return first, second


def is_there(page: Page, decided: tuple[str, str]) -> None:
    """The paper is on the desk with the question, its answer, and what was decided."""
    expect(page.get_by_label("Hypothesis")).to_have_value(HYPOTHESIS, timeout=LONG)
    expect(entries(page, "accepted")).to_have_attribute("data-i", decided[0], timeout=LONG)
    expect(entries(page, "rejected")).to_have_attribute("data-i", decided[1])
    expect(entries(page)).not_to_have_count(2)  # the others that the engine found


def test_a_decision_survives_the_end_of_the_app(
    tmp_path: Path, open_window: Callable[[App], Page], screenshot: Callable[[Page, str], Path]
) -> None:
    home = {"VOUCH_HOME": str(tmp_path / "home")}
    with serve(tmp_path, home) as first:
        page = open_window(first)
        decided = decide(page)
        first.kill()
    with serve(tmp_path, home) as again:
        page = open_window(again)
        is_there(page, decided)
        screenshot(page, "decisions-after-kill")
        page.reload()
        is_there(page, decided)
        second = open_window(again)
        is_there(second, decided)
        second.get_by_test_id(SIDEBAR).get_by_role("button", name="Close Tea for headache").click()
        second.get_by_role("dialog").get_by_role("button", name="Forget this paper").click()
        expect(second.get_by_role("button", name="Try a sample paper")).to_be_visible(timeout=LONG)
        page.reload()
        expect(page.get_by_role("button", name="Try a sample paper")).to_be_visible(timeout=LONG)


def test_leaving_the_page_asks_nothing_and_loses_nothing(page: Page) -> None:
    asked: list[str] = []
    page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.accept()))
    decided = decide(page)
    page.reload()
    is_there(page, decided)
    assert asked == []


def test_into_a_project_with_what_was_decided(page: Page) -> None:
    create(page, "Tea, all of it", blind=False)
    page.get_by_test_id(SIDEBAR).get_by_role("link", name="Evidence").click()
    decided = decide(page)
    page.get_by_role("button", name="Outside projects").click()
    page.get_by_role("button", name="Put it there with all that was done on it").click()
    expect(page.get_by_text("Kept in the project, as Ann")).to_be_visible(timeout=LONG)
    is_there(page, decided)
    page.get_by_test_id(SIDEBAR).get_by_role("link", name="Review").click()
    expect(page.locator("tr[data-paper]")).to_have_count(1, timeout=LONG)
