"""A review of many papers in the store: references, screening in turn and blind, findings."""

from __future__ import annotations

from dataclasses import replace

import pytest
from sqlalchemy import update

from core.errors import DamagedProject, NotStorable, NotStored, StillBlind
from core.grounding.model import PaperVerdict
from core.screening.model import ScreeningVerdict
from core.store import (
    CellView,
    Conflict,
    Store,
    project_from_json,
    project_to_json,
    question_key,
)
from core.store.blindness import seen_by
from core.store.rows import body_of
from core.store.store import transaction
from core.store.tables import findings
from tests.core.store.review import FIRST, PROJECT, SCOPE, SECOND, begin, save
from tests.core.store.screened import (
    ADULTS,
    REFERENCE,
    criterion_suggestion,
    finding,
    pairing,
    screening,
    settled,
    settled_verdict,
    sitting,
    verdict,
)

INCLUDE, EXCLUDE, UNSURE = ScreeningVerdict
DATA = b"# Walking\n\n## Results\n\nSleep was better. It lasted longer.\n"


def view(store: Store, reader: str, item: str = FIRST.id) -> object:
    """What a reader sees of an item."""
    with store.reading() as now:
        return now.screenings(PROJECT.id, reader=reader).get(item)


def test_a_blind_reader_sees_what_others_decided_once_the_own_verdict_is_in(store: Store) -> None:
    begin(store)
    save(store, screening("Ann", INCLUDE), screening("Ben", None))
    ben = view(store, "Ben")
    assert (ben.hidden, ben.others, ben.by, ben.final) == (True, (), ("Ann",), None)
    with store.writing("Ben") as change:
        change.save(screening("Ben", EXCLUDE, reason="Wrong design"), seen=1)
    ben = view(store, "Ben")
    assert (ben.hidden, [one.reviewer for one in ben.others], ben.differ, ben.final) == (False, ["Ann"], True, None)
    assert view(store, "Cleo").hidden is False, "all reviewers are through"


def test_own_verdicts_are_in_the_order_they_came_and_no_others(store: Store) -> None:
    begin(store)
    second = replace(screening("Ann", EXCLUDE, reason="Wrong design"), item=SECOND.id)
    save(store, second, screening("Ben", UNSURE), screening("Ann", INCLUDE))
    with store.reading() as now:
        assert now.own_verdicts(PROJECT.id, "Ann") == (EXCLUDE, INCLUDE)
        assert now.own_verdicts(PROJECT.id, "Cleo") == ()


def test_two_who_agree_need_no_consensus(store: Store) -> None:
    begin(store)
    why = "Wrong design"
    save(store, screening("Ann", EXCLUDE, reason=why), screening("Ben", EXCLUDE, reason=why))
    assert (view(store, "Ann").final, view(store, "Ann").final_reason) == (EXCLUDE, why)
    with store.writing("Ben") as change:
        change.save(screening("Ben", EXCLUDE, reason="Wrong outcome"), seen=1)
    assert view(store, "Ann").final is None, "they differ in the reason"
    save(store, settled())
    assert (view(store, "Ann").final, view(store, "Ann").final_reason) == (INCLUDE, "")


def test_who_excludes_without_a_reason_agrees_with_one_who_gives_it(store: Store) -> None:
    begin(store)
    why = "Wrong population"
    save(store, screening("Ann", EXCLUDE, reason=""), screening("Ben", EXCLUDE, reason=why))
    for reader in ("Ann", "Ben"):
        seen = view(store, reader)
        assert (seen.differ, seen.final, seen.final_reason) == (False, EXCLUDE, why)


def test_two_who_are_unsure_have_not_decided(store: Store) -> None:
    begin(store)
    save(store, screening("Ann", UNSURE), screening("Ben", UNSURE))
    assert view(store, "Ann").final is None


def test_a_consensus_needs_ones_own_decision_and_a_reason(store: Store) -> None:
    begin(store)
    save(store, screening("Ann", INCLUDE))
    with pytest.raises(StillBlind, match="your own decision"):
        save(store, settled(), who="Ben")
    with pytest.raises(NotStorable, match="reason"):
        save(store, replace(settled(), why=" "))


def test_only_a_reviewer_decides_and_only_on_what_is_there(store: Store) -> None:
    begin(store)
    with pytest.raises(NotStorable, match="Only Ann"):
        save(store, screening("Ann", INCLUDE), who="Ben")
    with pytest.raises(NotStored):
        save(store, screening("Ann", INCLUDE, item="nowhere"))
    save(store, REFERENCE, screening("Ann", INCLUDE, item=REFERENCE.id))
    with pytest.raises(Conflict):
        save(store, screening("Ann", EXCLUDE, item=REFERENCE.id))


