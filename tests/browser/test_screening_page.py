"""Screening with the keyboard, by two reviewers and in two windows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from uuid import uuid4

import pytest
from playwright.sync_api import Page, expect

from core.evidence.model import EvidenceSentence
from core.paper import Paper, read_paper
from core.references import Reference
from core.screening.model import Criterion, CriterionKind, CriterionSuggestion, Fit, ScreeningVerdict
from core.settings import load_settings
from core.store import Plan, Project, ScreeningDecision, Store, StoredCriterion, StoredReference, open_store, record_of
from pages._ui.screening.state import read_screening
from tests.browser.conftest import App
from tests.browser.desk import at_rest, everything_in
from tests.browser.test_review_page import WAIT, add, as_ben, create

# ---- screening, as two reviewers at two computers do it with the keyboard ----

ADULTS = Criterion(CriterionKind.POPULATION, "Adults with headache")
RANDOM = Criterion(CriterionKind.DESIGN, "Assigned at random")
HOSTILE = "<img src=x onerror=\"document.title='hit'\">"
DRINKS = ["Tea", "Coffee", "Cocoa", "Milk", "Water", "Juice", "Broth", "Cider", "Kefir", "Lassi"]
PAPERS = [
    f"""# {drink} for headache: a small randomised trial

## Abstract

{drink} was compared with rest in {60 + number} adults with headache.

## Methods

Adults with headache were randomly assigned to {drink.lower()} or rest.

## Results

