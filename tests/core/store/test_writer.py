"""Saving, conflicts, deleting and undoing it, and the history of it all."""

from __future__ import annotations

import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import pairwise

import pytest
from sqlalchemy import insert, select, update
from sqlalchemy.exc import IntegrityError

from core.bias.model import HIGH
from core.errors import NotStorable, NotStored, StillBlind, StoreUnreachable
from core.settings import Settings
from core.store import Action, Conflict, ReviewerJudgement, Saved, Store, open_store
from core.store.tables import history, papers
from run import ROOT
from tests.core.store.review import (
    FIRST,
    PROJECT,
    SCOPE,
    SECOND,
    begin,
    consensus,
    decisions,
    judgement,
    save,
    suggestion,
)


def own(store: Store, reader: str = "Ann") -> Saved[ReviewerJudgement] | None:
    with store.reading() as now:
        return now.domains(PROJECT.id, FIRST.id, SCOPE, reader=reader)["D1"].own


def test_what_is_saved_reads_back(store: Store) -> None:
    begin(store)
    save(store, judgement("Ann"), suggestion(), consensus(), decisions(), decisions("Walking harms", sentences={}))
    with store.reading() as now:
        assert now.project(PROJECT.id).record == PROJECT
        assert now.paper(PROJECT.id, FIRST.id).record == FIRST
        view = now.domains(PROJECT.id, FIRST.id, SCOPE, reader="Ann")["D1"]
        kept = now.decisions(PROJECT.id, FIRST.id, reader="Ann")
        assert now.decisions(PROJECT.id, FIRST.id, reader="Ben") == ()
    assert view.own is not None
    assert view.own.record == judgement("Ann")
    assert (view.own.version, view.own.by) == (1, "Ann")
    assert [saved.record for saved in view.suggestions] == [suggestion()]
    assert view.consensus is not None
    assert view.consensus.record == consensus()
    assert [saved.record for saved in kept] == [decisions(), decisions("Walking harms", sentences={})]


def test_a_stale_change_is_refused_and_shows_the_other_one(store: Store) -> None:
    begin(store)
    save(store, judgement("Ann"))
    with store.writing("Ann") as change:
        change.save(judgement("Ann", HIGH, comment="in one window"), seen=1)
    for seen in (0, 1, 7):
        with pytest.raises(Conflict, match="Ann changed this on") as caught, store.writing("Ann") as change:
            change.save(judgement("Ann", comment="in another window"), seen=seen)
        assert caught.value.other is not None
        assert caught.value.other.record.comment == "in one window"
        assert caught.value.other == own(store)


def test_a_change_that_fails_saves_nothing_of_itself(store: Store) -> None:
    begin(store)
    save(store, judgement("Ann"))

    def save_both() -> None:
        with store.writing("Ann") as change:
            change.save(judgement("Ann", domain="D2"))
            change.save(judgement("Ann"), seen=5)

    with pytest.raises(Conflict):
        save_both()
    with store.reading() as now:
        assert now.domains(PROJECT.id, FIRST.id, SCOPE, reader="Ann")["D2"].own is None
        assert now.history(judgement("Ann", domain="D2"), reader="Ann") == ()


def test_a_deletion_is_undone(store: Store) -> None:
    begin(store)
    save(store, judgement("Ann"))
    saved = own(store)
    assert saved is not None
    with store.writing("Ann") as change:
        removed = change.remove(saved)
    assert own(store) is None
    with pytest.raises(Conflict, match="Ann deleted this on"), store.writing("Ann") as change:
        change.save(judgement("Ann", HIGH), seen=saved.version)
    with store.writing("Ann") as change:
        restored = change.restore(removed)
    assert restored.record == judgement("Ann")
    assert own(store) == restored


def test_a_deleted_paper_takes_what_belongs_to_it_along_and_brings_it_back(store: Store) -> None:
    begin(store)
    save(store, judgement("Ann"), judgement("Ben", HIGH))
    with store.reading() as now:
        first = now.papers(PROJECT.id, SCOPE)[0].paper
    with store.writing("Ann") as change:
        change.remove(first)
    with store.reading() as now:
        assert [state.paper.record for state in now.papers(PROJECT.id, SCOPE)] == [SECOND]
        assert now.levels(PROJECT.id, SCOPE, reader="Ann") == ()
        assert now.next_undone(PROJECT.id, "Ann", SCOPE) == SECOND.id
        (gone,) = now.papers(PROJECT.id, SCOPE, removed=True)
    with pytest.raises(NotStored, match="paper is not in the project"):
        save(store, judgement("Ann", domain="D2"))
    with store.writing("Ben") as change:
        change.restore(gone.paper)
    with store.reading() as now:
        assert now.papers(PROJECT.id, SCOPE)[0].done == {"Ann": 1, "Ben": 1}
        assert len(now.levels(PROJECT.id, SCOPE, reader="Ann")) == 1


