"""Adding papers and references, and reading them by the queue: what is shown, and what a kill leaves behind."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import FilePayload, Page, expect

from core.references import Reference
from core.screening.model import ScreeningVerdict
from core.settings import Settings, load_settings
from core.store import ScreeningDecision, StoredReference, open_store
from tests.browser.conftest import App, serve
from tests.browser.desk import add_to_project, at_rest, choose
from tests.browser.test_review_page import LONG, WAIT, create, only_read
from tests.core.review.papers import trial

RIS = """TY  - JOUR
TI  - Walking and sleep in town 0: a randomised trial
ER  -
TY  - JOUR
TI  - Walking and sleep in town 5: a randomised trial
ER  -
TY  - JOUR
AU  - Nobody, N
ER  -
TY  - JOUR
TI  - Swimming and mood in older adults of the coast: a cohort study
AU  - Lake, A
PY  - 2019
ER  -
"""


def file(name: str, data: bytes) -> FilePayload:
    return {"name": name, "mimeType": "application/octet-stream", "buffer": data}


def other_tabs_have_one_line(page: Page) -> None:
    """Failures are listed under Papers. The other tabs show one line on them until it is hidden."""
    listed, note = page.locator(".st-key-queue-unreadable"), page.locator(".st-key-troubles-note")
    expect(note).to_have_count(0)
    page.get_by_role("tab", name="Flow").click()
    expect(note).to_contain_text("1 file could not be read · 1 wrong entry", timeout=WAIT)
    expect(listed).to_have_count(0)
    note.get_by_role("button", name="Hide").click()
    expect(note).to_have_count(0, timeout=WAIT)
    page.get_by_role("tab", name="Papers").click()
    expect(listed).to_be_visible(timeout=WAIT)


def test_everything_that_comes_in_is_reported(page: Page, screenshot: Callable[[Page, str], Path]) -> None:
    create(page, "Walking in towns")
    only_read(page)
    twin = trial(3).replace(b"The list was kept in sealed", b"The list was held in sealed")
    add_to_project(
        page,
        *(file(f"trial-{number}.md", trial(number)) for number in range(6)),
        file("twin.md", twin),
        file("broken.pdf", b"%PDF-1.7 and no more"),
        file("export.ris", RIS.encode()),
    )
    expect(page.get_by_text(re.compile(r"\d files? put in the queue, to be read"))).to_be_visible(timeout=WAIT)
    screenshot(page, "intake-begun")
    expect(page.locator("tr[data-paper]")).to_have_count(7, timeout=LONG)
    expect(
        page.get_by_text("7 papers and 3 references added · listed below: 1 file that could not be read")
    ).to_be_visible(timeout=WAIT)
    expect(page.get_by_text("1 pair that looks alike")).to_be_visible()
    unread = page.locator(".st-key-queue-unreadable")
    expect(unread).to_be_visible()
    other_tabs_have_one_line(page)
    expect(page.get_by_text("1 entry in a file of references is wrong")).to_be_visible()
    expect(page.get_by_text(re.compile("export.ris.*record 3"))).to_be_visible()
    screenshot(page, "intake-through")

    papers = page.locator("tr[data-paper]")
    textless = page.locator("tr[data-reference]")
    expect(textless).to_have_count(1)
    expect(textless).to_contain_text("Swimming and mood")
    expect(textless).to_contain_text("No full text yet")
    expect(papers.filter(has_text="town 5")).to_contain_text("Reference in export.ris, matched by title")

    at_rest(page)
    page.get_by_text("Look alike (").click()
    pair = page.locator("[class*=st-key-pair-]").filter(has_text="twin.md")
    expect(pair).to_contain_text("trial-3.md")
    screenshot(page, "intake-alike")
    pair.get_by_role("button", name="The same: keep the left").click()
    expect(papers).to_have_count(6, timeout=WAIT)
    page.get_by_text("Decided pairs (1)").click()
    page.get_by_role("button", name="Undo").click()
    expect(papers).to_have_count(7, timeout=WAIT)

    at_rest(page)
    textless.get_by_role("button", name="Swimming and mood").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("Record 4 of export.ris", timeout=WAIT)
    choose(dialog.get_by_role("combobox", name="Its paper"), "town 1")
    screenshot(page, "intake-reference")
    dialog.get_by_role("button", name="Save").click()
    expect(papers.filter(has_text="town 1")).to_contain_text("matched by a reviewer", timeout=WAIT)
    expect(textless).to_have_count(0)

    page.get_by_text(re.compile("broken.pdf.*damaged")).wait_for()
    page.locator(".st-key-queue-unreadable").get_by_role("button", name="Dismiss").click()
    expect(unread).to_have_count(0, timeout=WAIT)
    expect(page.get_by_text("1 file could not be read")).to_have_count(0)
    expect(page.get_by_text("1 entry in a file of references is wrong")).to_be_visible()


def test_a_reference_that_two_papers_could_have_is_given_to_one_of_them(page: Page) -> None:
    create(page, "Towns twice")
    only_read(page)
    twin = trial(3).replace(b"The list was kept in sealed", b"The list was held in sealed")
    entry = RIS.split("TY  - JOUR")[1].replace("town 0", "town 3")
    add_to_project(
        page, file("trial-3.md", trial(3)), file("twin.md", twin), file("one.ris", f"TY  - JOUR{entry}".encode())
    )
    papers, textless = page.locator("tr[data-paper]"), page.locator("tr[data-reference]")
    expect(papers).to_have_count(2, timeout=LONG)
    expect(page.get_by_text("2 papers and 1 reference added · listed below: 3 pairs that look alike")).to_be_visible(
        timeout=WAIT
    )
    expect(textless).to_have_count(1)
    at_rest(page)
    page.get_by_text("Look alike (3)").click()
    pairs = page.locator("[class*=st-key-pair-]")
    own = pairs.filter(has_text="twin.md").filter(has_text="one.ris")
    own.get_by_role("button", name="The same: it is its reference").click()
    expect(textless).to_have_count(0, timeout=WAIT)
    expect(papers.filter(has_text="matched by a reviewer")).to_have_count(1)
    expect(pairs).to_have_count(1)
    expect(pairs.get_by_role("button", name="The same: keep the right")).to_be_visible()


def test_a_queue_that_was_killed_goes_on_by_itself(
    tmp_path: Path, open_window: Callable[[App], Page], screenshot: Callable[[Page, str], Path]
) -> None:
    home = {"VOUCH_HOME": str(tmp_path / "home")}
    with serve(tmp_path, home) as first:
        page = open_window(first)
        create(page, "Walking on")
        address = urlsplit(page.url).query
        add_to_project(page, *(file(f"trial-{number}.md", trial(number)) for number in range(12)))
        expect(page.locator("tr[data-paper]").first).to_be_visible(timeout=LONG)
        first.kill()
    with serve(tmp_path, home) as again:
        page = open_window(again)
        page.goto(f"{again.url}/review?{address}")
        expect(page.get_by_text("All 12 papers are read; 84 questions answered")).to_be_visible(timeout=LONG)
        screenshot(page, "intake-after-kill")
    store = open_store(Settings(home=tmp_path / "home", data=None))
    with store.reading() as now:
        (project,) = now.projects()
        whole = now.whole(project.record.id)
    store.close()
    made = [saved.version for saved in (*whole.papers, *whole.suggestions)]
    assert made == [1] * (12 + 84), "nothing was done twice"


def test_a_reference_that_screening_excluded_needs_no_full_text(page: Page) -> None:
    create(page, "Towns apart")
    project = parse_qs(urlsplit(page.url).query)["project"][0]
    store = open_store(load_settings())
    for who in ("Ann", "Ben"):
        with store.writing(who) as change:
            if who == "Ann":
                for number in range(2):
                    change.save(StoredReference(project, f"r{number}", "a.ris", number, Reference(f"Tea {number}")))
            change.save(ScreeningDecision(project, "r0", who, ScreeningVerdict.EXCLUDE, "Animals"))
    store.close()
    page.reload()
    excluded, other = (page.locator(f"tr[data-reference=r{number}]") for number in range(2))
    expect(excluded).to_contain_text("Excluded in screening: Animals", timeout=WAIT)
    expect(other).to_contain_text("No full text yet")
    expect(excluded).not_to_contain_text("No full text yet")
    page.get_by_role("button", name="No full text 1").click()
    expect(page.locator("tr[data-reference]")).to_have_count(1)
    expect(other).to_be_visible()