Pain fell by {number + 2}.1 points with {drink.lower()} and by 1.2 points with rest.
"""
    for number, drink in enumerate(DRINKS)
]


def begin_screening(page: Page) -> None:
    at_rest(page)
    page.locator(".st-key-screen button").click()
    expect(page.locator(".item-title")).to_be_visible(timeout=WAIT)


def count(page: Page, words: str) -> None:
    expect(page.locator(".count-words")).to_have_text(words, timeout=WAIT)


def on_desk(page: Page, drink: str) -> None:
    """Check that this paper is on the desk, with its text and the panel."""
    expect(page.locator(".item-title")).to_contain_text(f"{drink} for headache", timeout=WAIT)
    expect(page.locator(".paper")).to_contain_text(f"{drink} was compared with rest", timeout=WAIT)
    expect(page.locator(".verdict-choice").first).to_be_enabled(timeout=WAIT)


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def settle(page: Page, *keys: str, why: str) -> None:
    """Settle the conflict on the desk with the keyboard, which needs a reason."""
    press(page, *keys)
    page.locator(".settle-item").click()
    expect(page.locator(".screening-status")).to_have_text("Say why, in a few words.")
    press(page, "n")
    page.keyboard.type(why)
    press(page, "Tab")
    expect(page.locator(".settle-item")).to_be_focused()
    press(page, "Shift+Tab", "Control+Enter")


def ann_decides(page: Page) -> None:
    """Ann excludes the second paper, is unsure about the third, and includes the others."""
    for number, drink in enumerate(DRINKS):
        on_desk(page, drink)
        if drink == "Coffee":
            press(page, "n")
            page.keyboard.type("Ann's secret note.")
            press(page, "Escape", "e", "5")
        elif drink == "Cocoa":
            press(page, "u")
        else:
            press(page, "i")
        count(page, f"{number + 1} of 10 decided")


def ben_decides(page: Page) -> None:
    """Ben includes all papers, reloads in between, and undoes one decision once."""
    on_desk(page, "Tea")
    expect(page.get_by_text("Ann has decided; shown once you have.")).to_be_visible()
    for drink in DRINKS[:3]:
        on_desk(page, drink)
        assert "secret" not in everything_in(page)
        expect(page.locator(".screening-body")).not_to_contain_text("Wrong design")
        press(page, "i")
    count(page, "3 of 10 decided")
    page.reload()
    on_desk(page, "Milk")
    count(page, "3 of 10 decided")
    for drink in DRINKS[3:]:
        on_desk(page, drink)
        press(page, "i")
    expect(page.locator(".through")).to_have_text("You have decided on all 10.", timeout=WAIT)
    press(page, "z")
    count(page, "9 of 10 decided")
    on_desk(page, "Lassi")
    press(page, "k")
    on_desk(page, "Kefir")
    expect(page.locator(".stands")).to_contain_text("Included")
    press(page, "j")
    on_desk(page, "Lassi")
    press(page, "i")
    count(page, "10 of 10 decided")


def settle_both(page: Page, screenshot: Callable[[Page, str], Path]) -> None:
    """Settle the conflicts between Ann and Ben."""
    expect(page.locator(".conflicts-button")).to_contain_text("2 conflicts")
    page.locator(".conflicts-button").click()
    sides = page.locator(".side-of")
    expect(sides).to_have_count(2, timeout=WAIT)
    expect(sides.nth(0)).to_contain_text("Ann's secret note.")
    expect(sides.nth(0)).to_contain_text("Wrong design")
    settle(page, "e", "5", why="It was not assigned at random after all.")
    on_desk(page, "Cocoa")
    screenshot(page, "screening-conflict")
    settle(page, "i", why="The supplement says how.")
    expect(page.locator(".conflicts-button")).to_contain_text("0 conflicts", timeout=WAIT)


def test_two_reviewers_screen_ten_papers_blind_from_the_keyboard(
    app: App, open_window: Callable[[App], Page], screenshot: Callable[[Page, str], Path]
) -> None:
    ann, ben = open_window(app), open_window(app)
    create(ann, "Drinks to be screened")
    add(ann, *PAPERS)
    project = ann.url
    begin_screening(ann)
    ann.get_by_role("button", name="As they came").click()
    expect(ann.get_by_role("button", name="As they came")).to_have_attribute("aria-pressed", "true")
    count(ann, "0 of 10 decided")
    ann_decides(ann)
    as_ben(ben, project)
    begin_screening(ben)
    ben_decides(ben)
    settle_both(ben, screenshot)

    ann.get_by_role("link", name="Drinks to be screened").click()
    ann.get_by_role("tab", name="Screening").click()
    expect(ann.get_by_text("9 included")).to_be_visible(timeout=WAIT)
    expect(ann.get_by_text("1 excluded")).to_be_visible()
    expect(ann.get_by_text("Ann: 10 of 10 decided · Ben: 10 of 10 decided")).to_be_visible()
    screenshot(ann, "screening-tab")
    ann.get_by_role("button", name="Excluded 1").click()
    rows = ann.locator("tr[data-item]")
    expect(rows).to_have_count(1)
    expect(rows).to_contain_text("Coffee for headache")
    expect(rows).to_contain_text("Wrong design")
    rows.locator(".open").click()
    on_desk(ann, "Coffee")
    consensus = ann.get_by_role("region", name="Consensus")
    expect(consensus).to_contain_text("It was not assigned at random after all.")
    expect(consensus).to_contain_text("Settled by Ben, between Ann and Ben")


@pytest.fixture
def criteria(app: App) -> Iterator[Store]:
    """A project of Ann's in the app's store: two papers and a reference, two criteria, and one suggestion each."""
    store = open_store(load_settings())
    with store.writing("Ann") as change:
        change.save(Project("hostile", f"Drinks {HOSTILE}", ("Ann",), criteria=(ADULTS, RANDOM)))
        for text in (PAPERS[0].replace("rest.", f"rest {HOSTILE}.", 1), PAPERS[1]):
            paper = read_paper(text.encode(), name="drink.md")
            change.keep_file(change.save(record_of(paper, project="hostile")), text.encode())
            change.put(_suggested(paper, ADULTS, "with headache"))
            change.put(_suggested(paper, RANDOM, "randomly"))
        entry = Reference("Mint for headache", ("Rossi, A.",), 2020, abstract="Mint was given to adults.")
        change.save(StoredReference("hostile", "mint", "one.ris", 1, entry))
    yield store
    store.close()


def _suggested(paper: Paper, criterion: Criterion, words: str) -> StoredCriterion:
    found = tuple(EvidenceSentence(one.index, 1.0) for one in paper.sentences if words in one.text)
    made = CriterionSuggestion("offline", criterion.id, Fit.MET, f"It says so {HOSTILE}.", found)
    return StoredCriterion("hostile", paper.id, made)


def decision(store: Store, title: str) -> ScreeningDecision:
    """Ann's stored decision on the item with this title."""
    with store.reading() as now:
        seen = read_screening(now, "hostile", "Ann")
    item = next(item.id for item in seen.items.values() if title in item.title)
    own = seen.view(item).own
    assert own is not None
    return own


