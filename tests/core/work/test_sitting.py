"""The loop of all work: what is handed on when, kept when, and ended by what."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Future
from threading import get_ident

import pytest

from core.work.pools import Pool, Threads
from core.work.sitting import work_through
from tests.core.work.doing import double


class ByHand(Pool[str, str]):
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


def test_jobs_may_follow_from_answers_and_a_pause_hands_on_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.work.sitting._TICK", 0.005)
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

    with Threads(double, at_once=3) as pool:
        work_through(jobs(), pool, keep=keep, report=report)
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

    with Threads(double, at_once=2) as pool:
        work_through(jobs(), pool, keep=note, report=note)
    assert set(threads) == {get_ident()}


def test_nothing_to_do_is_no_work() -> None:
    with ByHand(1) as pool:
        work_through([], pool, keep=lambda *_: pytest.fail("kept"), report=lambda: pytest.fail("reported"))
        assert pool.waiting == {}
