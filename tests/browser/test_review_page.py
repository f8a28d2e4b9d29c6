"""The Review page: two reviewers at two computers, a telephone, and a paper outside projects."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Literal
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Dialog, Locator, Page, expect

from core.bias.model import HIGH
from core.settings import load_settings
from core.store import Plan, ReviewerJudgement, Store, open_store
from tests.browser.conftest import TELEPHONE, App, serve
from tests.browser.desk import (
    HYPOTHESIS,
    PAPER,
    add_to_project,
    arrived,
    at_rest,
    choose,
    click_at_rest,
    entries,
    everything_in,
    find,
    open_paper,
    sentence,
    text_file,
)
from tests.core.review.large import fill

# ---- the Review page, as two reviewers at two computers use it ----

WAIT = 30_000
LONG = 120_000  # the queue's workers start first, and yield to the screens
SECOND = PAPER.replace("Tea for headache", "Coffee for sleep").replace("Green tea", "Coffee")


def review_page(page: Page) -> None:
    page.get_by_test_id("stSidebar").get_by_role("link", name="Review").click(timeout=WAIT)
    expect(page.get_by_role("heading", name="Review many papers")).to_be_visible(timeout=WAIT)


def create(page: Page, name: str, *, tool: str = "RoB 1", blind: bool = True) -> None:
    """Create a project of Ann and Ben, as Ann."""
    review_page(page)
    form = page.get_by_test_id("stExpander").filter(has_text="New project").locator("details").first
    if form.get_attribute("open", timeout=WAIT) is None:
        form.locator("summary").first.click()
    page.get_by_role("textbox", name="Name", exact=True).fill(name)
    page.get_by_role("textbox", name="Reviewers").fill("Ann, Ben")
    if tool != "RoB 1":
        choose(page.get_by_role("combobox", name="Tool"), tool)
    if not blind:
        page.get_by_text("Blind", exact=True).click()
    at_rest(page)
    click_at_rest(page.get_by_role("button", name="Create the project"))
    expect(page.get_by_role("heading", name=name)).to_be_visible(timeout=WAIT)


def add(page: Page, *papers: str) -> None:
    """Add papers, and wait until the queue has read them."""
    only_read(page)
    files = [text_file(text, name=f"{number}.md") for number, text in enumerate(papers)]
    add_to_project(page, *files)
    expect(page.get_by_text(re.compile(rf"{len(papers)} papers? added"))).to_be_visible(timeout=LONG)
    expect(page.locator("tr[data-paper]")).to_have_count(len(papers), timeout=WAIT)
    expect(page.locator(".st-key-queue-pause")).to_have_count(0, timeout=WAIT)


def only_read(page: Page) -> None:
    """Leave all engines out of the open project's plan, to save their time."""
    store = open_store(load_settings())
    with store.writing("Ann") as change:
        saved = change.project(parse_qs(urlsplit(page.url).query)["project"][0])
        change.save(replace(saved.record, plan=Plan(None, None, None)), seen=saved.version)
    store.close()


def row(page: Page, title: str) -> Locator:
    return page.locator("tr[data-paper]").filter(has_text=title)


@pytest.mark.alone
def test_a_second_window_hears_of_a_decision_within_seconds(page: Page) -> None:
    create(page, "Heard of", blind=False)
    add(page, PAPER)
    project = parse_qs(urlsplit(page.url).query)["project"][0]
    expect(page.locator("tr[data-paper]")).to_contain_text("0 of 7", timeout=WAIT)

    def ben_says(domain: str) -> None:
        store = open_store(load_settings())
        with store.reading() as now:
            (paper,) = now.stored_papers(project)
        with store.writing("Ben") as change:
            change.save(ReviewerJudgement(project, paper.record.id, "rob1", domain, "Ben", HIGH))
        store.close()

    ben_says("concealment")
    expect(page.locator("tr[data-paper]")).to_contain_text("1 of 7", timeout=10_000)
    next_undone(page)
    expect(page.locator('.suggestion[aria-label="Ben"]')).to_have_count(0)
    ben_says("sequence")
    expect(page.locator('.suggestion[aria-label="Ben"]')).to_contain_text("High", timeout=10_000)


def deaf(page: Page) -> None:
    """A window that does not look at what others decide, as between two of its looks."""
    page.evaluate("for (let id = setInterval(() => {}, 1e6); id > 0; id--) clearInterval(id)")


def next_undone(page: Page) -> None:
    page.get_by_role("button", name="Next paper to judge").click()
    expect(page.locator(".criterion").first).to_be_visible(timeout=WAIT)


def judge(page: Page, *levels: str) -> None:
    """Give these levels to the domains, starting with the one on the desk."""
    for number, level in enumerate(levels):
        if number:
            page.keyboard.press("]")
        page.locator(f'[data-key="level-{level}"]').check()


