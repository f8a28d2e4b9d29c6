"""Searches of a review against the stand-in: counted, taken once, run again, fetched, counted in the flow, marked."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import stamina

from core.answering.citations import Way
from core.errors import QueryError, SourceDown, SourceError
from core.export.levels import settled_levels
from core.export.prisma import flow_of
from core.export.report import project_report
from core.export.search_report import search_lines, searched_in_words, searches_csv
from core.references import Reference
from core.review import retrieval, searches
from core.review.citations import drawing_of, follow_citations, take_followed
from core.review.intake import FETCHED
from core.review.marks import last_checked, marks
from core.review.notices import check_notices
from core.review.outputs import flow_items, table_file, table_rows
from core.review.queue import run_queue, start_queue
from core.review.retrieval import fetch_wanted
from core.review.searches import begin_search, certain_pairs, included_without_text, new_records, settle_certain, take
from core.review.status import queue_status
from core.screening.model import ScreeningVerdict
from core.settings import Settings
from core.sources.client import SourceClient
from core.sources.model import FoundText, SearchRun
from core.sources.searching import strings_of
from core.sources.stand_in import SourceFault, StandIn
from core.store import (
    Origin,
    Pairing,
    Plan,
    Project,
    RetrievalState,
    ScreeningDecision,
    Store,
    project_from_file,
    project_to_file,
    tool_of,
)
from core.store.notices import Checked, checked_of, marks_of
from core.store.source_model import StoredSearch
from run import ROOT

THREE = ("europepmc", "pubmed", "clinicaltrials")
MANY = 200  # that the killed process fetches


@pytest.fixture(autouse=True)
def no_waiting() -> Iterator[None]:
    with stamina.set_testing(True, attempts=4, cap=True):
        yield


@pytest.fixture
def stand_in(monkeypatch: pytest.MonkeyPatch) -> Iterator[StandIn]:
    with StandIn(12) as server:
        monkeypatch.setenv("VOUCH_SOURCES_URL", server.address)
        monkeypatch.setenv("VOUCH_MAIL", "ann@example.org")
        yield server


@pytest.fixture
def settings(home: Path, stand_in: StandIn) -> Settings:
    return Settings(home=home, data=None, sources_url=stand_in.address, mail="ann@example.org")


@pytest.fixture
def project(store: Store) -> Project:
    made = Project("towns", "Walking in towns", ("Ann",), plan=Plan(None, None, None), blind=False)
    with store.writing("Ann") as change:
        change.save(made)
    return made


def searched(store: Store, settings: Settings, services: tuple[str, ...] = THREE) -> dict[str, int]:
    search, counted = begin_search(
        store, settings, "towns", "walking AND sleep", strings_of("walking AND sleep", services), who="Ann"
    )
    usable = [one.service for one in counted if one.count is not None]
    return take(store, new_records(store, settings, search, usable), who="Ann")


def include_all(store: Store) -> int:
    with store.reading() as now:
        left_out = now.left_out("towns")
        ids = [one.record.id for one in now.references("towns") if one.record.id not in left_out]
    with store.writing("Ann") as change:
        for item in ids:
            change.save(ScreeningDecision("towns", item, "Ann", ScreeningVerdict.INCLUDE))
        return change.retrievals.want("towns", ids)


def test_counts_come_first_and_nothing_is_taken_twice(store: Store, settings: Settings, project: Project) -> None:
    search, counted = begin_search(store, settings, "towns", "walking", strings_of("walking", THREE), who="Ann")
    assert {one.service: one.count for one in counted} == {"europepmc": 12, "pubmed": 8, "clinicaltrials": 3}
    with store.reading() as now:
        assert now.references("towns") == (), "nothing is taken before"
    new = new_records(store, settings, search, THREE)
    assert take(store, new, who="Ann") == {"europepmc": 12, "pubmed": 8, "clinicaltrials": 3}
    assert take(store, new, who="Ann") == {"europepmc": 0, "pubmed": 0, "clinicaltrials": 0}
    with store.reading() as now:
        (kept,) = now.searches("towns")
        origins = {one.record.source: one.record.origin for one in now.references("towns")}
    assert kept.record.last is not None
    assert kept.record.last.taken == {"europepmc": 12, "pubmed": 8, "clinicaltrials": 3}
    assert origins == {
        "Europe PMC": Origin.DATABASE, "PubMed": Origin.DATABASE, "ClinicalTrials.gov": Origin.REGISTER,
    }  # fmt: skip


def test_killed_while_it_takes_the_run_says_how_many_were_taken(
    store: Store, settings: Settings, project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    search, _ = begin_search(store, settings, "towns", "walking", strings_of("walking", THREE), who="Ann")
    new = new_records(store, settings, search, THREE)
    whole, times = searches._take_in, list[int]()

    def dies(*arguments: Any) -> int:
        times.append(1)
        if len(times) == 3:
            raise KeyboardInterrupt
        return whole(*arguments)

    with monkeypatch.context() as patch:
        patch.setattr(searches, "_take_in", dies)
        with pytest.raises(KeyboardInterrupt):
            take(store, new, who="Ann", at_once=5)
    with store.reading() as now:
        (kept,) = now.searches("towns")
        assert len(now.references("towns")) == 10
    assert kept.record.last is not None
    assert kept.record.last.taken == {"europepmc": 10}
    assert take(store, new, who="Ann", at_once=5) == {"europepmc": 2, "pubmed": 8, "clinicaltrials": 3}
    with store.reading() as now:
        (kept,) = now.searches("towns")
    assert kept.record.last is not None
    assert kept.record.last.taken == {"europepmc": 12, "pubmed": 8, "clinicaltrials": 3}


def test_run_again_it_shows_what_is_new(store: Store, settings: Settings, project: Project, stand_in: StandIn) -> None:
    searched(store, settings)
    stand_in.publish(2)
    with store.reading() as now:
        (kept,) = now.searches("towns")
    again, counted = begin_search(
        store, settings, "towns", kept.record.asked, kept.record.strings, who="Ann", again=kept.record.id
    )
    new = new_records(store, settings, again, [one.service for one in counted])
    titles = {record.reference.title for some in new.records.values() for record in some}
    assert {title.partition(":")[0][-7:] for title in titles} == {"town 12", "town 13"}
    take(store, new, who="Ann")
    with store.reading() as now:
        (kept,) = now.searches("towns")
    assert len(kept.record.runs) == 2
    assert sum(kept.record.runs[1].taken.values()) == new.count


def test_who_asks_the_same_twice_in_a_sitting_has_searched_once(
    store: Store, settings: Settings, project: Project, stand_in: StandIn
) -> None:
    strings = strings_of("walking AND sleep", THREE)
    searched(store, settings)
    again, counted = begin_search(store, settings, "towns", "walking AND sleep", strings, who="Ann")
    assert [one.count for one in counted] == [12, 8, 3]
    assert new_records(store, settings, again, THREE).count == 0
    with store.reading() as now:
        (kept,) = now.searches("towns")
    assert (len(kept.record.runs), sum(kept.record.runs[0].taken.values())) == (1, 23)
    assert "run again" not in searched_in_words([kept.record])
    begin_search(store, settings, "towns", "walking AND sleep", strings, who="Ben")
    with store.writing("Ann") as change:  # the same, but some time ago
        (kept,) = change.searches("towns")
        long_ago = tuple(replace(run, by="Ann", at=run.at - timedelta(hours=3)) for run in kept.record.runs)
        change.save(replace(kept.record, runs=long_ago), seen=kept.version)
    begin_search(store, settings, "towns", "walking AND sleep", strings, who="Ann")
    with store.reading() as now:
        (kept,) = now.searches("towns")
    assert [run.by for run in kept.record.runs] == ["Ann", "Ann", "Ann"], "Ben's run, and the one of later, count"


def test_what_was_left_out_marks_what_stands_for_it_in_the_report(
    store: Store, settings: Settings, project: Project
) -> None:
    searched(store, settings, ("europepmc",))
    with store.reading() as now:
        ((item, _),) = marks(now, "towns").items()
        first = next(one.record.id for one in now.references("towns") if one.record.id != item)
    with store.writing("Ann") as change:
        change.save(Pairing("towns", first, item, same=True))
    with store.reading() as now:
        assert marks_of(now.whole("towns")) == marks(now, "towns")
        assert first in marks(now, "towns")


def test_who_takes_it_back_is_asked_for_no_longer(
    store: Store, settings: Settings, project: Project, stand_in: StandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    searched(store, settings, ("europepmc",))
    assert include_all(store) == 12
    whole, sought = retrieval.open_text, list[Reference]()

    def until_two(client: SourceClient, reference: Reference) -> FoundText:
        sought.append(reference)
        if len(sought) == 2:  # in the middle of it
            with store.writing("Ann") as change:
                assert change.retrievals.give_up("towns") == 11
        return whole(client, reference)

    monkeypatch.setattr(retrieval, "open_text", until_two)
    fetch_wanted(store, "towns", settings)
    assert len(sought) == 2
    with store.reading() as now:
        assert len(now.retrievals.all("towns")) == 1, "the one that was through before"


def test_a_service_that_fails_keeps_no_other_from_it(
    store: Store, settings: Settings, project: Project, stand_in: StandIn
) -> None:
    stand_in.fault("pubmed", SourceFault.DOWN)
    assert searched(store, settings) == {"europepmc": 12, "clinicaltrials": 3}
    with store.reading() as now:
        (kept,) = now.searches("towns")
    assert kept.record.last is not None
    assert "PubMed has a fault of its own" in kept.record.last.problems["pubmed"]
    for service in THREE:
        stand_in.fault(service, SourceFault.DOWN)
    with pytest.raises(SourceError, match="fault of its own"):
        begin_search(store, settings, "towns", "other", strings_of("other", THREE), who="Ann")
    with store.reading() as now:
        assert len(now.searches("towns")) == 1


def test_more_than_can_be_taken(store: Store, settings: Settings, project: Project) -> None:
    search, _ = begin_search(store, settings, "towns", "walking", strings_of("walking", THREE), who="Ann")
    assert search.last is not None
    large = replace(search, runs=(replace(search.last, found={"europepmc": 10_001}),))
    with pytest.raises(QueryError, match="Narrow the search"):
        new_records(store, settings, large, ["europepmc"])


@pytest.mark.slow
def test_from_search_to_flow(store: Store, settings: Settings, project: Project) -> None:
    searched(store, settings)
    with store.reading() as now:
        assert len(certain_pairs(now, "towns")) == 8
    assert settle_certain(store, "towns", who="Ann") == 8
    with store.reading() as now:
        assert certain_pairs(now, "towns") == ()
    assert include_all(store) == 15
    with store.reading() as now:
        assert queue_status(now, project).to_fetch == 15
        assert len(included_without_text(now, "towns", reader="Ann")) == 15
    start_queue(store, "towns", "Ann")
    run_queue(store, "towns")
    with store.reading() as now:
        status = queue_status(now, project)
        states = {one.item: one for one in now.retrievals.all("towns")}
        matched = [one.record for one in now.references("towns") if one.record.paper]
        counts = flow_of(flow_items(now, "towns", reader="Ann"))
    assert (status.to_fetch, status.papers, status.unreadable) == (0, 8, ())
    assert not status.anything_to_do
    assert sum(one.state is RetrievalState.FETCHED for one in states.values()) == 8
    assert {one.why for one in states.values() if one.state is RetrievalState.FAILED} == {
        "Not open access: ask your library, or add the file by hand.",
        "It is a trial's registration, which has no full text: look for the trial's reports.",
        "The open copy could not be fetched: the site sent a web page, perhaps a login, in place of the file. "
        "Ask your library.",
    }
    assert {one.matched for one in matched} >= {FETCHED}
    assert {(one.name, one.records) for one in counts.search.sources} == {
        ("Europe PMC", 12), ("PubMed", 8), ("ClinicalTrials.gov (register)", 3),
    }  # fmt: skip
    assert (counts.search.duplicates, counts.search.screened, counts.search.waiting_retrieval) == (8, 15, 7)
    assert counts.other.identified == 0


def test_a_service_that_is_down_leaves_the_rest_wanted(
    store: Store, settings: Settings, project: Project, stand_in: StandIn
) -> None:
    searched(store, settings, ("europepmc",))
    assert include_all(store) == 12
    stand_in.fault("europepmc", SourceFault.DOWN)
    with pytest.raises(SourceError, match="Europe PMC has a fault"):
        fetch_wanted(store, "towns", settings)
    with store.reading() as now:
        assert now.retrievals.wanted_count("towns") == 12
    stand_in.behave()
    assert fetch_wanted(store, "towns", settings) == 8
    with store.writing("Ann") as change:
        failed = [one.item for one in change.retrievals.all("towns") if one.state is RetrievalState.FAILED]
        assert change.retrievals.want("towns", failed) == 4, "what failed may be tried again"


def test_an_article_for_which_a_service_fails_holds_up_no_other(
    store: Store, settings: Settings, project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    searched(store, settings, ("europepmc",))
    assert include_all(store) == 12
    whole, failing = retrieval.open_text, list[Reference]()

    def all_but_one(client: SourceClient, reference: Reference) -> FoundText:
        failing[:] = failing or [reference]
        if reference == failing[0]:
            raise SourceDown("Europe PMC has a fault.")
        return whole(client, reference)

    monkeypatch.setattr(retrieval, "open_text", all_but_one)
    with pytest.raises(SourceDown, match="Europe PMC has a fault"):
        fetch_wanted(store, "towns", settings)
    with store.reading() as now:
        assert now.retrievals.wanted_count("towns") == 1
        assert len(now.queue.incoming("towns")) >= 7


@pytest.mark.slow
def test_killed_while_it_fetches_it_goes_on_and_asks_nothing_twice(
    store: Store, home: Path, project: Project, stand_in: StandIn, settings: Settings
) -> None:
    stand_in.publish(MANY - 12)
    searched(store, settings, ("europepmc",))
    assert include_all(store) == MANY
    before = sum(stand_in.asked.values())
    stand_in.latency = 0.02
    command = [sys.executable, str(ROOT / "tests" / "core" / "review" / "fetch_to_kill.py"), "towns"]
    process = subprocess.Popen(command, cwd=ROOT, env=os.environ | {"PYTHONPATH": str(ROOT)})
    try:
        last = time.monotonic() + 120
        while sum(stand_in.asked.values()) < before + MANY and time.monotonic() < last:
            time.sleep(0.02)
    finally:
        process.kill()
        process.wait()
    with store.reading() as now:
        assert 0 < now.retrievals.wanted_count("towns") < MANY, "it was killed in the middle"
    stand_in.latency = 0
    fetch_wanted(store, "towns", settings)
    with store.reading() as now:
        assert now.retrievals.wanted_count("towns") == 0
        assert len(now.queue.incoming("towns")) == sum(
            one.state is RetrievalState.FETCHED for one in now.retrievals.all("towns")
        )
    again = sum(number - 1 for number in stand_in.asked.values())
    assert again <= 1, "but for what was on its way at that moment"


@pytest.mark.slow
def test_marks(store: Store, settings: Settings, project: Project) -> None:
    searched(store, settings, ("europepmc",))
    with store.reading() as now:
        assert [one.in_words for one in marks(now, "towns").values()] == ["Retracted 2024 (Europe PMC)"]
        assert last_checked(now, "towns") == Checked(None, 12)
    assert check_notices(store, "towns", settings) == 1
    include_all(store)
    start_queue(store, "towns", "Ann")
    run_queue(store, "towns")
    with store.reading() as now:
        stands = last_checked(now, "towns")
        sheet = str(table_file(now, "towns", ".html", reader="Ann", made=datetime.now(UTC)))
        rows = {row.title: row.notice for row in table_rows(now, "towns", reader="Ann")}
        state = now.whole("towns", with_files=True)
        texts = {id: now.text("towns", id) for id in now.paper_ids("towns")}
        (retracted,) = (row.paper for row in table_rows(now, "towns", reader="Ann") if row.notice)
    assert checked_of(state) == stands
    assert (stands.since is not None, stands.unasked) == (True, 0), "what was asked of a reference holds for its paper"
    assert stands.in_words in sheet
    assert [notice for title, notice in rows.items() if "town 4:" in title] == ["Retracted 2024-05-01 (Crossref)"]
    assert sum(map(bool, rows.values())) == 1
    page = project_report(
        state,
        settled_levels(state, tool_of(project)),
        {id: text for id, text in texts.items() if text},
        date=datetime.now(UTC),
    )
    assert stands.in_words in page
    assert marks_of(state)[retracted].in_words == "Retracted 2024-05-01 (Crossref)"
    assert "Searches" in page
    assert "walking AND sleep" in page
    other = project_from_file(project_to_file(state))
    assert other.searches == state.searches
    assert other.notices == state.notices
    assert other.retrievals == state.retrievals


def test_what_prisma_s_asks_for(store: Store, settings: Settings, project: Project) -> None:
    searched(store, settings)
    with store.reading() as now:
        searches = [saved.record for saved in now.searches("towns")]
    words = searched_in_words(searches)
    assert words.startswith("We searched the databases Europe PMC and PubMed (2")
    assert "the register ClinicalTrials.gov" in words
    assert "Europe PMC: 12; PubMed: 8; ClinicalTrials.gov: 3 records" in words
    assert [(line.source, line.kind, line.found, line.taken) for line in search_lines(searches)] == [
        ("Europe PMC", "database", 12, 12), ("PubMed", "database", 8, 8), ("ClinicalTrials.gov", "register", 3, 3),
    ]  # fmt: skip
    assert "eutils.ncbi.nlm.nih.gov,walking AND sleep,8,8" in searches_csv(searches)
    assert searched_in_words(()) == ""


def test_what_never_answered_was_not_searched() -> None:
    first, again = (datetime(2026, 1, day, tzinfo=UTC) for day in (1, 2))
    strings = {"europepmc": ("q",), "pubmed": ("q",), "clinicaltrials": ("q",)}
    wrong = {"pubmed": "PubMed cannot read this query."}
    runs = (
        SearchRun(first, "Ann", {"europepmc": 12, "clinicaltrials": 3}, problems=wrong),
        SearchRun(again, "Ann", {"clinicaltrials": 3}, problems=wrong | {"europepmc": "It is busy."}),
    )
    words = searched_in_words([StoredSearch("p", "i", "q", strings, runs)])
    assert words.startswith(
        "We searched the database Europe PMC (2026-01-01). "
        "We searched the register ClinicalTrials.gov (2026-01-01 to 2026-01-02)."
    )
    assert "At least one search was not answered by PubMed." in words


def test_snowballing_takes_what_enough_included_papers_share(
    store: Store, settings: Settings, project: Project
) -> None:
    numbers = ("10.5555/town.7", "10.5555/town.8", "10.5555/town.9")
    search, _ = begin_search(
        store, settings, "towns", "\n".join(numbers), strings_of("\n".join(numbers), ["europepmc"]), who="Ann"
    )
    take(store, new_records(store, settings, search, ["europepmc"]), who="Ann")
    include_all(store)
    found = follow_citations(
        store, "towns", settings, ["europepmc", "crossref", "openalex", "semanticscholar"], reader="Ann", shared=3
    )
    assert {(one.work.doi, one.way, one.shared) for one in found.works} == {
        ("10.5555/town.1", Way.REFERENCE, 3), ("10.5555/town.2", Way.REFERENCE, 3),
    }  # fmt: skip
    assert "town 1" in drawing_of(found).description
    any_one = follow_citations(store, "towns", settings, ["openalex"], reader="Ann", shared=1)
    assert {one.work.doi for one in any_one.works} == {
        "10.5555/town.1", "10.5555/town.2", "10.5555/town.6", "10.5555/town.10",
    }  # fmt: skip
    assert take_followed(store, "towns", found.works, who="Ann") == 2
    assert take_followed(store, "towns", found.works, who="Ann") == 0
    with store.reading() as now:
        counts = flow_of(flow_items(now, "towns", reader="Ann"))
    assert [(one.name, one.records) for one in counts.other.sources] == [("Citation searching", 2)]
    assert counts.other.waiting_screening == 2
