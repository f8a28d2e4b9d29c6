"""Reviewers' own verdicts on papers and hypotheses: kept with their history, blind for two, and settled like the others."""

from __future__ import annotations

from dataclasses import replace

import pytest
from sqlalchemy import update

from core.errors import NotStorable, NotStored, StillBlind
from core.evidence.model import PaperVerdict
from core.store import CellView, Conflict, Store, project_from_json, project_to_json, question_key
from core.store.address import transaction
from core.store.blindness import seen_by
from core.store.rows import body_of
from core.store.tables import findings
from tests.core.store.review import DOMAINS, FIRST, PROJECT, begin, save
from tests.core.store.screened import finding, settled_verdict, verdict

SUPPORTS, REFUTES, MIXED = PaperVerdict.SUPPORTS, PaperVerdict.REFUTES, PaperVerdict.MIXED
CELL = (FIRST.id, question_key("Walking helps"))


def view(store: Store, reader: str) -> CellView:
    """What a reader sees of the cell."""
    with store.reading() as now:
        return now.verdicts(PROJECT.id, reader=reader)[CELL]


def test_the_other_ones_verdict_is_hidden_until_ones_own_is_in(store: Store) -> None:
    begin(store)
    save(store, verdict("Ann"), verdict("Ben", None))
    ben = view(store, "Ben")
    assert (ben.hidden, ben.others, ben.given, ben.by, ben.final) == (True, (), (), ("Ann",), None)
    assert view(store, "Ann").own == verdict("Ann")
    with store.writing("Ben") as change:
        change.save(verdict("Ben", REFUTES), seen=ben.own_version)
    ben = view(store, "Ben")
    assert [one.reviewer for one in ben.given] == ["Ben", "Ann"]
    assert (ben.hidden, ben.all_in, ben.differ, ben.final) == (False, True, True, None)
    assert view(store, "Cleo").hidden is False, "all reviewers are through"


def test_in_an_open_project_nothing_is_hidden(store: Store) -> None:
    begin(store, blind=False)
    save(store, verdict("Ann"))
    assert [one.reviewer for one in view(store, "Ben").others] == ["Ann"]
    assert view(store, "Ben").final is None, "one of two is no verdict of the reviewers"


def test_two_who_agree_need_no_consensus_and_two_who_differ_settle_it(store: Store) -> None:
    begin(store)
    save(store, verdict("Ann"), verdict("Ben"))
    assert (view(store, "Ann").final, view(store, "Ann").differ) == (SUPPORTS, False)
    with store.writing("Ben") as change:
        change.save(verdict("Ben", REFUTES), seen=1)
    save(store, settled_verdict(), who="Ben")
    ann = view(store, "Ann")
    assert (ann.final, ann.differ, ann.settled_by) == (MIXED, False, "Ben")
    assert {one.verdict for one in ann.given} == {SUPPORTS, REFUTES}, "what they gave stays"


def test_a_consensus_needs_ones_own_verdict_and_a_reason(store: Store) -> None:
    begin(store)
    save(store, verdict("Ann"))
    with pytest.raises(StillBlind, match="your own verdict"):
        save(store, settled_verdict(), who="Ben")
    with pytest.raises(NotStorable, match="reason"):
        save(store, replace(settled_verdict(), why=" "))


def test_only_a_reviewer_gives_a_verdict_and_only_on_a_paper_that_is_there(store: Store) -> None:
    begin(store)
    with pytest.raises(NotStorable, match="Only Ann"):
        save(store, verdict("Ann"), who="Ben")
    with pytest.raises(NotStorable, match="not a reviewer"):
        save(store, verdict("Cleo"))
    with pytest.raises(NotStored):
        save(store, verdict("Ann", paper="nowhere"))
    save(store, verdict("Ann"))
    with pytest.raises(Conflict):
        save(store, verdict("Ann", REFUTES))


def test_every_change_is_in_the_history_which_a_blind_reader_does_not_read(store: Store) -> None:
    begin(store)
    save(store, verdict("Ann"))
    with store.writing("Ann") as change:
        change.save(verdict("Ann", None), seen=1)
        change.save(verdict("Ann", REFUTES), seen=2)
    with store.reading() as now:
        told = now.history(verdict("Ann"), reader="Ann")
        state = now.whole(PROJECT.id)
        with pytest.raises(StillBlind, match="hides what others"):
            now.history(verdict("Ann"), reader="Ben")
    assert [change.after and change.after["verdict"] for change in told] == ["supports", None, "refutes"]
    seen, _ = seen_by(state, "Ben", DOMAINS)
    assert (seen.verdicts, {change.kind for change in seen.history} & {"verdicts"}) == ((), set())
    mine, _ = seen_by(state, "Ann", DOMAINS)
    assert [saved.record for saved in mine.verdicts] == [verdict("Ann", REFUTES)]


def test_a_project_takes_them_along(store: Store, elsewhere: Store) -> None:
    begin(store)
    save(store, verdict("Ann"), verdict("Ben", REFUTES), settled_verdict())
    with store.reading() as now:
        document = project_to_json(now.whole(PROJECT.id))
        assert now.present(PROJECT.id).verdicts == now.whole(PROJECT.id).verdicts
    with elsewhere.writing("Cleo") as change:
        change.bring_in(project_from_json(document))
    assert view(elsewhere, "Ann") == view(store, "Ann")


def test_a_finding_that_was_stored_before_has_no_probability(store: Store) -> None:
    begin(store)
    sure = replace(finding(), finding=replace(finding().finding, probability=0.87, reported=0.9))
    with store.writing("Vouch") as change:
        change.put(sure)
        assert [saved.record for saved in change.findings(PROJECT.id)] == [sure]
    body = body_of(sure)
    before = {
        name: value for name, value in body["finding"].items() if name not in {"probability", "reported", "nearest"}
    }
    with transaction(store.engine) as connection:
        connection.execute(update(findings).values(body=body | {"finding": before}))
    with store.reading() as now:
        assert [saved.record for saved in now.findings(PROJECT.id)] == [finding()]
