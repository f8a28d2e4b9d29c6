"""From a query to the flow diagram, with invented literature in place of the services."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from core.review.marks import last_checked
from core.screening.model import ScreeningVerdict
from core.settings import Settings
from core.sources.stand_in import StandIn
from core.store import Plan, Project, ScreeningDecision, Store, open_store
from tests.browser.conftest import TELEPHONE, App, serve
from tests.browser.desk import at_rest

WAIT, LONG = 60_000, 180_000
# Every process of the app logs its connections and the names that it looks up.
WATCH = """
import sys

def note(event, arguments):
    if event in ("socket.connect", "socket.getaddrinfo", "socket.sendto"):
        with open({log!r}, "a") as log:
            log.write(f"{{event}} {{arguments[1] if event != 'socket.getaddrinfo' else arguments[0]}}\\n")

sys.addaudithook(note)
open({log!r}, "a").close()
"""
HYPOTHESIS = "Walking improves sleep in adults with insomnia"


@pytest.fixture
def literature() -> Iterator[StandIn]:
    with StandIn(12) as server:
        yield server


@pytest.fixture
def here(tmp_path: Path, literature: StandIn) -> Iterator[tuple[App, Store]]:
    """An app that asks the stand-in service, and its store with a project of Ann's."""
    home = tmp_path / "home"
    store = open_store(Settings(home=home, data=None))
    project = Project(
        "towns", "Walking in towns", ("Ann",), hypotheses=(HYPOTHESIS,), plan=Plan(None, "bm25", None), blind=False
    )
    with store.writing("Ann") as change:
        change.save(project)
    (tmp_path / "watch").mkdir()
    (tmp_path / "watch" / "sitecustomize.py").write_text(WATCH.format(log=str(tmp_path / "sockets.log")))
    environment = {
        "VOUCH_HOME": str(home),
        "VOUCH_SOURCES_URL": literature.address,
        "VOUCH_MAIL": "",
        "PYTHONPATH": str(tmp_path / "watch"),
    }
    with serve(tmp_path, environment) as app:
        yield app, store
    store.close()


def open_search(page: Page, app: App) -> None:
    page.goto(f"{app.url}/review?project=towns&reviewer=Ann")
    page.get_by_role("tab", name="Search").click(timeout=LONG)
    expect(page.get_by_text("Nothing is sent before")).to_be_visible(timeout=LONG)


def strangers(folder: Path) -> list[str]:
    """The hosts that the app's processes have contacted, without this machine."""
    log = folder / "sockets.log"
    lines = log.read_text().splitlines() if log.exists() else []
    return [line for line in lines if not re.search(r"127\.0\.0\.1|localhost|'::1'|'0\.0\.0\.0'|'::'|None|/", line)]


def screen_two(page: Page) -> None:
    """Include the first two items with the keyboard."""
    page.get_by_role("tab", name="Screening").click()
    at_rest(page)
    page.locator(".st-key-screen button").click()
    for number in range(2):
        expect(page.locator(".verdict-choice").first).to_be_enabled(timeout=WAIT)
        page.keyboard.press("i")
        expect(page.locator(".count-words")).to_have_text(f"{number + 1} of 15 decided", timeout=WAIT)


def include_all(store: Store) -> None:
    """Include the other items."""
    with store.reading() as now:
        decided, left_out = now.screenings("towns", reader="Ann"), now.left_out("towns")
        ids = [one.record.id for one in now.references("towns") if one.record.id not in {*decided, *left_out}]
        assert len(ids) == 13, "two were screened in the browser"
    with store.writing("Ann") as change:
        for item in ids:
            change.save(ScreeningDecision("towns", item, "Ann", ScreeningVerdict.INCLUDE))