def test_criteria_lead_to_their_sentences_and_back_and_what_was_seen_is_stored(
    app: App, criteria: Store, page: Page, screenshot: Callable[[Page, str], Path]
) -> None:
    with criteria.reading() as now:
        tea = next(iter(read_screening(now, "hostile", "Ann").items))
    page.goto(f"{app.url}/screening?project=hostile&reviewer=Ann&item={tea}")
    page.get_by_role("button", name="As they came").click(timeout=WAIT)
    expect(page.get_by_role("button", name="As they came")).to_have_attribute("aria-pressed", "true")
    at_rest(page)
    first = page.locator(".crit").first
    expect(first).to_contain_text("✓ Met", timeout=WAIT)
    expect(first).to_contain_text(HOSTILE)
    first.locator(".crit-sentence").first.click()
    expect(page.locator(".paper .current")).to_contain_text("with headache")
    expect(page.locator(".paper .current .badge")).to_contain_text("A")
    page.locator(".paper .marked").filter(has_text="randomly").click()
    expect(page.locator(".crit[data-pointed]").last).to_contain_text("Assigned at random")
    first.get_by_role("button", name="Not met").click()
    expect(page.locator(".screening-status")).to_have_text("Saved", timeout=WAIT)
    press(page, "e")
    page.get_by_label("Exclude for something else").fill("Animals only")
    press(page, "Enter")
    on_desk(page, "Coffee")
    press(page, "h")
    expect(page.locator(".marked")).to_have_count(0, timeout=WAIT)
    expect(page.get_by_text("Suggestions are hidden")).to_be_visible()
    press(page, "i")
    expect(page.locator(".item-title")).to_have_text("Mint for headache", timeout=WAIT)
    expect(page.locator(".item-citation")).to_contain_text("Rossi, A. · 2020 · Title and abstract")
    expect(page.locator(".paper")).to_contain_text("Mint was given to adults.")
    press(page, "e")
    expect(page.locator(".reason-choice").filter(has_text="Animals only")).to_be_visible()
    screenshot(page, "screening-reference")
    press(page, "0")
    expect(page.locator(".through")).to_be_visible(timeout=WAIT)
    assert page.title() != "hit"

    first_of_all, coffee, mint = (decision(criteria, title) for title in ("Tea", "Coffee", "Mint"))
    assert (first_of_all.verdict, first_of_all.reason) == (ScreeningVerdict.EXCLUDE, "Animals only")
    assert first_of_all.fits == {ADULTS.id: Fit.NOT_MET}
    assert (first_of_all.suggestions_seen, coffee.suggestions_seen) == (("offline",), ())
    assert (coffee.verdict, mint.verdict, mint.reason) == (ScreeningVerdict.INCLUDE, ScreeningVerdict.EXCLUDE, "")


# ---- screening in a reloaded window, and in two windows of one reviewer ----


@pytest.fixture
def project(app: App) -> str:
    """A project of the first four papers, which Ann screens in the order of arrival."""
    id = uuid4().hex
    store = open_store(load_settings())
    with store.writing("Ann") as change:
        change.save(Project(id, "Drinks", ("Ann",), plan=Plan(None, None, None)))
        for text in PAPERS[:4]:
            paper = read_paper(text.encode(), name="drink.md")
            change.save(record_of(paper, project=id))
            change.keep_text(id, paper.id, paper)
    store.close()
    return id


def verdicts(project: str) -> list[tuple[str, ScreeningVerdict | None]]:
    """Ann's stored verdicts, by title."""
    store = open_store(load_settings())
    with store.reading() as now:
        views = now.screenings(project, reader="Ann")
        found = [(saved.record.title.split()[0], views.get(saved.record.id)) for saved in now.stored_papers(project)]
    store.close()
    return [(title, view.own.verdict) for title, view in found if view is not None and view.own is not None]


def desk(page: Page, app: App, project: str) -> Page:
    """Ann's desk, with the papers in the order of arrival."""
    page.goto(f"{app.url}/screening?project={project}&reviewer=Ann")
    page.get_by_role("button", name="As they came").click(timeout=WAIT)
    expect(page.get_by_role("button", name="As they came")).to_have_attribute("aria-pressed", "true")
    on_desk(page, "Tea")
    return page


