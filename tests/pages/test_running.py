"""Work in a thread of its own, without a page."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event

import pytest

from pages._ui import running
from pages._ui.running import Running


def reporting(go: Event) -> Callable[[Running[str]], str]:
    """Work that reports until it is told to come to its end."""

    def work(progress: Running[str]) -> str:
        while not go.wait(0.01):
            progress(0.5, "Half way")
        return "found"

    return work


def test_work_is_seen_while_it_runs_and_brings_its_result() -> None:
    go, reported = Event(), Event()

    def work(progress: Running[str]) -> str:
        progress(1.5, "Half way")
        reported.set()
        go.wait(10)
        return "found"

    at_work = Running(work)
    assert reported.wait(10)
    assert at_work.report == (1.0, "Half way")
    assert not at_work.ended
    assert at_work.result is None
    go.set()
    assert at_work.wait(10)
    assert (at_work.result, at_work.error, at_work.stopped) == ("found", None, False)


def test_work_that_is_stopped_ends_at_its_next_report() -> None:
    at_work = Running(reporting(Event()))
    assert not at_work.wait(0.05)
    at_work.stop()
    assert at_work.wait(10)
    assert (at_work.result, at_work.error) == (None, None)


def test_a_result_that_comes_after_all_is_not_wanted() -> None:
    go = Event()

    def work(_: Running[str]) -> str:
        go.wait(10)
        return "found"

    at_work = Running(work)
    at_work.stop()
    go.set()
    assert at_work.wait(10)
    assert at_work.result is None


def test_work_goes_on_through_a_broken_connection_and_stops_when_nobody_comes_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock = [0.0]
    monkeypatch.setattr(running.time, "monotonic", lambda: clock[0])
    there = [True, False, True, False]
    steps: list[int] = []

    def work(progress: Running[str]) -> str:
        for step in range(5):
            progress(step / 5, "Looking")
            steps.append(step)
            clock[0] += 8.0
        return "found"

    at_work = Running(work, watched=lambda: there.pop(0) if there else False)
    assert at_work.wait(10)
    assert steps == [0, 1, 2, 3]  # away for 8 s, back, then away for 16 s
    assert at_work.stopped
    assert at_work.result is None


def test_what_went_wrong_is_kept_for_who_takes_the_outcome() -> None:
    def work(_: Running[str]) -> str:
        raise ZeroDivisionError("a mistake")

    at_work = Running(work)
    assert at_work.wait(10)
    assert isinstance(at_work.error, ZeroDivisionError)
    assert at_work.result is None
