"""Work in a thread of its own, so that the page stays free; a script run looks at it now and then."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from threading import Event, Lock, Thread
from typing import Generic, TypeVar

from core.evidence.llm.live import Row
from core.llm import ModelRunner, Spending, together

T = TypeVar("T")
_ALONE = 10.0  # seconds that work goes on unseen: a connection may break for a moment


class Stopped(Exception):
    """Raised from a report: nobody wants the work any more."""


class Running(Generic[T]):
    """Work that has begun. It is its own work's `Progress`; the thread writes here and nowhere else.

    `watched`, called in that thread, tells whether anybody would see the result: work that nobody has watched for some
    seconds stops at its next report, so that no paid run goes on unseen.
    """

    def __init__(self, work: Callable[[Running[T]], T], *, watched: Callable[[], bool] = lambda: True) -> None:
        self._watched = watched
        self._lock = Lock()
        self._stop, self._ended = Event(), Event()
        self._started = self._seen = time.monotonic()
        self._report: tuple[float, str] = (0.0, "Starting")
        self._rows: Sequence[Row] = ()
        self._runners: list[ModelRunner] = []
        self._result: T | None = None
        self._error: BaseException | None = None
        Thread(target=self._carry_out, args=(work,), name="work", daemon=True).start()

    def _carry_out(self, work: Callable[[Running[T]], T]) -> None:
        try:
            result = work(self)
        except Stopped:
            self._stop.set()
        except BaseException as error:  # noqa: BLE001  whoever takes the outcome raises it where it is seen
            with self._lock:
                self._error = error
        else:
            with self._lock:
                self._result = result
        self._ended.set()

    def __call__(self, done: float, step: str) -> None:
        """Report progress; see `Progress`. Raises `Stopped`."""
        now = time.monotonic()
        if self._watched():
            self._seen = now
        if self._stop.is_set() or now - self._seen > _ALONE:
            raise Stopped
        with self._lock:
            self._report = (min(1.0, max(0.0, done)), step)

    def show(self, rows: Sequence[Row]) -> None:
        """Note how the questions to a language model stand."""
        with self._lock:
            self._rows = rows

    def count(self, runner: ModelRunner) -> None:
        """Show what this runner spends from now on, with what others have spent before it."""
        with self._lock:
            self._runners.append(runner)

    def stop(self) -> None:
        """End the work at its next report; its result is not wanted."""
        self._stop.set()

    def wait(self, seconds: float) -> bool:
        """Wait until the work has ended, at most so long; whether it has."""
        return self._ended.wait(seconds)

    @property
    def stopped(self) -> bool:
        """Whether the work is to end, or has ended, without a result."""
        return self._stop.is_set()

    @property
    def ended(self) -> bool:
        """Whether the thread is through, in one way or another."""
        return self._ended.is_set()

    @property
    def report(self) -> tuple[float, str]:
        """The last report: the fraction done, and the present step."""
        with self._lock:
            return self._report

    @property
    def rows(self) -> Sequence[Row]:
        """How the questions to a language model stand."""
        with self._lock:
            return self._rows

    @property
    def elapsed(self) -> float:
        """Seconds since the work began."""
        return time.monotonic() - self._started

    @property
    def spent(self) -> Spending:
        """What language models were paid so far."""
        with self._lock:
            runners = list(self._runners)
        return together(runner.spent for runner in runners)

    @property
    def result(self) -> T | None:
        """What the work brought; None before its end, and where it was stopped or failed."""
        with self._lock:
            return None if self.stopped else self._result

    @property
    def error(self) -> BaseException | None:
        """What the work failed with."""
        with self._lock:
            return self._error
