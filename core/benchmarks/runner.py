"""Put a task's questions to an engine: every item counts, and a failed one counts as a failure."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from core.benchmarks.answering import Answering
from core.benchmarks.model import BrokenRecord, Item, ItemResult, Response, Run
from core.benchmarks.task import AnyTask, Items
from core.errors import DatasetError
from core.work.sitting import work_through
from core.work.standing import Clock, Report, unheard

Keep = Callable[[int, ItemResult], None]  # an item's place in the data, and what became of it
Placed = tuple[int, Item[Any, Any]]


def not_kept(place: int, result: ItemResult) -> None:
    """For a run that is not to be gone on with later."""


def run_task(
    task: AnyTask,
    items: Items[Any, Any],
    answering: Answering,
    *,
    limit: int | None = None,
    done: Mapping[str, ItemResult] | None = None,
    keep: Keep = not_kept,
    report: Report = unheard,
) -> Run:
    """Put every item to the engine, whose pool ends with the run; `limit`: the first so many records only.

    `done` are results of an earlier sitting, by the item's id, which are not asked for again; `keep` gets every other one
    as soon as it is there. Raising from `report`, which is called a few times a second, cancels.

    Raises `DatasetError` if there is no item, or two have the same id.
    """
    size = len(items) if limit is None else min(limit, len(items))
    sitting = _Sitting(task, answering.engine, done or {}, keep, report, Clock(size))
    with answering.pool as pool:
        work_through(sitting.missing(islice(items, limit)), pool, keep=sitting.take, report=sitting.tell)
    return sitting.run()


@dataclass(slots=True)
class _Sitting:
    """The state of a run while it lasts."""

    task: AnyTask
    engine: str
    before: Mapping[str, ItemResult]
    keep: Keep
    report: Report
    clock: Clock
    results: dict[int, ItemResult] = field(default_factory=dict)  # by place
    broken: list[str] = field(default_factory=list)
    ids: set[str] = field(default_factory=set)

    def missing(self, entries: Iterator[Item[Any, Any] | BrokenRecord]) -> Iterator[tuple[Placed, Any]]:
        """The items that must be asked, with their places and questions."""
        for place, entry in enumerate(entries):
            if isinstance(entry, BrokenRecord):
                self.broken.append(str(entry))
                self.clock.of -= 1
                continue
            if entry.id in self.ids:
                raise DatasetError(f"Two items have the id “{entry.id}”, so that their results cannot be told apart.")
            self.ids.add(entry.id)
            if (known := self.before.get(entry.id)) is not None:
                self.results[place] = known
                self.clock.count_kept(failed=known.error is not None)
                continue
            if self.clock.wants_estimate:
                self.clock.expect(self.task.estimate(self.engine, entry.question))
            yield (place, entry), entry.question

    def take(self, placed: Placed, response: Response) -> None:
        """Score a response, and keep it."""
        place, item = placed
        scores = self.task.score(item, response.answer)
        result = ItemResult(item.id, item.group, response, scores, item.category, item.labels)
        self.keep(place, result)
        self.results[place] = result
        self.clock.count(failed=result.error is not None, cost_usd=response.cost_usd)

    def tell(self) -> None:
        """Report how far it is."""
        self.report(self.clock.standing())

    def run(self) -> Run:
        """What it all came to."""
        if not self.results:
            raise DatasetError(f"The data holds no item for {self.task.name}.")
        items = tuple(self.results[place] for place in sorted(self.results))
        self.tell()
        return Run(self.task.name, self.engine, items, self.task.metrics(items), self.clock.seconds, tuple(self.broken))
