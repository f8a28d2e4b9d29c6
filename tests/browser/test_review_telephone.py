"""A review on a telephone: the paper has the screen, and every tab of the project is in view."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from core.settings import load_settings
from core.store import Store, open_store
from tests.browser.conftest import TELEPHONE, App
from tests.browser.desk import at_rest
from tests.browser.test_review_page import WAIT
from tests.core.review.large import fill

PAPERS = 6


@pytest.fixture(scope="module")
def project(app: App) -> Iterator[str]:
    """The app's store with a project of a few papers, which is taken out again."""
    store: Store = open_store(load_settings())
    made = fill(store, papers=PAPERS)
    yield made.id
    with store.writing("Ann") as change:
        change.remove(change.project(made.id))
    store.close()


def box(node: Locator) -> dict[str, float]:
    found = node.bounding_box()
    assert found is not None
    return {**found, "right": found["x"] + found["width"], "bottom": found["y"] + found["height"]}


def test_the_desk_of_screening_leaves_the_screen_to_the_paper(
    touch_page: Page, app: App, project: str, screenshot: Callable[[Page, str], Path]
) -> None:
    page = touch_page
    page.goto(f"{app.url}/screening?project={project}&reviewer=Ann")
    expect(page.locator(".paper h1")).to_be_visible(timeout=WAIT)
    at_rest(page)
    screenshot(page, "screening-telephone")
    above, below = box(page.locator(".paper"))["y"], TELEPHONE["height"] - box(page.locator(".verdicts"))["y"]
    assert above + below < 0.4 * TELEPHONE["height"]
    for name in ("Evidence", "Risk of bias"):
        assert box(page.get_by_test_id("stMain").get_by_role("button", name=name))["right"] <= TELEPHONE["width"]
    order = page.get_by_role("button", name="As they came")
    expect(order).to_be_hidden()
    page.locator(".narrow-only [data-show=evidence]").click()
    expect(order).to_be_visible()
    expect(page.get_by_role("button", name="Hide suggestions")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= TELEPHONE["width"]


def test_every_tab_of_a_project_is_in_view(
    touch_page: Page, app: App, project: str, screenshot: Callable[[Page, str], Path]
) -> None:
    page = touch_page
    page.goto(f"{app.url}/review?project={project}&reviewer=Ann")
    expect(page.locator("tr[data-paper]").first).to_be_visible(timeout=WAIT)
    at_rest(page)
    screenshot(page, "review-telephone")
    tabs = page.get_by_role("tab").all()
    assert [tab.inner_text() for tab in tabs][-2:] == ["Flow", "Outputs"]
    assert all(box(tab)["x"] >= 0 and box(tab)["right"] <= TELEPHONE["width"] for tab in tabs)
