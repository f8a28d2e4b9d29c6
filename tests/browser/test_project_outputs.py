"""The outputs of a project: plots on the page, every file, and the report opened in a browser."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4
from xml.etree import ElementTree

import pytest
from PIL import Image
from playwright.sync_api import Browser, Page, expect
from pypdfium2 import PdfDocument

from core.benchmarks.samples import SAMPLE_DATA
from core.bias import StudyContext, bias_engine_named, judge, tool_named
from core.bias.model import HIGH, LOW
from core.bias.tools.rob1 import UNCLEAR
from core.export.robvis import robvis_problems
from core.paper import Paper, read_paper
from core.paper.metadata import family_name
from core.settings import load_settings
from core.store import (
    Consensus,
    Project,
    ReviewerJudgement,
    StoredSuggestion,
    open_store,
    project_from_json,
    project_to_json,
    record_of,
)
from tests.browser.conftest import App

WAIT = 30_000
TOOL = tool_named("rob1")
HOSTILE = "<img src=x onerror=\"document.title='hacked'\"> & co"


@dataclass(frozen=True)
class Review:
    """A project in the app's store, with its papers."""

    id: str
    papers: tuple[Paper, ...]


@pytest.fixture
def review(app: App) -> Review:
    """Two papers. Ann and Ben have judged the first, with one dispute settled; Ben alone has judged the second."""
    project, study = uuid4().hex, StudyContext("Do these help?", "adults", outcome="sleep")
    store = open_store(load_settings())
    engine = bias_engine_named("offline")
    papers = []
    with store.writing("Ann") as change:
        change.save(Project(project, f"Tea {HOSTILE}", ("Ann", "Ben"), "rob1", study, blind=True))
    for name in ("leg-cramps.xml", "sleep-app.pdf"):
        data = (SAMPLE_DATA / name).read_bytes()
        paper = read_paper(data, name=name)
        papers.append(paper)
        with store.writing("Ann") as change:
            change.keep_file(change.save(record_of(paper, project=project)), data)
            for domain in TOOL.domains:
                found = judge(domain, paper, study, engine=engine)
                change.save(StoredSuggestion(project, paper.id, TOOL.id, "offline", found, cost_usd=0.0))
    for who in ("Ann", "Ben"):
        with store.writing(who) as change:
            for paper in papers[: 1 if who == "Ann" else 2]:
                for domain in TOOL.domains:
                    level = HIGH if (who, domain.id) == ("Ben", "attrition") else LOW
                    given = ReviewerJudgement(
                        project,
                        paper.id,
                        TOOL.id,
                        domain.id,
                        who,
                        level,
                        support=(10,),
                        comment=HOSTILE if who == "Ann" else "",
                    )
                    change.save(given)
    with store.writing("Ann") as change:
        change.save(
            Consensus(project, papers[0].id, TOOL.id, "attrition", UNCLEAR, "No reasons given.", ("Ann", "Ben"))
        )
    store.close()
    return Review(project, tuple(papers))


def outputs(page: Page, app: App, review: Review, reviewer: str = "Ann") -> None:
    """Open the project's plots and files."""
    page.goto(f"{app.url}/review?project={review.id}&reviewer={reviewer}")
    page.get_by_role("tab", name="Outputs").click(timeout=WAIT)
    expect(page.get_by_role("button", name="Report (HTML)")).to_be_visible(timeout=WAIT)


def download(page: Page, label: str) -> bytes:
    button = page.get_by_role("button", name=label, exact=True)
    expect(button).to_have_count(1, timeout=WAIT)  # there are two while the page is redrawn
    with page.expect_download(timeout=WAIT) as file:
        button.click()
    return Path(file.value.path()).read_bytes()


