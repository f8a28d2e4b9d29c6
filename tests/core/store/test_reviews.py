"""A review of many papers in the store: references, screening in turn and blind, findings, the queue's own rows.

Reviewers' own verdicts on papers and hypotheses: kept with their history, blind for two, and settled like the others."""

from __future__ import annotations

import zlib
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import replace
from datetime import UTC, datetime
from hashlib import sha256

import pytest
from sqlalchemy import update

from core.errors import DamagedProject, NotStorable, NotStored, StillBlind
from core.grounding.model import PaperVerdict
from core.paper import read_paper
from core.screening.model import ScreeningVerdict
from core.store import (
    CellView,
    Conflict,
    QueueMode,
    QueueState,
    Store,
    project_from_json,
    project_to_json,
    question_key,
)
from core.store.blindness import seen_by
from core.store.database import transaction
from core.store.queue import LEASE
from core.store.rows import body_of, packed, unpacked
from core.store.tables import findings, queues, texts
from tests.core.store.review import DOMAINS, FIRST, PROJECT, SECOND, begin, save
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

# ---- reviews ----
# A review of many papers in the store: references, screening in turn and blind, findings, the queue's own rows.

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


def test_a_file_waits_until_it_is_a_paper(store: Store) -> None:
    begin(store)
    digest = sha256(DATA).hexdigest()
    with store.writing("Ann") as change:
        assert change.queue.add_file(PROJECT.id, "a.md", DATA)
        assert not change.queue.add_file(PROJECT.id, "again.md", DATA)
        change.queue.set_error(PROJECT.id, digest, "It is broken.")
    with store.writing("Ben") as change:
        assert [(one.name, one.by, one.error) for one in change.queue.incoming(PROJECT.id)] == [
            ("a.md", "Ann", "It is broken.")
        ]
        assert change.queue.add_file(PROJECT.id, "a.md", DATA), "what failed is tried again"
        assert change.queue.incoming(PROJECT.id)[0].error is None
        change.queue.remove_file(PROJECT.id, digest, with_bytes=True)
        assert change.queue.incoming(PROJECT.id) == ()
        assert change.file(PROJECT.id, digest) is None


def test_a_paper_that_came_without_its_file_gets_it(store: Store) -> None:
    begin(store)
    digest = sha256(DATA).hexdigest()
    with store.writing("Ann") as change:
        known = change.paper(PROJECT.id, FIRST.id)
        change.save(replace(known.record, file=digest), seen=known.version)
        change.queue.note_failure(PROJECT.id, FIRST.id, "read", "Its file is not here.")
        assert change.queue.add_file(PROJECT.id, "a.md", DATA)
        assert (
            change.file(PROJECT.id, digest),
            change.queue.failures(PROJECT.id),
            change.queue.incoming(PROJECT.id),
        ) == (
            DATA,
            (),
            (),
        )
        assert not change.queue.add_file(PROJECT.id, "a.md", DATA), "it is here now"


def test_a_paper_is_kept_as_it_was_read(store: Store) -> None:
    begin(store)
    paper = read_paper(DATA, name="a.md")
    with store.writing("Vouch") as change:
        change.keep_text(PROJECT.id, FIRST.id, paper)
        change.keep_text(PROJECT.id, FIRST.id, paper)
    with store.reading() as now:
        assert now.text(PROJECT.id, FIRST.id) == paper
        assert now.texts(PROJECT.id) == {FIRST.id}
        assert now.text(PROJECT.id, "nowhere") is None


