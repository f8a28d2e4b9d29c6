"""Saving, conflicts, deleting and undoing it, and the history of it all."""

from __future__ import annotations

from dataclasses import replace

import pytest
from sqlalchemy import update
from sqlalchemy.exc import IntegrityError

from core.bias.model import Level
from core.errors import NotStorable, NotStored, StillBlind
from core.store import Action, Conflict, ReviewerJudgement, Saved, Store
from core.store.tables import papers
from tests.core.store.review import (
    DOMAINS,
    FIRST,
    PROJECT,
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
        return now.domains(PROJECT.id, FIRST.id, DOMAINS, reader=reader)["D1"].own


def test_what_is_saved_reads_back(store: Store) -> None:
    begin(store)
    save(store, judgement("Ann"), suggestion(), consensus(), decisions(), decisions("Walking harms", sentences={}))
    with store.reading() as now:
        assert now.project(PROJECT.id).record == PROJECT
        assert now.paper(PROJECT.id, FIRST.id).record == FIRST
        view = now.domains(PROJECT.id, FIRST.id, DOMAINS, reader="Ann")["D1"]
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
        change.save(judgement("Ann", Level.HIGH, comment="in one window"), seen=1)
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
        assert now.domains(PROJECT.id, FIRST.id, DOMAINS, reader="Ann")["D2"].own is None
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
        change.save(judgement("Ann", Level.HIGH), seen=saved.version)
    with store.writing("Ann") as change:
        restored = change.restore(removed)
    assert restored.record == judgement("Ann")
    assert own(store) == restored


def test_a_deleted_paper_takes_what_belongs_to_it_along_and_brings_it_back(store: Store) -> None:
    begin(store)
    save(store, judgement("Ann"), judgement("Ben", Level.HIGH))
    with store.reading() as now:
        first = now.papers(PROJECT.id, DOMAINS)[0].paper
    with store.writing("Ann") as change:
        change.remove(first)
    with store.reading() as now:
        assert [state.paper.record for state in now.papers(PROJECT.id, DOMAINS)] == [SECOND]
        assert now.levels(PROJECT.id, DOMAINS, reader="Ann") == ()
        assert now.next_undone(PROJECT.id, "Ann", DOMAINS) == SECOND.id
        (gone,) = now.papers(PROJECT.id, DOMAINS, removed=True)
    with pytest.raises(NotStored, match="paper is not in the project"):
        save(store, judgement("Ann", domain="D2"))
    with store.writing("Ben") as change:
        change.restore(gone.paper)
    with store.reading() as now:
        assert now.papers(PROJECT.id, DOMAINS)[0].done == {"Ann": 1, "Ben": 1}
        assert len(now.levels(PROJECT.id, DOMAINS, reader="Ann")) == 1


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
    save(store, judgement("Ann", Level.HIGH))
    anew = own(store)
    assert anew is not None
    assert (anew.record.level, anew.version) == (Level.HIGH, 3)


def test_history_tells_who_when_before_and_after(store: Store) -> None:
    begin(store)
    save(store, judgement("Ann"))
    with store.writing("Ann") as change:
        second = change.save(judgement("Ann", Level.HIGH), seen=1)
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
        first, second = (state.paper for state in change.papers(PROJECT.id, DOMAINS))
        kept = change.keep_file(first, data)
        change.keep_file(second, data)
    assert kept.record.file is not None
    with store.reading() as now:
        assert now.file(PROJECT.id, kept.record.file) == data
        assert now.file(PROJECT.id, "0" * 64) is None


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
        (ben,) = now.domains(PROJECT.id, FIRST.id, DOMAINS, reader="Ann")["D1"].others
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
