"""A run in a thread of its own, for a page that looks at it now and then."""

from __future__ import annotations

from threading import Event, Lock, Thread

from core.benchmarks.model import CompleteRun
from core.benchmarks.standing import Standing
from core.runs.order import Order, carry_out
from core.store import Runs


class BackgroundRun:
    """A run that has begun. What it has done is in the store, whatever becomes of this process."""

    def __init__(self, order: Order, runs: Runs, *, retry: bool = False, anew: bool = False) -> None:
        self.order = order
        self._lock = Lock()
        self._cancel, self._ended = Event(), Event()
        self._standing: Standing | None = None
        self._complete: CompleteRun | None = None
        self._error: BaseException | None = None
        Thread(target=self._carry_out, args=(runs, retry, anew), name="benchmark run", daemon=True).start()

    def _carry_out(self, runs: Runs, retry: bool, anew: bool) -> None:
        try:
            complete = carry_out(self.order, runs, retry=retry, anew=anew, report=self._note)
        except _Cancelled:
            pass
        except BaseException as error:  # noqa: BLE001  whoever looks at the run raises it where it is seen
            with self._lock:
                self._error = error
        else:
            with self._lock:
                self._complete = complete
        self._ended.set()

    def _note(self, standing: Standing) -> None:
        if self._cancel.is_set():
            raise _Cancelled
        with self._lock:
            self._standing = standing

    def cancel(self) -> None:
        """End it within moments. What is done stays in the store, and the same order goes on with it."""
        self._cancel.set()

    def wait(self, seconds: float) -> bool:
        """Wait until it has ended, at most so long; whether it has."""
        return self._ended.wait(seconds)

    @property
    def ended(self) -> bool:
        """Whether it is through, in one way or another."""
        return self._ended.is_set()

    @property
    def cancelled(self) -> bool:
        """Whether it was told to end."""
        return self._cancel.is_set()

    @property
    def standing(self) -> Standing | None:
        """How far it is; None before the first report, while data and engine are opened."""
        with self._lock:
            return self._standing

    @property
    def complete(self) -> CompleteRun | None:
        """What it came to; None before its end, and where it was cancelled or failed."""
        with self._lock:
            return self._complete

    @property
    def error(self) -> BaseException | None:
        """What it failed with: a `VouchError` is for the user."""
        with self._lock:
            return self._error


class _Cancelled(Exception):
    """Ends a run from its report."""
