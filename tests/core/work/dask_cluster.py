"""A real Dask cluster on loopback, whose processes can be killed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from run import ROOT


@dataclass
class DaskCluster:
    """Its scheduler's address, and its processes."""

    address: str
    scheduler: subprocess.Popen[bytes]
    workers: list[subprocess.Popen[bytes]]

    def waits_for_workers(self, number: int) -> None:
        """Until so many are there, for a minute at most."""
        from dask.distributed import Client

        with Client(self.address, set_as_default=False) as client:
            client.wait_for_workers(number, timeout=60)


@contextmanager
def dask_cluster(folder: Path, *, workers: int = 2, **settings: str) -> Iterator[DaskCluster]:
    """Workers with one thread each; `settings` are Dask's, in the environment."""
    place = folder / "scheduler.json"
    environment = os.environ | {"PYTHONPATH": str(ROOT)} | settings
    with ExitStack() as running:

        def start(program: str, *options: str) -> subprocess.Popen[bytes]:
            words = [sys.executable, "-m", f"distributed.cli.{program}", "--host", "127.0.0.1", "--no-dashboard"]
            process = subprocess.Popen(
                [*words, "--scheduler-file", str(place), *options],
                env=environment,
                cwd=folder,
                stderr=subprocess.DEVNULL,
            )
            running.callback(process.wait)
            running.callback(process.kill)
            return process

        scheduler = start("dask_scheduler", "--port", "0")
        _waits_until(place.exists)
        address = json.loads(place.read_text())["address"]
        own = ("--no-nanny", "--nthreads", "1", "--local-directory", str(folder))
        yield DaskCluster(address, scheduler, [start("dask_worker", *own) for _ in range(workers)])


def _waits_until(condition: Callable[[], bool]) -> None:
    until = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < until, "it took a minute"
        time.sleep(0.05)
