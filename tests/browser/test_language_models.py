"""Language models on the Evidence page, and using the page while a search runs."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from core.benchmarks.samples import SAMPLE_DATA
from tests.browser.conftest import App, Asking
from tests.browser.desk import (
    HYPOTHESIS,
    PAPER,
    choose,
    entries,
    everything_in,
    open_paper,
    sentence,
    stands_in_view,
    text_file,
)

# ---- language models on the Evidence page, as a reviewer meets them ----

KEY = "sk-test-5c0be7716d2f4a98e3b1"


@pytest.fixture
def window(asking: Asking, open_window: Callable[[App], Page]) -> Page:
    """A window with a paper on the desk, a hypothesis, and a key."""
    page = open_window(asking.app)
    open_paper(page, text_file(PAPER))
    take_model(page)
    return page


def take_model(page: Page) -> None:
    """Type a hypothesis, choose OpenAI's models, and enter a key."""
    page.get_by_label("Hypothesis").fill(HYPOTHESIS)
    choose(page.get_by_role("combobox", name="Engine"), "OpenAI model")
    expect(page.get_by_text("No key for OpenAI is set. Set OPENAI_API_KEY")).to_be_visible(timeout=30_000)
    page.get_by_role("textbox", name="OpenAI model: key for this session").fill(KEY)
    page.get_by_role("button", name="Use this key").click()
    expect(page.get_by_text("A key is set for this session.")).to_be_visible(timeout=30_000)


def ask(page: Page, model: str) -> None:
    field = page.get_by_role("textbox", name="Model", exact=True)
    field.fill(model)
    field.press("Enter")
    expect(page.get_by_text(re.compile(r"About \d+ calls"))).to_be_visible(timeout=30_000)
    page.get_by_role("button", name="Find evidence").click()


def turn_to(page: Page, tab: str) -> None:
    page.locator(".side-head").get_by_role("button", name=tab).click()


def test_from_the_key_to_the_verdict(window: Page, asking: Asking, screenshot: Callable[[Page, str], Path]) -> None:
    ask(window, "demo")
    expect(entries(window).first).to_be_visible(timeout=60_000)

    expect(window.get_by_text("cost unknown").first).to_be_visible()
    expect(entries(window).first).to_contain_text("▲ supports")
    expect(entries(window).first).to_contain_text("exact")
    expect(window.locator(".paper .marked .badge").first).to_contain_text("supports")
    verdict = window.locator(".paper-verdict")
    expect(verdict).to_contain_text("The paper supports it")
    verdict.get_by_role("button", name="strongest for").click()
    stands_in_view(window.locator(".paper .s.current.marked"))

    turn_to(window, "Reasoning")
    results = window.locator(".thought").nth(2)
    expect(results.locator("summary")).to_contain_text("Results")
    expect(results.locator(".reasoning")).to_be_hidden()
    results.locator("summary").click()
    expect(results.locator(".reasoning")).to_be_visible()
    results.locator(".source").first.click()
    expect(window.locator(".paper .s.current")).to_contain_text("Pain fell by 3.1 points")
    stands_in_view(window.locator(".paper .s.current"))
    screenshot(window, "language-model")

    assert KEY not in everything_in(window)
    kept = [path for path in asking.home.rglob("*") if path.is_file()]
    assert kept, "replies are in the cache"
    assert not [path for path in [*kept, asking.app.log] if KEY.encode() in path.read_bytes()]


def test_what_is_typed_into_the_models_field_is_what_is_asked(window: Page) -> None:
    field = window.get_by_role("textbox", name="Model", exact=True)
    models = window.locator(".st-key-models").get_by_role("button")
    name = models.first.inner_text()
    models.first.click()
    expect(field).to_have_value(name)
    expect(models.first).to_be_disabled()
    field.click()
    field.fill("demo")
    field.press("Enter")
    expect(window.get_by_text("About 5 calls")).to_be_visible(timeout=30_000)
    field.click()
    window.keyboard.type("-slower")  # a name that starts with the previous one
    window.keyboard.press("Enter")
    window.get_by_role("button", name="Find evidence").click()
    expect(window.get_by_text("by openai:demo-slower")).to_be_visible(timeout=60_000)


def test_what_failed_is_tried_again_alone(window: Page, asking: Asking) -> None:
    ask(window, "demo-emptyx1")
    again = window.get_by_role("button", name="Try what failed again")
    expect(again).to_be_visible(timeout=60_000)
    turn_to(window, "Reasoning")
    failed = window.locator('.thought[data-failed="true"]')
    expect(failed).to_have_count(1)
    expect(failed).to_have_attribute("open", "")
    expect(failed).to_contain_text("no answer")
    calls = asking.demo.desk.statistics()["calls"]
    again.click()
    expect(again).to_be_hidden(timeout=60_000)
    expect(failed).to_have_count(0)
    assert asking.demo.desk.statistics()["calls"] <= calls + 2


