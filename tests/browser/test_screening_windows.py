"""Screening in a window that is reloaded, and in two windows of one reviewer."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from uuid import uuid4

import pytest
from playwright.sync_api import Page, expect

from core.paper import read_paper
from core.screening.model import ScreeningVerdict
from core.settings import load_settings
from core.store import Plan, Project, open_store, record_of
from tests.browser.conftest import App
from tests.browser.desk import at_rest
from tests.browser.test_review_page import WAIT
from tests.browser.test_screening_page import PAPERS, count, on_desk, press


@pytest.fixture
def project(app: App) -> str:
    """The first four papers, to be screened by Ann as they came."""
    id = uuid4().hex
    store = open_store(load_settings())
    with store.writing("Ann") as change:
        change.save(Project(id, "Drinks", ("Ann",), plan=Plan(None, None, None)))
        for text in PAPERS[:4]:
            paper = read_paper(text.encode(), name="drink.md")
            change.save(record_of(paper, project=id))
            change.keep_text(id, paper.id, paper)
    store.close()
    return id


def verdicts(project: str) -> list[tuple[str, ScreeningVerdict | None]]:
    """What is stored of Ann's, by title."""
    store = open_store(load_settings())
    with store.reading() as now:
        views = now.screenings(project, reader="Ann")
        found = [(saved.record.title.split()[0], views.get(saved.record.id)) for saved in now.stored_papers(project)]
    store.close()
    return [(title, view.own.verdict) for title, view in found if view is not None and view.own is not None]


def desk(page: Page, app: App, project: str) -> Page:
    """Ann's desk, with the papers in the order they came."""
    page.goto(f"{app.url}/screening?project={project}&reviewer=Ann")
    page.get_by_role("button", name="As they came").click(timeout=WAIT)
    expect(page.get_by_role("button", name="As they came")).to_have_attribute("aria-pressed", "true")
    on_desk(page, "Tea")
    return page


def at_address(page: Page) -> str | None:
    """The item that the window's own address names, at this moment."""
    found: str | None = page.evaluate("new URLSearchParams(location.search).get('item')")
    return found


def test_the_address_names_what_is_on_the_desk_and_a_reload_returns_there(page: Page, app: App, project: str) -> None:
    desk(page, app, project)
    at_rest(page)
    addresses = {"Tea": at_address(page)}
    for key, drink in (("i", "Coffee"), ("u", "Cocoa"), ("j", "Milk"), ("k", "Cocoa"), ("z", "Coffee")):
        press(page, key)
        on_desk(page, drink)
        at_rest(page)
        assert addresses.setdefault(drink, at_address(page)) == at_address(page)
    assert None not in addresses.values()
    assert len(set(addresses.values())) == 4
    page.go_back()
    on_desk(page, "Cocoa")
    page.go_back()
    on_desk(page, "Milk")
    page.go_forward()
    on_desk(page, "Cocoa")
    page.go_forward()
    on_desk(page, "Coffee")
    page.reload()
    on_desk(page, "Coffee")
    at_rest(page)
    assert at_address(page) == addresses["Coffee"]
    count(page, "1 of 4 decided")


def test_a_verdict_that_follows_a_step_at_once_is_none_on_the_paper_that_is_left(
    page: Page, app: App, project: str
) -> None:
    desk(page, app, project)
    press(page, "j")
    on_desk(page, "Coffee")
    press(page, "k", "i")
    on_desk(page, "Tea")
    press(page, "u")
    on_desk(page, "Coffee")
    press(page, "z", "e", "5")
    on_desk(page, "Tea")
    assert verdicts(project) == [("Tea", None)]


def test_two_windows_of_a_reviewer_do_not_overwrite_one_another(
    app: App, project: str, open_window: Callable[[App], Page], screenshot: Callable[[Page, str], Path]
) -> None:
    one, two = desk(open_window(app), app, project), desk(open_window(app), app, project)
    press(one, "i")
    on_desk(one, "Coffee")
    press(one, "i")
    on_desk(one, "Cocoa")
    press(two, "u")
    expect(two.locator(".screening-status")).to_contain_text("in another window meanwhile: included", timeout=WAIT)
    expect(two.locator(".stands")).to_contain_text("Included")
    on_desk(two, "Tea")
    screenshot(two, "screening-two-windows")
    assert verdicts(project) == [("Tea", ScreeningVerdict.INCLUDE), ("Coffee", ScreeningVerdict.INCLUDE)]
    press(two, "u")
    on_desk(two, "Cocoa")
    assert verdicts(project)[0] == ("Tea", ScreeningVerdict.UNSURE), "told once, the reviewer may change it"
    press(one, "i")
    on_desk(one, "Milk")
    press(two, "h")
    expect(two.locator(".screening-status")).to_contain_text("in another window meanwhile: included", timeout=WAIT)


def test_a_window_that_nobody_touches_tells_what_was_decided_in_another(
    app: App, project: str, open_window: Callable[[App], Page]
) -> None:
    idle = open_window(app)
    idle.goto(f"{app.url}/review?project={project}&reviewer=Ann")
    idle.get_by_role("tab", name="Screening").click(timeout=WAIT)
    expect(idle.get_by_text("Ann: 0 of 4 decided")).to_be_visible(timeout=WAIT)
    press(desk(open_window(app), app, project), "i")
    expect(idle.get_by_text("Ann: 1 of 4 decided")).to_be_visible(timeout=WAIT)


def test_a_paper_that_screening_opens_as_evidence_survives_a_reload(page: Page, app: App, project: str) -> None:
    desk(page, app, project)
    press(page, "i")
    on_desk(page, "Coffee")
    page.get_by_test_id("stMain").get_by_role("button", name="Evidence").click()
    for _ in range(2):
        expect(page.get_by_role("textbox", name="Hypothesis", exact=True)).to_be_visible(timeout=WAIT)
        expect(page.locator(".paper h1")).to_contain_text("Coffee for headache")
        page.reload()
    page.get_by_role("link", name="Back to screening").click(timeout=WAIT)
    on_desk(page, "Coffee")
