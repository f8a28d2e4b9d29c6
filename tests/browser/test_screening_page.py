"""Screening, as two reviewers at two computers do it with the keyboard."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser.conftest import App
from tests.browser.test_review_page import WAIT, add, as_ben, at_rest, create

DRINKS = ["Tea", "Coffee", "Cocoa", "Milk", "Water", "Juice", "Broth", "Cider", "Kefir", "Lassi"]
PAPERS = [
    f"""# {drink} for headache: a small randomised trial

## Abstract

{drink} was compared with rest in {60 + number} adults with headache.

## Methods

Adults with headache were randomly assigned to {drink.lower()} or rest.

## Results

Pain fell by {number + 2}.1 points with {drink.lower()} and by 1.2 points with rest.
"""
    for number, drink in enumerate(DRINKS)
]


def begin_screening(page: Page) -> None:
    at_rest(page)
    page.get_by_role("button", name="Screen", exact=True).click()
    expect(page.locator(".item-title")).to_be_visible(timeout=WAIT)


def count(page: Page, words: str) -> None:
    expect(page.locator(".count-words")).to_have_text(words, timeout=WAIT)


def on_desk(page: Page, drink: str) -> None:
    """This paper is on the desk, its text and the panel."""
    expect(page.locator(".item-title")).to_contain_text(f"{drink} for headache", timeout=WAIT)
    expect(page.locator(".paper")).to_contain_text(f"{drink} was compared with rest", timeout=WAIT)
    expect(page.locator(".verdict").first).to_be_enabled(timeout=WAIT)


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def test_two_reviewers_screen_ten_papers_blind_from_the_keyboard(
    app: App, open_window: Callable[[App], Page], screenshot: Callable[[Page, str], Path]
) -> None:
    ann, ben = open_window(app), open_window(app)
    create(ann, "Drinks to be screened")
    add(ann, *PAPERS)
    project = ann.url
    begin_screening(ann)
    ann.get_by_role("button", name="As they came").click()
    count(ann, "0 of 10 decided")
    for number, drink in enumerate(DRINKS):
        on_desk(ann, drink)
        if drink == "Coffee":
            press(ann, "n")
            ann.keyboard.type("Ann's secret note.")
            press(ann, "Escape", "e", "5")
        elif drink == "Cocoa":
            press(ann, "u")
        else:
            press(ann, "i")
        count(ann, f"{number + 1} of 10 decided")
    screenshot(ann, "screening")

    as_ben(ben, project)
    begin_screening(ben)
    on_desk(ben, "Tea")
    expect(ben.get_by_text("Ann has decided; shown once you have.")).to_be_visible()
    for drink in DRINKS[:3]:
        on_desk(ben, drink)
        assert "secret" not in ben.content()
        assert "Wrong design" not in ben.locator(".screening-body").inner_text()
        press(ben, "i")
    count(ben, "3 of 10 decided")
    ben.reload()
    on_desk(ben, "Milk")
    count(ben, "3 of 10 decided")
    press(ben, "k")
    on_desk(ben, "Milk")  # a reloaded window knows no way back