def test_plots_and_every_file(page: Page, app: App, review: Review, screenshot: Callable[[Page, str], Path]) -> None:
    outputs(page, app, review, "Ben")
    images = page.locator(".st-key-outputs img")
    expect(images).to_have_count(2, timeout=WAIT)
    summary, lights = images.first, images.last
    assert f"{family_name(review.papers[0].authors[0])} {review.papers[0].year}" in str(lights.get_attribute("alt"))
    assert "Random sequence generation: low" in str(summary.get_attribute("alt"))
    expect(page.get_by_text("1 paper has no settled level in some domains")).to_be_visible()
    expect(page.get_by_text("The file for robvis leaves out 1 paper")).to_be_visible()
    expect(page.get_by_text("Risk of bias was assessed with RoB 1")).to_be_visible()
    screenshot(page, "project-outputs")

    robvis = download(page, "robvis (CSV)").decode()
    assert robvis_problems(TOOL, robvis) == []
    assert len(robvis.splitlines()) == 1 + 1
    rows = list(csv.DictReader(io.StringIO(download(page, "Table (CSV)").decode("utf-8-sig"))))
    assert len(rows) == 2 * 7 * 2
    for plot in ("Traffic light", "Summary"):
        assert ElementTree.fromstring(download(page, f"{plot} (SVG)")).tag.endswith("svg")
        assert Image.open(io.BytesIO(download(page, f"{plot} (PNG)"))).format == "PNG"
    document = download(page, "Whole project (JSON)")
    assert project_to_json(project_from_json(document)).encode() == document


def test_a_blind_reviewer_takes_nothing_away_that_is_hidden(page: Page, app: App, review: Review) -> None:
    outputs(page, app, review, "Ann")  # ann has not judged the second paper, which Ben has
    expect(page.get_by_text("Blind: suggestions and others' work on 7 domains of papers are left out")).to_be_visible()
    rows = list(csv.DictReader(io.StringIO(download(page, "Table (CSV)").decode("utf-8-sig"))))
    second = [row for row in rows if row["paper_id"] == review.papers[1].id]
    assert len(second) == 14
    assert {(row["level"], row["suggestions"], row["sentences"]) for row in second} == {("", "", "")}
    report = download(page, "Report (HTML)").decode()
    assert "Blind: suggestions and others&#39; work on 7 domains" in report
    marked = report.count("<mark")
    page.get_by_text("Ben", exact=True).first.click()
    expect(page.get_by_text("Blind: suggestions and others' work")).to_have_count(0, timeout=WAIT)
    assert download(page, "Report (HTML)").decode().count("<mark") > marked


@pytest.fixture
def report(page: Page, app: App, review: Review, tmp_path: Path) -> tuple[Path, Review]:
    """The report of the project as a file, and the project."""
    outputs(page, app, review, "Ben")
    file = tmp_path / "report.html"
    file.write_bytes(download(page, "Report (HTML)"))
    return file, review


@pytest.mark.parametrize(("width", "scheme"), [(1200, "light"), (900, "dark"), (390, "light")])
def test_the_report_opens_by_itself(
    report: tuple[Path, Review], chromium: Browser, screenshot: Callable[[Page, str], Path], width: int, scheme: str
) -> None:
    file, review = report
    window = chromium.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)  # type: ignore[arg-type]
    asked: list[str] = []
    complaints: list[str] = []
    window.on("request", lambda request: asked.append(request.url))
    window.on("console", lambda message: complaints.append(message.text))
    try:
        window.goto(file.as_uri())
        assert asked == [file.as_uri()]
        assert complaints == []
        assert window.title() != "hacked"
        assert window.evaluate("document.documentElement.scrollWidth") <= width
        assert window.locator("img, script").count() == 0
        for quote in window.locator("mark").all_inner_texts():
            assert any(" ".join(quote.split()) in " ".join(paper.text.split()) for paper in review.papers)
        background = window.evaluate("getComputedStyle(document.body).backgroundColor")
        assert (background == "rgb(255, 255, 255)") == (scheme == "light")
        screenshot(window, f"report-{width}-{scheme}")
        window.locator("#judgements a").first.click()
        expect(window.locator("#paper-1")).to_be_in_viewport()
        screenshot(window, f"report-{width}-{scheme}-paper")
    finally:
        window.close()


def test_the_report_prints(report: tuple[Path, Review], chromium: Browser) -> None:
    window = chromium.new_page()
    try:
        window.goto(report[0].as_uri())
        window.emulate_media(media="print", color_scheme="dark")
        assert window.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
        expect(window.locator("nav")).to_be_hidden()
        printed = PdfDocument(window.pdf(format="A4"))
        text = "\n".join(page.get_textpage().get_text_range() for page in printed)
        assert "No reasons given." in text
        assert "Disclosure" in text
    finally:
        window.close()