def saved(page: Page) -> None:
    expect(page.locator(".saved")).to_have_text("Saved", timeout=WAIT)


def as_ben(page: Page, address: str) -> None:
    """Open the project at this address in another browser, as Ben."""
    page.goto(address.split("&reviewer=", maxsplit=1)[0])
    page.get_by_text("Ben", exact=True).first.click(timeout=WAIT)
    expect(page.get_by_text("Ben (you)")).to_be_visible(timeout=WAIT)


# The contrast of text with its background by WCAG 2.2 ("relative luminance", "contrast ratio").
CONTRAST = """(word) => {
  const paint = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const rgba = (color) => {
    paint.clearRect(0, 0, 1, 1);
    paint.fillStyle = color;
    paint.fillRect(0, 0, 1, 1);
    return paint.getImageData(0, 0, 1, 1).data;
  };
  const linear = (part) => (part <= 10 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4);
  const luminance = (color) => {
    const [r, g, b] = [...rgba(color)].map(linear);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  let behind = word;
  while (rgba(getComputedStyle(behind).backgroundColor)[3] < 255) behind = behind.parentElement;
  const both = [getComputedStyle(word).color, getComputedStyle(behind).backgroundColor].map(luminance);
  return (Math.max(...both) + 0.05) / (Math.min(...both) + 0.05);
}"""


def settle(page: Page, level: str, reason: str, screenshot: Callable[[Page, str], Path]) -> None:
    """Settle a paper's last conflict, which needs a reason."""
    page.locator(f'[data-key="settle-{level}"]').check()
    page.locator(".settle:visible").click()
    expect(page.locator(".settling-problem")).to_contain_text("needs its reason")
    page.get_by_role("textbox", name="Reason", exact=True).fill(reason)
    screenshot(page, "settling")
    page.locator(".settle:visible").click()
    settled = page.get_by_role("region", name="Consensus")
    expect(settled).to_contain_text(reason, timeout=WAIT)
    expect(settled).to_contain_text("Settled by Ann, between Ann and Ben")
    expect(page.get_by_text("No conflict left in this paper")).to_be_visible(timeout=WAIT)


def open_report(page: Page, folder: Path) -> None:
    """Download the project's report, and open it in the browser."""
    page.get_by_role("tab", name="Outputs").click()
    with page.expect_download() as report:
        page.get_by_role("button", name="Report (HTML)").click(timeout=WAIT)
    report.value.save_as(folder / "report.html")
    page.goto((folder / "report.html").as_uri())


def test_two_reviewers_go_blind_through_a_conflict_to_consensus(
    app: App, open_window: Callable[[App], Page], screenshot: Callable[[Page, str], Path], tmp_path: Path
) -> None:
    ann, ben = open_window(app), open_window(app)
    create(ann, "Tea against headache")
    add(ann, PAPER, SECOND)
    project = ann.url
    next_undone(ann)
    judge(ann, *["low"] * 7)
    ann.get_by_label("Comment").fill("Ann's secret reason.")
    sentence(ann, "Adults with headache were randomly").click()
    ann.get_by_role("toolbar").get_by_role("button", name="Add as support").click()
    saved(ann)
    expect(ann.locator("button.chip").filter(has_text="Low")).to_have_count(7)

    as_ben(ben, project)
    expect(row(ben, "Tea for headache")).to_contain_text("7 of 7", timeout=WAIT)
    assert "Low" not in everything_in(ben)
    assert "secret" not in everything_in(ben)
    next_undone(ben)
    expect(ben.locator(".paper h1")).to_contain_text("Tea for headache")
    judge(ben, *["low"] * 6)
    ben.keyboard.press("]")
    expect(ben.locator(".judging h2")).to_have_text("Other sources of bias")
    assert "secret" not in everything_in(ben)
    ben.get_by_text("Side by side", exact=True).click()
    expect(ben.locator('.desk[data-mode="settle"] .hidden-suggestion')).to_be_visible(timeout=WAIT)
    expect(ben.locator(".judging h2")).to_have_text("Other sources of bias")  # the same domain as before
    ben.get_by_text("My judgement", exact=True).click()
    expect(ben.locator(".own-comment")).to_be_visible(timeout=WAIT)
    expect(ben.locator(".judging h2")).to_have_text("Other sources of bias")
    ben.locator('[data-key="level-high"]').check()
    ben.get_by_label("Comment").fill("Ben thinks otherwise.")
    saved(ben)

    ann.get_by_role("link", name="Tea against headache").click()
    expect(row(ann, "Tea for headache")).to_contain_text("≠ 1", timeout=WAIT)
    screenshot(ann, "review")
    ann.get_by_role("button", name="Settle conflicts (1)").click()
    sides = ann.locator(".side-of")
    expect(sides).to_have_count(2, timeout=WAIT)
    expect(sides.nth(0)).to_contain_text("Ann's secret reason.")
    expect(sides.nth(1)).to_contain_text("Ben thinks otherwise.")
    expect(ann.locator(".entry")).to_contain_text("Chosen by Ann")
    settle(ann, "high", "The registry names another outcome.", screenshot)

    ben.get_by_role("link", name="Tea against headache").click()
    expect(row(ben, "Tea for headache")).to_contain_text("✓ 7 of 7", timeout=WAIT)
    expect(row(ben, "Tea for headache")).not_to_contain_text("≠")

    open_report(ben, tmp_path)
    expect(ben.get_by_text("The registry names another outcome.").first).to_be_visible()
    expect(ben.get_by_text("Ann's secret reason.").first).to_be_attached()
    screenshot(ben, "review-report")


