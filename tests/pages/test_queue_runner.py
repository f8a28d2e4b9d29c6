"""The threads that work on queues: no start is lost, even at the end of the work, and a restart resumes them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from threading import Event

import pytest

from core.errors import QueueHeld
from core.review import queue
from core.review.queue import WorkerOptions
from core.settings import Settings
from core.store import Plan, QueueMode, QueueState, Store, open_store
from core.work.pools import ThreadWorkers
from pages._ui import stored
from pages._ui.stored import QueueRunner
from tests.core.review.papers import begin, trial

NOTHING = Plan(None, None, None)


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Store]:
    monkeypatch.setattr("core.review.queue.ProcessWorkers", lambda do, workers, **_: ThreadWorkers(do, at_once=workers))
    opened = open_store(Settings(home=tmp_path, data=None))
    yield opened
    opened.close()


def wait_for(true: Callable[[], bool]) -> None:
    end = time.monotonic() + 30
    while not true():
        assert time.monotonic() < end
        time.sleep(0.01)


def is_through(runner: QueueRunner) -> bool:
    work = runner.of("towns")
    return work is not None and not work.alive


def names(store: Store) -> list[str]:
    with store.reading() as now:
        return [saved.record.name for saved in now.stored_papers("towns")]


def put_in(store: Store, number: int) -> None:
    with store.writing("Ann") as change:
        change.queue.add_file("towns", f"trial-{number:02}.md", trial(number))


def test_a_start_after_the_last_look_is_not_lost(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    begin(store, plan=NOTHING, trials=1)
    runner, gone_on = QueueRunner(store, look_s=0.01), Event()
    real = stored.run_queue

    def slow(*args: object, **rest: object) -> object:
        made = real(*args, **rest)
        gone_on.wait(10)  # the queue was given back, but its thread still exists
        return made

    monkeypatch.setattr(stored, "run_queue", slow)
    runner.start("towns", "Ann", WorkerOptions())
    wait_for(lambda: names(store) == ["trial-00.md"])
    put_in(store, 1)
    runner.start("towns", "Ann", WorkerOptions())
    gone_on.set()
    wait_for(lambda: is_through(runner))
    assert names(store) == ["trial-00.md", "trial-01.md"]


def test_what_comes_in_before_the_queue_is_given_back_is_done(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    begin(store, plan=NOTHING, trials=1)
    real, times = queue.work_through, []

    def then_one_more(*args: object, **rest: object) -> None:
        real(*args, **rest)
        if not times:
            put_in(store, 1)  # after the last look at the queue
        times.append(1)

    monkeypatch.setattr(queue, "work_through", then_one_more)
    queue.start_queue(store, "towns", "Ann")
    queue.run_queue(store, "towns")
    assert names(store) == ["trial-00.md", "trial-01.md"]
    with pytest.raises(QueueHeld):
        queue.run_queue(store, "towns")


def test_papers_are_in_the_order_of_their_files(store: Store) -> None:
    begin(store, plan=NOTHING, trials=6)
    queue.start_queue(store, "towns", "Ann")
    queue.run_queue(store, "towns", worker_options=WorkerOptions(workers=3))
    assert names(store) == [f"trial-{number:02}.md" for number in range(6)]


def test_an_app_that_comes_back_goes_on(store: Store) -> None:
    begin(store, plan=NOTHING, trials=2)
    with store.writing("Ann") as change:
        change.queue.set_state("towns", QueueState(QueueMode.RUNNING))
    runner = QueueRunner(store, look_s=0.01)
    runner.take_up()
    wait_for(lambda: is_through(runner))
    assert len(names(store)) == 2


def test_a_language_model_is_not_asked_by_itself(store: Store) -> None:
    project = begin(store, plan=NOTHING, trials=1)
    with store.writing("Ann") as change:
        change.save(replace(project, plan=Plan(None, "openai:some-model", None)), seen=1)
        change.queue.set_state("towns", QueueState(QueueMode.RUNNING))
    runner = QueueRunner(store, look_s=0.01)
    runner.take_up()
    wait_for(lambda: is_through(runner))
    with store.reading() as now:
        assert len(now.stored_papers("towns")) == 1
        assert now.queue.failures("towns") == (), "no missing key is told: nothing was asked"


@pytest.fixture
def gone_on(monkeypatch: pytest.MonkeyPatch) -> Event:
    """An event. A queue that has done its work does not return before it is set."""
    real, event = stored.run_queue, Event()

    def slow(*args: object, **rest: object) -> object:
        made = real(*args, **rest)
        event.wait(10)
        return made

    monkeypatch.setattr(stored, "run_queue", slow)
    return event


def reading(store: Store) -> QueueRunner:
    """A runner whose queue has read its only paper, and was not asked to do more."""
    begin(store, plan=Plan(None, "bm25", None), trials=1)
    runner = QueueRunner(store, look_s=0.01)
    runner.start("towns", "Ann", WorkerOptions(only_reads=True))
    wait_for(lambda: len(names(store)) == 1)
    return runner


def test_engines_asked_for_while_papers_are_only_read_are_asked(store: Store, gone_on: Event) -> None:
    runner = reading(store)
    runner.start("towns", "Ann", WorkerOptions())
    gone_on.set()
    wait_for(lambda: is_through(runner))
    with store.reading() as now:
        assert len(now.findings("towns")) == 1


def test_a_cancel_takes_back_an_earlier_start(store: Store, gone_on: Event) -> None:
    runner = reading(store)
    runner.start("towns", "Ann", WorkerOptions())
    runner.stop("towns", "Ann", QueueMode.IDLE)
    gone_on.set()
    wait_for(lambda: is_through(runner))
    with store.reading() as now:
        assert (now.findings("towns"), now.queue.state("towns").mode) == ((), QueueMode.IDLE)