def test_a_deleted_project_is_listed_apart_until_it_is_restored(store: Store) -> None:
    begin(store)
    with store.reading() as now, store.writing("Ann") as change:
        change.remove(now.project(PROJECT.id))
    with store.reading() as now:
        assert now.projects() == ()
        (gone,) = now.projects(removed=True)
        with pytest.raises(NotStored, match="was deleted"):
            now.project(PROJECT.id)
    with store.writing("Ann") as change:
        change.restore(gone)
    with store.reading() as now:
        assert [saved.record for saved in now.projects()] == [PROJECT]


def test_what_was_deleted_can_be_written_anew(store: Store) -> None:
    begin(store)
    save(store, judgement("Ann"))
    saved = own(store)
    assert saved is not None
    with store.writing("Ann") as change:
        change.remove(saved)
    save(store, judgement("Ann", HIGH))
    anew = own(store)
    assert anew is not None
    assert (anew.record.level, anew.version) == (HIGH, 3)


def test_history_tells_who_when_before_and_after(store: Store) -> None:
    begin(store)
    save(store, judgement("Ann"))
    with store.writing("Ann") as change:
        second = change.save(judgement("Ann", HIGH), seen=1)
        change.restore(change.remove(second))
    with store.reading() as now:
        changes = now.history(judgement("Ann"), reader="Ann")
        assert now.history(judgement("Ben"), reader="Ben") == ()
    assert [change.action for change in changes] == [Action.SAVED, Action.SAVED, Action.REMOVED, Action.RESTORED]
    assert [change.version for change in changes] == [1, 2, 3, 4]
    assert {change.who for change in changes} == {"Ann"}
    assert changes[1].at == second.changed
    assert changes[1].at.utcoffset() is not None
    levels = [[side and side["level"] for side in (change.before, change.after)] for change in changes]
    assert levels == [[None, "low"], ["low", "high"], ["high", None], [None, "high"]]


def test_a_papers_bytes_are_kept_once(store: Store) -> None:
    begin(store)
    data = bytes(range(256))
    with store.writing("Ann") as change:
        first, second = (state.paper for state in change.papers(PROJECT.id, SCOPE))
        kept = change.keep_file(first, data)
        change.keep_file(second, data)
    assert kept.record.file is not None
    with store.reading() as now:
        assert now.file(PROJECT.id, kept.record.file) == data
        assert now.file(PROJECT.id, "0" * 64) is None


@pytest.mark.repetition
@pytest.mark.parametrize(
    ("record", "who", "message"),
    [
        (judgement("Ben"), "Ann", "Only Ben can change"),
        (judgement("Cleo"), "Cleo", "Cleo is not a reviewer"),
        (decisions(reviewer="Ben"), "Ann", "Only Ben can change"),
        (judgement("Ann"), " ", "name is missing"),
        (judgement("Ann", domain="D" * 201), "Ann", "longer than 200"),
        (judgement("Ann", comment="cut\0off"), "Ann", "cannot be stored"),
        (judgement("Ann", comment="half \ud800"), "Ann", "cannot be stored"),
        (replace(PROJECT, id="new", reviewers=("Ann", "Ann ")), "Ann", "each once"),
        (replace(PROJECT, id="new", reviewers=("Ann Lee", "ann  LEE")), "Ann", "each once"),
        (replace(PROJECT, id="new", reviewers=()), "Ann", "each once"),
        (replace(PROJECT, id="new", name=""), "Ann", "no name"),
    ],
)
def test_what_cannot_be_kept_is_refused(store: Store, record: ReviewerJudgement, who: str, message: str) -> None:
    begin(store)
    with pytest.raises(NotStorable, match=message):
        save(store, record, who=who)


def test_only_the_reviewer_deletes_a_judgement_and_brings_it_back(store: Store) -> None:
    begin(store, blind=False)
    save(store, judgement("Ben"))
    with store.reading() as now:
        (ben,) = now.domains(PROJECT.id, FIRST.id, SCOPE, reader="Ann")["D1"].others
    with pytest.raises(NotStorable, match="Only Ben"), store.writing("Ann") as change:
        change.remove(ben)
    with store.writing("Ben") as change:
        removed = change.remove(ben)
    with pytest.raises(NotStorable, match="Only Ben"), store.writing("Ann") as change:
        change.restore(removed)


def test_odd_texts_are_kept_as_they_are(store: Store) -> None:
    begin(store)
    odd = "a \\u0000 written out, \u202eturned, 𝛽 <script>, 'quoted'; DROP TABLE papers; --"
    save(store, judgement("Ann", comment=odd))
    saved = own(store)
    assert saved is not None
    assert saved.record.comment == odd


