"""What is remembered of a project is what is stored of it, at every moment and for everyone who reads."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime
from threading import Event

import pytest
from sqlalchemy import insert, select, update

from core.bias.model import HIGH, LOW, Level
from core.errors import NotStored
from core.screening.model import ScreeningVerdict
from core.settings import Settings
from core.store import ProjectState, Store, StoredPaper, StoreReader, open_store
from core.store.rows import _MANY, _PROJECTS
from core.store.tables import TABLES, history
from tests.core.store.review import FIRST, PROJECT, SCOPE, SECOND, begin, consensus, judgement, save, suggestion
from tests.core.store.screened import REFERENCE, finding, pairing, screening, sitting


def stored(now: StoreReader, project: str = PROJECT.id) -> ProjectState:
    """What is stored of a project, history and files apart."""
    return replace(now.whole(project), history=())


def present(store: Store) -> ProjectState:
    """What is remembered, which has to be what is stored."""
    with store.reading() as now:
        found = now.present(PROJECT.id)
        assert found == stored(now)
    return found


def test_after_every_change_from_wherever_it_came(settings: Settings, store: Store) -> None:
    begin(store, blind=False)
    other = open_store(settings)
    assert present(store).judgements == ()
    save(store, judgement("Ann"), judgement("Ben", HIGH), finding(), suggestion())
    assert [saved.record.reviewer for saved in present(store).judgements] == ["Ann", "Ben"]
    save(other, REFERENCE, consensus(), screening("Ann", ScreeningVerdict.INCLUDE), pairing(), sitting())
    assert len(present(store).consensus) == 1
    with other.writing("Ann") as change:
        (first,) = change.papers(PROJECT.id, SCOPE)[:1]
        removed = change.remove(first.paper)
    assert [saved.removed for saved in present(store).papers] == [True, False]
    with other.writing("Ann") as change:
        change.restore(removed)
        change.put(replace(suggestion(), cost_usd=1.5))
    assert present(store).suggestions[0].record.cost_usd == 1.5
    with other.writing("Ann") as change:
        change.save(replace(PROJECT, name="Another name", blind=False), seen=1)
        change.queue.note_failure(PROJECT.id, FIRST.id, "read", "Broken.")
    found = present(store)
    assert (found.project.record.name, len(found.failures)) == ("Another name", 1)
    other.close()


def test_only_what_has_changed_is_read_again(store: Store) -> None:
    begin(store, blind=False)
    save(store, judgement("Ann"), judgement("Ben"), finding())
    before = present(store)
    with store.writing("Ann") as change:
        change.save(judgement("Ann", HIGH), seen=1)
    after = present(store)
    assert after.papers is before.papers
    assert after.findings is before.findings
    assert after.judgements[1] is before.judgements[1]
    assert after.judgements[0].record.level == HIGH


@pytest.mark.slow
def test_many_changes_at_once(store: Store) -> None:
    begin(store)
    present(store)
    with store.writing("Ann") as change:
        for number in range(_MANY + 1):
            change.save(StoredPaper(PROJECT.id, f"{10**6 - number:064x}", f"{number}.pdf"))
    assert len(present(store).papers) == 2 + _MANY + 1


def test_a_snapshot_from_before_a_change_knows_nothing_of_it(store: Store) -> None:
    begin(store)
    with store.reading() as early:
        assert early.project(PROJECT.id).version == 1  # from here on it is what it is
        save(store, judgement("Ann"))
        assert len(present(store).judgements) == 1
        assert early.present(PROJECT.id).judgements == ()
        assert len(present(store).judgements) == 1


def test_of_two_changes_at_once_the_earlier_number_may_be_seen_later(store: Store) -> None:
    begin(store)
    save(store, judgement("Ann"), judgement("Ann", domain="D2"))
    last = 100

    def change_beneath(domain: str, level: Level, number: int) -> None:
        with store.engine.begin() as connection:
            table = TABLES[type(judgement("Ann"))]
            here = (table.c.project == PROJECT.id, table.c.domain == domain)
            body = connection.execute(select(table.c.body).where(*here)).scalar_one() | {"level": level}
            connection.execute(update(table).where(*here).values(body=body, version=2))
            item = f'["{PROJECT.id}", "{FIRST.id}", "{domain}", "Ann"]'
            values = {"id": number, "project": PROJECT.id, "kind": table.name, "item": item, "action": "saved"}
            connection.execute(
                insert(history).values(**values, version=2, who="Ann", at=datetime.now(UTC), before=body, after=body)
            )

    change_beneath("D1", HIGH, last)
    assert [saved.record.level for saved in present(store).judgements] == [HIGH, LOW]
    change_beneath("D2", HIGH, last - 1)
    assert [saved.record.level for saved in present(store).judgements] == [HIGH, HIGH]


@pytest.fixture
def turns_at_every_step() -> Iterator[None]:
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(usual)


@pytest.mark.slow
def test_many_readers_while_somebody_writes(store: Store, turns_at_every_step: None) -> None:
    begin(store, blind=False)
    ended = Event()

    def read() -> int:
        looks = 0
        while not ended.is_set() or not looks:
            with store.reading() as now:
                first = stored(now)
                assert now.present(PROJECT.id) == first
            looks += 1
        return looks

    with ThreadPoolExecutor(4) as pool:
        readers = [pool.submit(read) for _ in range(4)]
        try:
            for version in range(30):
                with store.writing("Ann") as change:
                    change.save(judgement("Ann", comment=str(version)), seen=version)
                with store.writing("Ann") as change:
                    change.save(replace(SECOND, title=str(version)), seen=version + 1)
        finally:
            ended.set()
        assert all(reader.result() for reader in readers)


def test_a_change_under_way_is_seen_by_itself_alone(store: Store) -> None:
    begin(store)
    present(store)

    def change_and_fail() -> None:
        with store.writing("Ann") as change:
            change.save(judgement("Ann"))
            assert len(change.present(PROJECT.id).judgements) == 1
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        change_and_fail()
    assert present(store).judgements == ()


def test_the_projects_read_longest_ago_are_forgotten(store: Store) -> None:
    begin(store)
    for number in range(_PROJECTS):
        with store.writing("Ann") as change:
            change.save(replace(PROJECT, id=f"p{number}"))
    first = present(store).papers
    assert present(store).papers is first
    for number in range(_PROJECTS):
        with store.reading() as now:
            assert now.present(f"p{number}") == stored(now, f"p{number}")
    again = present(store).papers
    assert again == first
    assert again is not first


def test_a_deleted_project_is_not_there(store: Store) -> None:
    begin(store)
    present(store)
    with store.writing("Ann") as change:
        change.remove(change.project(PROJECT.id))
    with store.reading() as now, pytest.raises(NotStored):
        now.present(PROJECT.id)
