"""The tab Search without a browser: what it says before anything is sent, and what is kept after a failure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
import stamina
from streamlit.testing.v1 import AppTest

from core.references import Reference
from core.review.notices import agree_to_checks
from core.screening.model import ScreeningVerdict
from core.settings import load_settings
from core.sources.stand_in import SourceFault, StandIn
from core.store import Plan, Project, ScreeningDecision, Store, StoredReference, open_store
from pages._ui import standing_checks
from pages._ui.review import evidence_tab, outputs
from pages._ui.review.state import ReviewWork
from tests.pages.test_review_page import ROOT, click, ran

TOWNS = Project("towns", "Walking in towns", ("Ann",), plan=Plan(None, None, None), blind=False)


@pytest.fixture
def stand_in(monkeypatch: pytest.MonkeyPatch) -> Iterator[StandIn]:
    with stamina.set_testing(True, attempts=1, cap=True), StandIn(4) as server:
        monkeypatch.setenv("VOUCH_SOURCES_URL", server.address)
        monkeypatch.setenv("VOUCH_MAIL", "")
        yield server


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stand_in: StandIn) -> Iterator[Store]:
    monkeypatch.setenv("VOUCH_HOME", str(tmp_path))
    opened = open_store(load_settings())
    with opened.writing("Ann") as change:
        change.save(TOWNS)
        change.save(replace(TOWNS, id="hills", name="Walking on hills"))
    yield opened
    opened.close()


def review_page(store: Store, tab: str = "Search") -> AppTest:
    at = AppTest.from_file(ROOT / "app.py", default_timeout=60).run()
    work: ReviewWork = at.session_state["vouch"].review
    work.enter("towns", "Ann")
    work.tab = tab
    return ran(at.switch_page("pages/review.py"))


def through(at: AppTest) -> None:
    """Wait for the answers of the services, and let the page take them."""
    work: ReviewWork = at.session_state["vouch"].review
    if (job := work.sources.job) is not None:
        assert job.wait(60)
    ran(at)


def words(at: AppTest) -> str:
    said = (*at.error, *at.warning, *at.success, *at.caption, *at.markdown)
    return " ".join(one.value for one in said).replace("\\", "")


def test_a_failure_is_told_until_the_next_thing_is_asked_for(store: Store, stand_in: StandIn) -> None:
    at = review_page(store)
    for service in ("europepmc", "pubmed", "clinicaltrials"):
        stand_in.fault(service, SourceFault.DOWN)
    ran(at.text_area(key="search-asked-towns").set_value("walking"))
    click(at, "ask-services")
    through(at)
    assert "has a fault of its own" in words(at)
    ran(at.text_area(key="search-asked-towns").set_value("walking AND sleep"))
    assert "has a fault of its own" in words(at), "another click does not take it away"
    stand_in.behave()
    click(at, "ask-services")
    through(at)
    assert "has a fault of its own" not in words(at)
    assert "in Europe PMC" in words(at)
    assert not at.button(key="ask-services").disabled, "it can be asked again at once"


def test_all_that_would_be_sent_can_be_read_before(store: Store) -> None:
    at = review_page(store)
    query = " OR ".join(f"word{number}" for number in range(200))
    ran(at.text_area(key="search-asked-towns").set_value(query))
    assert query in {one.value for one in at.code}


def test_a_search_goes_on_while_another_project_is_open(store: Store) -> None:
    at = review_page(store)
    ran(at.text_area(key="search-asked-towns").set_value("walking"))
    click(at, "ask-services")
    work: ReviewWork = at.session_state["vouch"].review
    ran(at)
    work.enter("hills", "Ann")
    ran(at)
    assert at.text_area(key="search-asked-hills").value == ""
    work.enter("towns", "Ann")
    ran(at)
    through(at)
    assert at.text_area(key="search-asked-towns").value == "walking"
    assert "in Europe PMC" in words(at)


def test_what_is_not_fetched_yet_can_be_taken_back(store: Store) -> None:
    with store.writing("Ann") as change:
        for number in range(3):
            change.save(StoredReference("towns", f"{number}-1", "PubMed", number, Reference(f"Town {number}")))
            change.save(ScreeningDecision("towns", f"{number}-1", "Ann", ScreeningVerdict.INCLUDE))
        change.retrievals.want("towns", ["0-1", "1-1"])
    at = review_page(store)
    assert "2 to fetch" in words(at)
    click(at, "give-up-texts")
    assert "2 full texts will not be fetched." in words(at)
    with store.reading() as now:
        assert now.retrievals.wanted_count("towns") == 0
    assert "give-up-texts" not in [one.key for one in at.button]


def test_before_an_export_papers_can_be_checked_for_retractions(store: Store) -> None:
    with store.writing("Ann") as change:
        said = Reference("Walking and sleep in town 4", doi="10.5555/town.4")
        change.save(StoredReference("towns", "4-1", "PubMed", 1, said))
    at = review_page(store, "Outputs")
    assert "Nobody has looked yet" in words(at)
    click(at, "check-notices")
    through(at)
    assert f"on {datetime.now(UTC):%Y-%m-%d} (UTC)" in words(at)


def test_a_reviewer_agrees_once_and_files_wait_for_the_check(store: Store, stand_in: StandIn) -> None:
    at = review_page(store, "Outputs")
    assert "check-by-itself-towns" not in [one.key for one in at.toggle], "there is nothing to take away yet"
    at = review_page(store)
    assert not at.toggle(key="check-by-itself-towns").value
    ran(at.toggle(key="check-by-itself-towns").set_value(True))
    assert "Ann agreed to it on" in words(at)
    assert stand_in.asked == {}, "there is no paper yet"
    with store.writing("Ann") as change:
        said = Reference("Walking and sleep in town 4", doi="10.5555/town.4")
        change.save(StoredReference("towns", "4-1", "PubMed", 1, said))
    stand_in.publish(2)
    work: ReviewWork = at.session_state["vouch"].review
    work.tab = "Outputs"
    ran(at)
    (ris,) = (file for file in outputs.DECISIONS if file.ending == ".ris")
    made = outputs._project_file(at.session_state["vouch"], ris, "towns", "Ann")
    assert b"Retracted 2024-05-01 (Crossref)" in made
    assert sum(stand_in.asked.values()) == 1
    outputs._project_file(at.session_state["vouch"], ris, "towns", "Ann")
    assert sum(stand_in.asked.values()) == 1, "not again within a day"
    ran(at)
    assert "Checked for retractions" in words(at)
    ran(at.toggle(key="check-by-itself-towns").set_value(False))
    with store.reading() as now:
        assert now.standing.of("towns") is None
    assert "agreed to it" not in words(at)


def test_a_check_that_fails_or_lasts_stops_no_file_and_is_told(
    store: Store, stand_in: StandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    with store.writing("Ann") as change:
        for number in (4, 5):
            said = Reference(f"Walking and sleep in town {number}", doi=f"10.5555/town.{number}")
            change.save(StoredReference("towns", f"{number}-1", "PubMed", number, said))
    agree_to_checks(store, "towns", who="Ann")
    stand_in.fault("crossref", SourceFault.DOWN)
    page = evidence_tab._file("towns", "Ann", ".html", None).decode()
    assert "Nobody has looked yet" in page
    at = review_page(store, "Outputs")
    assert "Papers could not be checked for retractions: Crossref has a fault of its own" in words(at)
    stand_in.behave()
    stand_in.latency = 1.0
    monkeypatch.setattr(standing_checks, "PATIENCE", 0.01)
    page = evidence_tab._file("towns", "Ann", ".html", None).decode()
    assert "Nobody has looked yet" in page, "the file did not wait for ever"
    for job in [*standing_checks._at_work.values()]:
        assert job.wait(60), "the check goes on"
    assert "Checked for retractions" in evidence_tab._file("towns", "Ann", ".html", None).decode()
