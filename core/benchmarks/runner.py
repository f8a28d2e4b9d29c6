"""Put a task's questions to an engine: every item counts, and a failed one counts as a failure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from core.benchmarks.model import BrokenRecord, Item, ItemResult, Response, Run
from core.benchmarks.pools import Pool
from core.benchmarks.standing import Clock, Report, unheard
from core.benchmarks.task import AnyTask, Items
from core.errors import DatasetError

_TICK = 0.2  # seconds between reports while no response comes, so that a cancel is noticed

Keep = Callable[[int, ItemResult], None]  # an item's place in the data, and what became of it


def not_kept(place: int, result: ItemResult) -> None:
    """For a run that is not to be gone on with later."""


def run_task(
    task: AnyTask,
    items: Items[Any, Any],
    pool: Pool,
    *,
    limit: int | None = None,
    done: Mapping[str, ItemResult] | None = None,
    keep: Keep = not_kept,
    report: Report = unheard,
) -> Run:
    """Put every item to the pool, which ends with the run; `limit`: the first so many records only.

    `done` are results of an earlier sitting, by the item's id, which are not asked for again; `keep` gets every other one
    as soon as it is there. Raising from `report`, which is called a few times a second, cancels.

    Raises `DatasetError` if there is no item, or two have the same id.
    """
    size = len(items) if limit is None else min(limit, len(items))
    sitting = _Sitting(task, pool, done or {}, keep, report, Clock(size))
    with pool:
        for place, entry in enumerate(islice(items, limit)):
            sitting.take(place, entry)
        sitting.wait_for_all()
    return sitting.run()


@dataclass(slots=True)
class _Sitting:
    """The state of a run while it lasts."""

    task: AnyTask
    pool: Pool
    before: Mapping[str, ItemResult]
    keep: Keep
    report: Report
    clock: Clock
    results: dict[int, ItemResult] = field(default_factory=dict)  # by place
    broken: list[str] = field(default_factory=list)
    ids: set[str] = field(default_factory=set)
    in_hand: dict[Future[Response], tuple[int, Item[Any, Any]]] = field(default_factory=dict)

    def take(self, place: int, entry: Item[Any, Any] | BrokenRecord) -> None:
        """Take one record: hand it on, as soon as there is a place for it."""
        if isinstance(entry, BrokenRecord):
            self.broken.append(str(entry))
            self.clock.of -= 1
            return
        if entry.id in self.ids:
            raise DatasetError(f"Two items have the id “{entry.id}”, so that their results cannot be told apart.")
        self.ids.add(entry.id)
        if (known := self.before.get(entry.id)) is not None:
            self.results[place] = known
            self.clock.count(known.response, before=True)
            return
        if self.clock.wants_estimate:
            self.clock.expect(self.task.estimate(self.pool.engine, entry.question))
        self.in_hand[self.pool.submit(entry.question)] = place, entry
        while len(self.in_hand) >= self.pool.width:
            self.wait_for_one()

    def wait_for_all(self) -> None:
        """Until nothing is in hand."""
        while self.in_hand:
            self.wait_for_one()

    def wait_for_one(self) -> None:
        """A moment, or until a response is there."""
        self.report(self.clock.standing())
        self.pool.look()
        ready, _ = wait(self.in_hand, timeout=_TICK, return_when=FIRST_COMPLETED)
        for future in ready:
            place, item = self.in_hand.pop(future)
            response = self.pool.result(future)
            scores = self.task.score(item, response.answer)
            result = ItemResult(item.id, item.group, response, scores, item.category, item.labels)
            self.keep(place, result)
            self.results[place] = result
            self.clock.count(response)

    def run(self) -> Run:
        """What it all came to."""
        if not self.results:
            raise DatasetError(f"The data holds no item for {self.task.name}.")
        items = tuple(self.results[place] for place in sorted(self.results))
        self.report(self.clock.standing())
        return Run(
            self.task.name,
            self.pool.engine,
            items,
            self.task.metrics(items),
            self.clock.seconds,
            tuple(self.broken),
        )
