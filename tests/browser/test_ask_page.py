"""The page Ask in a browser: a question to two sample papers, and one that they cannot answer."""

from __future__ import annotations

import os
from pathlib import Path
from uuid import uuid4

import pytest
from playwright.sync_api import Page, expect

from core.benchmarks.samples import samples
from core.paper import read_paper
from core.settings import load_settings
from core.store import Project, open_store, record_of
from tests.browser.conftest import App

PICTURES = os.environ.get("VOUCH_TEST_PICTURES")  # a folder for pictures of the page


@pytest.fixture
def project(app: App) -> str:
    """Two sample papers."""
    id = uuid4().hex
    name = f"Samples {uuid4().hex[:6]}"
    store = open_store(load_settings())
    with store.writing("Ann") as change:
        change.save(Project(id, name, ("Ann",), blind=False))
        for sample in samples()[:2]:
            data = sample.path.read_bytes()
            read = read_paper(data, name=sample.path.name)
            change.keep_file(change.save(record_of(read, project=id)), data)
    store.close()
    return id


def ask(page: Page, question: str) -> None:
    field = page.get_by_label("Question", exact=True)
    field.fill(question)
    field.press("Enter")
    page.get_by_role("button", name="Ask", exact=True).click()


def picture(page: Page, name: str) -> None:
    if PICTURES:
        page.wait_for_timeout(700)
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
            page.wait_for_timeout(700)
            page.screenshot(path=Path(PICTURES) / f"{name}-{scheme}.png")
        page.emulate_media(color_scheme="light")


@pytest.mark.parametrize("window", ["page", "touch_page"])
def test_a_question_and_its_quotations(window: str, request: pytest.FixtureRequest, app: App, project: str) -> None:
    page: Page = request.getfixturevalue(window)
    page.goto(f"{app.url}/ask")
    ask(page, samples()[0].hypotheses[0])
    first = page.locator(".st-key-ask-paper-0")
    expect(first).to_contain_text("“")
    expect(first).to_contain_text("reports on it")
    expect(page.get_by_text("2 papers searched")).to_be_visible()
    picture(page, f"answered-{window}")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    ask(page, "Does copper sulphate kill snails in aquaria?")
    expect(page.get_by_text("These papers do not seem to answer it.")).to_be_visible()
    expect(page.get_by_text("The nearest sentences:")).to_be_visible()
    picture(page, f"unanswered-{window}")
    page.locator(".st-key-ask-open-0").get_by_role("button").first.click()
    expect(page).to_have_title("Evidence · Vouch")
