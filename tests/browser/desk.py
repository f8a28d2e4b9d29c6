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
_LOOKS = 60  # at least three looks per second
_FRAMES_LATER = """() => new Promise((done) => {
    setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(done)), 150);
})"""


def upload(page: Page, file: Path | FilePayload) -> None:
    """Drop a file on the first upload field. During a change of page, fields of the old page may still be there."""
    field = page.locator("[class*=st-key-welcome-upload], [class*=st-key-sidebar-upload]").locator("input[type=file]")
    field.first.wait_for(state="attached", timeout=30_000)
    field.first.set_input_files(file)


def add_to_project(page: Page, *files: FilePayload) -> None:
    """Drop files on the upload field of a project's page. The field of the list of projects may still be there."""
    page.locator("[class*=st-key-add-papers] input[type=file]").first.set_input_files(list(files))


def text_file(text: str, name: str = "tea.md") -> FilePayload:
    return {"name": name, "mimeType": "text/plain", "buffer": text.encode()}


def open_paper(page: Page, file: Path | FilePayload) -> None:
    upload(page, file)
    expect(page.locator(".paper section").first).to_be_visible(timeout=60_000)


def choose(box: Locator, option: str) -> None:
    """Choose from a list, reopening it if it closed, as it does when the page is redrawn."""
    choice = box.page.get_by_role("option", name=option).first  # “RoB 2” comes before its variants
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
    at_rest(page)


def entries(page: Page, state: str | None = None) -> Locator:
    return page.locator(".entry" + (f"[data-state={state}]" if state else ""))


def sentence(page: Page, words: str) -> Locator:
    return page.locator(".paper .s").filter(has_text=words)


def stands_in_view(locator: Locator) -> None:
    """Check that all of it stays still inside the window, after a scroll to it."""
    assert _comes_into_view(locator), f"{locator} does not come to stand in the window: {locator.bounding_box()}"


def _comes_into_view(locator: Locator, *, scrolling: bool = False) -> bool:
    """Whether it stays still inside the window. `scrolling` brings it back if content drawn above it pushes it out."""
    page, before = locator.page, None
    for _ in range(_LOOKS):
        place, size = locator.bounding_box(), page.viewport_size
        assert size is not None
        if place and place == before:
            if place["y"] > -1 and place["y"] + place["height"] < size["height"] + 1:  # parts of a pixel do not count
                return True
            if scrolling:
                locator.scroll_into_view_if_needed(timeout=30_000)
        before = place
        page.evaluate(_FRAMES_LATER)
    return False


def click_at_rest(locator: Locator) -> None:
    """Click something that moves, such as a part that unfolds or the side panel, once it is still."""
    assert _comes_into_view(locator, scrolling=True), f"{locator} does not come to rest: {locator.bounding_box()}"
    locator.click()


def at_rest(page: Page) -> None:
    """Wait until the page is drawn. A click before that would be lost, and a dialog would close again.

    Call it only after part of the new drawing was seen: until the app has heard of a click, the page counts as drawn.
    """
    expect(page.get_by_test_id("stApp")).to_have_attribute("data-test-script-state", "notRunning")


def arrived(page: Page) -> None:
    """Wait until Python has received all that was set on the page."""
    expect(page.locator(".desk")).to_have_attribute("data-arrived", "true")


def everything_in(page: Page) -> str:
    """All of the page's HTML, including shadow roots (which `page.content()` leaves out), and its fields' values."""
    text: str = page.evaluate(
        """() => {
            const collect = (root) => [...root.querySelectorAll("*")].flatMap((node) => [
                node.value ?? "", ...(node.shadowRoot ? [node.shadowRoot.innerHTML, ...collect(node.shadowRoot)] : []),
            ]);
            return [document.documentElement.outerHTML, ...collect(document)].join("\\n");
        }"""
    )
    return text


def reopen(page: Page) -> None:
    """Leave the page and come back. What is shown then has been stored in Python."""
    page.get_by_test_id("stSidebar").get_by_role("link", name="Engines").click()
    expect(page.get_by_role("heading", name="Your data")).to_be_visible(timeout=30_000)
    page.get_by_test_id("stSidebar").get_by_role("link", name="Evidence").click()
    expect(page.locator(".paper section").first).to_be_visible(timeout=30_000)
