"""Questions on a real Dask cluster on loopback."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from core.errors import NoCluster
from core.work.cluster import ClusterWorkers
from core.work.pools import work_through
from tests.core.work.dask_cluster import dask_cluster
from tests.core.work.doing import end_at

pytestmark = pytest.mark.slow


def fingerprint(word: str) -> str:
    """One word, here as there."""
    return word


def test_a_question_that_ends_its_workers_is_answered_in_words_and_the_rest_goes_on(tmp_path: Path) -> None:
    settings = {"DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "0"}
    kept: dict[int, int | str] = {}
    with dask_cluster(tmp_path, **settings) as running:
        running.waits_for_workers(2)
        cluster: ClusterWorkers[int, int | str] = ClusterWorkers(
            end_at, running.address, fingerprint=partial(fingerprint, "same"), lost=lambda reason: f"lost: {reason}"
        )

        def jobs() -> Iterator[tuple[int, int] | None]:
            for number in (1, 2, 13, 3):
                while number in (13, 3) and len(kept) < (2 if number == 13 else 3):
                    yield None  # so that nothing else is lost with 13
                yield number, number

        with cluster:
            assert cluster.width == 4
            work_through(jobs(), cluster, keep=kept.__setitem__, report=lambda: None)
    assert kept == {1: 1, 2: 2, 3: 3, 13: "lost: 1 workers ended while they were at work on it."}


def test_what_is_no_address_is_told() -> None:
    with pytest.raises(NoCluster, match="is no address"):
        ClusterWorkers(end_at, "127.0.0.1:8786", fingerprint=lambda: "", lost=str)
