"""A reviewer's own definition in use: typed, searched with, judged with, and shown in plot, report and files."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, expect

from core.benchmarks.samples import SAMPLE_DATA
from tests.browser.desk import add_to_project, at_rest, choose, click_at_rest, entries, text_file
from tests.browser.test_bias_page import WAIT, bias_page, chip, choose_tool, download, judge, suggest

DEFINITION = "Whether participants took the magnesium as planned, and whether anybody checked."
METHODS = (
    "Funding bias\nWhether the maker paid for the trial.\nLow risk: the public paid.\nHigh risk: the maker paid.\n"
)


def test_a_definition_is_typed_and_judged_and_goes_into_report_and_files(
    page: Page, screenshot: Callable[[Page, str], Path]
) -> None:
    bias_page(page, SAMPLE_DATA / "leg-cramps.xml")
    choose(page.locator(".st-key-tool").get_by_role("combobox"), "My own definition")
    page.get_by_role("textbox", name="Name", exact=True).fill("Adherence")
    page.get_by_role("textbox", name="Definition: what the bias is").fill(DEFINITION)
    page.get_by_role("textbox", name="Low (+) if").fill("Sachets were counted, and nearly all were taken.")
    page.keyboard.press("Tab")
    expect(chip(page, "Adherence")).to_be_visible(timeout=WAIT)
    expect(page.locator(".criterion").first).to_contain_text("nearly all were taken")
    screenshot(page, "bias-own-form")

    suggest(page)
    expect(page.get_by_role("button", name="Edit the definition")).to_be_visible()
    expect(page.locator(".suggestion")).to_contain_text("no level")
    page.get_by_role("button", name="Files").click()
    expect(page.get_by_text("There is no file for robvis yet")).to_be_visible()
    expect(page.get_by_role("button", name="CSV for robvis", exact=True)).to_have_count(0)
    page.keyboard.press("Escape")
    assert entries(page).count() > 0
    entries(page).first.locator(".decide.accepted").click()
    judge(page, "low")
    expect(chip(page, "Adherence")).to_contain_text("Low")
    screenshot(page, "bias-own")
    assert "Adherence,Overall" in download(
        page, "CSV for robvis"
    )  # offered without another click, as soon as all is judged

    document = json.loads(download(page, "JSON"))
    assert document["own_tool"]["domains"][0]["definition"] == DEFINITION
    assert (document["domains"][0]["level"], document["domains"][0]["name"]) == ("low", "Adherence")
    report = download(page, "Report")
    assert DEFINITION in report
    assert "<svg" in report
    assert "Sachets were counted, and nearly all were taken." in report

    page.reload()  # everything was saved
    expect(chip(page, "Adherence")).to_contain_text("Low", timeout=WAIT)


def test_a_passage_is_cut_into_fields_and_a_second_domain_is_added(page: Page) -> None:
    bias_page(page)
    choose(page.locator(".st-key-tool").get_by_role("combobox"), "My own definition")
    page.get_by_text("Paste it from a methods section").click()
    page.get_by_role("textbox", name="The passage that says").fill(METHODS)
    page.keyboard.press("Tab")
    at_rest(page)
    page.get_by_role("button", name="Cut it into the fields").click()
    expect(page.get_by_role("textbox", name="Name", exact=True)).to_have_value("Funding bias")
    expect(page.get_by_role("textbox", name="High (×) if")).to_have_value("the maker paid.")
    at_rest(page)
    page.get_by_role("button", name="Add a domain").click()
    expect(page.get_by_role("textbox", name="Name", exact=True)).to_have_value("")
    page.get_by_role("textbox", name="Name", exact=True).fill("Recall")
    page.get_by_role("textbox", name="Definition: what the bias is").fill("Whether people were asked long after.")
    page.keyboard.press("Tab")
    expect(chip(page, "Recall")).to_be_visible()
    page.get_by_text("Judge the whole, too").click()
    expect(page.locator(".chip.overall")).to_be_visible()
    judge(page, "high")
    page.keyboard.press("]")
    judge(page, "low")
    expect(page.locator(".chip.overall")).to_contain_text("High")


def test_a_project_is_judged_by_a_definition_and_plots_it(page: Page, screenshot: Callable[[Page, str], Path]) -> None:
    page.get_by_test_id("stSidebar").get_by_role("link", name="Review").click(timeout=WAIT)
    form = page.get_by_test_id("stExpander").filter(has_text="New project").locator("details").first
    if form.get_attribute("open", timeout=WAIT) is None:
        form.locator("summary").first.click()
    page.get_by_role("textbox", name="Name", exact=True).fill("Tea and funding")
    page.get_by_role("textbox", name="Reviewers").fill("Ann")
    choose(page.get_by_role("combobox", name="Tool"), "My own definition")
    page.get_by_text("My own definition of bias").click()
    page.get_by_role("textbox", name="Name of the bias").fill("Funding")
    page.get_by_role("textbox", name="Definition and criteria").fill(METHODS)
    at_rest(page)
    click_at_rest(page.get_by_role("button", name="Create the project"))
    expect(page.get_by_role("heading", name="Tea and funding")).to_be_visible(timeout=WAIT)
    paper = text_file("# Tea trial\n\n## Methods\n\nTea was drunk by 60 adults. The tea trade paid for it.\n")
    add_to_project(page, paper)
    expect(page.get_by_role("button", name="Tea trial").first).to_be_visible(timeout=120_000)
    at_rest(page)
    page.get_by_role("button", name="Tea trial").first.click()
    expect(chip(page, "Funding")).to_be_visible(timeout=WAIT)
    judge(page, "high")
    expect(chip(page, "Funding")).to_contain_text("High")
    page.get_by_role("button", name="Edit the definition").click()
    page.get_by_role("textbox", name="Unclear (?) if").fill("nobody says who paid.")
    page.keyboard.press("Tab")
    expect(page.locator(".criterion").nth(1)).to_contain_text("nobody says who paid.", timeout=WAIT)
    expect(chip(page, "Funding")).to_contain_text("High")
    page.get_by_test_id("stSidebar").get_by_role("link", name="Review").click()
    page.get_by_role("tab", name="Outputs").click(timeout=WAIT)
    expect(page.locator(".st-key-outputs img").first).to_be_visible(timeout=WAIT)
    screenshot(page, "review-own")
    with page.expect_download(timeout=WAIT) as file:
        page.get_by_role("button", name="Report (HTML)").click()
    report = file.value.path().read_text(encoding="utf-8")
    assert "Whether the maker paid for the trial." in report
    assert "Definitions</h2>" in report
    assert "nobody says who paid." in report


def test_a_cluster_trial_in_rob_2(page: Page) -> None:
    bias_page(page)
    choose_tool(page, "RoB 2")
    choose(page.locator(".st-key-tool-design").get_by_role("combobox"), "Cluster-randomised trial")
    expect(page.locator("button.chip:not(.overall)")).to_have_count(6, timeout=WAIT)  # with domain 1b
    for question, word in (("1a.1", "Y"), ("1a.2", "PY"), ("1a.3", "N")):
        page.locator(f'[data-key="answer-{question}-{word}"]').check()
    expect(page.locator(".judging-head")).to_contain_text("Low")
    choose(page.locator(".st-key-tool-effect").get_by_role("combobox"), "Adhering to the intervention")
    expect(page.locator(".judging-head")).not_to_contain_text("Low", timeout=WAIT)
    choose(page.locator(".st-key-tool-effect").get_by_role("combobox"), "Assignment to the intervention")
    expect(page.locator(".judging-head")).to_contain_text("Low", timeout=WAIT)


def test_a_second_definition_begins_from_the_list_and_a_new_name_stays_with_its_own(page: Page) -> None:
    bias_page(page)
    choose(page.locator(".st-key-tool").get_by_role("combobox"), "My own definition")
    name = page.get_by_role("textbox", name="Name", exact=True)
    expect(name).to_be_visible()
    mine = page.locator(".st-key-own-tool").get_by_role("combobox")
    expect(mine).to_have_count(0)  # hidden, as the only definition is still empty
    name.fill("Adherence")
    page.get_by_role("textbox", name="Definition: what the bias is").fill(DEFINITION)
    page.keyboard.press("Tab")
    expect(chip(page, "Adherence")).to_be_visible(timeout=WAIT)
    expect(mine).to_have_value("Adherence")

    choose(mine, "Another one …")
    expect(name).to_have_value("")
    name.fill("Recall")
    page.get_by_role("textbox", name="Definition: what the bias is").fill("Whether people were asked long after.")
    page.keyboard.press("Tab")
    expect(chip(page, "Recall")).to_be_visible(timeout=WAIT)
    expect(mine).to_have_value("Recall")
    judge(page, "high")
    expect(chip(page, "Recall")).to_contain_text("High")
    for title in ("Memory", "Memory of diet"):
        name.fill(title)
        page.keyboard.press("Tab")
        expect(chip(page, title)).to_contain_text("High", timeout=WAIT)
        at_rest(page)
        expect(mine).to_have_value(title)
    expect(page.get_by_role("textbox", name="Definition: what the bias is")).to_have_value(
        "Whether people were asked long after."
    )
    choose(mine, "Adherence")
    expect(chip(page, "Adherence")).to_be_visible(timeout=WAIT)
    expect(page.get_by_role("textbox", name="Definition: what the bias is")).to_have_value(DEFINITION)
    choose(mine, "Memory of diet")
    expect(chip(page, "Memory of diet")).to_contain_text("High", timeout=WAIT)