def test_a_reloaded_window_has_lost_nothing_and_two_windows_are_asked(
    app: App, open_window: Callable[[App], Page], screenshot: Callable[[Page, str], Path]
) -> None:
    one, two = open_window(app), open_window(app)
    create(one, "Tea in two windows", tool="RoB 2", blind=False)
    add(one, PAPER)
    next_undone(one)
    for question, word in (("1.1", "Y"), ("1.2", "PY"), ("1.3", "N")):
        one.locator(f'[data-key="answer-{question}-{word}"]').check()
    one.get_by_label("Comment").fill("By lot.")
    saved(one)
    one.reload()
    first = one.locator("button.chip").first
    expect(first).to_contain_text("Low", timeout=WAIT)
    expect(one.get_by_label("Comment")).to_have_value("By lot.")
    expect(one.locator('[data-key="answer-1.2-PY"]')).to_be_checked()

    two.goto(one.url)
    expect(two.get_by_label("Comment")).to_have_value("By lot.", timeout=WAIT)
    deaf(one)
    two.get_by_label("Comment").fill("By coin.")
    saved(two)
    one.get_by_label("Comment").fill("By dice.")
    expect(one.get_by_text("was changed in another window")).to_be_visible(timeout=WAIT)
    expect(one.locator(".saved")).to_have_text("Not saved: see above")
    expect(one.get_by_text("By coin.")).to_be_visible()
    screenshot(one, "clash")
    one.locator('[data-key="domain-D2"]').click()
    expect(one.locator(".saved")).to_have_text("Saved")
    one.locator('[data-key="domain-D1"]').click()
    expect(one.locator(".saved")).to_have_text("Not saved: see above")
    one.get_by_role("button", name="Take that one").click()
    expect(one.get_by_label("Comment")).to_have_value("By coin.", timeout=WAIT)
    saved(one)
    deaf(one)
    two.get_by_label("Comment").fill("By cards.")
    saved(two)
    one.get_by_label("Comment").fill("By drawing of lots.")
    one.get_by_role("button", name="Keep this one").click(timeout=WAIT)
    saved(one)
    one.reload()
    expect(one.get_by_label("Comment")).to_have_value("By drawing of lots.", timeout=WAIT)


def test_deleting_asks_and_can_be_undone(page: Page) -> None:
    create(page, "Tea to be deleted")
    add(page, PAPER, SECOND)
    at_rest(page)
    row(page, "Coffee for sleep").get_by_role("button", name="Delete").click()
    page.get_by_role("dialog").get_by_role("button", name="Keep it").click()
    expect(page.get_by_role("dialog")).to_have_count(0, timeout=WAIT)
    expect(page.locator("tr[data-paper]")).to_have_count(2)
    at_rest(page)
    row(page, "Coffee for sleep").get_by_role("button", name="Delete").click()
    staying = page.locator("[data-show], .open", has_not_text="Coffee")
    staying.evaluate_all("nodes => { for (const node of nodes) node.first = true; }")
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(page.locator("tr[data-paper]")).to_have_count(1, timeout=WAIT)
    # Elements must not be rebuilt when redrawn: a click on them would be lost.
    assert staying.evaluate_all("nodes => nodes.map((node) => node.first)") == [True] * 5
    at_rest(page)
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("tr[data-paper]")).to_have_count(2, timeout=WAIT)

    at_rest(page)
    page.locator(".st-key-delete-project").get_by_role("button").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(page.get_by_role("heading", name="Review many papers")).to_be_visible(timeout=WAIT)
    expect(page.get_by_role("button", name="Tea to be deleted", exact=True)).to_have_count(0)
    at_rest(page)
    page.get_by_role("button", name="Undo").click()
    page.get_by_role("button", name="Tea to be deleted", exact=True).click(timeout=WAIT)
    expect(page.locator("tr[data-paper]")).to_have_count(2, timeout=WAIT)