def test_a_run_without_an_answer_keeps_what_was_said(window: Page) -> None:
    ask(window, "demo-refusal")
    expect(window.get_by_role("alert")).to_contain_text("declined", timeout=60_000)
    expect(window.locator(".thought")).to_have_count(4)  # the tab has opened by itself
    expect(window.locator(".thought pre").first).to_have_text("I can't help with that.")
    expect(window.locator(".paper .marked")).to_have_count(0)


def test_what_is_not_in_the_paper_is_said_and_never_highlighted(window: Page) -> None:
    ask(window, "demo-invented")
    expect(window.locator(".empty", has_text="not in this paper; none is shown. Try another model.")).to_be_visible(
        timeout=60_000
    )
    turn_to(window, "Reasoning")
    expect(window.locator(".not-in-paper li").first).to_be_visible()
    expect(window.locator(".thought").first).to_contain_text("Not in the paper")
    expect(window.locator(".paper .marked")).to_have_count(0)
    expect(entries(window)).to_have_count(0)


def test_a_run_shows_how_each_question_stands_and_can_be_cancelled(window: Page) -> None:
    ask(window, "demo-rest-hangx1")  # the first question is never answered
    board = window.locator(".st-key-searching")
    for words in ("Abstract", "Methods", "Results", "Discussion", "Final choice", "waiting", "answered"):
        expect(board).to_contain_text(words)
    window.get_by_role("button", name="Cancel").click()
    expect(board).to_be_hidden()
    expect(window.get_by_role("alert")).to_have_count(0)


def test_other_wordings_are_corrected_and_compared(window: Page) -> None:
    window.get_by_role("spinbutton", name="Sentences (k)").fill("2")
    ask(window, "demo-other")
    expect(entries(window)).to_have_count(2, timeout=60_000)
    window.get_by_role("button", name="Check other wordings").click()
    paraphrase = window.get_by_label("The same in other words")
    expect(paraphrase).to_have_value(f"It is the case that {HYPOTHESIS}", timeout=30_000)
    expect(window.get_by_label("The opposite")).to_have_value(f"It is not the case that {HYPOTHESIS}")
    paraphrase.fill("Two people felt restless")
    window.get_by_role("button", name="Search for these too").click()
    wording = window.locator(".wording")
    expect(wording).to_have_count(2, timeout=60_000)
    expect(wording.first).to_contain_text("Two people felt restless")
    expect(wording.first).to_contain_text("Gained")
    wording.first.locator(".source").filter(has_text="Two people").click()
    expect(window.locator(".paper .s.current")).to_contain_text("Two people")
    stands_in_view(window.locator(".paper .s.current"))
    expect(entries(window)).to_have_count(2)  # the answer itself is unchanged


def test_a_model_that_writes_no_wordings_leaves_them_to_the_reviewer(
    asking: Asking, open_window: Callable[[App], Page]
) -> None:
    page = open_window(asking.app)
    open_paper(page, text_file(PAPER))
    page.get_by_label("Hypothesis").fill(HYPOTHESIS)
    choose(page.get_by_role("combobox", name="Engine"), "Compatible server")
    page.get_by_role("textbox", name="Compatible server: key for this session").fill(KEY)
    page.get_by_role("button", name="Use this key").click()
    expect(page.get_by_text("A key is set for this session.")).to_be_visible(timeout=30_000)
    ask(page, "demo-noschema")
    expect(entries(page).first).to_be_visible(timeout=60_000)
    expect(page.locator(".paper-verdict")).to_have_count(0)  # the plain format has no verdict
    page.get_by_role("button", name="Check other wordings").click()
    expect(page.get_by_text("The model gave no wordings")).to_be_visible(timeout=30_000)
    expect(page.get_by_label("The same in other words")).to_have_value("")
    page.get_by_label("The opposite").fill("Tea does not help against headache")
    page.get_by_role("button", name="Search for these too").click()
    expect(page.locator(".wording")).to_have_count(1, timeout=60_000)
    expect(page.locator(".wording")).to_contain_text("Tea does not help against headache")


# ---- using the page while a search runs ----

ENDLESS = "demo-endless-hangx1"  # its first question is never answered; the server counts such questions per model


@pytest.fixture
def slow_window(asking: Asking, open_window: Callable[[App], Page]) -> Page:
    """A window with models that are slow enough to do something meanwhile."""
    asking.demo.latency = 3.0
    page = open_window(asking.app)
    open_paper(page, text_file(PAPER))
    take_model(page)
    return page


def board(page: Page) -> Locator:
    return page.locator(".st-key-searching")


def cancel(page: Page) -> None:
    board(page).get_by_role("button", name="Cancel").click()
    expect(board(page)).to_be_hidden(timeout=30_000)


