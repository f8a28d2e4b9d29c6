"""How a run stands while it runs: which questions are answered, waited for, asked again, or failed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from threading import Lock

from core.llm import ModelRunner, Reply, Request
from core.progress import Progress, silent


class Standing(StrEnum):
    """What has become of a question so far."""

    WAITING = "waiting"
    ANSWERED = "answered"
    AGAIN = "asked again"  # its first answer had faults
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Row:
    """One question of a run."""

    label: str
    standing: Standing = Standing.WAITING
    from_cache: bool = False


class WatchedRunner:
    """Asks as its runner does, and tells after every change how each question stands.

    `to_come` are the labels of questions that follow from the first answers. Safe to share between threads.
    """

    def __init__(
        self, runner: ModelRunner, tell: Callable[[Sequence[Row]], None], *, to_come: Iterable[str] = ()
    ) -> None:
        self._runner = runner
        self._tell = tell
        self._to_come = [Row(label) for label in to_come]
        self._lock = Lock()
        self._rows: dict[tuple[str, str], Row] = {}  # by what a question and its repetition share
        self._tasks: dict[tuple[str, str], str] = {}  # of the question; its repetition begins with the same words

    @property
    def name(self) -> str:
        """The model's."""
        return self._runner.name

    def ask_all(self, requests: Sequence[Request], *, progress: Progress = silent) -> list[Reply]:
        """See `ModelRunner.ask_all`."""
        keys = [(request.label, request.context) for request in requests]
        asked = list(zip(requests, keys, strict=True))
        with self._lock:
            if any(not request.task.startswith(self._tasks.get(key, "")) for request, key in asked):
                self._rows, self._tasks = {}, {}  # another hypothesis: a search of its own
            for request, key in asked:
                known = key in self._rows
                self._tasks.setdefault(key, request.task)
                self._rows[key] = Row(request.label, Standing.AGAIN if known else Standing.WAITING)

        def note(place: int, reply: Reply) -> None:
            with self._lock:
                row = self._rows[keys[place]]
                # Asked again in vain, what was right in the first answer counts.
                failed = reply.problem is not None and row.standing is Standing.WAITING
                standing = Standing.FAILED if failed else Standing.ANSWERED
                self._rows[keys[place]] = Row(row.label, standing, from_cache=reply.from_cache)
            self._report()

        self._report()
        return self._runner.ask_all(requests, progress=progress, answered=note)

    def cost_of(self, reply: Reply) -> float | None:
        """See `ModelRunner.cost_of`."""
        return self._runner.cost_of(reply)

    def _report(self) -> None:
        with self._lock:
            rows = list(self._rows.values())
        begun = {row.label for row in rows}
        self._tell([*rows, *(row for row in self._to_come if row.label not in begun)])
