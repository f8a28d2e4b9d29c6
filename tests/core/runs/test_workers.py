"""A run in worker processes: the same table, and no process left behind."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from dataclasses import replace
from functools import partial
from multiprocessing import active_children, get_context
from multiprocessing.process import BaseProcess
from pathlib import Path
from types import ModuleType

import psutil
import pytest

from core.benchmarks.model import Interval, Item, SavedRun
from core.benchmarks.runner import ask_in_worker
from core.benchmarks.task import EngineChoice
from core.benchmarks.tasks import task_named
from core.errors import WorkersLost
from core.runs import RunOrder, carry_out, saved_run
from core.settings import Settings
from core.store import BenchmarkRuns, open_store
from core.work import pools
from core.work.progress import WorkProgress
from run import ROOT
from tests.core.runs.run_to_kill import ITEMS, TASK, computed, sit, write_data

pytestmark = pytest.mark.slow


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return write_data(tmp_path)


def test_two_workers_come_to_the_same_table(data: Path) -> None:
    one = carry_out(RunOrder(TASK, "bm25", data))
    two = carry_out(RunOrder(TASK, "bm25", data, workers=2))
    assert two.setup == one.setup
    assert two.run.metrics == one.run.metrics
    timeless = [[replace(i, response=replace(i.response, seconds=0.0)) for i in c.run.items] for c in (one, two)]
    assert timeless[0] == timeless[1]


def test_a_worker_does_not_run_the_page_that_began_it(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = ModuleType("__main__")  # as Streamlit makes one of every page
    page.__file__ = str(tmp_path / "page.py")
    (tmp_path / "page.py").write_text("raise SystemExit('a page ran in a worker')")
    monkeypatch.setitem(sys.modules, "__main__", page)
    assert carry_out(RunOrder(TASK, "bm25", data, limit=2, workers=1)).run.failed == 0
    assert sys.modules["__main__"] is page


def test_a_cancel_reaches_an_engine_at_work(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    item = next(iter(task_named(TASK).items(data)))
    assert isinstance(item, Item)
    do = partial(ask_in_worker, TASK, EngineChoice("offline"))
    cancelled = get_context("spawn").Event()
    monkeypatch.setattr(pools, "_progress", partial(pools._stop_if, cancelled))
    assert pools.answer(do, item.question).error is None
    cancelled.set()
    with pytest.raises(pools.Cancelled):
        pools.answer(do, item.question)


def test_a_worker_that_ends_before_its_time_ends_the_run_with_a_sentence(tmp_path: Path) -> None:
    data = write_data(tmp_path, ITEMS, sentences=1500)  # long papers, so that the run lasts

    def end_one(standing: WorkProgress) -> None:
        if standing.done:
            for process in active_children()[:1]:
                process.kill()

    with pytest.raises(WorkersLost, match="what is saved is kept"):
        carry_out(RunOrder(TASK, "bm25", data, workers=2), report=end_one)


def test_a_killed_run_leaves_no_worker_behind(tmp_path: Path) -> None:
    data = write_data(tmp_path, ITEMS, sentences=1500)
    words = ["-m", "core", "bench", TASK, "--data", str(data), "--engine", "bm25", "--workers", "2"]
    process = subprocess.Popen([sys.executable, *words], cwd=ROOT, stdout=subprocess.DEVNULL)
    until = time.monotonic() + 60
    while (
        len(workers := psutil.Process(process.pid).children()) < 3
    ):  # two workers, and the one that counts shared memory
        assert process.poll() is None
        assert time.monotonic() < until
        time.sleep(0.05)
    process.kill()
    process.wait()
    while any(each.is_running() and each.status() != psutil.STATUS_ZOMBIE for each in workers):
        assert time.monotonic() < until, "a worker waits for a parent that was killed"
        time.sleep(0.05)


# A run that is killed goes on where it was, and comes to the same table.

KILLS = 3
Table = tuple[dict[str, Interval], list[tuple[str, tuple[int, ...], dict[str, float]]]]


class Home:
    """A home of Vouch's, and the one run in it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.mkdir()

    @property
    def runs(self) -> BenchmarkRuns:
        return open_store(Settings(home=self.path, data=None)).runs

    @property
    def run(self) -> SavedRun | None:
        return next(iter(self.runs.all()), None)

    @property
    def saved(self) -> set[str]:
        """The items that are in the store."""
        return {item.id for item in self.runs.items(self.run.setup.id)} if self.run else set()

    @property
    def table(self) -> Table:
        assert self.run
        run = saved_run(self.run.setup.id, self.runs).run
        return dict(run.metrics), [(item.id, item.response.sentences, dict(item.scores)) for item in run.items]


@pytest.fixture(scope="module")
def begin():
    """Begins a sitting in a process that has imported everything already, and is killed like any other."""
    context = get_context("forkserver")
    context.set_forkserver_preload(
        ["tests.core.runs.run_to_kill", "core.commands.bench", "core.evidence.baselines", "alembic"]
    )

    def start(home: Home, data: Path) -> BaseProcess:
        process = context.Process(target=sit, args=(home.path, data))
        process.start()
        return process

    return start


@pytest.mark.alone
@pytest.mark.repetition("seed")
@pytest.mark.parametrize("seed", [8, 9, 10, 11])
def test_kills_at_random_moments_come_to_the_same_table(seed: int, begin, tmp_path: Path) -> None:
    data = write_data(tmp_path)
    whole = Home(tmp_path / "whole")
    begin(whole, data).join()  # pays for the first imports
    table = whole.table
    assert len(table[1]) == ITEMS
    again = Home(tmp_path / "again")
    started = time.monotonic()
    begin(again, data).join()
    longest = time.monotonic() - started

    generator = random.Random(seed)
    kills, in_the_middle, number = 0, 0, 0
    home = Home(tmp_path / "0")
    while kills < KILLS or (kills < 30 and not in_the_middle):
        saved, before = home.saved, len(computed(home.path))
        process = begin(home, data)
        if kills % 2:  # every second one while items come: that is the smaller part of a sitting
            while process.is_alive() and home.saved == saved:
                time.sleep(0.01)
            process.join(generator.uniform(0, longest / 10))
        else:
            process.join(generator.uniform(0, longest))
        if process.is_alive():
            process.kill()
            kills += 1
            in_the_middle += 0 < len(home.saved) < ITEMS
        process.join()
        assert saved.isdisjoint(computed(home.path)[before:]), "what was saved was computed again"
        if process.exitcode == 0:
            assert home.table == table
            number += 1
            home = Home(tmp_path / str(number))
    begin(home, data).join()
    assert home.table == table
    assert in_the_middle, "the kills came before the work or after it, and showed nothing"
