"""Language models on the page of risk of bias, as a reviewer meets them: with the demo server, and a key typed in."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import App
from tests.browser.desk import choose, entries
from tests.browser.test_bias_page import WAIT, bias_page, chip, choose_tool
from tests.browser.test_language_models import KEY, Asking, asking, serve_with_models

__all__ = ["asking"]


@pytest.fixture
def window(asking: Asking, open_window: Callable[[App], Page]) -> Page:
    """A window with a paper on the desk, the row for OpenAI's models, and a key."""
    return with_key(open_window(asking.app))


def with_key(page: Page) -> Page:
    bias_page(page)
    choose(page.get_by_role("combobox", name="Suggestions by"), "OpenAI model")
    page.get_by_role("textbox", name="OpenAI model: key for this session").fill(KEY)
    page.get_by_role("button", name="Use this key").click()
    expect(page.get_by_text("A key is set for this session.")).to_be_visible(timeout=WAIT)
    return page


def name_model(page: Page, model: str) -> None:
    field = page.get_by_role("textbox", name="Model", exact=True)
    field.fill(model)
    field.press("Enter")
    expect(page.get_by_text(re.compile(r"About \d+ calls"))).to_be_visible(timeout=WAIT)


def suggest(page: Page) -> None:
    page.get_by_role("button", name="Suggest", exact=True).click()


def test_suggestions_come_domain_by_domain_with_what_they_cost(
    window: Page, screenshot: Callable[[Page, str], Path]
) -> None:
    name_model(window, "gpt-5.4")
    expect(window.get_by_text(re.compile(r"About 7 calls.* \$"))).to_be_visible(timeout=WAIT)
    suggest(window)
    expect(window.locator(".suggestion > .note")).to_have_text(
        re.compile(r"^openai:gpt-5\.4: cost \$0\.\d+"), timeout=WAIT
    )
    expect(window.locator(".st-key-suggesting")).to_have_count(0, timeout=WAIT)
    expect(entries(window).first.locator(".match")).to_have_text("exact")
    expect(window.get_by_text(re.compile(r"This session so far: \$0\.\d+ \(7 calls"))).to_be_visible(timeout=WAIT)
    screenshot(window, "suggested")


def test_a_model_answers_the_signalling_questions_and_code_judges(window: Page) -> None:
    choose_tool(window, "RoB 2")
    name_model(window, "demo")
    suggest(window)
    expect(window.locator(".suggestion-head")).to_contain_text("Suggested by openai:demo@whole", timeout=WAIT)
    expect(window.locator(".suggestion .badge, .suggestion .level").first).to_be_visible()
    expect(window.locator(".suggestion .reason")).to_contain_text("1.1")


def test_what_the_model_invented_is_told_and_a_failed_domain_is_named(
    window: Page, screenshot: Callable[[Page, str], Path]
) -> None:
    name_model(window, "demo-invented")
    suggest(window)
    expect(window.locator(".suggestion .not-in-paper")).to_contain_text("Nothing of the kind", timeout=WAIT)
    expect(window.locator(".st-key-suggesting")).to_have_count(0, timeout=WAIT)
    expect(window.locator(".suggestion-head")).to_contain_text("no level")
    window.locator(".suggestion").scroll_into_view_if_needed()
    screenshot(window, "invented")
    name_model(window, "demo-prosex1")
    suggest(window)
    expect(window.get_by_text("No suggestion for “Random sequence generation”")).to_be_visible(timeout=WAIT)
    expect(window.get_by_label("The reply as it came")).to_contain_text("Here is what I found.")
    chip(window, "Allocation concealment").click()
    expect(window.locator(".suggestion-head")).to_contain_text("Suggested by openai:demo-prosex1@whole")


def test_a_run_can_be_cancelled_and_what_has_come_is_kept(
    tmp_path: Path, open_window: Callable[[App], Page], screenshot: Callable[[Page, str], Path]
) -> None:
    with serve_with_models(tmp_path, latency=4) as slow:
        page = with_key(open_window(slow.app))
        name_model(page, "demo")
        suggest(page)
        expect(page.locator(".st-key-suggesting")).to_contain_text("Allocation concealment", timeout=WAIT)
        expect(page.locator(".suggestion")).to_be_visible(timeout=WAIT)  # the first; the others take four seconds more
        screenshot(page, "suggesting")
        page.get_by_role("button", name="Cancel").click()
        expect(page.locator(".st-key-suggesting")).to_have_count(0, timeout=WAIT)
        expect(page.locator(".suggestion")).to_be_visible()
        chip(page, "Allocation concealment").click()
        expect(page.locator(".suggestion")).to_have_count(0)