def test_a_review_from_the_query_to_the_flow_diagram(  # noqa: PLR0915  one way through, step by step
    here: tuple[App, Store],
    literature: StandIn,
    tmp_path: Path,
    open_window: Callable[..., Page],
    screenshot: Callable[[Page, str], Path],
) -> None:
    app, store = here
    page = open_window(app)
    open_search(page, app)
    page.get_by_label("A query, or DOIs").fill("walking AND sleep")
    page.get_by_label("A query, or DOIs").blur()
    goes = page.locator(".st-key-where-it-goes")
    expect(goes).to_contain_text("eutils.ncbi.nlm.nih.gov", timeout=WAIT)
    expect(goes).to_contain_text("no mail address")
    page.get_by_role("textbox", name="Your mail address").fill("ann@example.org")
    page.get_by_role("textbox", name="Your mail address").blur()
    expect(goes).to_contain_text("With your mail address", timeout=WAIT)
    screenshot(page, "search-before")
    assert not literature.asked, "nothing is sent before it is said where to"
    assert (tmp_path / "sockets.log").exists(), "the app is watched"
    assert strangers(tmp_path) == [], "a fresh start speaks to nobody else"

    at_rest(page)
    goes.get_by_role("button", name="Ask 3 services").click()
    counts = page.locator(".st-key-counts")
    expect(counts).to_contain_text("12 in Europe PMC", timeout=WAIT)
    expect(counts).to_contain_text("8 in PubMed")
    expect(counts).to_contain_text("3 in ClinicalTrials.gov")
    screenshot(page, "search-counts")
    counts.get_by_role("button", name="Take 23 records").click()
    expect(page.get_by_text("12 from Europe PMC, 8 from PubMed")).to_be_visible(timeout=WAIT)
    same = page.locator(".st-key-same-numbers")
    expect(same).to_contain_text("8 pairs of references", timeout=WAIT)
    at_rest(page)
    same.get_by_role("button", name="Count 8 duplicates").click()
    expect(page.get_by_text("8 duplicates left out")).to_be_visible(timeout=WAIT)
    screenshot(page, "search-taken")

    screen_two(page)
    include_all(store)
    open_search(page, app)
    texts = page.locator(".st-key-full-texts")
    expect(texts).to_contain_text("15 references included", timeout=WAIT)
    at_rest(page)
    texts.get_by_role("button", name="Fetch 15 open full texts").click()
    expect(texts).to_contain_text("8 fetched · 0 to fetch · 7 not available", timeout=LONG)
    texts.get_by_text("Not to be had (7)").click()
    expect(texts).to_contain_text("Not open access: ask your library")
    expect(texts).to_contain_text("a web page, perhaps a login")
    screenshot(page, "search-texts")

    notices = page.locator(".st-key-notices")
    expect(notices).to_contain_text("Retracted 2024")
    at_rest(page)
    notices.get_by_role("button", name=re.compile(r"Check \d+ papers")).click()
    expect(notices).to_contain_text("Checked for retractions", timeout=WAIT)
    expect(notices).to_contain_text("Retracted 2024-05-01 (Crossref)")

    page.get_by_role("tab", name="Evidence table").click()
    expect(page.get_by_text("Retracted").first).to_be_visible(timeout=WAIT)
    screenshot(page, "search-evidence")
    page.get_by_role("tab", name="Papers").click()
    expect(page.locator("tr[data-paper]")).to_have_count(8, timeout=WAIT)
    expect(page.locator("tr[data-paper]").filter(has_text="town 4")).to_contain_text("Retracted", timeout=WAIT)
    screenshot(page, "search-papers")
    page.get_by_role("tab", name="Flow").click()
    flow = page.locator(".st-key-flow img")
    expect(flow).to_be_visible(timeout=WAIT)
    said = flow.get_attribute("alt") or ""
    assert "Europe PMC (n = 12)" in said.replace("\N{NO-BREAK SPACE}", " ")
    assert "PubMed (n = 8)" in said.replace("\N{NO-BREAK SPACE}", " ")
    assert "ClinicalTrials.gov (register) (n = 3)" in said.replace("\N{NO-BREAK SPACE}", " ")
    assert "Duplicate records (n = 8)" in said.replace("\N{NO-BREAK SPACE}", " ")
    screenshot(page, "search-flow")

    literature.publish(2)
    page.get_by_role("tab", name="Search").click()
    at_rest(page)
    page.get_by_role("button", name="Run again").click()
    expect(counts).to_contain_text("town 12: a randomised trial", timeout=WAIT)
    expect(counts).to_contain_text("town 13: a randomised trial")
    screenshot(page, "search-again")
    asked = sum("crossref" in one for one in literature.asked)
    page.get_by_text("Check what comes in, and all papers").click()
    expect(notices).to_contain_text("Ann agreed to it on", timeout=WAIT)
    at_rest(page)
    counts.get_by_role("button", name=re.compile(r"Take \d+ new records")).click()
    expect(page.get_by_text("New in the review:")).to_be_visible(timeout=WAIT)
    for _ in range(300):  # what came in is checked in the background
        with store.reading() as now:
            if not last_checked(now, "towns").unasked:
                break
        page.wait_for_timeout(100)
    assert sum("crossref" in one for one in literature.asked) > asked
    open_search(page, app)
    expect(notices).to_contain_text("Checked for retractions", timeout=WAIT)
    expect(notices).not_to_contain_text("came in since", timeout=WAIT)
    notices.scroll_into_view_if_needed()
    screenshot(page, "search-agreed")
    small: ViewportSize = TELEPHONE
    phone = open_window(app, small)
    phone.goto(f"{app.url}/review?project=towns&reviewer=Ann")
    phone.get_by_role("tab", name="Search").click()
    expect(phone.get_by_text("Searches of this review")).to_be_visible(timeout=WAIT)
    at_rest(phone)
    screenshot(phone, "search-phone")
    assert strangers(tmp_path) == []