def test_a_judgement_needs_its_project(store: Store) -> None:
    with pytest.raises(NotStored, match="project is not in the store"):
        save(store, judgement("Ann"))


def test_the_database_itself_knows_what_belongs_to_what(store: Store) -> None:
    begin(store)
    with store.writing("Ann") as change, pytest.raises(IntegrityError):
        change.connection.execute(update(papers).values(project="another"))


def test_a_consensus_needs_a_reason_and_no_blindness(store: Store) -> None:
    begin(store)
    with pytest.raises(StillBlind):
        save(store, consensus())
    save(store, judgement("Ann"))
    with pytest.raises(NotStorable, match="needs its reason"):
        save(store, replace(consensus(), reason=" "))
    save(store, consensus())


# Many who write at the same time, and one that is killed while it does.

WRITERS, CHANGES = 20, 4
NAMES = tuple(f"Reviewer {number}" for number in range(WRITERS))


@pytest.mark.slow
def test_twenty_writers_lose_nothing(settings: Settings, store: Store) -> None:
    """Each adds records of its own, and its name to one record that all of them change."""
    begin(store, reviewers=NAMES, blind=False)

    def write(name: str) -> int:
        own = store if name in NAMES[::2] else open_store(settings)  # as from one app, and as from other machines
        refused = 0
        for number in range(CHANGES):
            with own.writing(name) as change:
                change.save(judgement(name, domain=f"D{number}"))
            while True:
                with own.reading() as now:
                    seen = now.project(PROJECT.id)
                told = replace(seen.record.study, objective=f"{seen.record.study.objective} {name}/{number};")
                try:
                    with own.writing(name) as change:
                        change.save(replace(seen.record, study=told), seen=seen.version)
                    break
                except Conflict:
                    refused += 1
        if own is not store:
            own.close()
        return refused

    with ThreadPoolExecutor(WRITERS) as pool:
        refused = sum(pool.map(write, NAMES))
    assert refused > 0, "they did not meet"
    with store.reading() as now:
        state = now.whole(PROJECT.id)
    assert len(state.judgements) == WRITERS * CHANGES
    told = state.project.record.study.objective
    assert all(f"{name}/{number};" in told for name in NAMES for number in range(CHANGES))
    of_project = [change for change in state.history if change.kind == "projects"]
    assert [change.version for change in of_project] == list(range(1, WRITERS * CHANGES + 2))
    assert all(later.before == earlier.after for earlier, later in pairwise(of_project))


def test_of_two_who_add_the_same_record_the_first_wins(settings: Settings, store: Store) -> None:
    begin(store)
    other = open_store(settings)

    def save_too() -> None:
        with other.writing("Ann") as change:
            change.save(judgement("Ann", comment="second"))

    with ThreadPoolExecutor(1) as pool:
        with store.writing("Ann") as change:
            change.save(judgement("Ann", comment="first"))
            second = pool.submit(save_too)
            time.sleep(0.2)  # it sees no record, and waits
            assert not second.done()
        with pytest.raises(Conflict, match="Ann changed this") as caught:
            second.result()
    assert caught.value.other is not None
    assert caught.value.other.record.comment == "first"
    other.close()


@pytest.mark.parametrize(("cost", "version"), [(0.5, 2), (None, 1)])
def test_of_two_who_put_what_an_engine_made_the_second_stays(
    settings: Settings, store: Store, cost: float | None, version: int
) -> None:
    """The second finds no record, waits, and puts its own over the first, if it is another: no queue stops for that."""
    begin(store)
    other = open_store(settings)
    second = replace(suggestion(), cost_usd=cost)

    def put_too() -> None:
        with other.writing("Vouch") as change:
            change.put(second)

    with ThreadPoolExecutor(1) as pool:
        with store.writing("Vouch") as change:
            change.put(suggestion())
            waiting = pool.submit(put_too)
            time.sleep(0.2)
            assert not waiting.done()
        waiting.result()
    with store.reading() as now:
        (kept,) = now.whole(PROJECT.id).suggestions
    assert (kept.record, kept.version) == (second, version)
    other.close()


def test_of_two_who_put_the_same_file_in_the_first_does(settings: Settings, store: Store) -> None:
    begin(store)
    other = open_store(settings)

    def put_in_too() -> bool:
        with other.writing("Ben") as change:
            return change.queue.add_file(PROJECT.id, "b.md", b"# Late\n")

    with ThreadPoolExecutor(1) as pool:
        with store.writing("Ann") as change:
            assert change.queue.add_file(PROJECT.id, "a.md", b"# Late\n")
            second = pool.submit(put_in_too)
            time.sleep(0.2)
            assert not second.done()
        assert not second.result()
    with store.reading() as now:
        assert [(one.name, one.by) for one in now.queue.incoming(PROJECT.id)] == [("a.md", "Ann")]
    other.close()


