"""A trial judged for two outcomes: two rows in the project, plot, report and files; the overall level set by hand."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from pathlib import Path
from uuid import uuid4

import pytest
from playwright.sync_api import Page, expect

from core.bias import Answer, tool_named
from core.paper import read_paper
from core.settings import load_settings
from core.store import Project, ReviewerJudgement, open_store, record_of
from tests.browser.conftest import App
from tests.browser.desk import PAPER, arrived, at_rest
from tests.browser.test_bias_page import bias_page, chip, choose_tool, judge
from tests.browser.test_project_outputs import Review, download, outputs

WAIT = 30_000
ROB2 = tool_named("rob2")
OUTCOMES = ("Pain after two hours", "Sleep in the night after")
SOME = {
    "D1": "1.1 N 1.2 Y 1.3 N",
    "D2": "2.1 N 2.2 N 2.6 N 2.7 N",
    "D3": "3.1 Y",
    "D4": "4.1 N 4.2 N 4.3 N",
    "D5": "5.1 N 5.2 N 5.3 N",
}
WHY = "Three small concerns, all in one direction."


@pytest.fixture
def review(app: App) -> Review:
    """One trial. Ann has judged it for pain, and not yet for sleep."""
    project = uuid4().hex
    paper = read_paper(PAPER.encode(), name="tea.md")
    store = open_store(load_settings())
    with store.writing("Ann") as change:
        change.save(Project(project, "Tea, by outcome", ("Ann",), "rob2", outcomes=OUTCOMES))
        change.keep_file(change.save(record_of(paper, project=project)), PAPER.encode())
        for id, words in SOME.items():
            ids, given = words.split()[::2], words.split()[1::2]
            answers = {question: Answer(answer) for question, answer in zip(ids, given, strict=True)}
            level = ROB2.domain(id).level(answers)
            change.save(ReviewerJudgement(project, paper.id, "rob2", id, "Ann", level, answers, outcome=OUTCOMES[0]))
    store.close()
    return Review(project, (paper,))


def test_two_outcomes_are_two_rows_and_the_whole_is_set_with_a_reason(
    page: Page, app: App, review: Review, screenshot: Callable[[Page, str], Path]
) -> None:
    page.goto(f"{app.url}/review?project={review.id}&reviewer=Ann")
    page.get_by_role("tab", name="Papers").click(timeout=WAIT)
    rows = page.locator("tr[data-paper]")
    expect(rows).to_have_count(2, timeout=WAIT)
    expect(rows.nth(0)).to_contain_text(OUTCOMES[0])
    expect(rows.nth(0)).to_contain_text("5 of 5")
    expect(rows.nth(1)).to_contain_text("0 of 5")
    screenshot(page, "results-board")
    rows.nth(0).locator("button.open").click()

    overall = page.locator(".chip.overall")
    expect(overall).to_contain_text("Some concerns", timeout=WAIT)
    overall.click()
    expect(page.locator(".by-rule")).to_contain_text("Some concerns")
    judge(page, "high")
    expect(page.get_by_text("until then, what the domains give stands")).to_be_visible()
    expect(overall).to_contain_text("Some concerns")
    page.get_by_role("textbox", name="Comment").fill(WHY)
    page.get_by_role("textbox", name="Comment").blur()
    expect(overall).to_contain_text("High")
    screenshot(page, "results-whole")

    field = page.get_by_role("combobox", name="Result judged")
    field.click()
    page.get_by_role("option", name=OUTCOMES[1]).click()
    expect(overall).to_contain_text("Not judged", timeout=WAIT)  # sleep was not judged
    expect(chip(page, "Randomisation process")).to_contain_text("Not judged")

    page.get_by_role("button", name="The paper does not report this outcome").click()
    expect(page.get_by_text("there is nothing to judge")).to_be_visible(timeout=WAIT)
    screenshot(page, "results-unreported")
    at_rest(page)
    page.get_by_role("button", name="It does report it").click(timeout=WAIT)
    expect(page.get_by_role("button", name="The paper does not report this outcome")).to_be_visible(timeout=WAIT)

    outputs(page, app, review)
    lights = str(page.locator(".st-key-outputs img").last.get_attribute("alt"))
    assert f"{OUTCOMES[0]}: Randomisation process some concerns" in lights
    assert f"{OUTCOMES[1]}: Randomisation process no judgement yet" in lights
    table = list(csv.DictReader(io.StringIO(download(page, "Table (CSV)").decode("utf-8-sig"))))
    whole = {row["outcome"]: row for row in table if row["domain"] == "overall"}
    said = [whole[OUTCOMES[0]][name] for name in ("level", "settled_level", "rule_level", "comment")]
    assert said == ["high", "high", "some concerns", WHY]
    assert (whole[OUTCOMES[1]]["level"], whole[OUTCOMES[1]]["rule_level"]) == ("", "")
    robvis = list(csv.reader(io.StringIO(download(page, "robvis (CSV)").decode())))
    assert [row[-1] for row in robvis[1:]] == ["High"], "sleep has no level yet"
    report = download(page, "Report (HTML)").decode()
    assert "1 paper, 2 results" in report
    assert WHY in report
    assert "From the domains alone" in report


def test_a_single_paper_is_judged_for_outcomes_that_are_typed(page: Page) -> None:
    bias_page(page)
    choose_tool(page, "RoB 2")
    field = page.get_by_role("combobox", name="Result judged")
    for outcome, level in zip(OUTCOMES, ("high", "low"), strict=True):
        field.click()
        field.fill(outcome)
        field.press("Enter")
        expect(page.locator(".judged-result")).to_contain_text(outcome, timeout=WAIT)
        expect(chip(page, "Randomisation process")).to_contain_text("Not judged")
        for id, answer in (("1.1", "Y"), ("1.2", "N" if level == "high" else "Y"), ("1.3", "N")):
            page.locator(f'[data-key="answer-{id}-{answer}"]').check()
        expect(chip(page, "Randomisation process")).to_contain_text(level.capitalize())
        arrived(page)
        at_rest(page)
    field.click()
    field.fill(OUTCOMES[0])
    field.press("Enter")
    expect(chip(page, "Randomisation process")).to_contain_text("High", timeout=WAIT)
