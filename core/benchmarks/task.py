"""The benchmark task: one interface for evidence, risk of bias and summaries."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from core.benchmarks.bootstrap import Interval, interval
from core.benchmarks.model import BrokenRecord, G, Item, ItemResult, Q, Response, Scores
from core.engines import TaskKind
from core.errors import DatasetError, VouchError
from core.grounding.model import NoAnswer
from core.progress import Progress

if TYPE_CHECKING:  # not needed by offline engines, which start sooner without it
    from core.llm import Budget, CostEstimate


class Engine(Protocol):
    """All that a run needs to know about an engine."""

    @property
    def name(self) -> str:
        """The name with its strategy, such as `openai:MODEL@sections`."""
        ...


E = TypeVar("E", bound=Engine)
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class EngineChoice:
    """An engine by name, and how to open it."""

    name: str
    seed: int = 0  # for random draws; for a language model, the number of the repetition, which is asked anew
    budget: Budget | None = None
    key: str | None = field(default=None, repr=False)  # typed in for this session


class Items(Protocol[Q, G]):
    """The items of a file in order, and its number of records. A list will do; for large files, see `Stream`."""

    def __len__(self) -> int: ...

    def __iter__(self) -> Iterator[Item[Q, G] | BrokenRecord]: ...


@dataclass(frozen=True, slots=True)
class Stream(Generic[T]):
    """Items that are read one by one, again at each iteration, for data that does not fit in memory."""

    size: int
    read: Callable[[], Iterator[T]]

    def __len__(self) -> int:
        return self.size

    def __iter__(self) -> Iterator[T]:
        return self.read()


def only(path: Path) -> Sequence[Path]:
    """The files of a task whose data is in one file."""
    return (path,)


def no_notes(engine: str, sha256: str) -> tuple[str, ...]:
    """No notes."""
    return ()


def no_estimate(engine: str, question: object) -> CostEstimate | None:
    """No estimate."""
    return None


@dataclass(frozen=True, slots=True)
class Task(Generic[E, Q, G]):
    """A named task. Worker processes look it up by its name, and are sent questions."""

    name: str
    about: str  # one sentence for the list of tasks
    kind: TaskKind
    open: Callable[[EngineChoice], E]
    source: Callable[[Path], Path]  # finds the task's file in the data that a user names
    items: Callable[[Path], Items[Q, G]]
    ask: Callable[[E, Q, Progress], Response]  # if it raises a `VouchError`, the item has failed
    score: Callable[[Item[Q, G], Response], Scores]  # always the same names for the same item
    metrics: Callable[[Sequence[ItemResult]], Mapping[str, Interval]]  # of at least one item, including failed ones
    files: Callable[[Path], Sequence[Path]] = only  # all files that `items` reads, for the checksum
    notes: Callable[[str, str], Sequence[str]] = no_notes  # (engine, SHA-256 of the file) -> what to know
    estimate: Callable[[str, Q], CostEstimate | None] = no_estimate  # the cost of a question; None: no language model


AnyTask = Task[Any, Any, Any]


def respond(task: AnyTask, engine: Engine, question: Any, progress: Progress) -> Response:
    """An engine's response to a question of the task; a failure is returned as a response, too."""
    started = time.perf_counter()
    try:
        return task.ask(engine, question, progress)
    except NoAnswer as error:  # a language model's cost counts even without an answer
        return Response(seconds=time.perf_counter() - started, error=str(error)).of_run(error.run)
    except VouchError as error:
        return Response(seconds=time.perf_counter() - started, cost_usd=None, error=str(error))


def means(results: Sequence[ItemResult]) -> dict[str, Interval]:
    """The mean of each score over the items that have it, with intervals from resampling papers."""
    found = {}
    for name in dict.fromkeys(name for result in results for name in result.scores):
        own = [result for result in results if name in result.scores]
        found[name] = interval([result.scores[name] for result in own], [result.group for result in own])
    return found


def data_file(folder: str, pattern: str, data: Path) -> Path:
    """The dataset's file: `data` itself, or one in it or in its subfolder `folder`; a test set comes first.

    Raises `DatasetError` if there is none.
    """
    if data.is_file():
        return data
    found = sorted(
        [*data.glob(pattern), *(data / folder).glob(pattern)], key=lambda file: ("test" not in file.name, file)
    )
    if not found:
        raise DatasetError(f"“{data}” holds no {pattern}. Name the file or folder of the data set with --data.")
    return found[0]
