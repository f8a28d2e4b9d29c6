"""A run on a real Dask cluster on loopback: a scheduler and two workers, one of which is killed in mid-run."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from core.__main__ import main
from core.errors import NoCluster
from core.runs import RunOrder, carry_out
from core.settings import Settings
from core.store import open_store
from core.work.cluster import ClusterWorkers
from core.work.progress import WorkProgress
from tests.core.runs.run_to_kill import TASK, write_data
from tests.core.work.dask_cluster import DaskCluster, dask_cluster

pytestmark = pytest.mark.slow

ITEMS = 30


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[DaskCluster]:
    with dask_cluster(tmp_path) as cluster:
        yield cluster


def order(data: Path, cluster: str | None = None) -> RunOrder:
    return RunOrder(TASK, "bm25", data, cluster=cluster)


def test_a_killed_worker_loses_nothing_and_repeats_nothing(cluster: DaskCluster, tmp_path: Path) -> None:
    data = write_data(tmp_path, ITEMS, sentences=1500)  # long papers, so that the run lasts
    here = carry_out(order(data))
    runs = open_store(Settings(home=tmp_path / "home", data=None)).runs
    cluster.waits_for_workers(2)
    seen: list[int] = []

    def kill_one(standing: WorkProgress) -> None:
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


def test_a_worker_of_another_version_is_refused(
    cluster: DaskCluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cluster.waits_for_workers(1)
    monkeypatch.setattr("core.work.identity.code_sha256", lambda *kinds: "another")
    with pytest.raises(NoCluster, match="another version"):
        carry_out(order(write_data(tmp_path), cluster.address))


def test_a_cluster_without_workers_or_a_scheduler_is_told(
    cluster: DaskCluster, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
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
    monkeypatch.setattr("core.work.cluster.ClusterWorkers", partial(ClusterWorkers, connect_s=1))
    command = ["bench", TASK, "--data", str(data), "--engine", "bm25", "--cluster", cluster.address]
    assert main(command) == 2
    assert "No Dask scheduler answers" in capsys.readouterr().err
