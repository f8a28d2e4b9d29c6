"""The Ask page: questions to sample papers, quoted on this machine and answered by a demo server's model."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from uuid import uuid4

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from core.benchmarks.samples import samples
from core.paper import read_paper
from core.settings import Settings, load_settings
from core.store import Project, open_store, record_of
from tests.browser.conftest import LAPTOP, TELEPHONE, App, Asking, serve_with_models
from tests.browser.desk import choose, stands_in_view
from tests.browser.test_language_models import KEY

QUOTED = re.compile(r"Magnesium citrate did cause diarrhoea compared with placebo in \d+ people\.")
STEP = re.compile(r"\d\. (Search|Gather evidence|Follow citations|Answer|Give up)")
PICTURES = os.environ.get("VOUCH_TEST_PICTURES")  # a folder for screenshots


@pytest.fixture
def project(app: App) -> str:
    """A project of two sample papers."""
    return samples_in(load_settings())


def samples_in(settings: Settings, *others: tuple[str, bytes]) -> str:
    """Create a project of two sample papers, and others given by file name. Returns its id."""
    id = uuid4().hex
    name = f"Samples {uuid4().hex[:6]}"
    store = open_store(settings)
    with store.writing("Ann") as change:
        change.save(Project(id, name, ("Ann",), blind=False))
        for file, data in (*((one.path.name, one.path.read_bytes()) for one in samples()[:2]), *others):
            change.keep_file(change.save(record_of(read_paper(data, name=file), project=id)), data)
    store.close()
    return id


def ask(page: Page, question: str) -> None:
    field = page.get_by_label("Question", exact=True)
    field.fill(question)
    field.press("Enter")
    page.get_by_role("button", name="Ask", exact=True).click()


def picture(page: Page, name: str) -> None:
    if PICTURES:
        page.wait_for_timeout(300)
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
            page.wait_for_timeout(500)
            page.screenshot(path=Path(PICTURES) / f"{name}-{scheme}.png")
        page.emulate_media(color_scheme="light")


@pytest.mark.repetition("window")
@pytest.mark.parametrize("window", ["page", "touch_page"])
def test_a_question_and_its_quotations(window: str, request: pytest.FixtureRequest, app: App, project: str) -> None:
    page: Page = request.getfixturevalue(window)
    page.goto(f"{app.url}/ask")
    ask(page, samples()[0].hypotheses[0])
    first = page.locator(".st-key-ask-paper-0")
    expect(first).to_contain_text("“")
    expect(first).to_contain_text("reports on it")
    expect(page.get_by_text("2 papers searched")).to_be_visible()
    picture(page, f"answered-{window}")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    ask(page, "Does copper sulphate kill snails in aquaria?")
    expect(page.get_by_text("These papers do not seem to answer it.")).to_be_visible()
    expect(page.get_by_text("The nearest sentences:")).to_be_visible()
    picture(page, f"unanswered-{window}")
    page.locator(".st-key-ask-open-0").get_by_role("button").first.click()
    expect(page).to_have_title("Evidence · Vouch")


# ---- language models ----

_JATS = """<article><front><article-meta><article-id pub-id-type="doi">10.1000/{own}</article-id><title-group>
<article-title>{title}</article-title></title-group></article-meta></front><body><sec><title>Results</title><p>{text}</p></sec>
</body><back><ref-list>{refs}</ref-list></back></article>"""
_CITED = "".join(
    f'<ref><mixed-citation><pub-id pub-id-type="doi">10.1000/{own}</pub-id></mixed-citation></ref>'
    for own in ("followed", "elsewhere")
)


def citing_papers() -> list[tuple[str, bytes]]:
    """Trials that a search ranks first. They all cite a paper that the search misses, and one not in the project."""
    files = {
        f"trial-{number}": (
            f"Magnesium citrate compared with placebo, trial {number}",
            f"Magnesium citrate did cause diarrhoea compared with placebo in {number} people. They were seen once.",
            _CITED,
        )
        for number in range(20, 34)
    }
    files["followed"] = ("Loose stools two years on", "Stools of the same people were no looser after two years.", "")
    return [
        (f"{own}.xml", _JATS.format(own=own, title=title, text=text, refs=refs).encode())
        for own, (title, text, refs) in files.items()
    ]


@pytest.fixture(scope="module")
def asking(tmp_path_factory: pytest.TempPathFactory, own_environment: None) -> Iterator[Asking]:
    """An app with a project, whose language models are a slow demo server's."""
    with serve_with_models(tmp_path_factory.mktemp("ask-models"), latency=1.0) as served:
        samples_in(Settings(served.home, None), *citing_papers())
        yield served


