"""Answers of a project: kept, listed without what they rest on, read whole and deleted; with their project there and back."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import JSON, DateTime, column, event, insert, table, update

from core.errors import AnswerError, NotStorable, NotStored
from core.settings import Settings
from core.store import KeptAnswer, ListedAnswer, Store, open_store, project_from_json, project_to_json
from core.store.model import FORMAT, Project
from core.store.private import OWNER, create_own_project, forget
from core.store.store import SCRIPTS, address_of, connect, migrate, transaction
from core.store.tables import answers
from tests.core.answering.made import quoted, says, written
from tests.core.store.review import FIRST, PROJECT, begin


def test_it_is_listed_by_what_was_asked_and_read_whole(store: Store) -> None:
    begin(store)
    given = (written(), quoted(says("a")), quoted(), replace(written(), problem="No server.", statements=()))
    with store.writing("Ann") as change:
        kept = [change.answers.keep(PROJECT.id, one) for one in given]
    with store.reading() as now:
        listed = now.answers.listed(PROJECT.id)
        read = [now.answers.one(PROJECT.id, one.id) for one in kept]
    assert read == kept
    assert [one.answer for one in read] == list(given)
    assert [one.id for one in listed] == [one.id for one in reversed(kept)]
    first, asked = kept[0], given[0].question.text
    assert listed[-1] == ListedAnswer(first.id, 1, first.asked, "Ann", asked, "made:up@agent", 3, 3, answered=True)
    assert [(one.reporting, one.answered) for one in listed] == [(0, False), (0, False), (1, True), (3, True)]
    assert timedelta(0) <= datetime.now(UTC) - first.asked < timedelta(minutes=1)


def test_a_list_reads_no_evidence(store: Store) -> None:
    begin(store)
    with store.writing("Ann") as change:
        change.answers.keep(PROJECT.id, written())
    asked: list[str] = []
    event.listen(store.engine, "before_cursor_execute", lambda *given: asked.append(given[2]))
    with store.reading() as now:
        now.answers.listed(PROJECT.id)
    assert [one for one in asked if "answers.body" in one] == []
    assert [one for one in asked if "FROM answers" in one] != []


def test_every_reviewer_of_a_blind_project_sees_it(store: Store) -> None:
    """An answer is no judgement: nobody's own has to come first."""
    begin(store, blind=True)
    with store.writing("Ann") as change:
        change.answers.keep(PROJECT.id, written())
    with store.writing("Ben") as change:
        change.answers.keep(PROJECT.id, quoted())
        assert [one.by for one in change.answers.listed(PROJECT.id)] == ["Ben", "Ann"]


def test_one_that_is_deleted_is_gone_and_the_others_stay(store: Store) -> None:
    begin(store)
    with store.writing("Ann") as change:
        first, second = (change.answers.keep(PROJECT.id, one) for one in (written(), quoted()))
        change.answers.remove(PROJECT.id, first.id)
    with store.reading() as now:
        assert [one.id for one in now.answers.listed(PROJECT.id)] == [second.id]
        assert now.whole(PROJECT.id).answers == (second,)
        with pytest.raises(NotStored, match="This answer is not in the project"):
            now.answers.one(PROJECT.id, first.id)
    with pytest.raises(NotStored, match="This answer"), store.writing("Ann") as change:
        change.answers.remove(PROJECT.id, first.id)


def test_answers_go_and_come_back_with_their_project(store: Store) -> None:
    begin(store)
    with store.writing("Ann") as change:
        kept = change.answers.keep(PROJECT.id, written())
        change.remove(change.project(PROJECT.id))
    with store.writing("Ann") as change:
        for ask in (
            lambda: change.answers.listed(PROJECT.id),
            lambda: change.answers.one(PROJECT.id, kept.id),
            lambda: change.answers.keep(PROJECT.id, quoted()),
            lambda: change.answers.remove(PROJECT.id, kept.id),
        ):
            with pytest.raises(NotStored, match="This project"):
                ask()
        [gone] = change.projects(removed=True)
        change.restore(gone)
        assert len(change.answers.listed(PROJECT.id)) == 1


def test_another_project_has_answers_of_its_own(store: Store) -> None:
    begin(store)
    with store.writing("Ann") as change:
        change.save(Project("other", "Another", ("Ann",)))
        kept = change.answers.keep(PROJECT.id, written())
        assert change.answers.keep("other", quoted()).number == 1
        with pytest.raises(NotStored, match="This answer"):
            change.answers.one("other", kept.id)
        with pytest.raises(NotStored, match="This answer"):
            change.answers.remove("other", kept.id)


