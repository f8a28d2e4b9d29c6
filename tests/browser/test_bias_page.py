"""The Risk of bias page as a reviewer uses it, also with language models."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import FilePayload, Locator, Page, expect

from core.benchmarks.samples import SAMPLE_DATA
from tests.browser.conftest import App, Asking
from tests.browser.desk import (
    PAPER,
    at_rest,
    choose,
    click_at_rest,
    entries,
    open_paper,
    sentence,
    stands_in_view,
    text_file,
)
from tests.browser.test_language_models import KEY

# ---- the Risk of bias page as a reviewer uses it ----

WAIT = 30_000


def bias_page(page: Page, file: Path | FilePayload | None = None) -> None:
    """Open the page with a paper."""
    page.get_by_test_id("stSidebar").get_by_role("link", name="Risk of bias").click(timeout=WAIT)
    expect(page.get_by_role("heading", name="Judge a trial's risk of bias")).to_be_visible(timeout=WAIT)
    open_paper(page, file or text_file(PAPER))


def open_other(page: Page) -> None:
    """Open a second paper from the sidebar."""
    page.get_by_test_id("stPopoverBody").locator("input[type=file]").set_input_files(text_file(PAPER))
    expect(page.locator(".paper h1")).to_contain_text("Tea for headache", timeout=WAIT)


def choose_tool(page: Page, name: str) -> None:
    choose(page.locator(".st-key-tool").get_by_role("combobox"), name)
    expect(page.locator(".chip.overall")).to_have_count(1 if name == "RoB 2" else 0, timeout=WAIT)


def suggest(page: Page) -> None:
    page.get_by_role("button", name="Suggest", exact=True).click()
    expect(page.locator(".suggestion")).to_be_visible(timeout=60_000)


def chip(page: Page, name: str) -> Locator:
    return page.locator("button.chip").filter(has_text=name)


def judge(page: Page, level: str) -> None:
    page.locator(f'[data-key="level-{level}"]').check()


def answer(page: Page, **answers: str) -> None:
    """`answer(page, q11="Y")` answers question 1.1."""
    for question, word in answers.items():
        id = f"{question[1]}.{question[2]}"
        page.locator(f'[data-key="answer-{id}-{word}"]').check()


def download(page: Page, label: str) -> str:
    page.get_by_role("button", name="Files").click()
    with page.expect_download() as file:
        page.get_by_role("button", name=label, exact=True).click()
    page.keyboard.press("Escape")
    return file.value.path().read_text(encoding="utf-8-sig")


def test_a_real_trial_is_judged_with_its_sentences(
    page: Page, shared_data: Path, screenshot: Callable[[Page, str], Path]
) -> None:
    bias_page(page, shared_data / "pdf" / "PMC7068068.pdf")
    suggest(page)
    chip(page, "Incomplete outcome data").click()
    best = page.locator(".entry[data-group=chosen]").first
    expect(chip(page, "Incomplete outcome data")).to_have_attribute("aria-current", "true")
    expect(page.locator(".paper .marked")).to_have_count(entries(page).count())
    click_at_rest(best.locator(".jump"))
    current = page.locator(".paper .s.current")
    expect(current).to_have_attribute("data-i", best.get_attribute("data-i") or "")
    stands_in_view(current)
    stands_in_view(best.locator(".jump"))  # the side stays beside the sentence
    best.locator(".decide.accepted").click()
    judge(page, "unclear")
    expect(chip(page, "Incomplete outcome data")).to_contain_text("Unclear")
    page.locator("[data-view=pages]").click()
    expect(page.locator(".box[data-state=accepted]").first).to_be_visible(timeout=WAIT)
    screenshot(page, "bias")

    document = json.loads(download(page, "JSON"))
    domain = next(one for one in document["domains"] if one["domain"] == "attrition")
    assert domain["level"] == "unclear"
    assert domain["suggestion"]["engine"] == "offline"
    (kept,) = domain["sentences"]
    assert kept["decision"] == "accepted"
    assert isinstance(kept["page"], int)
    assert kept["text"] in [one["text"] for one in domain["suggestion"]["support"]]


def test_a_suggestion_names_the_words_that_decided_or_the_nearest_sentences(page: Page) -> None:
    bias_page(page, SAMPLE_DATA / "leg-cramps.xml")
    suggest(page)
    expect(page.locator(".suggestion mark")).to_have_text("number generator")
    expect(page.locator(".entry mark")).to_have_text("number generator")
    page.get_by_role("button", name="Open another").click()
    open_other(page)
    suggest(page)
    chip(page, "Allocation concealment").click()
    expect(page.locator(".suggestion")).to_contain_text("Searched 5 sections")
    near = page.locator(".entry[data-group=near]")
    expect(near.first).to_be_visible()
    near.first.locator(".jump").click()
    stands_in_view(page.locator(".paper .s.current[data-group=near]"))
    near.first.locator(".decide.added").click()  # the reviewer may disagree with the engine
    expect(entries(page, "added")).to_have_count(1)


def test_answers_give_the_level_and_what_flips_it_live(page: Page) -> None:
    bias_page(page)
    choose_tool(page, "RoB 2")
    expect(page.locator(".missing")).to_contain_text("1.1, 1.2, 1.3")
    expect(page.locator(".criterion input").first).to_be_disabled()
    answer(page, q11="Y", q12="PY", q13="N")
    head = page.locator(".judging-head")
    expect(head).to_contain_text("Low")
    flips = page.locator(".flips li")
    expect(flips.filter(has_text="1.2 answered PN or N")).to_contain_text("High")
    answer(page, q12="NI")
    expect(head).to_contain_text("Some concerns")
    expect(flips.filter(has_text="1.3 answered Y or PY")).to_contain_text("High")

    judge(page, "high")  # an override needs a comment
    expect(page.locator(".judging .problem")).to_be_visible()
    expect(head).to_contain_text("Some concerns")
    page.get_by_label("Comment").fill("The list hung on the wall.")
    expect(head).to_contain_text("High")
    expect(chip(page, "Randomisation process")).to_contain_text("High")
    expect(page.locator(".judging .problem")).to_have_count(0)


def test_a_question_that_does_not_apply_says_when_it_would_and_has_no_influence(page: Page) -> None:
    bias_page(page)
    choose_tool(page, "RoB 2")
    chip(page, "Deviations").click()
    third = page.locator('.question[data-question="2.3"]')
    expect(third).to_have_attribute("data-applies", "false")
    expect(third).to_contain_text("only if participants or carers knew")
    answer(page, q21="Y")
    expect(third).to_have_attribute("data-applies", "true")
    answer(page, q22="N", q23="NI", q26="Y")
    head = page.locator(".judging-head")
    expect(head).to_contain_text("Some concerns")
    answer(page, q21="N")  # 2.3 does not apply any more
    expect(third).to_have_attribute("data-applies", "false")
    expect(head).to_contain_text("Low")


def test_the_whole_follows_from_the_domains_and_another_level_needs_its_reason(page: Page) -> None:
    bias_page(page)
    choose_tool(page, "RoB 2")
    overall = page.locator(".overall")
    answer(page, q11="Y", q12="NI", q13="N")
    page.keyboard.press("]")
    answer(page, q21="N", q22="N", q26="N", q27="N")
    page.keyboard.press("]")
    answer(page, q31="Y")
    page.keyboard.press("]")
    answer(page, q41="N", q42="N", q43="N")
    expect(overall).to_contain_text("Not judged")
    page.keyboard.press("]")
    answer(page, q51="Y", q52="N", q53="N")
    expect(overall).to_contain_text("Some concerns")
    overall.click()
    judge(page, "high")
    expect(overall).to_contain_text("Some concerns")
    page.get_by_role("textbox", name="Comment").fill("Two concerns in one direction.")
    page.get_by_role("textbox", name="Comment").blur()
    expect(overall).to_contain_text("High")
    rows = list(csv.reader(io.StringIO(download(page, "CSV for robvis"))))
    assert rows[1][1:] == ["Some concerns", "Some concerns", "Low", "Low", "Low", "High"]


def test_blind_hides_suggestions_until_the_own_level_is_in(page: Page) -> None:
    bias_page(page)
    page.get_by_text("Blind", exact=True).click()
    suggest(page)
    expect(page.locator(".hidden-suggestion")).to_be_visible()
    expect(page.locator(".paper .marked")).to_have_count(0)
    judge(page, "low")
    expect(page.locator(".suggestion-head")).to_contain_text("offline")
    expect(page.locator(".paper .marked").first).to_be_attached()
    page.keyboard.press("]")
    expect(page.locator(".hidden-suggestion")).to_be_visible()
    page.keyboard.press("[")
    expect(page.locator(".suggestion-head")).to_be_visible()


def test_sentences_are_added_by_click_and_belong_to_their_domain(page: Page) -> None:
    bias_page(page)
    sentence(page, "Adults with headache were randomly").click()
    page.get_by_role("toolbar").get_by_role("button", name="Add as support").click()
    expect(entries(page, "added")).to_have_count(1)
    chip(page, "Incomplete outcome data").click()
    expect(entries(page)).to_have_count(0)
    sentence(page, "Two people in the tea group").click()
    page.keyboard.press("a")
    expect(entries(page, "added")).to_have_count(1)
    page.keyboard.press("[")
    page.keyboard.press("[")
    page.keyboard.press("[")
    page.keyboard.press("[")
    expect(entries(page, "added")).to_contain_text("randomly")


def test_everything_is_there_after_a_visit_to_another_page_and_from_a_file(page: Page) -> None:
    bias_page(page)
    judge(page, "high")
    page.get_by_label("Comment").fill("By date of birth.")
    page.keyboard.press("Escape")
    page.get_by_test_id("stSidebar").get_by_role("link", name="Evidence").click()
    expect(page.get_by_label("Hypothesis")).to_be_visible(timeout=WAIT)
    expect(page.locator(".paper section").first).to_be_visible(timeout=WAIT)
    page.get_by_test_id("stSidebar").get_by_role("link", name="Risk of bias").click()
    expect(chip(page, "Random sequence generation")).to_contain_text("High", timeout=WAIT)
    expect(page.get_by_label("Comment")).to_have_value("By date of birth.")
    saved = download(page, "JSON")

    judge(page, "low")
    expect(chip(page, "Random sequence generation")).to_contain_text("Low")
    page.get_by_role("button", name="Files").click()
    page.get_by_label("Open a JSON file").locator("input").set_input_files(text_file(saved, name="tea.json"))
    expect(chip(page, "Random sequence generation")).to_contain_text("High", timeout=WAIT)


def test_hostile_text_stays_text(page: Page) -> None:
    hostile = "<img src=x onerror=\"document.title='hit'\">"
    bias_page(
        page, text_file(f"# Tea {hostile}\n\n## Methods\n\nAllocation was by date of birth {hostile} in both groups.\n")
    )
    suggest(page)
    expect(page.locator(".suggestion")).to_contain_text("date of birth")
    expect(entries(page).first).to_contain_text("<img src=x")
    page.get_by_label("Comment").fill(hostile)
    page.keyboard.press("Escape")  # leaves the field, where letters are not commands
    page.keyboard.press("]")
    page.keyboard.press("[")
    expect(page.get_by_label("Comment")).to_have_value(hostile)
    expect(page.locator(".desk img")).to_have_count(0)
    assert page.title() != "hit"


def test_fast_judgements_all_arrive(page: Page) -> None:
    bias_page(page)
    for _ in range(7):
        judge(page, "unclear")
        page.keyboard.press("]")
    expect(page.locator("button.chip").filter(has_text="Unclear")).to_have_count(7)
    document = json.loads(download(page, "JSON"))
    assert [domain["level"] for domain in document["domains"]] == ["unclear"] * 7


def test_keys_work_on_a_desk_that_was_closed_and_is_drawn_again(page: Page) -> None:
    """Streamlit closes a drawing if the next call came before it had run."""
    bias_page(page)
    page.locator(".desk").evaluate("root => root.desk.close()")
    page.keyboard.press("]")
    expect(chip(page, "Random sequence generation")).to_have_attribute("aria-current", "true")
    judge(page, "low")  # redraws the desk
    expect(chip(page, "Random sequence generation")).to_contain_text("Low")
    page.keyboard.press("]")
    expect(chip(page, "Allocation concealment")).to_have_attribute("aria-current", "true")


def test_what_stays_on_the_panel_is_not_built_anew(page: Page) -> None:
    """A button that is replaced between press and release never gets its click."""
    bias_page(page)
    page.locator(".criteria input, .domains .chip").evaluate_all(
        "nodes => { for (const node of nodes) node.first = true; }"
    )
    judge(page, "low")
    expect(chip(page, "Random sequence generation")).to_contain_text("Low")  # python has answered
    kept = page.locator(".criteria input, .domains .chip").evaluate_all("nodes => nodes.map((node) => node.first)")
    assert kept
    assert all(kept)


def test_a_narrow_window_shows_paper_or_judgement(small_page: Page, screenshot: Callable[[Page, str], Path]) -> None:
    page = small_page
    page.get_by_test_id("stExpandSidebarButton").click(timeout=WAIT)
    page.get_by_test_id("stSidebar").get_by_role("link", name="Risk of bias").click()
    expect(page.get_by_role("heading", name="Judge a trial's risk of bias")).to_be_attached(timeout=WAIT)
    at_rest(page)
    if (close := page.get_by_test_id("stSidebarCollapseButton").get_by_role("button")).is_visible():
        close.click()
    open_paper(page, text_file(PAPER))
    expect(page.locator(".criteria")).to_be_hidden()
    page.get_by_role("button", name="Judgement").click()
    judge(page, "low")
    expect(chip(page, "Random sequence generation")).to_contain_text("Low")
    screenshot(page, "bias-narrow")


# The names of the scrolling boxes that hide a part of a node.
_SCROLLED_BY = """(node) => {
    const boxes = [];
    for (let box = node.parentElement ?? node.getRootNode().host; box; box = box.parentElement ?? box.getRootNode().host) {
        if (box.matches('[data-testid="stMain"], section, html, body') && !box.closest('.desk')) continue;
        const scrolls = ["auto", "scroll"].includes(getComputedStyle(box).overflowY);
        if (scrolls && box.scrollHeight > box.clientHeight + 1) boxes.push(box.className || box.tagName);
    }
    return boxes;
}"""


def test_suggestions_are_on_every_card_and_nothing_of_them_hides_in_a_box(
    page: Page, screenshot: Callable[[Page, str], Path]
) -> None:
    page.set_viewport_size({"width": 1440, "height": 900})
    bias_page(page, SAMPLE_DATA / "leg-cramps.xml")
    choose_tool(page, "RoB 2")
    suggest(page)
    cards = page.locator("button.chip:not(.overall)")  # the overall judgement follows from them
    expect(page.locator(".chip-suggested")).to_have_count(cards.count(), timeout=60_000)
    for words in page.locator(".chip-suggested").all_inner_texts():
        assert words.startswith("suggested: ")
    stands_in_view(page.locator(".suggestion").first)
    screenshot(page, "bias-suggested")
    for part in (".suggestion", ".question", ".criterion", ".entry"):
        for node in page.locator(part).all():
            assert node.evaluate(_SCROLLED_BY) == [], part
    last = page.locator(".question").last
    last.scroll_into_view_if_needed()
    stands_in_view(last)
    page.mouse.move(1200, 500)
    for _ in range(12):
        page.mouse.wheel(0, 400)
    at_rest(page)
    stands_in_view(page.locator(".side .entry").last)  # the panel has moved along, to its end
    for _ in range(12):
        page.mouse.wheel(0, -400)
    at_rest(page)
    expect(page.locator(".judging h2")).to_be_in_viewport()


# ---- language models on the Risk of bias page, as a reviewer meets them ----


@pytest.fixture
def window(asking: Asking, open_window: Callable[[App], Page]) -> Page:
    """A window with a paper on the desk, OpenAI's models chosen, and a key entered."""
    return with_key(open_window(asking.app))


