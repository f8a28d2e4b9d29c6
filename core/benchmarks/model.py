"""The data of a benchmark: items, an engine's responses to them, and runs with all that is needed to repeat them."""

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

Q = TypeVar("Q")  # the question to an engine
G = TypeVar("G")  # the gold

Scores = Mapping[str, float]  # of one item, by metric name


@dataclass(frozen=True, slots=True)
class Item(Generic[Q, G]):
    """One question to an engine, with its gold. It is sent between processes, so it has plain values and no functions."""

    id: str  # unique within the data
    group: str  # the paper: items of one group are not independent
    question: Q  # all that the engine may see
    gold: G
    category: str = ""  # such as a domain of bias, if there are metrics by category
    labels: tuple[str, ...] = ()  # the gold labels, if the answer is a label


@dataclass(frozen=True, slots=True)
class BrokenRecord:
    """A record that does not have the published layout, and how it differs."""

    file: str
    id: str
    key: str
    reason: str

    def __str__(self) -> str:
        return f"“{self.file}”, record {self.id}, {self.key}: {self.reason}."


@dataclass(frozen=True, slots=True)
class Response:
    """An engine's response to one question. If there is an `error`, it failed and is scored as an empty answer."""

    sentences: tuple[int, ...] = ()  # indices into the paper's sentences, best first
    labels: tuple[str | None, ...] = ()  # None: the engine could not tell
    seconds: float = 0.0
    cost_usd: float | None = 0.0  # None: unknown
    usage: Usage | None = None  # tokens; None: no language model was asked
    prompts: tuple[tuple[str, str], ...] = ()  # (name, hash) of every template that was used
    error: str | None = None
    probability: float | None = None  # that the first label is right; None: the engine gives none
    reported: float | None = None  # probability that the paper reports on the question; None: the engine gives none
    score: float | None = None  # the engine's certainty, if it gives one; the task defines of what
    passages: tuple[str, ...] = ()  # of a library, best first, as PAPER/FIRST-LAST
    papers: tuple[str, ...] = ()  # of a library, the ids of the papers that the answer is based on

    @property
    def answer(self) -> Response:
        """The response to score: emptied if it failed."""
        empty = replace(
            self, sentences=(), labels=(), probability=None, reported=None, score=None, passages=(), papers=()
        )
        return self if self.error is None else empty

    def of_run(self, run: ModelRun | None) -> Response:
        """A copy that adds the cost, tokens and prompts of a run; unchanged for None, if no language model was asked."""
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
    """The result of one item."""

    id: str
    group: str
    response: Response
    scores: Scores
    category: str = ""
    labels: tuple[str, ...] = ()  # the gold labels

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
    seconds: float  # wall time, over all sittings
    broken: tuple[str, ...] = ()  # broken records, each with file, id and key

    @property
    def failed(self) -> int:
        """How many items failed. They count in every metric's denominator."""
        return sum(item.error is not None for item in self.items)

    @property
    def cost_usd(self) -> float | None:
        """The cost of the run; None if that of any item is unknown."""
        costs = [item.response.cost_usd for item in self.items]
        return None if None in costs else sum(cost for cost in costs if cost is not None)

    @property
    def usage(self) -> Usage | None:
        """The tokens of all items; None if no language model was asked."""
        return total(item.response.usage for item in self.items)

    @property
    def prompts(self) -> Mapping[str, str]:
        """The hash of every template that was used, by name."""
        return dict(sorted({prompt for item in self.items for prompt in item.response.prompts}))


@dataclass(frozen=True, slots=True)
class RunSetup:
    """All that determines the results of a run. Runs with the same setup are the same run, which can be continued."""

    task: str
    engine: str  # with its strategy
    seed: int
    limit: int | None  # use only this many records, from the first
    data_sha256: str  # of all files that the items are read from
    code_sha256: str  # of Vouch's own files that determine results: code, prompts, models
    options: tuple[tuple[str, str], ...] = ()  # settings that determine results, by name: which models, which server

    @property
    def id(self) -> str:
        """A short, unique name for the setup."""
        return sha256(dumps(asdict(self), sort_keys=True).encode()).hexdigest()[:32]


@dataclass(frozen=True, slots=True)
class RunOrigin:
    """Where and when a run was started. A repetition elsewhere has the same setup but another origin."""

    started: datetime  # UTC
    data: str  # as the user named it
    file_sha256: str  # of the task's own file, as other tools compute it
    commit: str | None  # of the repository; None if there is no repository
    changed: bool  # whether files differed from the commit
    versions: tuple[tuple[str, str], ...]  # of Python and the libraries that compute
    notes: tuple[str, ...] = ()  # what to know of this engine on this data


@dataclass(frozen=True, slots=True)
class SavedRun:
    """A run in the store, without its items. An unfinished run has no metrics yet."""

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
