"""The queue on a real Dask cluster on loopback, of which a worker is killed in mid-work."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from core.errors import NoCluster
from core.review.queue import WorkerOptions, run_queue, start_queue
from core.review.status import queue_status
from core.store import QueueMode, Store
from core.work.cluster import ClusterWorkers
from core.work.progress import WorkProgress
from tests.core.review.papers import begin
from tests.core.work.dask_cluster import DaskCluster, dask_cluster

pytestmark = pytest.mark.slow

TRIALS = 10


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[DaskCluster]:
    with dask_cluster(tmp_path) as cluster:
        yield cluster


def test_a_worker_that_is_lost_loses_nothing(store: Store, cluster: DaskCluster) -> None:
    cluster.waits_for_workers(2)
    begin(store, trials=TRIALS)
    killed = []

    def kill(progress: WorkProgress) -> None:
        if progress.done >= TRIALS // 2 and not killed:
            cluster.workers[0].kill()
            killed.append(progress)

    worker_options = WorkerOptions(cluster=cluster.address)
    start_queue(store, "towns", "Ann", worker_options)
    run_queue(store, "towns", worker_options=worker_options, report=kill)
    assert killed
    with store.reading() as now:
        status = queue_status(now, now.project("towns").record)
        versions = {saved.version for saved in (*now.findings("towns"), *now.stored_papers("towns"))}
        assert len(now.findings("towns")) == TRIALS
    assert (versions, status.failures, status.unreadable) == ({1}, (), ())


def test_a_cluster_that_is_not_there_is_told_and_the_queue_waits(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.work.cluster.ClusterWorkers", partial(ClusterWorkers, connect_s=1))
    begin(store, trials=1)
    worker_options = WorkerOptions(cluster="tcp://127.0.0.1:9")
    start_queue(store, "towns", "Ann", worker_options)
    with pytest.raises(NoCluster, match="No Dask scheduler"):
        run_queue(store, "towns", worker_options=worker_options)
    with store.reading() as now:
        status = queue_status(now, now.project("towns").record)
    assert status.state.mode is QueueMode.PAUSED
    assert "No Dask scheduler" in (status.problem or "")
    assert status.waiting == 1