def with_key(page: Page) -> Page:
    bias_page(page)
    choose(page.get_by_role("combobox", name="Suggestions by"), "OpenAI model")
    page.get_by_role("textbox", name="OpenAI model: key for this session").fill(KEY)
    page.get_by_role("button", name="Use this key").click()
    expect(page.get_by_text("A key is set for this session.")).to_be_visible(timeout=WAIT)
    return page


def name_model(page: Page, model: str) -> None:
    field = page.get_by_role("textbox", name="Model", exact=True)
    field.fill(model)
    field.press("Enter")
    expect(page.get_by_text(re.compile(r"About \d+ calls"))).to_be_visible(timeout=WAIT)


def ask_for_suggestions(page: Page) -> None:
    page.get_by_role("button", name="Suggest", exact=True).click()


def test_suggestions_come_domain_by_domain_with_what_they_cost(
    window: Page, screenshot: Callable[[Page, str], Path]
) -> None:
    name_model(window, "gpt-5.4")
    expect(window.get_by_text(re.compile(r"About 7 calls.* \$"))).to_be_visible(timeout=WAIT)
    ask_for_suggestions(window)
    expect(window.locator(".suggestion > .note")).to_have_text(
        re.compile(r"^openai:gpt-5\.4: cost \$0\.\d+"), timeout=WAIT
    )
    expect(window.locator(".st-key-suggesting")).to_have_count(0, timeout=WAIT)
    expect(entries(window).first.locator(".match")).to_have_text("exact")
    expect(window.get_by_text(re.compile(r"This session so far: \$0\.\d+ \(7 calls"))).to_be_visible(timeout=WAIT)
    screenshot(window, "suggested")