def ask_model(page: Page, asking: Asking, model: str) -> None:
    """Choose OpenAI's models, enter a key, and ask."""
    page.goto(f"{asking.app.url}/ask")
    choose(page.get_by_role("combobox", name="Answered by"), "OpenAI model")
    page.get_by_role("textbox", name="OpenAI model: key for this session").fill(KEY)
    page.get_by_role("button", name="Use this key").click()
    expect(page.get_by_text("A key is set for this session.")).to_be_visible()
    field = page.get_by_role("textbox", name="Model", exact=True)
    field.fill(model)
    field.press("Enter")
    expect(page.get_by_text("Type a question to see what an answer will cost.")).to_be_visible()
    ask(page, "Does magnesium citrate cause diarrhoea compared with placebo?")


SIZES = pytest.mark.parametrize("size", [LAPTOP, TELEPHONE], ids=["laptop", "telephone"])


@pytest.mark.repetition("size")
@SIZES
def test_an_agent_from_the_first_step_to_the_cited_sentence_and_back(
    size: ViewportSize, asking: Asking, open_window: Callable[..., Page]
) -> None:
    page = open_window(asking.app, size)
    ask_model(page, asking, f"demo-{size['width']}")
    trail = page.locator(".st-key-ask-trail")
    expect(trail).to_contain_text("Search")
    expect(page.locator(".st-key-asking")).to_be_visible()  # its steps are shown before it ends
    trail.evaluate("node => node.scrollIntoView({ block: 'center' })")
    picture(page, f"asking-{size['width']}")
    written = page.locator(".written")
    cited = written.get_by_role("button").first
    expect(cited).to_contain_text("quoted")
    expect(page.get_by_text("Citations: ")).to_be_visible()
    expect(page.locator(".st-key-ask-paper-0")).to_contain_text("[1]")
    written.evaluate("node => node.scrollIntoView({ block: 'center' })")
    picture(page, f"written-{size['width']}")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")

    said = written.locator("p").first.inner_text()
    citations = written.get_by_role("button").count()
    assert citations == 3
    for place in range(citations):
        cited = written.get_by_role("button").nth(place)
        cited.focus()
        page.keyboard.press("Enter")
        expect(page).to_have_title("Evidence · Vouch")
        current = page.locator(".paper .s.current.marked")
        stands_in_view(current)
        opened = current.inner_text().splitlines()[-1].strip().removeprefix("“").strip()
        assert opened == QUOTED.findall(said)[place]
        if not place:
            picture(page, f"cited-{size['width']}")
        page.get_by_role("main").get_by_role("link", name="Back to the answer").first.click()
        expect(written).to_be_visible()

    expect(page.get_by_text("not in the library: doi:10.1000/elsewhere.")).to_be_visible()
    page.get_by_text("How it came to this").click()
    steps = page.locator(".st-key-ask-trail-of-answer")
    expect(steps).to_contain_text("5. Answer")
    assert STEP.findall(steps.inner_text()) == [
        "Search", "Gather evidence", "Follow citations", "Gather evidence", "Answer",
    ]  # fmt: skip
    expect(steps).to_contain_text("1 paper of the library cited or citing, 1 of them new")
    expect(steps).to_contain_text("1 passage read")
    picture(page, f"trail-{size['width']}")


@pytest.mark.repetition("size")
@SIZES
def test_evidence_is_turned_down_the_question_answered_again_and_taken_away(
    size: ViewportSize, asking: Asking, open_window: Callable[..., Page]
) -> None:
    page = open_window(asking.app, size)
    ask_model(page, asking, f"demo-again{size['width']}")
    page.get_by_text("All passages gathered").click()
    again = page.get_by_role("button", name="Answer again from these")
    expect(again).to_be_disabled()
    page.locator(".st-key-ask-passage-0").evaluate("node => node.scrollIntoView({ block: 'start' })")
    picture(page, f"evidence-{size['width']}")
    gathered = page.locator("[class*='st-key-ask-passage-']").get_by_role("checkbox").count()
    assert gathered > 5
    page.get_by_role("checkbox").first.focus()
    page.keyboard.press("Space")
    again.click()
    expect(page.get_by_text(f"from {gathered - 1} chosen passages")).to_be_visible()
    expect(page.locator(".st-key-ask-changes")).to_contain_text("papers are searched")
    page.locator(".st-key-ask-changes").evaluate("node => node.scrollIntoView({ block: 'center' })")
    picture(page, f"again-{size['width']}")

    page.get_by_role("button", name="Download").click()
    expect(page.get_by_role("button", name="BibTeX")).to_be_visible()
    picture(page, f"files-{size['width']}")
    with page.expect_download() as word:
        page.get_by_role("button", name="Word").click()
    assert word.value.suggested_filename == "answer.docx"
    page.keyboard.press("Escape")
    page.get_by_text("Earlier questions").click()
    expect(page.locator(".st-key-ask-earlier-row-0")).to_contain_text(f"openai:demo-again{size['width']}")
    page.locator(".st-key-ask-earlier-row-0").scroll_into_view_if_needed()
    picture(page, f"earlier-{size['width']}")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
