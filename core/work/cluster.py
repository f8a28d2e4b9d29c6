"""Questions answered by a Dask cluster, whose scheduler gives the work of a lost worker to another one.

The workers run the code they are sent, so the cluster and its network must be trusted (docs/bench.md).
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from functools import partial

from dask.distributed import Client
from distributed.scheduler import KilledWorker

from core.errors import NoCluster
from core.work.pools import A, Do, Q, WorkerPool, answer_if_same_code

_ADDRESS = re.compile(r"(tcp|tls)://[^/\s]+:\d{1,5}")
_LOOK_S = 5.0  # seconds between looks at the workers
_ALONE_S = 60.0  # give up after so many seconds without any worker


class ClusterWorkers(WorkerPool[Q, A]):
    """The workers of a Dask scheduler. They may come and go; each has Vouch installed, and its own keys.

    `do` is sent with every question, so it must be small and hold no key. `fingerprint` is called here and on every
    worker, and workers with a different one are refused. `lost` makes the answer for a question whose workers ended,
    from a sentence that says so: the question may have ended them, so it is not tried forever.
    """

    def __init__(
        self,
        do: Do[Q, A],
        address: str,
        *,
        fingerprint: Callable[[], str],
        lost: Callable[[str], A],
        connect_s: float = 10,
    ) -> None:
        """Raises `NoCluster` if no scheduler answers, or if it has no worker."""
        super().__init__(1)
        if not _ADDRESS.fullmatch(address):
            raise NoCluster(f"“{address}” is no address of a Dask scheduler. Write it as tcp://HOST:8786.")
        try:
            self._client = Client(address, timeout=connect_s, set_as_default=False)
        except (OSError, ValueError, TimeoutError) as error:
            raise NoCluster(
                f"No Dask scheduler answers at {address} ({error}). Check the address, tcp://HOST:8786."
            ) from None
        self._address, self._lost = address, lost
        self._ask = partial(answer_if_same_code, do, fingerprint, fingerprint())
        self._executor = self._client.get_executor(pure=False)
        self._looked = self._seen = 0.0
        try:
            self._seen = time.monotonic() - _ALONE_S
            self.look()
        except NoCluster:
            self._client.close()
            raise

    def look(self) -> None:
        """Count the workers, and set `width` accordingly."""
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

    def submit(self, question: Q) -> Future[A]:
        future: Future[A] = self._executor.submit(self._ask, question)
        return future

    def result(self, future: Future[A]) -> A:
        try:
            return future.result()
        except KilledWorker as error:
            return self._lost(f"{error.allowed_failures + 1} workers ended while they were at work on it.")
        except CancelledError:
            raise NoCluster(f"The scheduler at {self._address} has gone. What is saved is kept.") from None
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
