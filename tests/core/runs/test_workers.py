"""A run in worker processes: the same table, and no process left behind."""

from __future__ import annotations

import subprocess
import sys
import time
from dataclasses import replace
from functools import partial
from multiprocessing import active_children, get_context
from pathlib import Path
from types import ModuleType

import psutil  # comes with distributed
import pytest

from core.benchmarks.answering import ask
from core.benchmarks.model import Item
from core.benchmarks.task import EngineChoice
from core.benchmarks.tasks import task_named
from core.errors import WorkersLost
from core.runs.order import Order, carry_out
from core.work import worker
from core.work.standing import Standing
from run import ROOT
from tests.core.runs.sitting import ITEMS, TASK, write_data


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return write_data(tmp_path)


def test_two_workers_come_to_the_same_table(data: Path) -> None:
    one = carry_out(Order(TASK, "bm25", data))
    two = carry_out(Order(TASK, "bm25", data, workers=2))
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
    assert carry_out(Order(TASK, "bm25", data, limit=2, workers=1)).run.failed == 0
    assert sys.modules["__main__"] is page


def test_a_cancel_reaches_an_engine_at_work(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    item = next(iter(task_named(TASK).items(data)))
    assert isinstance(item, Item)
    do = partial(ask, TASK, EngineChoice("offline"))
    cancelled = get_context("spawn").Event()
    monkeypatch.setattr(worker, "_progress", partial(worker._stop_if, cancelled))
    assert worker.answer(do, item.question).error is None
    cancelled.set()
    with pytest.raises(worker.Cancelled):
        worker.answer(do, item.question)


def test_a_worker_that_ends_before_its_time_ends_the_run_with_a_sentence(tmp_path: Path) -> None:
    data = write_data(tmp_path, ITEMS, sentences=1500)  # long papers, so that the run lasts

    def end_one(standing: Standing) -> None:
        if standing.done:
            for process in active_children()[:1]:
                process.kill()

    with pytest.raises(WorkersLost, match="what is saved is kept"):
        carry_out(Order(TASK, "bm25", data, workers=2), report=end_one)


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
