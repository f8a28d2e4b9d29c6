"""An article on a topic: a demo server's model writes it from 50 real trials, and every citation opens its paper."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from uuid import uuid4

import pytest
from playwright.sync_api import Page, expect

from core.library import LibraryPaper, open_library
from core.library.encoding import MADE_BY, EncodedPaper, searched_text
from core.library.passages import passages_of
from core.paper import Paper
from core.settings import Settings
from core.store import Project, open_store, record_of
from core.text.similarity import Embedder
from tests.browser.conftest import Asking, serve_with_models
from tests.browser.desk import choose, stands_in_view
from tests.browser.test_language_models import KEY

TRIALS = 50


@pytest.fixture(scope="module")
def trials(shared_data: Path, read_once: Callable[[Path], Paper]) -> list[tuple[Paper, bytes]]:
    """The smallest files, which are read fastest."""
    files = sorted((shared_data / "evidence_inference" / "xml").iterdir(), key=lambda file: file.stat().st_size)
    return [(read_once(file), file.read_bytes()) for file in files[:TRIALS]]


@pytest.fixture(scope="module")
def asking(
    tmp_path_factory: pytest.TempPathFactory, own_environment: None, trials: list[tuple[Paper, bytes]]
) -> Iterator[Asking]:
    """An app with a project of the trials, whose language models are a demo server's.

    Only the first passage of each paper (its abstract) is indexed, because encoding all passages would take minutes.
    """
    with serve_with_models(tmp_path_factory.mktemp("articles")) as served:
        settings = Settings(served.home, None)
        project, store = uuid4().hex, open_store(settings)
        with store.writing("Ann") as change:
            change.save(Project(project, "Trials", ("Ann",), blind=False))
            for paper, content in trials:
                change.keep_file(change.save(record_of(paper, project=project)), content)
        store.close()
        embedder = Embedder.installed(settings.embeddings)
        cut = [(paper, tuple(passages_of(paper)[:1])) for paper, _ in trials]
        vectors = embedder.encode([searched_text(paper.title, one) for paper, few in cut for one in few])
        made, begin = [], 0
        for paper, few in cut:
            entry = LibraryPaper.of(paper, passages=len(few), made_by=MADE_BY)
            made.append(EncodedPaper(entry, few, vectors[begin : begin + len(few)]))
            begin += len(few)
        open_library(f"project-{project}", embedder, settings).put(made)
        yield served


def write(page: Page, model: str, way: str) -> None:
    choose(page.get_by_role("combobox", name="How it works"), way)
    field = page.get_by_role("textbox", name="Model", exact=True)
    field.fill(model)
    field.press("Enter")
    page.get_by_role("button", name="Write", exact=True).click()


def number(page: Page, label: str, value: int) -> None:
    field = page.get_by_role("spinbutton", name=label)
    field.fill(str(value))
    field.press("Enter")


def test_every_citation_of_an_article_over_50_trials_opens_its_sentence_and_an_invented_one_is_refused(
    asking: Asking, open_window: Callable[..., Page], trials: list[tuple[Paper, bytes]]
) -> None:
    page = open_window(asking.app)
    page.goto(f"{asking.app.url}/ask")
    choose(page.get_by_role("combobox", name="Answered by"), "OpenAI model")
    page.get_by_role("textbox", name="OpenAI model: key for this session").fill(KEY)
    page.get_by_role("button", name="Use this key").click()
    expect(page.get_by_text("A key is set for this session.")).to_be_visible()
    settings = page.get_by_text("Settings", exact=True)
    settings.click()
    number(page, "Passages gathered", 4)
    number(page, "Of them in the answer", 1)
    settings.click()
    page.get_by_text("Write an article on a topic").click()
    choose(page.get_by_role("combobox", name="Template"), "A gene")
    topic = page.get_by_role("textbox", name="Topic")
    topic.fill("plasma levels of heparin-binding protein in patients")
    topic.press("Enter")
    write(page, "demo", "Fixed")
    expect(page.get_by_text("4 of 4 sections answered")).to_be_visible(timeout=60_000)
    written = page.locator(".written")
    expect(written).to_have_count(5)  # the overview and four sections
    cited = written.get_by_role("button")
    for place in range(5):
        expect(written.nth(place).get_by_role("button").first).to_be_visible()
    citations = cited.count()
    own = {sentence.text for paper, _ in trials for sentence in paper.sentences}
    for place in range(citations):
        said = cited.nth(place).locator("xpath=..").inner_text()
        cited.nth(place).click()
        expect(page).to_have_title("Evidence · Vouch")
        opened = page.locator(".paper .s.current.marked")
        stands_in_view(opened)
        text = opened.inner_text().splitlines()[-1].strip()
        assert text in own
        assert text in said
        page.get_by_role("main").get_by_role("link", name="Back to the answer").first.click()
        expect(written).to_have_count(5)

    write(page, "demo-wrong", "No summaries")
    refused = page.get_by_text("names sources that it was not given")
    expect(refused).to_have_count(4, timeout=60_000)
    expect(written).to_have_count(0)
