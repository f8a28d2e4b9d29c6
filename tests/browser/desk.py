"""What the browser tests do on the evidence page, as a reviewer would."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from playwright.sync_api import FilePayload, Locator, Page, expect
from playwright.sync_api import TimeoutError as NotInTime

PAPER = """# Tea for headache: a small randomised trial

## Abstract

Green tea was compared with water in 60 adults with headache. Pain fell more with tea.

## Methods

Adults with headache were randomly assigned to tea or water. Pain was measured after two hours.

## Results

Pain fell by 3.1 points with tea and by 1.2 points with water (P = 0.01). Sleep did not differ between the groups.

Two people in the tea group felt restless.

## Discussion

Tea reduced headache pain in this small trial. Larger trials are needed.
"""
HYPOTHESIS = "Green tea reduces headache pain"


def upload(page: Page, file: Path | FilePayload) -> None:
    field = page.get_by_test_id("stFileUploader").locator("input[type=file]")
    field.first.wait_for(state="attached", timeout=30_000)
    field.first.set_input_files(file)


def text_file(text: str, name: str = "tea.md") -> FilePayload:
    return {"name": name, "mimeType": "text/plain", "buffer": text.encode()}


def open_paper(page: Page, file: Path | FilePayload) -> None:
    upload(page, file)
    expect(page.locator(".paper section").first).to_be_visible(timeout=60_000)


def choose(box: Locator, option: str) -> None:
    """Choose from a list, and open it again where it closed: a page that is drawn meanwhile closes it."""
    choice = box.page.get_by_role("option", name=option)
    for _ in range(10):
        box.click(timeout=30_000)
        with suppress(NotInTime):
            choice.click(timeout=3_000)
            return
    raise AssertionError(f"The list never showed “{option}”.")


def find(page: Page, hypothesis: str = HYPOTHESIS) -> None:
    page.get_by_label("Hypothesis").fill(hypothesis)
    page.get_by_role("button", name="Find evidence").click()
    expect(page.locator(".paper .marked").first).to_be_attached(timeout=60_000)
    # The desk may be drawn once more until the script has ended, and a click in that moment would be lost.
    expect(page.get_by_test_id("stApp")).to_have_attribute("data-test-script-state", "notRunning", timeout=30_000)


def entries(page: Page, state: str | None = None) -> Locator:
    return page.locator(".entry" + (f"[data-state={state}]" if state else ""))


def sentence(page: Page, words: str) -> Locator:
    return page.locator(".paper .s").filter(has_text=words)


def in_view(locator: Locator) -> bool:
    """Whether all of it stands within the window."""
    box = locator.bounding_box()
    size = locator.page.viewport_size
    return bool(box and size and box["y"] >= 0 and box["y"] + box["height"] <= size["height"])


def settled(page: Page) -> None:
    page.wait_for_timeout(900)  # smooth scrolling


def reopen(page: Page) -> None:
    """Leave the page and come back: what is there then has been in Python."""
    page.get_by_test_id("stSidebar").get_by_role("link", name="Engines").click()
    expect(page.get_by_role("heading", name="Your data")).to_be_visible(timeout=30_000)
    page.get_by_test_id("stSidebar").get_by_role("link", name="Evidence").click()
    expect(page.locator(".paper section").first).to_be_visible(timeout=30_000)