def test_papers_are_searched_and_told_apart(page: Page) -> None:
    create(page, "Tea to be searched")
    hostile = "<img src=x onerror=\"document.title='hit'\">"
    add(page, PAPER, SECOND, f"# Cocoa {hostile}\n\n## Methods\n\nNothing.\n")
    expect(page.locator("tr[data-paper]")).to_have_count(3)
    page.get_by_label("Search the papers").fill("coffee")
    expect(page.locator("tr[data-paper]")).to_have_count(1)
    page.get_by_label("Search the papers").fill("")
    page.locator("[data-show=conflicts]").click()
    expect(page.get_by_text("No paper is like this.")).to_be_visible()
    page.locator("[data-show=mine]").click()
    expect(row(page, "<img src=x")).to_be_visible()
    assert page.title() != "hit"
    row(page, "Coffee for sleep").locator(".open").click()
    expect(page.locator(".paper h1")).to_contain_text("Coffee for sleep", timeout=WAIT)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_chosen_tab_is_legible_in_page_and_dialog(page: Page, scheme: Literal["light", "dark"]) -> None:
    page.emulate_media(color_scheme=scheme)
    create(page, f"Tea in the {scheme}")
    chosen = page.get_by_role("tab", selected=True)
    assert chosen.locator("p").evaluate(CONTRAST) >= 4.5
    page.get_by_role("button", name="Settings").click()
    assert page.get_by_role("dialog").get_by_role("tab", selected=True).locator("p").evaluate(CONTRAST) >= 4.5


# ---- a review on a telephone ----

PAPERS = 6


@pytest.fixture(scope="module")
def project(app: App) -> Iterator[str]:
    """A project of a few papers in the app's store, removed afterwards."""
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


# ---- a paper outside projects, after a reload and after a kill of the app ----

A_MINUTE = 60_000
SIDEBAR = "stSidebar"


def decide(page: Page) -> tuple[str, str]:
    """Accept the first listed sentence and reject the second. Returns their indices."""
    open_paper(page, text_file(PAPER))
    find(page)
    first, second = (entries(page).nth(number).get_attribute("data-i") or "" for number in (0, 1))
    entries(page).nth(0).locator(".decide.accepted").click()
    entries(page).nth(1).locator(".decide.rejected").click()
    expect(entries(page, "rejected")).to_have_count(1)
    arrived(page)
    return first, second


def is_there(page: Page, decided: tuple[str, str]) -> None:
    """Check that the paper is on the desk with its question, answer and decisions."""
    expect(page.get_by_label("Hypothesis")).to_have_value(HYPOTHESIS, timeout=A_MINUTE)
    expect(entries(page, "accepted")).to_have_attribute("data-i", decided[0], timeout=A_MINUTE)
    expect(entries(page, "rejected")).to_have_attribute("data-i", decided[1])
    expect(entries(page)).not_to_have_count(2)  # also the sentences without decisions


def test_a_decision_survives_the_end_of_the_app(
    tmp_path: Path, open_window: Callable[[App], Page], screenshot: Callable[[Page, str], Path]
) -> None:
    home = {"VOUCH_HOME": str(tmp_path / "home")}
    with serve(tmp_path, home) as first:
        page = open_window(first)
        decided = decide(page)
        first.kill()
    with serve(tmp_path, home) as again:
        page = open_window(again)
        is_there(page, decided)
        screenshot(page, "decisions-after-kill")
        page.reload()
        is_there(page, decided)
        second = open_window(again)
        is_there(second, decided)
        second.get_by_test_id(SIDEBAR).get_by_role("button", name="Close Tea for headache").click()
        second.get_by_role("dialog").get_by_role("button", name="Forget this paper").click()
        expect(second.get_by_role("button", name="Try a sample paper")).to_be_visible(timeout=A_MINUTE)
        page.reload()
        expect(page.get_by_role("button", name="Try a sample paper")).to_be_visible(timeout=A_MINUTE)


def test_leaving_the_page_asks_nothing_and_loses_nothing(page: Page) -> None:
    asked: list[str] = []

    def note(dialog: Dialog) -> None:
        asked.append(dialog.type)
        dialog.accept()

    page.on("dialog", note)
    decided = decide(page)
    page.reload()
    is_there(page, decided)
    page.remove_listener("dialog", note)
    assert asked == []


def test_into_a_project_with_what_was_decided(page: Page) -> None:
    create(page, "Tea, all of it", blind=False)
    page.get_by_test_id(SIDEBAR).get_by_role("link", name="Evidence").click()
    decided = decide(page)
    page.get_by_role("button", name="Outside projects").click()
    page.get_by_role("button", name="Put it there with all that was done on it").click()
    expect(page.get_by_text("Kept in the project, as Ann")).to_be_visible(timeout=A_MINUTE)
    is_there(page, decided)
    page.get_by_test_id(SIDEBAR).get_by_role("link", name="Review").click()
    expect(page.locator("tr[data-paper]")).to_have_count(1, timeout=A_MINUTE)
