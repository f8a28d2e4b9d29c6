"""Papers and references come into a project, and the queue reads them: what is told, and what a kill leaves behind."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import FilePayload, Page, expect

from tests.browser.test_review_page import WAIT, create, only_read
from tests.core.review.papers import trial

LONG = 120_000
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


def put_in(page: Page, *files: FilePayload) -> None:
    page.get_by_test_id("stFileUploader").locator("input[type=file]").last.set_input_files(list(files))


def test_everything_that_comes_in_is_reported(page: Page, screenshot: Callable[[Page, str], Path]) -> None:
    create(page, "Walking in towns")
    only_read(page)
    twin = trial(3).replace(b"The list was kept in sealed", b"The list was held in sealed")
    put_in(
        page,
        *(file(f"trial-{number}.md", trial(number)) for number in range(6)),
        file("twin.md", twin),
        file("broken.pdf", b"%PDF-1.7 and no more"),
        file("export.ris", RIS.encode()),
    )
    expect(page.get_by_text("8 files and 3 references added")).to_be_visible(timeout=WAIT)
    screenshot(page, "intake-begun")
    expect(page.locator("tr[data-paper]")).to_have_count(7, timeout=LONG)
    expect(page.get_by_text("1 file could not be read")).to_be_visible()
    expect(page.get_by_text("1 entry in a file of references is wrong")).to_be_visible()
    expect(page.get_by_text(re.compile("export.ris.*record 3"))).to_be_visible()
    screenshot(page, "intake-through")
