"""A reviewer's standing word: what comes in is checked for retractions by itself, and all before an export; else nobody is asked."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
import stamina

from core.references import Reference
from core.review.intake import add_references
from core.review.marks import last_checked, marks
from core.review.notices import agree_to_checks, agreed_checks, check_as_agreed, check_notices, due, take_back_checks
from core.review.queue import run_queue, start_queue
from core.settings import Settings
from core.sources.stand_in import SourceFault, StandIn
from core.sources.stand_in.literature import invented, jats
from core.store import Plan, Project, QueueMode, Store, StoredReference, open_store, project_from_file, project_to_file
from core.work.pools import ThreadWorkers
from core.work.progress import WorkProgress
from tests.conftest import copy_database

RIS = "".join(
    f"TY  - JOUR\nTI  - {work.title}\nDO  - {work.doi}\nER  - \n" for work in (invented(number) for number in (3, 4))
)


@pytest.fixture
def stand_in(monkeypatch: pytest.MonkeyPatch) -> Iterator[StandIn]:
    with StandIn(12) as server, stamina.set_testing(True, attempts=2, cap=True):
        monkeypatch.setenv("VOUCH_SOURCES_URL", server.address)
        yield server


@pytest.fixture
def settings(home: Path, stand_in: StandIn) -> Settings:
    return Settings(home=home, data=None, sources_url=stand_in.address)


@pytest.fixture(autouse=True)
def read_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """To begin a process takes longer than all of these tests."""
    monkeypatch.setattr("core.review.queue.ProcessWorkers", lambda do, workers, **_: ThreadWorkers(do, at_once=workers))


@pytest.fixture(autouse=True)
def project(store: Store) -> Project:
    made = Project("towns", "Walking in towns", ("Ann",), plan=Plan(None, None, None), blind=False)
    with store.writing("Ann") as change:
        change.save(made)
    return made


def come_in(store: Store, *, paper: bool = False) -> None:
    """Two references, one of which was retracted, and where it is wanted the paper of another trial; the queue does its work."""
    add_references(store, "towns", RIS.encode(), name="towns.ris", who="Ann")
    if paper:
        work = invented(1)
        with store.writing("Ann") as change:
            change.queue.add_file("towns", "town.xml", jats(work, {}))
    start_queue(store, "towns", "Ann")
    run_queue(store, "towns")


def calls(stand_in: StandIn) -> int:
    return sum(stand_in.asked.values())


def test_nobody_is_asked_before_a_reviewer_says_so(store: Store, settings: Settings, stand_in: StandIn) -> None:
    come_in(store)
    assert check_as_agreed(store, "towns", settings, older=timedelta(0)) == ""
    assert calls(stand_in) == 0
    with store.reading() as now:
        assert now.queue.state("towns").mode is QueueMode.IDLE


def test_what_comes_in_is_checked_in_the_queue_and_each_item_once(
    store: Store, settings: Settings, stand_in: StandIn
) -> None:
    agree_to_checks(store, "towns", who="Ann")
    come_in(store, paper=True)
    with store.reading() as now:
        assert [one.in_words for one in marks(now, "towns").values()] == ["Retracted 2024-05-01 (Crossref)"]
        assert last_checked(now, "towns").unasked == 0, "the paper, too, whose DOI was known once it was read"
        assert due(now, "towns") == ()
        given = agreed_checks(now, "towns")
    assert given is not None
    assert (given.by, given.services, given.problem) == ("Ann", ("crossref", "pubmed"), "")
    before = calls(stand_in)
    start_queue(store, "towns", "Ann")
    assert run_queue(store, "towns") is None, "there is nothing to do"
    assert calls(stand_in) == before


def test_a_failure_is_one_sentence_and_holds_nothing_up(store: Store, settings: Settings, stand_in: StandIn) -> None:
    agree_to_checks(store, "towns", who="Ann")
    stand_in.fault("crossref", SourceFault.DOWN)
    come_in(store, paper=True)
    with store.reading() as now:
        given = now.standing.of("towns")
        assert len(now.paper_ids("towns")) == 1, "the paper was read"
        assert now.queue.state("towns").mode is QueueMode.IDLE
        assert now.queue.failures("towns") == ()
        assert last_checked(now, "towns").unasked == 3
    assert given is not None
    assert given.problem.startswith("Papers could not be checked for retractions: Crossref has a fault of its own")
    assert given.failed is not None
    stand_in.behave()
    assert check_as_agreed(store, "towns", settings) == ""
    with store.reading() as now:
        given = now.standing.of("towns")
        assert last_checked(now, "towns").unasked == 0
    assert given is not None
    assert (given.problem, given.failed) == ("", None)


def test_before_an_export_what_was_asked_long_ago_is_asked_again(
    store: Store, settings: Settings, stand_in: StandIn
) -> None:
    agree_to_checks(store, "towns", who="Ann")
    come_in(store)
    before = calls(stand_in)
    check_as_agreed(store, "towns", settings, older=timedelta(days=1))
    assert calls(stand_in) == before
    check_as_agreed(store, "towns", settings, older=timedelta(0))
    assert calls(stand_in) > before


def test_taken_back_it_ends_also_in_the_middle(store: Store, settings: Settings, stand_in: StandIn) -> None:
    agree_to_checks(store, "towns", who="Ann")
    add_references(store, "towns", RIS.encode(), name="towns.ris", who="Ann")

    def taken_back(share: float, step: str) -> None:
        take_back_checks(store, "towns", who="Ann")

    assert check_as_agreed(store, "towns", settings, at_once=1, progress=taken_back) == ""
    with store.reading() as now:
        assert last_checked(now, "towns").unasked == 1, "the one in hand was asked about, the other was not"
        assert now.standing.of("towns") is None
        assert due(now, "towns") == ()


def test_the_word_holds_for_the_services_that_it_names_alone(store: Store, settings: Settings) -> None:
    with store.writing("Ann") as change:
        change.standing.agree("towns", ["pubmed"])
    add_references(store, "towns", RIS.encode(), name="towns.ris", who="Ann")
    with store.reading() as now:
        assert agreed_checks(now, "towns") is None
        assert due(now, "towns") == ()


def test_the_word_does_not_leave_with_the_project(
    store: Store, settings: Settings, tmp_path: Path, migrated_file: Path
) -> None:
    agree_to_checks(store, "towns", who="Ann")
    with store.reading() as now:
        state = project_from_file(project_to_file(now.whole("towns")))
    elsewhere = Settings(home=tmp_path / "elsewhere", data=None)
    copy_database(migrated_file, elsewhere)
    other = open_store(elsewhere)
    with other.writing("Ben") as change:
        change.import_project(state)
    with other.reading() as now:
        assert now.standing.of("towns") is None
    other.close()


def test_killed_in_the_middle_it_asks_about_the_rest_alone(store: Store, settings: Settings, stand_in: StandIn) -> None:
    with store.writing("Ann") as change:
        for number in range(6):
            said = Reference(f"Town {number}", doi=f"10.5555/town.{number}")
            change.save(StoredReference("towns", f"{number}-1", "towns.ris", number + 1, said))
    agree_to_checks(store, "towns", who="Ann")
    stand_in.fault("crossref", SourceFault.REFUSED)
    whole = check_notices(store, "towns", settings, only=()), calls(stand_in)
    assert whole == (0, 0), "of nothing nobody is asked"
    stand_in.behave()
    asked_before: list[float] = []

    def dies(share: float, step: str) -> None:
        asked_before.append(share)
        if len(asked_before) == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        check_as_agreed(store, "towns", settings, at_once=2, progress=dies)
    with store.reading() as now:
        assert len(due(now, "towns")) == 4
    check_as_agreed(store, "towns", settings, at_once=2)
    assert calls(stand_in) == 3
    assert asked_before == [0, pytest.approx(1 / 3)]


def test_while_it_checks_the_queue_says_so(store: Store, settings: Settings, stand_in: StandIn) -> None:
    agree_to_checks(store, "towns", who="Ann")
    add_references(store, "towns", RIS.encode(), name="towns.ris", who="Ann")
    start_queue(store, "towns", "Ann")
    said: list[WorkProgress] = []
    run_queue(store, "towns", report=said.append)
    assert "Checking for retractions" in {one.step for one in said}