def test_what_an_engine_made_again_is_changed_only_if_it_differs(store: Store) -> None:
    begin(store)
    with store.writing("Vouch") as change:
        assert change.put(finding()).version == 1
        assert change.put(finding()).version == 1
        other = replace(finding(), finding=replace(finding().finding, reason="Two say so."))
        assert change.put(other).version == 2
        change.put(criterion_suggestion())
    with store.reading() as now:
        assert [one.record for one in now.findings(PROJECT.id)] == [other]
        assert now.findings(PROJECT.id, questions=["another"]) == ()
        assert now.queue.findings_done(PROJECT.id) == {(FIRST.id, other.question, "offline")}
        assert now.criteria(PROJECT.id, item=FIRST.id) == (criterion_suggestion(),)
        assert now.queue.criteria_done(PROJECT.id) == {(FIRST.id, ADULTS.id, "offline")}


def test_a_whole_review_goes_out_and_comes_back_the_same(store: Store, elsewhere: Store) -> None:
    begin(store, criteria=(ADULTS,), hypotheses=("Walking helps",))
    save(store, REFERENCE, pairing(), screening("Ann", INCLUDE), screening("Ben", EXCLUDE), settled(), sitting())
    with store.writing("Vouch") as change:
        change.put(finding())
        change.put(criterion_suggestion())
        change.queue.add_file(PROJECT.id, "a.md", DATA)
        change.queue.note_failure(PROJECT.id, FIRST.id, "bias", "No server.")
    with store.reading() as now:
        state = now.whole(PROJECT.id, with_files=True)
    document = project_to_json(state)
    assert project_from_json(document) == state
    with elsewhere.writing("Cleo") as change:
        change.import_project(project_from_json(document))
    with elsewhere.reading() as now:
        assert project_to_json(now.whole(PROJECT.id, with_files=True)) == document
    astray = replace(state, references=())
    with pytest.raises(DamagedProject, match="belongs to none"):
        project_from_json(project_to_json(astray))


def test_a_blind_reader_of_the_whole_sees_no_decisions_of_others(store: Store) -> None:
    begin(store)
    save(store, screening("Ann", INCLUDE))
    with store.reading() as now:
        state = now.whole(PROJECT.id)
    seen, _ = seen_by(state, "Ben", SCOPE)
    assert seen.screenings == ()
    assert "screenings" not in {change.kind for change in seen.history}
    mine, _ = seen_by(state, "Ann", SCOPE)
    assert len(mine.screenings) == 1


# Reviewers' own verdicts on papers and hypotheses: kept with their history, blind for two, and settled like the others.

SUPPORTS, REFUTES, MIXED = PaperVerdict.SUPPORTS, PaperVerdict.REFUTES, PaperVerdict.MIXED
CELL = (FIRST.id, question_key("Walking helps"))


def cell_view(store: Store, reader: str) -> CellView:
    """What a reader sees of the cell."""
    with store.reading() as now:
        return now.verdicts(PROJECT.id, reader=reader)[CELL]


def test_the_other_ones_verdict_is_hidden_until_ones_own_is_in(store: Store) -> None:
    begin(store)
    save(store, verdict("Ann"), verdict("Ben", None))
    ben = cell_view(store, "Ben")
    assert (ben.hidden, ben.others, ben.given, ben.by, ben.final) == (True, (), (), ("Ann",), None)
    assert cell_view(store, "Ann").own == verdict("Ann")
    with store.writing("Ben") as change:
        change.save(verdict("Ben", REFUTES), seen=ben.own_version)
    ben = cell_view(store, "Ben")
    assert [one.reviewer for one in ben.given] == ["Ben", "Ann"]
    assert (ben.hidden, ben.all_in, ben.differ, ben.final) == (False, True, True, None)
    assert cell_view(store, "Cleo").hidden is False, "all reviewers are through"


def test_in_an_open_project_nothing_is_hidden(store: Store) -> None:
    begin(store, blind=False)
    save(store, verdict("Ann"))
    assert [one.reviewer for one in cell_view(store, "Ben").others] == ["Ann"]
    assert cell_view(store, "Ben").final is None, "one of two is no verdict of the reviewers"


def test_two_who_agree_need_no_consensus_and_two_who_differ_settle_it(store: Store) -> None:
    begin(store)
    save(store, verdict("Ann"), verdict("Ben"))
    assert (cell_view(store, "Ann").final, cell_view(store, "Ann").differ) == (SUPPORTS, False)
    with store.writing("Ben") as change:
        change.save(verdict("Ben", REFUTES), seen=1)
    save(store, settled_verdict(), who="Ben")
    ann = cell_view(store, "Ann")
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
    seen, _ = seen_by(state, "Ben", SCOPE)
    assert (seen.verdicts, {change.kind for change in seen.history} & {"verdicts"}) == ((), set())
    mine, _ = seen_by(state, "Ann", SCOPE)
    assert [saved.record for saved in mine.verdicts] == [verdict("Ann", REFUTES)]


def test_a_project_takes_them_along(store: Store, elsewhere: Store) -> None:
    begin(store)
    save(store, verdict("Ann"), verdict("Ben", REFUTES), settled_verdict())
    with store.reading() as now:
        document = project_to_json(now.whole(PROJECT.id))
        assert now.present(PROJECT.id).verdicts == now.whole(PROJECT.id).verdicts
    with elsewhere.writing("Cleo") as change:
        change.import_project(project_from_json(document))
    assert cell_view(elsewhere, "Ann") == cell_view(store, "Ann")


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