def test_a_model_answers_the_signalling_questions_and_code_judges(window: Page) -> None:
    choose_tool(window, "RoB 2")
    name_model(window, "demo")
    ask_for_suggestions(window)
    expect(window.locator(".suggestion-head")).to_contain_text("Suggested by openai:demo@whole", timeout=WAIT)
    expect(window.locator(".suggestion .badge, .suggestion .level").first).to_be_visible()
    expect(window.locator(".suggestion .reason")).to_contain_text("1.1")


def test_what_the_model_invented_is_told_and_a_failed_domain_is_named(
    window: Page, screenshot: Callable[[Page, str], Path]
) -> None:
    name_model(window, "demo-invented")
    ask_for_suggestions(window)
    expect(window.locator(".suggestion .not-in-paper")).to_contain_text("Nothing of the kind", timeout=WAIT)
    expect(window.locator(".st-key-suggesting")).to_have_count(0, timeout=WAIT)
    expect(window.locator(".suggestion-head")).to_contain_text("no level")
    window.locator(".suggestion").scroll_into_view_if_needed()
    screenshot(window, "invented")
    name_model(window, "demo-prosex1")
    ask_for_suggestions(window)
    expect(window.get_by_text("No suggestion for “Random sequence generation”")).to_be_visible(timeout=WAIT)
    expect(window.get_by_label("The reply as it came")).to_contain_text("Here is what I found.")
    chip(window, "Allocation concealment").click()
    expect(window.locator(".suggestion-head")).to_contain_text("Suggested by openai:demo-prosex1@whole")


