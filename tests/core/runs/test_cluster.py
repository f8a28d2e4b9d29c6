"""A run on a real Dask cluster on loopback: a scheduler and two workers, one of which is killed in mid-run."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from core.__main__ import main
from core.benchmarks.standing import Standing
from core.errors import NoCluster
from core.runs.order import Order, carry_out
from core.settings import Settings
from core.store import open_store
from run import ROOT
from tests.core.runs.sitting import TASK, write_data

ITEMS = 30


@dataclass
class RealCluster:
    """Its scheduler's address, and its processes."""

    address: str
    scheduler: subprocess.Popen[bytes]
    workers: list[subprocess.Popen[bytes]]


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[RealCluster]:
    """Two workers with one thread each."""
    place = tmp_path / "scheduler.json"
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    with ExitStack() as running:

        def start(program: str, *options: str) -> subprocess.Popen[bytes]:
            words = [sys.executable, "-m", f"distributed.cli.{program}", "--host", "127.0.0.1", "--no-dashboard"]
            process = subprocess.Popen(
                [*words, "--scheduler-file", str(place), *options],
                env=environment,
                cwd=tmp_path,
                stderr=subprocess.DEVNULL,
            )
            running.callback(process.wait)
            running.callback(process.kill)
            return process

        scheduler = start("dask_scheduler", "--port", "0")
        waits_until(place.exists)
        address = json.loads(place.read_text())["address"]
        own = ("--no-nanny", "--nthreads", "1", "--local-directory", str(tmp_path))
        yield RealCluster(address, scheduler, [start("dask_worker", *own) for _ in range(2)])


def waits_until(condition) -> None:
    until = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < until, "it took a minute"
        time.sleep(0.05)


def order(data: Path, cluster: str | None = None) -> Order:
    return Order(TASK, "bm25", data, cluster=cluster)


def test_a_killed_worker_loses_nothing_and_repeats_nothing(cluster: RealCluster, tmp_path: Path) -> None:
    data = write_data(tmp_path, ITEMS, sentences=1500)  # long papers, so that the run lasts
    here = carry_out(order(data))
    runs = open_store(Settings(home=tmp_path / "home", data=None)).runs
    waits_for_workers(cluster, 2)
    seen: list[int] = []

    def kill_one(standing: Standing) -> None:
        seen.append(standing.done)
        if standing.done >= 5 and cluster.workers[0].poll() is None:
            cluster.workers[0].kill()
            cluster.workers[0].wait()

    there = carry_out(order(data, cluster.address), runs, report=kill_one)
    assert cluster.workers[0].poll() is not None
    assert any(5 <= done < ITEMS for done in seen), "it was killed too late to show anything"
    assert there.setup == here.setup
    assert there.run.metrics == here.run.metrics
    assert [timeless(item) for item in there.run.items] == [timeless(item) for item in here.run.items]
    assert len(runs.items(there.setup.id)) == ITEMS


def timeless(item):
    return replace(item, response=replace(item.response, seconds=0.0))


def waits_for_workers(cluster: RealCluster, number: int) -> None:
    from dask.distributed import Client

    with Client(cluster.address, set_as_default=False) as client:
        client.wait_for_workers(number, timeout=60)


def test_a_worker_of_another_version_is_refused(
    cluster: RealCluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits_for_workers(cluster, 1)
    monkeypatch.setattr("core.benchmarks.cluster.fingerprint", lambda engine: "another")
    with pytest.raises(NoCluster, match="another version"):
        carry_out(order(write_data(tmp_path), cluster.address))


def test_a_cluster_without_workers_or_a_scheduler_is_told(
    cluster: RealCluster, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    data = write_data(tmp_path)
    with pytest.raises(NoCluster, match="is no address"):
        carry_out(order(data, "127.0.0.1"))
    for worker in cluster.workers:
        worker.kill()
        worker.wait()
    with pytest.raises(NoCluster, match="no workers"):
        carry_out(order(data, cluster.address))
    cluster.scheduler.kill()
    cluster.scheduler.wait()
    monkeypatch.setattr("core.benchmarks.cluster._CONNECT_S", 1)
    command = ["bench", TASK, "--data", str(data), "--engine", "bm25", "--cluster", cluster.address]
    assert main(command) == 2
    assert "No Dask scheduler answers" in capsys.readouterr().err
