"""A run's questions answered by a Dask cluster, whose scheduler hands the work of a lost worker to another.

The workers run what they are sent: a cluster, and the network between its machines, must be trusted (docs/bench.md).
"""

from __future__ import annotations

import re
import time
from concurrent.futures import CancelledError, Future
from functools import partial
from typing import Any

from dask.distributed import Client
from distributed.scheduler import KilledWorker

from core.benchmarks.deciding import fingerprint
from core.benchmarks.model import Response
from core.benchmarks.pools import Pool
from core.benchmarks.task import AnyTask, Engine, EngineChoice
from core.benchmarks.worker import answer_alike
from core.errors import NoCluster

_ADDRESS = re.compile(r"(tcp|tls)://[^/\s]+:\d{1,5}")
_CONNECT_S = 10
_LOOK_S = 5.0  # seconds between looks at the workers
_ALONE_S = 60.0  # seconds without any worker after which none is waited for


class Cluster(Pool):
    """The workers of a Dask scheduler. They may come and go; each has Vouch installed, and its own keys."""

    def __init__(self, task: AnyTask, engine: Engine, choice: EngineChoice, address: str) -> None:
        """Raises `NoCluster` if no scheduler answers, or it has no worker."""
        super().__init__(engine.name, 1)
        if not _ADDRESS.fullmatch(address):
            raise NoCluster(f"“{address}” is no address of a Dask scheduler. Write it as tcp://HOST:8786.")
        try:
            self._client = Client(address, timeout=_CONNECT_S, set_as_default=False)
        except (OSError, ValueError, TimeoutError) as error:
            raise NoCluster(
                f"No Dask scheduler answers at {address} ({error}). Check the address, tcp://HOST:8786."
            ) from None
        self._address = address
        self._ask = partial(answer_alike, fingerprint(choice.name), task.name, EngineChoice(choice.name, choice.seed))
        self._executor = self._client.get_executor(pure=False)
        self._looked = self._seen = 0.0
        try:
            self._seen = time.monotonic() - _ALONE_S
            self.look()
        except NoCluster:
            self._client.close()
            raise

    def look(self) -> None:
        """See how many workers there are now."""
        now = time.monotonic()
        if now - self._looked < _LOOK_S:
            return
        self._looked = now
        threads = sum(self._client.nthreads().values())
        if threads:
            self._seen = now
            self.width = 2 * threads
        elif now - self._seen >= _ALONE_S:
            raise NoCluster(
                f"The scheduler at {self._address} has no workers. Start some: dask worker {self._address}."
            )

    def submit(self, question: Any) -> Future[Response]:
        future: Future[Response] = self._executor.submit(self._ask, question)
        return future

    def result(self, future: Future[Response]) -> Response:
        try:
            return future.result()
        except KilledWorker as error:
            lost = error.allowed_failures + 1
            return Response(cost_usd=None, error=f"{lost} workers ended while they were at work on it.")
        except CancelledError:
            raise NoCluster(f"The scheduler at {self._address} has gone. With --save, what is done is kept.") from None
        except (ImportError, RuntimeError) as error:  # a scheduler wraps it
            missing = error if isinstance(error, ImportError) else error.__cause__
            if not isinstance(missing, ImportError):
                raise
            raise NoCluster(
                f"The scheduler or a worker cannot import Vouch ({missing}). Start all of them by “python -m dask” in its "
                "folder, with its libraries installed."
            ) from None

    def close(self, *, cancel: bool) -> None:
        self._executor.shutdown(wait=not cancel)
        self._client.close()
