"""What a benchmark task is: one interface for evidence, risk of bias and summaries."""

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

if TYPE_CHECKING:  # models load when one is named: offline engines start sooner without
    from core.llm import Budget, CostEstimate


class Engine(Protocol):
    """All that a run knows of an engine."""

    @property
    def name(self) -> str:
        """With its strategy, such as `openai:MODEL@sections`."""
        ...


E = TypeVar("E", bound=Engine)
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class EngineChoice:
    """An engine by name, and how it is to be opened."""

    name: str
    seed: int = 0  # of what is drawn at random; of a language model, which repetition: another seed is asked anew
    budget: Budget | None = None
    key: str | None = field(default=None, repr=False)  # typed in for this session


class Items(Protocol[Q, G]):
    """The items of a file in its order, and how many records it has. A list will do; see `Stream` for large files."""

    def __len__(self) -> int: ...

    def __iter__(self) -> Iterator[Item[Q, G] | BrokenRecord]: ...


@dataclass(frozen=True, slots=True)
class Stream(Generic[T]):
    """Items that are read one by one, and anew each time: for data that does not fit in memory."""

    size: int
    read: Callable[[], Iterator[T]]

    def __len__(self) -> int:
        return self.size

    def __iter__(self) -> Iterator[T]:
        return self.read()


def only(path: Path) -> Sequence[Path]:
    """The files of data in one file."""
    return (path,)


def no_notes(engine: str, sha256: str) -> tuple[str, ...]:
    """Nothing to say."""
    return ()


def no_estimate(engine: str, question: object) -> CostEstimate | None:
    """Nothing is known before."""
    return None


@dataclass(frozen=True, slots=True)
class Task(Generic[E, Q, G]):
    """A named task. Other processes find it by its name, and are sent questions."""

    name: str
    about: str  # one sentence for whoever chooses it
    kind: TaskKind
    open: Callable[[EngineChoice], E]
    source: Callable[[Path], Path]  # finds the task's file in the data that a user names
    items: Callable[[Path], Items[Q, G]]
    ask: Callable[[E, Q, Progress], Response]  # a `VouchError` that it raises is a failure of the item
    score: Callable[[Item[Q, G], Response], Scores]  # always the same names for the same item
    metrics: Callable[[Sequence[ItemResult]], Mapping[str, Interval]]  # of at least one item, failed ones included
    files: Callable[[Path], Sequence[Path]] = only  # all that `items` reads, for the checksum
    notes: Callable[[str, str], Sequence[str]] = no_notes  # what to know of this engine on a file of this SHA-256
    estimate: Callable[[str, Q], CostEstimate | None] = no_estimate  # what a question will use; None: no language model


AnyTask = Task[Any, Any, Any]


def respond(task: AnyTask, engine: Engine, question: Any, progress: Progress) -> Response:
    """An engine's response to a question of the task; its failure, too."""
    started = time.perf_counter()
    try:
        return task.ask(engine, question, progress)
    except NoAnswer as error:  # what a language model used in vain counts, too
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
    """The dataset's file: `data` itself, or in it, or in its folder of the dataset's name; a test set before others."""
    if data.is_file():
        return data
    found = sorted(
        [*data.glob(pattern), *(data / folder).glob(pattern)], key=lambda file: ("test" not in file.name, file)
    )
    if not found:
        raise DatasetError(f"“{data}” holds no {pattern}. Name the file or folder of the data set with --data.")
    return found[0]
