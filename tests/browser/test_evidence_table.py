"""The evidence table as reviewers use it, in the app and as an HTML file."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from uuid import uuid4
from xml.etree import ElementTree

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from core.bias import tool_named
from core.bias.model import HIGH, LOW, Level
from core.export.evidence_table import BiasCell, TableCell, TableRow
from core.export.evidence_table_files import as_html
from core.findings import effects
from core.findings.model import Finding, Passage
from core.grounding.model import PaperVerdict
from core.paper import read_paper
from core.references.model import Reference
from core.review.queue import run_queue, start_queue
from core.screening.model import ScreeningVerdict
from core.settings import load_settings
from core.store import (
    Plan,
    Project,
    Saved,
    ScreeningDecision,
    Store,
    StoredFinding,
    StoredReference,
    open_store,
    project_from_file,
    project_to_file,
    question_key,
    record_of,
)
from core.work.pools import ThreadWorkers
from tests.browser.conftest import App
from tests.core.export.reviews import DATE
from tests.core.review.papers import HYPOTHESIS, trial

# ---- in the app ----

WAIT = 30_000
TRIALS = 4
SECOND = "Two people left the trial"
HOSTILE = "<img src=x onerror=\"document.title='hit'\">"


@pytest.fixture
def project(app: App, monkeypatch: pytest.MonkeyPatch) -> str:
    """Four trials (two of which help), a reference without a paper, and two hypotheses that the queue has answered."""
    monkeypatch.setattr("core.review.queue.ProcessWorkers", lambda do, workers, **_: ThreadWorkers(do, at_once=workers))
    id = uuid4().hex
    store = open_store(load_settings())
    with store.writing("Ann") as change:
        asked = (HYPOTHESIS, SECOND)
        plan = Plan(None, "offline", None)
        change.save(Project(id, f"Walking {HOSTILE}", ("Ann",), blind=False, hypotheses=asked, plan=plan))
        for number in range(TRIALS):
            paper = read_paper(trial(number), name=f"trial-{number}.md")
            change.keep_file(change.save(record_of(paper, project=id)), trial(number))
            change.keep_text(id, paper.id, paper)
            if number < 2:
                verdict = ScreeningVerdict.INCLUDE if number else ScreeningVerdict.EXCLUDE
                change.save(ScreeningDecision(id, paper.id, "Ann", verdict, "" if number else "Wrong design"))
        change.save(StoredReference(id, "r1", "medline.ris", 1, Reference(f"A record {HOSTILE}")))
    work(store, id)
    make_firm(store, id)
    store.close()
    return id


def make_firm(store: Store, project: str) -> None:
    """Give the helpful trials a definite verdict, as a surer engine would: only the table is tested here."""
    with store.writing("Ann") as change:
        for saved in store_findings(store, project):
            found = saved.record.finding
            best = found.nearest[0] if found.nearest else found.strongest_for
            if found.hypothesis == HYPOTHESIS and best is not None and "improved" in best.text:
                firm = replace(
                    found,
                    verdict=PaperVerdict.SUPPORTS,
                    reason="A result on this question is read to tell more of it, as claimed.",
                    strongest_for=best,
                    nearest=(),
                    probability=0.93,
                    effect=next(iter(effects(best.text, sentence=best.index)), None),
                )
                change.put(replace(saved.record, finding=firm))


def work(store: Store, project: str) -> None:
    start_queue(store, project, "Ann")
    run_queue(store, project)


def open_tab(page: Page, app: App, project: str, name: str) -> None:
    page.goto(f"{app.url}/review?project={project}&reviewer=Ann")
    page.get_by_role("tab", name=name).click(timeout=WAIT)


def rows(page: Page) -> Locator:
    return page.locator(".evidence-table tbody tr")


def studies(page: Page) -> list[str]:
    return rows(page).locator(".study").all_inner_texts()


def download(page: Page, label: str) -> bytes:
    button = page.get_by_role("button", name=label, exact=True)
    expect(button).to_have_count(1, timeout=WAIT)  # there are two while the page is redrawn
    with page.expect_download(timeout=WAIT) as file:
        button.click()
    return Path(file.value.path()).read_bytes()


def lines(data: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(data.decode("utf-8-sig"))))


def test_the_table_is_filtered_sorted_and_leads_to_the_sentence(
    page: Page, app: App, project: str, screenshot: Callable[[Page, str], Path]
) -> None:
    open_tab(page, app, project, "Evidence table")
    expect(rows(page)).to_have_count(TRIALS, timeout=WAIT)
    screenshot(page, "evidence-table")
    assert page.title() != "hit"
    supports = page.locator('[data-verdict="supports"]')
    expect(supports).to_contain_text("2")
    supports.click()
    expect(rows(page)).to_have_count(2)
    assert len(lines(download(page, "CSV as shown"))) == 2 * 2  # each paper has a line for each hypothesis
    page.get_by_label("Search the table").fill("town 2")
    expect(rows(page)).to_have_count(1)
    expect(page.get_by_text("1 of 4 papers")).to_be_visible()
    page.get_by_label("Search the table").fill("")
    page.locator('[data-verdict="*"]').click()
    page.get_by_label("Screening", exact=False).select_option("exclude")
    expect(rows(page)).to_have_count(1)
    expect(rows(page)).to_contain_text("Wrong design")
    page.get_by_label("Screening", exact=False).select_option("*")

    as_they_came = studies(page)
    page.locator('[data-sort="verdict"]').click()
    expect(page.locator('[aria-sort="ascending"]')).to_have_count(1)
    first = rows(page).first
    expect(first.locator(".chip").first).to_contain_text("supports")
    page.locator('[data-sort="verdict"]').click()
    expect(rows(page).first.locator(".chip").first).not_to_contain_text("supports")
    page.locator('[data-sort="verdict"]').click()
    assert studies(page) == as_they_came

    page.locator('[data-verdict="supports"]').click()
    strongest = rows(page).nth(0).locator(".sentence").first
    said = strongest.inner_text()
    strongest.focus()
    page.keyboard.press("ArrowDown")
    expect(rows(page).nth(1).locator(".sentence").first).to_be_focused()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    expect(page.get_by_role("textbox", name="Hypothesis", exact=True)).to_have_value(HYPOTHESIS, timeout=WAIT)
    expect(page.locator(".paper .current").first).to_contain_text(said[:40], timeout=WAIT)
    expect(page.locator(".paper .marked").first).to_be_attached()
    expect(page.locator(".entry").first).to_be_visible()
    screenshot(page, "evidence-table-sentence")
    page.get_by_role("link", name="Back to the evidence table").click()
    expect(rows(page)).to_have_count(2, timeout=WAIT)  # as it was left


def test_a_verdict_to_be_checked_says_so_and_can_be_asked_for(page: Page, app: App, project: str) -> None:
    words = "The sentence does not name the outcome: check."
    store = open_store(load_settings())
    with store.writing("Ann") as change:
        first, *_ = (one.record for one in store_findings(store, project) if one.record.finding.verdict)
        change.put(replace(first, finding=replace(first.finding, check=words)))
    store.close()
    open_tab(page, app, project, "Evidence table")
    expect(rows(page)).to_have_count(TRIALS, timeout=WAIT)
    page.locator('[data-verdict="!"]').click()
    expect(rows(page)).to_have_count(1)
    expect(rows(page).get_by_role("note", name=words)).to_be_visible()
    page.get_by_role("button", name="Side by side").click()
    expect(page.locator('.evidence-table td[data-label="H1"]').get_by_role("note", name=words)).to_have_count(1)
    page.locator('[data-verdict="*"]').click()  # other tests expect the table unfiltered
    page.get_by_role("button", name="H1", exact=True).first.click()


def store_findings(store: Store, project: str) -> tuple[Saved[StoredFinding], ...]:
    with store.reading() as now:
        return now.findings(project, questions=[question_key(HYPOTHESIS)])


def test_the_way_back_is_in_view_and_leads_to_where_the_table_was_left(page: Page, app: App, project: str) -> None:
    open_tab(page, app, project, "Evidence table")
    for left in ("button.sentence", "button.effect"):
        opened = rows(page).filter(has=page.locator(left)).last.locator(left).last
        opened.click(timeout=WAIT)
        expect(page.locator(".paper .current").first).to_be_in_viewport(timeout=WAIT)
        back = page.get_by_test_id("stSidebar").get_by_role("link", name="Back to the table")
        expect(back).to_be_in_viewport()
        back.click()
        expect(opened).to_be_focused(timeout=WAIT)
        expect(opened).to_be_in_viewport()


def test_a_reload_and_a_fresh_window_come_back_to_the_sentence(
    page: Page, app: App, project: str, open_window: Callable[[App], Page]
) -> None:
    open_tab(page, app, project, "Evidence table")
    chosen = rows(page).nth(1).locator(".sentence").first
    said = chosen.inner_text()[:40]
    chosen.click()
    expect(page.locator(".paper .current").first).to_contain_text(said, timeout=WAIT)
    expect(page).to_have_url(re.compile("sentence="))
    page.reload()
    other = open_window(app)
    other.goto(page.url)
    for window in (page, other):
        expect(window.locator(".paper .current").first).to_contain_text(said, timeout=WAIT)
        expect(window.get_by_role("textbox", name="Hypothesis", exact=True)).to_have_value(HYPOTHESIS)
        expect(window.locator(".entry").first).to_be_visible()
        window.get_by_role("link", name="Back to the evidence table").click()
        expect(rows(window)).to_have_count(TRIALS, timeout=WAIT)


def test_a_hypothesis_is_added_and_answered_without_reading_again(page: Page, app: App, project: str) -> None:
    open_tab(page, app, project, "Evidence table")
    expect(rows(page)).to_have_count(TRIALS, timeout=WAIT)
    page.get_by_role("textbox", name="Add a hypothesis").fill("Walking harms adults with insomnia")
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.locator(".claim")).to_have_text("Walking harms adults with insomnia", timeout=WAIT)
    expect(page.locator('td[data-label="Verdict"] .chip')).to_have_count(TRIALS, timeout=90_000)
    page.get_by_role("button", name="Side by side").click()
    expect(page.locator(".evidence-table thead th")).to_have_count(6)
    page.get_by_role("button", name="Hypotheses (3)").click()
    page.get_by_role("button", name="Take out").last.click()
    expect(page.locator(".evidence-table thead th")).to_have_count(5, timeout=WAIT)


def test_the_table_reads_well_on_a_telephone(
    small_page: Page, app: App, project: str, screenshot: Callable[[Page, str], Path]
) -> None:
    open_tab(small_page, app, project, "Evidence table")
    expect(rows(small_page)).to_have_count(TRIALS, timeout=WAIT)
    rows(small_page).first.scroll_into_view_if_needed()
    screenshot(small_page, "evidence-table-telephone")
    assert small_page.evaluate("document.documentElement.scrollWidth") <= 390


def test_the_files_of_a_review_read_back(
    page: Page, app: App, project: str, screenshot: Callable[[Page, str], Path]
) -> None:
    open_tab(page, app, project, "Evidence table")
    expect(rows(page)).to_have_count(TRIALS, timeout=WAIT)
    table = lines(download(page, "CSV"))
    assert len(table) == TRIALS * 2
    assert {row["verdict"] for row in table if row["hypothesis"] == HYPOTHESIS} >= {PaperVerdict.SUPPORTS.value}
    assert download(page, "XLSX").startswith(b"PK")
    assert HYPOTHESIS in download(page, "HTML").decode()

    expect(page.get_by_text("1 reference is not in the table")).to_be_visible()
    page.get_by_role("button", name="Show under Papers").click()
    expect(page.locator("tr[data-reference]")).to_have_count(1, timeout=WAIT)
    expect(page.locator("tr[data-paper]")).to_have_count(0)
    page.get_by_role("tab", name="Flow").click()
    svg = ElementTree.fromstring(download(page, "Flow diagram (SVG)"))
    words = " ".join("".join(svg.itertext()).split())
    assert "Wrong design" in words
    assert "PRISMA" in words or "Identification" in words
    assert download(page, "Flow diagram (PNG)").startswith(b"\x89PNG")
    expect(page.get_by_text("Still open")).to_be_visible()
    screenshot(page, "flow")

    page.get_by_role("tab", name="Outputs").click()
    ris = download(page, "References (RIS)").decode()
    assert ris.count("TY  -") == TRIALS + 1
    assert "exclude by Ann: Wrong design" in ris
    log = lines(download(page, "Decision log (CSV)"))
    assert [(row["who"], row["after"]) for row in log if row["what"] == "screening"] == [
        ("Ann", "exclude"),
        ("Ann", "include"),
    ]
    whole = download(page, "Whole project (.vouch)")
    state = project_from_file(whole)
    assert project_to_file(state) == whole
    assert len(state.files) == TRIALS
    assert not project_from_file(download(page, "Without the files (.vouch)")).files
    screenshot(page, "outputs")


def test_a_verdict_is_given_by_keyboard_and_counts(page: Page, app: App, project: str) -> None:
    open_tab(page, app, project, "Evidence table")
    expect(rows(page)).to_have_count(TRIALS, timeout=WAIT)
    name, not_reported = studies(page)[0], page.locator('[data-verdict="not reported"]')
    before = int("".join(filter(str.isdigit, not_reported.inner_text())) or 0)
    expect(rows(page).first).not_to_contain_text("not reported")
    page.get_by_role("button", name=f"Your verdict on {name}", exact=True).first.focus()
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog")
    dialog.get_by_text("∅ not reported", exact=True).click(timeout=WAIT)
    comment = dialog.get_by_label("Comment")
    comment.fill("Another outcome.")
    comment.press("Enter")
    expect(rows(page).first).to_contain_text("Ann", timeout=WAIT)
    expect(not_reported).to_contain_text(str(before + 1))
    expect(rows(page).first.locator(".beside")).to_contain_text("offline")
    (line, *_) = lines(download(page, "CSV"))
    assert (line["reviewers_verdict"], line["reviewers_comment"]) == ("not reported", "Ann: Another outcome.")


# ---- the HTML file ----

WORDS = "Tea improves sleep"


def row(study: str, verdict: PaperVerdict | None, level: Level | None = None) -> TableRow:
    finding = Finding("offline", WORDS, verdict, "Because.", Passage(1, f"Said by {study}.", 2, "Results"))
    return TableRow(study, study, bias=BiasCell(level), cells={WORDS: TableCell(finding)})


ROWS = (
    row("Ito 10", PaperVerdict.REFUTES, LOW),
    row("Ito 9", None),
    row("Abel", PaperVerdict.SUPPORTS, HIGH),
    row("<b>Zoe</b>", PaperVerdict.REFUTES),
)


@pytest.fixture(scope="module")
def table(chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    file: Path = tmp_path_factory.mktemp("table") / "table.html"
    file.write_text(as_html(ROWS, [WORDS], tool_named("rob2").levels, date=DATE), encoding="utf-8")
    page = chromium.new_page()
    faults: list[str] = []
    page.on("console", lambda message: faults.append(message.text))
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.goto(file.as_uri())
    yield page
    page.close()
    assert faults == []  # the security policy allows the file's own script and style


def shown(page: Page) -> list[str]:
    return page.locator("tbody .study:visible").all_inner_texts()


def sort(page: Page, column: str) -> list[str]:
    page.locator(f"th[data-sort={column}] button").click()
    return shown(page)


def test_a_click_on_a_head_sorts_and_what_is_blank_comes_last(table: Page) -> None:
    assert sort(table, "study") == ["<b>Zoe</b>", "Abel", "Ito 9", "Ito 10"]
    assert sort(table, "study") == ["Ito 10", "Ito 9", "Abel", "<b>Zoe</b>"]
    assert sort(table, "h1") == ["Abel", "Ito 10", "<b>Zoe</b>", "Ito 9"]
    assert table.locator("th[aria-sort]").get_attribute("data-sort") == "h1"
    assert sort(table, "h1") == ["Ito 10", "<b>Zoe</b>", "Abel", "Ito 9"]
    assert sort(table, "bias") == ["Ito 10", "Abel", "Ito 9", "<b>Zoe</b>"]


def test_filters_leave_the_rows_that_fit_all_of_them(table: Page) -> None:
    table.select_option("[data-filter=h1]", "refutes")
    assert sorted(shown(table)) == ["<b>Zoe</b>", "Ito 10"]
    assert table.locator("#count").inner_text() == "2 of 4 shown"
    table.select_option("[data-filter=bias]", "")
    assert shown(table) == ["<b>Zoe</b>"]
    table.select_option("[data-filter=h1]", "")
    assert shown(table) == ["Ito 9"]
    table.select_option("[data-filter=h1]", "*")
    table.select_option("[data-filter=bias]", "*")
    table.fill("[data-filter=words]", "SAID  ito")
    assert sorted(shown(table)) == ["Ito 10", "Ito 9"]
    table.fill("[data-filter=words]", "")
    assert len(shown(table)) == 4


def test_all_sentences_open_at_once(table: Page) -> None:
    assert table.locator("blockquote:visible").count() == 0
    table.click("#open")
    assert table.locator("blockquote:visible").count() == 4
    table.click("#open")
    assert table.locator("blockquote:visible").count() == 0
