"""Threads and processes that answer questions."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from core.errors import EngineUnavailable, WorkersLost
from core.work.pools import Pool, Processes, Threads
from core.work.sitting import work_through
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


@pytest.mark.parametrize("kind", ["threads", "processes"])
def test_answers_and_errors_come_back(kind: str) -> None:
    def pool_for(do) -> Pool:
        return Threads(do, at_once=2) if kind == "threads" else Processes(do, workers=1)

    with pool_for(double) as pool:
        futures = [pool.submit(number) for number in range(5)]
        assert [pool.result(future) for future in futures] == [0, 2, 4, 6, 8]
    with pool_for(fail) as pool, pytest.raises(EngineUnavailable, match="the engine is out of order"):
        pool.result(pool.submit("the engine"))


def test_a_process_opens_once_and_computes_on_one_processor() -> None:
    with Processes(process_and_times_opened, workers=2) as pool:
        assert pool.width == 4
        found = [pool.result(future) for future in [pool.submit(number) for number in range(12)]]
    assert os.getpid() not in {process for process, _ in found}
    assert {times for _, times in found} == {1}
    with Processes(threads_that_compute, workers=1) as pool:
        assert pool.result(pool.submit(0)) == {1}
    with Processes(threads_that_encode, workers=1) as pool:
        assert pool.result(pool.submit(0)) == 1


def test_work_in_the_background_leaves_the_processors_to_the_screens() -> None:
    here = os.getpriority(os.PRIO_PROCESS, 0)
    for in_background, expected in ((False, here), (True, 10)):
        with Processes(niceness, workers=1, in_background=in_background) as pool:
            assert pool.result(pool.submit(0)) == expected


@pytest.mark.parametrize("kind", ["threads", "processes"])
def test_a_cancel_reaches_a_question_in_hand(kind: str, tmp_path: Path) -> None:
    ended = tmp_path / "ended"
    pool: Pool[str, None] = Threads(wait_for_a_cancel) if kind == "threads" else Processes(wait_for_a_cancel, workers=1)
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
    with pytest.raises(WorkersLost, match="fewer workers"), Processes(end_at, workers=1) as pool:
        work_through(((each, each) for each in range(20)), pool, keep=kept.__setitem__, report=lambda: None)
    assert kept == {number: number for number in range(13)}