def at_address(page: Page) -> str | None:
    """The item that the window's address names now."""
    found: str | None = page.evaluate("new URLSearchParams(location.search).get('item')")
    return found


def test_the_address_names_what_is_on_the_desk_and_a_reload_returns_there(page: Page, app: App, project: str) -> None:
    desk(page, app, project)
    at_rest(page)
    addresses = {"Tea": at_address(page)}
    for key, drink in (("i", "Coffee"), ("u", "Cocoa"), ("j", "Milk"), ("k", "Cocoa"), ("z", "Coffee")):
        press(page, key)
        on_desk(page, drink)
        at_rest(page)
        assert addresses.setdefault(drink, at_address(page)) == at_address(page)
    assert None not in addresses.values()
    assert len(set(addresses.values())) == 4
    page.go_back()
    on_desk(page, "Cocoa")
    page.go_back()
    on_desk(page, "Milk")
    page.go_forward()
    on_desk(page, "Cocoa")
    page.go_forward()
    on_desk(page, "Coffee")
    page.reload()
    on_desk(page, "Coffee")
    at_rest(page)
    assert at_address(page) == addresses["Coffee"]
    count(page, "1 of 4 decided")


def test_a_verdict_that_follows_a_step_at_once_is_none_on_the_paper_that_is_left(
    page: Page, app: App, project: str
) -> None:
    desk(page, app, project)
    press(page, "j")
    on_desk(page, "Coffee")
    press(page, "k", "i")
    on_desk(page, "Tea")
    press(page, "u")
    on_desk(page, "Coffee")
    press(page, "z", "e", "5")
    on_desk(page, "Tea")
    assert verdicts(project) == [("Tea", None)]


def test_two_windows_of_a_reviewer_do_not_overwrite_one_another(
    app: App, project: str, open_window: Callable[[App], Page], screenshot: Callable[[Page, str], Path]
) -> None:
    one, two = desk(open_window(app), app, project), desk(open_window(app), app, project)
    press(one, "i")
    on_desk(one, "Coffee")
    press(one, "i")
    on_desk(one, "Cocoa")
    press(two, "u")
    expect(two.locator(".screening-status")).to_contain_text("in another window meanwhile: included", timeout=WAIT)
    expect(two.locator(".stands")).to_contain_text("Included")
    on_desk(two, "Tea")
    screenshot(two, "screening-two-windows")
    assert verdicts(project) == [("Tea", ScreeningVerdict.INCLUDE), ("Coffee", ScreeningVerdict.INCLUDE)]
    press(two, "u")
    on_desk(two, "Cocoa")
    assert verdicts(project)[0] == ("Tea", ScreeningVerdict.UNSURE), "told once, the reviewer may change it"
    press(one, "i")
    on_desk(one, "Milk")
    press(two, "h")
    expect(two.locator(".screening-status")).to_contain_text("in another window meanwhile: included", timeout=WAIT)


def test_a_window_that_nobody_touches_tells_what_was_decided_in_another(
    app: App, project: str, open_window: Callable[[App], Page]
) -> None:
    idle = open_window(app)
    idle.goto(f"{app.url}/review?project={project}&reviewer=Ann")
    idle.get_by_role("tab", name="Screening").click(timeout=WAIT)
    expect(idle.get_by_text("Ann: 0 of 4 decided")).to_be_visible(timeout=WAIT)
    press(desk(open_window(app), app, project), "i")
    expect(idle.get_by_text("Ann: 1 of 4 decided")).to_be_visible(timeout=WAIT)


def test_a_paper_that_screening_opens_as_evidence_survives_a_reload(page: Page, app: App, project: str) -> None:
    desk(page, app, project)
    press(page, "i")
    on_desk(page, "Coffee")
    page.get_by_test_id("stMain").get_by_role("button", name="Evidence").click()
    for _ in range(2):
        expect(page.get_by_role("textbox", name="Hypothesis", exact=True)).to_be_visible(timeout=WAIT)
        expect(page.locator(".paper h1")).to_contain_text("Coffee for headache")
        page.reload()
    page.get_by_role("link", name="Back to screening").click(timeout=WAIT)
    on_desk(page, "Coffee")