def test_decisions_and_pages_arrive_before_the_search_ends(
    asking: Asking, open_window: Callable[[App], Page], screenshot: Callable[[Page, str], Path]
) -> None:
    page = open_window(asking.app)
    open_paper(page, SAMPLE_DATA / "sleep-app.pdf")
    take_model(page)
    ask(page, ENDLESS)
    expect(board(page)).to_contain_text("answered", timeout=30_000)

    page.locator(".paper .s").nth(5).click()
    page.keyboard.press("a")
    expect(entries(page, "added")).to_have_count(1)
    page.get_by_role("button", name="Pages", exact=True).click()
    expect(page.locator(".sheet img").first).to_be_visible(timeout=30_000)
    expect(page.locator(".box").first).to_be_attached(timeout=30_000)
    screenshot(page, "while-it-searches")

    page.get_by_test_id("stSidebar").get_by_role("button", name="Close ").click()  # asks first, as Python has the work
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("You have decided on 1 sentence", timeout=30_000)
    page.wait_for_timeout(1500)  # time for some looks at the search
    dialog.get_by_role("button", name="Keep it", exact=True).click()
    expect(dialog).to_be_hidden(timeout=30_000)
    expect(board(page)).to_contain_text("waiting")

    cancel(page)
    expect(entries(page, "added")).to_have_count(1)
    expect(page.get_by_role("alert")).to_have_count(0)


def test_what_is_changed_meanwhile_neither_breaks_off_the_search_nor_is_lost(slow_window: Page, asking: Asking) -> None:
    window = slow_window
    before = asking.demo.desk.statistics()["calls"]
    ask(window, "demo-slow")
    expect(board(window)).to_contain_text("waiting")
    window.get_by_role("spinbutton", name="Sentences (k)").fill("3")
    window.get_by_role("spinbutton", name="Sentences (k)").press("Enter")
    window.get_by_label("Hypothesis").fill("")
    window.get_by_label("Hypothesis").press_sequentially("Tea makes people restless", delay=60)
    expect(entries(window).first).to_be_visible(timeout=60_000)
    expect(window.get_by_label("Hypothesis")).to_have_value("Tea makes people restless")
    window.get_by_label("Hypothesis").press("Tab")
    expect(window.get_by_text(f"for “{HYPOTHESIS}”; press Find evidence")).to_be_visible(timeout=30_000)
    expect(window.get_by_role("spinbutton", name="Sentences (k)")).to_have_value("3")
    assert asking.demo.desk.statistics()["calls"] == before + 5


def test_another_page_and_another_paper_leave_the_search_alone(slow_window: Page) -> None:
    window = slow_window
    ask(window, "demo-elsewhere")
    expect(board(window)).to_be_visible(timeout=30_000)
    sidebar = window.get_by_test_id("stSidebar")
    sidebar.get_by_role("link", name="Engines").click()
    expect(window.get_by_role("heading", name="Your data")).to_be_visible(timeout=30_000)
    sidebar.get_by_role("link", name="Evidence").click()
    expect(window.locator(".paper section").first).to_be_visible(timeout=30_000)
    sidebar.get_by_role("button", name="Open another").click()
    other = PAPER.replace("headache", "backache")
    open_other = window.get_by_test_id("stFileUploader").locator("input[type=file]").first
    open_other.set_input_files(text_file(other, "back.md"))
    expect(sentence(window, "60 adults with backache")).to_be_visible(timeout=30_000)
    expect(entries(window)).to_have_count(0)
    expect(board(window)).to_be_hidden(timeout=30_000)
    sidebar.get_by_role("button", name="Tea for headache", exact=False).first.click()
    expect(entries(window).first).to_be_visible(timeout=30_000)
    expect(entries(window).first).to_contain_text("▲ supports")


def test_another_search_takes_the_place_of_the_one_that_runs(window: Page) -> None:
    ask(window, "demo-replaced-hangx1")
    expect(board(window)).to_contain_text("waiting", timeout=30_000)
    ask(window, "demo-instead")
    expect(entries(window).first).to_be_visible(timeout=60_000)
    expect(window.get_by_text("openai:demo-instead").first).to_be_visible()
    expect(board(window)).to_be_hidden(timeout=30_000)


@pytest.mark.repetition("leave")
@pytest.mark.parametrize("leave", ["close", "reload"])
def test_no_search_goes_on_unseen(leave: str, asking: Asking, open_window: Callable[[App], Page]) -> None:
    sections = 240  # 16 at once, a second each: at least 15 s
    asking.demo.latency = 1.0
    body = "\n\n".join(f"## Part {number}\n\nTea eased headache in group {number}." for number in range(sections))
    before = asking.demo.desk.statistics()["calls"]
    page = open_window(asking.app)
    open_paper(page, text_file(f"# Tea\n\n{body}"))
    take_model(page)
    ask(page, f"demo-{leave}")
    expect(board(page)).to_contain_text("answered", timeout=30_000)
    if leave == "close":
        page.close()
    else:
        page.reload()
    other = open_window(asking.app)  # another reviewer's search goes on
    calls = -1
    while calls != (calls := asking.demo.desk.statistics()["calls"]):
        other.wait_for_timeout(4000)
    assert 0 < calls - before < sections