def test_a_run_can_be_cancelled_and_what_has_come_is_kept(
    window: Page, asking: Asking, screenshot: Callable[[Page, str], Path]
) -> None:
    asking.demo.latency = 4.0
    name_model(window, "demo-cancelled")
    ask_for_suggestions(window)
    expect(window.locator(".st-key-suggesting")).to_contain_text("Allocation concealment", timeout=WAIT)
    expect(window.locator(".suggestion")).to_be_visible(timeout=WAIT)  # the first; the others take four seconds more
    screenshot(window, "suggesting")
    window.get_by_role("button", name="Cancel").click()
    expect(window.locator(".st-key-suggesting")).to_have_count(0, timeout=WAIT)
    expect(window.locator(".suggestion")).to_be_visible()
    chip(window, "Allocation concealment").click()
    expect(window.locator(".suggestion")).to_have_count(0)


# ---- gold ----


@pytest.mark.repetition("width")
@pytest.mark.parametrize("width", [1440, 390])
def test_gold_is_told_by_sign_and_word(page: Page, width: int) -> None:
    page.get_by_test_id("stSidebar").get_by_role("link", name="Risk of bias").click(timeout=WAIT)
    expect(page.get_by_role("heading", name="Judge a trial's risk of bias")).to_be_visible(timeout=WAIT)
    page.set_viewport_size({"width": width, "height": 1000})
    page.get_by_role("button", name="Try a sample paper").first.click(timeout=WAIT)
    page.get_by_role("button", name="Suggest", exact=True).click(timeout=WAIT)
    expect(page.locator(".chip-suggested").first).to_contain_text("suggested", timeout=60_000)
    page.locator(".st-key-bias-gold").get_by_text("Show gold").click(timeout=WAIT)
    expect(page.locator(".chip-suggested").first).to_contain_text("low ✓ right", timeout=WAIT)
    if width < 1000:
        page.locator("nav.tabs").get_by_role("button", name="Judgement").click()
    expect(page.locator(".gold-levels")).to_contain_text("Suggested: ✓ right")
    judge(page, "high")
    expect(page.locator(".gold-levels")).to_contain_text("Yours: ✕ wrong", timeout=WAIT)
    expect(page.locator(".legend")).to_contain_text("hit")
    expect(page.locator('.entry[data-gold="hit"]')).to_have_count(1)
    page.locator(".st-key-bias-gold").get_by_text("Show gold").click()
    expect(page.locator(".gold-levels")).to_have_count(0, timeout=WAIT)