def test_a_change_that_is_there_after_a_later_one_is_not_overlooked(store: Store) -> None:
    """PostgreSQL numbers rows when they are written, and shows them when the change is through."""
    begin(store)
    with store.writing("Ann") as change:
        change.save(judgement("Ann"))
        before = change.stamp(PROJECT.id)
        last = change.connection.execute(select(history).order_by(history.c.id.desc()).limit(1)).one()
        change.connection.execute(insert(history).values(**{**last._mapping, "id": -1, "who": "Ben"}))
        assert change.stamp(PROJECT.id) != before


@pytest.mark.slow
def test_nobody_waits_for_ever(settings: Settings, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    begin(store)
    monkeypatch.setattr("core.store.store.WAIT_S", 1)
    hasty = open_store(settings)

    def save_meanwhile() -> None:
        with hasty.writing("Ben") as change:
            change.save(replace(PROJECT, name="Ben's"), seen=1)

    with store.writing("Ann") as change:
        change.save(replace(PROJECT, name="Ann's"), seen=1)
        with hasty.reading() as now:
            assert now.project(PROJECT.id).record == PROJECT, "who reads does not wait, and sees what is saved"
        with pytest.raises(StoreUnreachable, match="busy with another change"):
            save_meanwhile()
    with pytest.raises(Conflict, match="Ann changed this"):
        save_meanwhile()
    hasty.close()


KILLED = """
import sys
from pathlib import Path
from core.bias.model import HIGH, LOW
from core.settings import Settings
from core.store import open_store
from tests.core.store.review import judgement
store = open_store(Settings(home=Path(sys.argv[1]), data=None, database_url=sys.argv[2] or None))
with store.writing("Ann") as change:
    change.save(judgement("Ann", HIGH, comment="saved"), seen=1)
with store.writing("Ann") as change:
    change.save(judgement("Ann", LOW, comment="never saved"), seen=2)
    change.save(judgement("Ann", domain="D2"))
    print("in the middle", flush=True)
    sys.stdin.read()
"""


@pytest.mark.slow
def test_killed_in_mid_save_the_last_saved_state_stays(settings: Settings, store: Store) -> None:
    begin(store)
    with store.writing("Ann") as change:
        change.save(judgement("Ann", comment="first"))
    command = [sys.executable, "-c", KILLED, str(settings.home), settings.database_url or ""]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        assert running.stdout.readline() == "in the middle\n"
        running.kill()
    store.close()
    opened = open_store(settings)
    with opened.reading() as now:
        views = now.domains(PROJECT.id, judgement("Ann").paper, SCOPE, reader="Ann")
        changes = now.history(judgement("Ann"), reader="Ann")
    assert views["D1"].own is not None
    assert (views["D1"].own.record.comment, views["D1"].own.version) == ("saved", 2)
    assert views["D2"].own is None
    assert [change.version for change in changes] == [1, 2]
    with opened.writing("Ann") as change:  # and nobody has to wait for the dead
        assert change.save(judgement("Ann", comment="goes on"), seen=2).version == 3
    opened.close()


WRITES = """
import sys
from itertools import count
from pathlib import Path
from core.settings import Settings
from core.store import open_store
from tests.core.store.review import judgement
store = open_store(Settings(home=Path(sys.argv[1]), data=None, database_url=sys.argv[2] or None))
for number in count():
    with store.writing("Ann") as change:
        for domain in ("D1", "D2"):
            change.save(judgement("Ann", domain=domain, comment=str(number)), seen=number)
    print(number, flush=True)
"""


@pytest.mark.slow
def test_killed_at_any_moment_what_was_saved_together_is_there_together(settings: Settings, store: Store) -> None:
    begin(store)
    command = [sys.executable, "-c", WRITES, str(settings.home), settings.database_url or ""]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        while running.stdout.readline() != "20\n":
            assert running.poll() is None
        running.kill()
        told = 20 + len(running.stdout.readlines())
    with store.reading() as now:
        views = now.domains(PROJECT.id, judgement("Ann").paper, SCOPE, reader="Ann")
        changes = now.history(judgement("Ann"), reader="Ann")
    saved = [view.own for view in (views["D1"], views["D2"])]
    assert saved[0] is not None
    assert saved[1] is not None
    assert saved[0].record.comment == saved[1].record.comment
    assert told <= int(saved[0].record.comment) <= told + 1
    assert len(changes) == saved[0].version == saved[1].version == int(saved[0].record.comment) + 1