def test_a_text_that_is_damaged_or_unpacks_to_too_much_is_as_if_it_was_not_kept(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin(store)
    paper = read_paper(DATA, name="a.md")
    body = packed(paper)
    for damaged in (b"", b"no zlib", body[:-20], zlib.compress(b"{}"), zlib.compress(b"\xff")):
        with store.writing("Vouch") as change:
            change.keep_text(PROJECT.id, FIRST.id, paper)
            change.connection.execute(update(texts).values(body=damaged))
            assert change.text(PROJECT.id, FIRST.id) is None
    assert unpacked(body) == paper
    assert unpacked(body, most=100) is None


def test_failures_are_counted_and_forgotten(store: Store) -> None:
    begin(store)
    with store.writing("Vouch") as change:
        change.queue.note_failure(PROJECT.id, FIRST.id, "bias", "No server.")
        change.queue.note_failure(PROJECT.id, FIRST.id, "bias", "Still none.")
        change.queue.note_failure(PROJECT.id, FIRST.id, "evidence", "No server.")
        assert [(one.task, one.error, one.tries) for one in change.queue.failures(PROJECT.id)] == [
            ("bias", "Still none.", 2),
            ("evidence", "No server.", 1),
        ]
        change.queue.forget_failures(PROJECT.id, FIRST.id, "bias")
        assert [one.task for one in change.queue.failures(PROJECT.id)] == ["evidence"]
        change.queue.forget_failures(PROJECT.id)
        assert change.queue.failures(PROJECT.id) == ()


def test_one_holds_the_queue_until_it_is_not_heard_of(store: Store) -> None:
    begin(store)
    with store.writing("Ann") as change:
        assert not change.queue.claim(PROJECT.id, "here"), "it is idle"
        change.queue.set_state(PROJECT.id, QueueState(QueueMode.RUNNING, workers=2))
        assert change.queue.in_mode(QueueMode.RUNNING) == (PROJECT.id,)
        assert change.queue.claim(PROJECT.id, "here")
        assert change.queue.claim(PROJECT.id, "here")
        assert not change.queue.claim(PROJECT.id, "there")
    long_ago = datetime.now(UTC) - LEASE
    with transaction(store.engine) as connection:
        connection.execute(update(queues).values(seen_at=long_ago))
    with store.writing("Ben") as change:
        assert change.queue.claim(PROJECT.id, "there")
        change.queue.release(PROJECT.id, "here", QueueMode.IDLE)
        assert change.queue.state(PROJECT.id).holder == "there"
        change.queue.release(PROJECT.id, "there", QueueMode.IDLE)
        assert change.queue.state(PROJECT.id) == QueueState(QueueMode.IDLE, workers=2)


def test_whoever_holds_the_queue_holds_it_through_a_pause_however_long(store: Store) -> None:
    begin(store)
    with store.writing("Ann") as change:
        change.queue.set_state(PROJECT.id, QueueState(QueueMode.RUNNING))
        change.queue.claim(PROJECT.id, "here")
        change.queue.set_state(PROJECT.id, QueueState(QueueMode.PAUSED))
    with transaction(store.engine) as connection:
        connection.execute(update(queues).values(seen_at=datetime.now(UTC) - LEASE))
    with store.writing("Ben") as change:
        assert not change.queue.claim(PROJECT.id, "there"), "it is not to run"
        assert change.queue.claim(PROJECT.id, "here"), "it finishes what it has in hand"
        change.queue.set_state(PROJECT.id, QueueState(QueueMode.RUNNING))
        assert not change.queue.claim(PROJECT.id, "there"), "it would be worked on twice"
        change.queue.release(PROJECT.id, "here", QueueMode.PAUSED)
        assert not change.queue.claim(PROJECT.id, "here"), "nobody takes a queue that is paused"


def test_a_pause_is_not_lost_while_the_queue_is_claimed(store: Store) -> None:
    begin(store)
    with store.writing("Ann") as change:
        change.queue.set_state(PROJECT.id, QueueState(QueueMode.RUNNING))
        change.queue.claim(PROJECT.id, "gone")
    pauses = ThreadPoolExecutor(1)

    def pause() -> None:
        with store.writing("Ben") as change:
            change.queue.set_state(PROJECT.id, QueueState(QueueMode.PAUSED))

    def ended(holder: str) -> bool:
        wait([pauses.submit(pause)], timeout=0.3)  # enough for it to end, if nothing kept it waiting
        return True

    with store.writing("Vouch") as change:
        assert change.queue.claim(PROJECT.id, "here", ended=ended)
    pauses.shutdown()
    with store.reading() as now:
        assert now.queue.state(PROJECT.id).mode is QueueMode.PAUSED


def test_two_may_keep_the_same_text_at_once(store: Store) -> None:
    begin(store)
    paper = read_paper(DATA, name="a.md")

    def keep() -> None:
        with store.writing("Ben") as change:
            change.keep_text(PROJECT.id, FIRST.id, paper)

    with ThreadPoolExecutor(1) as pool:
        with store.writing("Ann") as change:
            change.keep_text(PROJECT.id, FIRST.id, paper)
            other = pool.submit(keep)
            wait([other], timeout=0.3)  # it waits for Ann
        other.result()
    with store.reading() as now:
        assert now.text(PROJECT.id, FIRST.id) == paper


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
        change.bring_in(project_from_json(document))
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
    seen, _ = seen_by(state, "Ben", DOMAINS)
    assert seen.screenings == ()
    assert "screenings" not in {change.kind for change in seen.history}
    mine, _ = seen_by(state, "Ann", DOMAINS)
    assert len(mine.screenings) == 1


def test_a_file_whose_name_is_no_text_is_kept(store: Store) -> None:
    """As Linux gives the Latin-1 name “café.pdf” to Python."""
    begin(store)
    with store.writing("Vouch") as change:
        assert change.queue.add_file(PROJECT.id, "caf\udce9.pdf", DATA)
    with store.reading() as now:
        assert [one.name for one in now.queue.incoming(PROJECT.id)] == ["caf?.pdf"]


# ---- verdicts ----
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
