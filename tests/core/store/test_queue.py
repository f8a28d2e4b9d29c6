"""The queue in the store: files on their way in, texts, failures, and who holds it."""

from __future__ import annotations

import zlib
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import replace
from datetime import UTC, datetime
from hashlib import sha256

import pytest
from sqlalchemy import update

from core.paper import read_paper
from core.store import QueueMode, QueueState, Store
from core.store.queue import LEASE
from core.store.rows import packed, unpacked
from core.store.store import transaction
from core.store.tables import queues, texts
from tests.core.store.review import FIRST, PROJECT, begin

DATA = b"# Walking\n\n## Results\n\nSleep was better. It lasted longer.\n"


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
        assert change.file(PROJECT.id, digest) == DATA
        assert change.queue.failures(PROJECT.id) == change.queue.incoming(PROJECT.id) == ()
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


def test_a_file_whose_name_is_no_text_is_kept(store: Store) -> None:
    """As Linux gives the Latin-1 name “café.pdf” to Python."""
    begin(store)
    with store.writing("Vouch") as change:
        assert change.queue.add_file(PROJECT.id, "caf\udce9.pdf", DATA)
    with store.reading() as now:
        assert [one.name for one in now.queue.incoming(PROJECT.id)] == ["caf?.pdf"]


def test_who_reads_changes_nothing(store: Store) -> None:
    begin(store)
    with store.reading() as now, pytest.raises(RuntimeError, match="writing"):
        now.queue.set_state(PROJECT.id, QueueState(QueueMode.RUNNING))
