"""What a benchmark is made of: items, what an engine made of them, and a run with all that is needed to repeat it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from hashlib import sha256
from json import dumps
from typing import Generic, TypeVar

from core.benchmarks.bootstrap import Interval
from core.grounding.model import ModelRun
from core.llm.model import Usage

Q = TypeVar("Q")  # what an engine is asked
G = TypeVar("G")  # the gold

Scores = Mapping[str, float]  # of one item, by the metric's name


@dataclass(frozen=True, slots=True)
class Item(Generic[Q, G]):
    """One question to an engine, with its gold. It travels between processes: plain values, no functions in it."""

    id: str  # within the data
    group: str  # the paper: items of one group are not independent
    question: Q  # all that the engine may see
    gold: G
    category: str = ""  # such as a domain of bias, where metrics are told by it
    labels: tuple[str, ...] = ()  # the gold labels, where the answer is one


@dataclass(frozen=True, slots=True)
class BrokenRecord:
    """A record that does not have the published layout, and where it departs from it."""

    file: str
    id: str
    key: str
    reason: str

    def __str__(self) -> str:
        return f"“{self.file}”, record {self.id}, {self.key}: {self.reason}."


@dataclass(frozen=True, slots=True)
class Response:
    """What an engine made of one question. With an `error` it failed: it scores as if it had answered nothing."""

    sentences: tuple[int, ...] = ()  # indices into the paper's sentences, best first
    labels: tuple[str | None, ...] = ()  # None: the engine could not tell
    seconds: float = 0.0
    cost_usd: float | None = 0.0  # None: unknown
    usage: Usage | None = None  # tokens; None: no language model was asked
    prompts: tuple[tuple[str, str], ...] = ()  # (name, hash) of every template that was used
    error: str | None = None
    probability: float | None = None  # that the first label is right; None: the engine gives none
    reported: float | None = None  # that the paper reports on the question; None: as above
    score: float | None = None  # how sure it is, where it says so; what of, the task tells
    passages: tuple[str, ...] = ()  # of a library, best first, as PAPER/FIRST-LAST
    papers: tuple[str, ...] = ()  # of a library, the ids of those that the answer rests on

    @property
    def answer(self) -> Response:
        """What is scored: nothing, if it failed."""
        empty = replace(
            self, sentences=(), labels=(), probability=None, reported=None, score=None, passages=(), papers=()
        )
        return self if self.error is None else empty

    def of_run(self, run: ModelRun | None) -> Response:
        """The response with what a language model used, added to what another one used before; None: none was asked."""
        if run is None:
            return self
        return replace(
            self,
            cost_usd=None if None in (self.cost_usd, run.cost_usd) else (self.cost_usd or 0) + (run.cost_usd or 0),
            usage=total([self.usage, *(step.usage for step in run.steps)]),
            prompts=tuple(dict.fromkeys((*self.prompts, *run.prompts))),
        )


@dataclass(frozen=True, slots=True)
class ItemResult:
    """What became of one item."""

    id: str
    group: str
    response: Response
    scores: Scores
    category: str = ""
    labels: tuple[str, ...] = ()  # the gold's

    @property
    def error(self) -> str | None:
        """Why it failed; None if it did not."""
        return self.response.error

    @property
    def label(self) -> str | None:
        """The answer's label, for tasks with one; None if the engine gave none."""
        return next(iter(self.response.answer.labels), None)


@dataclass(frozen=True, slots=True)
class Run:
    """An engine's results on a task."""

    task: str
    engine: str
    items: tuple[ItemResult, ...]  # in the data's order
    metrics: Mapping[str, Interval]
    seconds: float  # of the clock, all sittings together
    broken: tuple[str, ...] = ()  # records that are no items, each with file, id and key

    @property
    def failed(self) -> int:
        """How many items failed. They are in every metric's denominator."""
        return sum(item.error is not None for item in self.items)

    @property
    def cost_usd(self) -> float | None:
        """What the run cost; None if that of any item is unknown."""
        costs = [item.response.cost_usd for item in self.items]
        return None if None in costs else sum(cost for cost in costs if cost is not None)

    @property
    def usage(self) -> Usage | None:
        """The tokens of all items; None if no language model was asked."""
        return total(item.response.usage for item in self.items)

    @property
    def prompts(self) -> Mapping[str, str]:
        """The hash of every template that was used, by its name."""
        return dict(sorted({prompt for item in self.items for prompt in item.response.prompts}))


@dataclass(frozen=True, slots=True)
class RunSetup:
    """All that decides the results of a run. Two runs of one setup are the same run, which can be continued."""

    task: str
    engine: str  # with its strategy
    seed: int
    limit: int | None  # the first so many records only
    data_sha256: str  # of all files that the items are read from
    code_sha256: str  # of Vouch's own files that decide results: code, prompts, models
    options: tuple[tuple[str, str], ...] = ()  # settings that decide, by name: which models, whose server

    @property
    def id(self) -> str:
        """A short name for it."""
        return sha256(dumps(asdict(self), sort_keys=True).encode()).hexdigest()[:32]


@dataclass(frozen=True, slots=True)
class RunOrigin:
    """Where and when a run was begun. A repetition elsewhere has the same setup, and another origin."""

    started: datetime  # UTC
    data: str  # as the user named it
    file_sha256: str  # of the task's own file, as other tools give it
    commit: str | None  # of the repository; None where it is none
    changed: bool  # whether files differed from the commit
    versions: tuple[tuple[str, str], ...]  # of Python and the libraries that compute
    notes: tuple[str, ...] = ()  # what to know of this engine on this data


@dataclass(frozen=True, slots=True)
class SavedRun:
    """A run in the store, without its items. One that was not finished has no metrics yet."""

    setup: RunSetup
    origin: RunOrigin
    done: int
    failed: int
    seconds: float
    finished: datetime | None  # UTC
    metrics: Mapping[str, Interval]
    broken: tuple[str, ...]
    cost_usd: float | None


@dataclass(frozen=True, slots=True)
class CompleteRun:
    """A finished run, with its items and all that is needed to repeat it."""

    setup: RunSetup
    origin: RunOrigin
    run: Run


def total(usages: Iterable[Usage | None]) -> Usage | None:
    """The tokens of several calls together; None if there is none."""
    known = [usage for usage in usages if usage is not None]
    return sum(known[1:], known[0]) if known else None
