"""Pools of threads and processes, and the loop that hands questions on."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from threading import get_ident

import pytest

from core.errors import EngineUnavailable, WorkersLost
from core.work.pools import ProcessWorkers, ThreadWorkers, WorkerPool, once_per_process, work_through
from tests.core.work.doing import (
    double,
    end_at,
    fail,
    niceness,
    process_and_times_opened,
    threads_that_compute,
    threads_that_encode,
    wait_for_a_cancel,
)


def test_threads_that_come_together_make_one_thing_between_them() -> None:
    made: list[str] = []

    @once_per_process
    def opened(name: str) -> object:
        time.sleep(0.02)
        made.append(name)
        return object()

    with ThreadPoolExecutor(4) as threads:
        first = set(threads.map(opened, ["bm25"] * 4))
    assert len(first) == 1
    assert opened("offline") not in first
    assert made == ["bm25", "offline"]


# Threads and processes that answer questions.


@pytest.mark.parametrize("kind", ["threads", "processes"])
def test_answers_and_errors_come_back(kind: str) -> None:
    def pool_for(do) -> WorkerPool:
        return ThreadWorkers(do, at_once=2) if kind == "threads" else ProcessWorkers(do, workers=1)

    with pool_for(double) as pool:
        futures = [pool.submit(number) for number in range(5)]
        assert [pool.result(future) for future in futures] == [0, 2, 4, 6, 8]
    with pool_for(fail) as pool, pytest.raises(EngineUnavailable, match="the engine is out of order"):
        pool.result(pool.submit("the engine"))


def test_a_process_opens_once_and_computes_on_one_processor() -> None:
    with ProcessWorkers(process_and_times_opened, workers=2) as pool:
        assert pool.width == 4
        found = [pool.result(future) for future in [pool.submit(number) for number in range(12)]]
    assert os.getpid() not in {process for process, _ in found}
    assert {times for _, times in found} == {1}
    with ProcessWorkers(threads_that_compute, workers=1) as pool:
        assert pool.result(pool.submit(0)) == {1}
    with ProcessWorkers(threads_that_encode, workers=1) as pool:
        assert pool.result(pool.submit(0)) == 1


def test_work_in_the_background_leaves_the_processors_to_the_screens() -> None:
    here = os.getpriority(os.PRIO_PROCESS, 0)
    for in_background, expected in ((False, here), (True, 10)):
        with ProcessWorkers(niceness, workers=1, in_background=in_background) as pool:
            assert pool.result(pool.submit(0)) == expected


@pytest.mark.parametrize("kind", ["threads", "processes"])
def test_a_cancel_reaches_a_question_in_hand(kind: str, tmp_path: Path) -> None:
    ended = tmp_path / "ended"
    pool: WorkerPool[str, None] = (
        ThreadWorkers(wait_for_a_cancel) if kind == "threads" else ProcessWorkers(wait_for_a_cancel, workers=1)
    )
    with pool:
        pool.submit(str(ended))
        _waits_for(ended.with_suffix(".begun"))
        pool.close(cancel=True)
    _waits_for(ended)


def _waits_for(file: Path) -> None:
    until = time.monotonic() + 30
    while not file.exists():
        assert time.monotonic() < until, f"there is no {file.name}"
        time.sleep(0.02)


def test_a_lost_process_ends_the_work_and_what_others_answered_is_kept() -> None:
    kept = {}
    with pytest.raises(WorkersLost, match="fewer workers"), ProcessWorkers(end_at, workers=1) as pool:
        work_through(((each, each) for each in range(20)), pool, keep=kept.__setitem__, report=lambda: None)
    assert kept == {number: number for number in range(13)}


# The loop of all work: what is handed on when, kept when, and ended by what.


class ByHand(WorkerPool[str, str]):
    """Answers when it is told to."""

    def __init__(self, width: int) -> None:
        super().__init__(width)
        self.waiting: dict[str, Future[str]] = {}
        self.asked: list[str] = []
        self.looks = 0

    def submit(self, question: str) -> Future[str]:
        assert len(self.waiting) < self.width, "there was no room"
        self.asked.append(question)
        self.waiting[question] = Future()
        return self.waiting[question]

    def look(self) -> None:
        self.looks += 1

    def answer(self, question: str) -> None:
        self.waiting.pop(question).set_result(question.upper())

    def close(self, *, cancel: bool) -> None:
        self.cancelled = cancel


def test_answers_are_kept_as_they_come_and_the_next_job_is_drawn_when_there_is_room() -> None:
    pool, drawn = ByHand(2), []

    def jobs() -> Iterator[tuple[int, str]]:
        for number, question in enumerate("abcd"):
            drawn.append(number)
            yield number, question

    kept: list[tuple[int, str]] = []
    plan = iter("bcad")

    def report() -> None:
        assert drawn == list(range(len(pool.asked))), "a job was drawn before there was room for it"
        pool.answer(next(plan))

    with pool:
        work_through(jobs(), pool, keep=lambda job, answer: kept.append((job, answer)), report=report)
    assert kept == [(1, "B"), (2, "C"), (0, "A"), (3, "D")]
    assert pool.looks == 4
    assert pool.cancelled is False


def test_jobs_may_follow_from_answers_and_a_pause_hands_on_nothing() -> None:
    todo, in_hand, done, reports, paused_at = ["1"], set(), [], [0], []

    def jobs() -> Iterator[tuple[str, int] | None]:
        while todo or in_hand:
            paused = 3 <= reports[0] < 10
            if paused or not todo:
                paused_at.append(reports[0])
                yield None
            else:
                job = todo.pop(0)
                in_hand.add(job)
                yield job, int(job)

    def keep(job: str, answer: int) -> None:
        in_hand.remove(job)
        done.append(answer)
        if answer < 100:
            todo.append(str(answer))

    def report() -> None:
        reports[0] += 1

    with ThreadWorkers(double, at_once=3) as pool:
        work_through(jobs(), pool, keep=keep, report=report, tick_s=0.005)
    assert done == [2, 4, 8, 16, 32, 64, 128]
    assert set(range(3, 10)) <= set(paused_at)


class Stop(Exception):
    """Cancels."""


def stop(*_: object) -> None:
    raise Stop


@pytest.mark.parametrize("raising", ["report", "keep"])
def test_what_report_and_keep_raise_ends_the_work_and_cancels(raising: str) -> None:
    pool = ByHand(1)
    keep, report = (list, stop) if raising == "report" else (stop, lambda: pool.answer("a"))
    with pytest.raises(Stop), pool:
        work_through([(0, "a"), (1, "b")], pool, keep=keep, report=report)
    assert pool.cancelled is True
    assert pool.asked == ["a"]


def test_an_answer_is_kept_before_the_error_of_another_ends_the_work() -> None:
    pool, kept = ByHand(9), []

    def report() -> None:
        for question in "abcde":
            if question == "e":
                pool.answer("e")
            else:
                pool.waiting.pop(question).set_exception(ArithmeticError(question))

    with pytest.raises(ArithmeticError), pool:
        work_through(((each, each) for each in "abcde"), pool, keep=lambda job, _: kept.append(job), report=report)
    assert kept == ["e"]


def test_all_is_called_in_the_thread_that_asks() -> None:
    threads = []

    def jobs() -> Iterator[tuple[int, int]]:
        for number in range(3):
            threads.append(get_ident())
            yield number, number

    def note(*_: object) -> None:
        threads.append(get_ident())

    with ThreadWorkers(double, at_once=2) as pool:
        work_through(jobs(), pool, keep=note, report=note)
    assert set(threads) == {get_ident()}


def test_nothing_to_do_is_no_work() -> None:
    with ByHand(1) as pool:
        work_through([], pool, keep=lambda *_: pytest.fail("kept"), report=lambda: pytest.fail("reported"))
        assert pool.waiting == {}
