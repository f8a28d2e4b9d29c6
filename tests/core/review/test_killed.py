"""A queue that is killed goes on where it was: the same table, and nothing that was finished is done again."""

from __future__ import annotations

import os
import random
import time
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.process import BaseProcess
from pathlib import Path

import psutil
import pytest

from core.review.outputs import table_rows
from core.review.queue import WorkerOptions, run_queue, start_queue
from core.settings import Settings
from core.store import Store, open_store
from tests.core.review.papers import HYPOTHESIS, begin

pytestmark = pytest.mark.slow

KILLS = 2
TRIALS = 12


def sit(home: Path) -> None:
    """The queue in a process of its own, with worker processes of its own, to its end."""
    os.environ["VOUCH_HOME"] = str(home)
    os.environ.pop("VOUCH_DATABASE_URL", None)
    store = open_store(Settings(home=home, data=None))
    start_queue(store, "towns", "Ann")
    run_queue(store, "towns", worker_options=WorkerOptions(workers=1))
    os._exit(0)


class Review:
    """A review in a home of its own."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.store: Store = open_store(Settings(home=home, data=None))
        begin(self.store, trials=TRIALS)

    @property
    def table(self) -> list[tuple[object, ...]]:
        """The evidence table, times apart."""
        with self.store.reading() as now:
            rows = table_rows(now, "towns", reader="")
        found = [(row.title, row.cell(HYPOTHESIS).finding) for row in rows]
        return sorted((title, one.verdict, one.strongest_for, one.effect) for title, one in found if one is not None)

    @property
    def done(self) -> tuple[int, int]:
        """Papers that were read, and findings."""
        with self.store.reading() as now:
            return len(now.stored_papers("towns")), len(now.findings("towns"))

    @property
    def versions(self) -> set[int]:
        """Of papers and findings; each has one row in the history for each time that it was made."""
        with self.store.reading() as now:
            whole = now.whole("towns")
        made = [change for change in whole.history if change.kind in ("papers", "findings")]
        assert len(made) == len(whole.papers) + len(whole.findings)
        return {saved.version for saved in (*whole.papers, *whole.findings)}


@pytest.fixture(scope="module")
def begin_sitting():
    """Begins a sitting in a process that has imported everything already, and is killed like any other."""
    context = get_context("forkserver")
    context.set_forkserver_preload(["tests.core.review.test_killed", "core.review.queue", "alembic"])

    def begin_one(home: Path) -> BaseProcess:
        process = context.Process(target=sit, args=(home,))
        process.start()
        return process

    return begin_one


def wait_for(process: BaseProcess, review: Review, steps: int) -> None:
    """Until so many papers are read and findings made, or the process has ended."""
    while process.is_alive() and sum(review.done) < steps:
        time.sleep(0.02)


def workers_of(process: BaseProcess) -> list[psutil.Process]:
    """Its worker processes; none where it has just ended by itself."""
    with suppress(psutil.NoSuchProcess):
        return psutil.Process(process.pid).children(recursive=True)
    return []


@pytest.mark.repetition("seed")
@pytest.mark.parametrize("seed", [9, 10, 11])
def test_kills_at_random_moments_come_to_the_same_table(seed: int, begin_sitting, tmp_path: Path) -> None:
    whole = Review(tmp_path / "whole")
    begin_sitting(whole.home).join()  # pays for the first imports
    table = whole.table
    assert len(table) == TRIALS
    generator = random.Random(seed)
    review = Review(tmp_path / "0")
    number = kills = in_the_middle = 0
    while kills < KILLS or (kills < 20 and not in_the_middle):
        process = begin_sitting(review.home)
        left = generator.randint(1, max(1, 2 * TRIALS - sum(review.done)))
        wait_for(process, review, sum(review.done) + left // 2)
        process.join(generator.uniform(0, 0.2))
        if process.is_alive():
            workers = workers_of(process)
            process.kill()
            kills += 1
            in_the_middle += 0 < sum(review.done) < 2 * TRIALS
            psutil.wait_procs(workers, timeout=30)
            assert not [one for one in workers if one.is_running() and one.status() != psutil.STATUS_ZOMBIE]
        process.join()
        if review.done == (TRIALS, TRIALS):
            assert (review.table, review.versions) == (table, {1})
            number += 1
            review = Review(tmp_path / str(number))
    begin_sitting(review.home).join()
    assert (review.table, review.versions) == (table, {1})
    assert in_the_middle, "the kills came before the work or after it, and showed nothing"