def test_what_cannot_be_kept(store: Store) -> None:
    begin(store)
    for who, answer, said in (
        ("Ann", replace(written(), notes=("a\0b",)), "cannot be stored"),
        ("Ann", replace(written(), seconds=float("inf")), "cannot be stored"),
        (" ", written(), "A name is missing"),
        ("A\0", written(), "cannot be stored"),
    ):
        with pytest.raises(NotStorable, match=said), store.writing(who) as change:
            change.answers.keep(PROJECT.id, answer)
    with store.reading() as now:
        assert now.answers.listed(PROJECT.id) == ()
        with pytest.raises(RuntimeError, match="got for reading"):
            now.answers.keep(PROJECT.id, written())


def test_many_who_ask_at_once_get_numbers_of_their_own(store: Store) -> None:
    begin(store)

    def keep(who: str) -> int:
        with store.writing(who) as change:
            return change.answers.keep(PROJECT.id, written()).number

    with ThreadPoolExecutor(4) as pool:
        assert sorted(pool.map(keep, ["Ann", "Ben"] * 6)) == list(range(1, 13))


def test_a_row_that_was_damaged_is_told_when_it_is_read(store: Store) -> None:
    begin(store)
    with store.writing("Ann") as change:
        kept = change.answers.keep(PROJECT.id, written())
        change.connection.execute(update(answers).values(body={"engine": "offline"}))
    with store.reading() as now:
        assert len(now.answers.listed(PROJECT.id)) == 1
        with pytest.raises(AnswerError, match="see question"):
            _ = now.answers.one(PROJECT.id, kept.id).answer


def test_nothing_is_left_of_a_paper_that_was_forgotten(store: Store) -> None:
    with store.writing(OWNER) as change:
        create_own_project(change, "own")
        change.save(replace(FIRST, project="own"))
        for one in (quoted(says(FIRST.id), says("b")), quoted(says("b")), quoted()):
            change.answers.keep("own", one)
        damaged = change.answers.keep("own", quoted())
        change.connection.execute(update(answers).where(answers.c.id == damaged.id).values(body={"evidence": 5}))
        forget(change, "own", FIRST.id)
        assert [one.number for one in change.answers.listed("own")] == [3, 2]


def test_there_and_back_with_the_project(store: Store, elsewhere: Store) -> None:
    begin(store)
    with store.writing("Ann") as change:
        kept = tuple(change.answers.keep(PROJECT.id, one) for one in (written(), quoted(says("a"))))
        state = change.whole(PROJECT.id)
    with elsewhere.writing("Cleo") as change:
        change.import_project(project_from_json(project_to_json(state)))
    with elsewhere.reading() as now:
        assert now.whole(PROJECT.id) == state
        assert now.whole(PROJECT.id).answers == kept
        assert now.present(PROJECT.id).answers == (), "no screen shows all of them"
    with store.reading() as here, elsewhere.reading() as there:
        assert there.answers.listed(PROJECT.id) == here.answers.listed(PROJECT.id)


def test_a_project_of_a_vouch_that_kept_no_answers_opens(store: Store) -> None:
    begin(store)
    with store.reading() as now:
        state = now.whole(PROJECT.id)
    document = json.loads(project_to_json(state))
    del document["answers"]
    document["format"] = 7
    assert project_from_json(json.dumps(document)) == state
    assert state.format == FORMAT


def test_a_database_of_a_vouch_that_kept_no_answers(settings: Settings, tmp_path: Path) -> None:
    older = tmp_path / "older"
    shutil.copytree(SCRIPTS, older, ignore=shutil.ignore_patterns("__pycache__", "v0009*", "v001*"))
    settings.home.mkdir(parents=True, exist_ok=True)
    engine = connect(address_of(settings))
    migrate(engine, older)
    moment = datetime(2026, 11, 20, tzinfo=UTC)
    row = {"version": 1, "removed": False, "added_at": moment, "changed_at": moment, "changed_by": "Ann"}
    body = {"id": PROJECT.id, "name": "Walking", "reviewers": ["Ann", "Ben"]}
    types = {"body": JSON, "added_at": DateTime(timezone=True), "changed_at": DateTime(timezone=True)}
    columns = [column(name, types.get(name)) for name in ("id", "body", *row)]
    with transaction(engine) as connection:
        connection.execute(insert(table("projects", *columns)).values(id=PROJECT.id, body=body, **row))
    engine.dispose()
    store = open_store(settings)
    with store.writing("Ann") as change:
        assert change.answers.listed(PROJECT.id) == ()
        kept: KeptAnswer = change.answers.keep(PROJECT.id, written())
        assert change.answers.one(PROJECT.id, kept.id).answer == written()
    store.close()


@pytest.mark.slow
def test_the_store_opens_without_the_index_of_a_library() -> None:
    """It takes longer to load than all of the store. Its database is loaded where a library is opened, and not before."""
    code = (
        "import sys, core.store; print({'lancedb', 'pyarrow', 'core.answering'} & set(sys.modules)); "
        "import core.library; print('lancedb' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["set()", "False"]
