"""What a reviewer does while a search runs: everything works, nothing is lost, and nothing goes on unseen."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from core.benchmarks.samples import SAMPLE_DATA
from tests.browser.conftest import App
from tests.browser.desk import HYPOTHESIS, PAPER, entries, open_paper, sentence, text_file
from tests.browser.test_language_models import Asking, ask, asking, serve_with_models, take_model, window

__all__ = ["asking", "window"]
ENDLESS = "demo-hangx1"  # its first question is never answered


@pytest.fixture(scope="module")
def slowly(tmp_path_factory: pytest.TempPathFactory, own_environment: None) -> Iterator[Asking]:
    """Such an app whose models take long enough for a reviewer to do something meanwhile."""
    with serve_with_models(tmp_path_factory.mktemp("slow-models"), latency=3) as served:
        yield served


@pytest.fixture
def slow_window(slowly: Asking, open_window: Callable[[App], Page]) -> Page:
    page = open_window(slowly.app)
    open_paper(page, text_file(PAPER))
    take_model(page)
    return page


def board(page: Page) -> Locator:
    return page.locator(".st-key-searching")


def cancel(page: Page) -> None:
    board(page).get_by_role("button", name="Cancel").click()
    expect(board(page)).to_be_hidden(timeout=30_000)


def test_decisions_and_pages_arrive_before_the_search_ends(
    asking: Asking, open_window: Callable[[App], Page], screenshot: Callable[[Page, str], Path]
) -> None:
    page = open_window(asking.app)
    open_paper(page, SAMPLE_DATA / "sleep-app.pdf")
    take_model(page)
    ask(page, ENDLESS)
    expect(board(page)).to_contain_text("answered", timeout=30_000)

    page.locator(".paper .s").nth(5).click()
    page.keyboard.press("a")
    expect(entries(page, "added")).to_have_count(1)
    page.get_by_role("button", name="Pages", exact=True).click()
    expect(page.locator(".sheet img").first).to_be_visible(timeout=30_000)
    expect(page.locator(".box").first).to_be_attached(timeout=30_000)
    screenshot(page, "while-it-searches")

    page.get_by_test_id("stSidebar").get_by_role("button", name="Close ").click()  # which asks, as Python knows of it
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("You have decided on 1 sentence", timeout=30_000)
    page.wait_for_timeout(1500)  # some looks at the search
    dialog.get_by_role("button", name="Keep it", exact=True).click()
    expect(dialog).to_be_hidden(timeout=30_000)
    expect(board(page)).to_contain_text("waiting")

    cancel(page)
    expect(entries(page, "added")).to_have_count(1)
    expect(page.get_by_role("alert")).to_have_count(0)


def test_what_is_changed_meanwhile_neither_breaks_off_the_search_nor_is_lost(slow_window: Page, slowly: Asking) -> None:
    window = slow_window
    before = slowly.demo.desk.statistics()["calls"]
    ask(window, "demo-slow")
    expect(board(window)).to_contain_text("waiting")
    window.get_by_role("spinbutton", name="Sentences (k)").fill("3")
    window.get_by_role("spinbutton", name="Sentences (k)").press("Enter")
    window.get_by_label("Hypothesis").fill("")
    window.get_by_label("Hypothesis").press_sequentially("Tea makes people restless", delay=60)
    expect(entries(window).first).to_be_visible(timeout=60_000)
    expect(window.get_by_label("Hypothesis")).to_have_value("Tea makes people restless")
    window.get_by_label("Hypothesis").press("Tab")
    expect(window.get_by_text(f"for “{HYPOTHESIS}”; press Find evidence")).to_be_visible(timeout=30_000)
    expect(window.get_by_role("spinbutton", name="Sentences (k)")).to_have_value("3")
    assert slowly.demo.desk.statistics()["calls"] == before + 5


def test_another_page_and_another_paper_leave_the_search_alone(slow_window: Page) -> None:
    window = slow_window
    ask(window, "demo-elsewhere")
    expect(board(window)).to_be_visible(timeout=30_000)
    sidebar = window.get_by_test_id("stSidebar")
    sidebar.get_by_role("link", name="Engines").click()
    expect(window.get_by_role("heading", name="Your data")).to_be_visible(timeout=30_000)
    sidebar.get_by_role("link", name="Evidence").click()
    expect(window.locator(".paper section").first).to_be_visible(timeout=30_000)
    sidebar.get_by_role("button", name="Open another").click()
    other = PAPER.replace("headache", "backache")
    open_other = window.get_by_test_id("stFileUploader").locator("input[type=file]").first
    open_other.set_input_files(text_file(other, "back.md"))
    expect(sentence(window, "60 adults with backache")).to_be_visible(timeout=30_000)
    expect(entries(window)).to_have_count(0)
    expect(board(window)).to_be_hidden(timeout=30_000)
    sidebar.get_by_role("button", name="Tea for headache", exact=False).first.click()
    expect(entries(window).first).to_be_visible(timeout=30_000)
    expect(entries(window).first).to_contain_text("▲ supports")


def test_another_search_takes_the_place_of_the_one_that_runs(window: Page) -> None:
    ask(window, ENDLESS)
    expect(board(window)).to_contain_text("waiting", timeout=30_000)
    ask(window, "demo-instead")
    expect(entries(window).first).to_be_visible(timeout=60_000)
    expect(window.get_by_text("openai:demo-instead").first).to_be_visible()
    expect(board(window)).to_be_hidden(timeout=30_000)


@pytest.mark.parametrize("leave", ["close", "reload"])
def test_no_search_goes_on_unseen(
    leave: str, tmp_path: Path, open_window: Callable[[App], Page], own_environment: None
) -> None:
    sections = 240  # 16 at once, a second each: 15 s and more
    body = "\n\n".join(f"## Part {number}\n\nTea eased headache in group {number}." for number in range(sections))
    with serve_with_models(tmp_path, latency=1.0) as slow:
        page = open_window(slow.app)
        open_paper(page, text_file(f"# Tea\n\n{body}"))
        take_model(page)
        ask(page, "demo")
        expect(board(page)).to_contain_text("answered", timeout=30_000)
        if leave == "close":
            page.close()
        else:
            page.reload()
        other = open_window(slow.app)  # it goes on for somebody else
        calls = -1
        while calls != (calls := slow.demo.desk.statistics()["calls"]):
            other.wait_for_timeout(4000)
        assert 0 < calls < sections
