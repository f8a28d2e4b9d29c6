"""From HTML to PDF by the print function of a real browser. Needs playwright, a development tool."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from core.training.typesetting.article import Article, page_source

_FOLDER = Path(__file__).parent
_FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking"]


def layout_names() -> list[str]:
    """The layouts that there are, by the names of their style sheets."""
    return sorted(path.stem for path in (_FOLDER / "layouts").glob("*.css") if path.stem != "base")


@contextmanager
def open_browser(program: str | None) -> Iterator[Browser]:
    """A browser without a window: `program`, or else Playwright's own. Raises Playwright's error if it cannot start."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=_FLAGS)
        try:
            yield browser
        finally:
            browser.close()


def print_pdf(browser: Browser, article: Article, layout: str) -> bytes:
    """The article as a PDF in one of the layouts."""
    styles = "".join(_source(f"layouts/{name}.css") for name in ("base", layout))
    page = browser.new_page()
    try:
        page.set_content(page_source(article, styles=styles, script=_source("paginate.js")))
        return page.pdf(prefer_css_page_size=True, print_background=True, outline=False, tagged=False)
    finally:
        page.close()


def _source(name: str) -> str:
    return (_FOLDER / name).read_text(encoding="utf-8")
