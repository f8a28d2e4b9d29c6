"""The evidence tasks by name: what each asks of an engine, and how an answer is scored."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path

from core.benchmarks.aspect_recall import aspect_recall
from core.benchmarks.evidence_inference import read_evidence_inference
from core.benchmarks.evidencebench import read_evidencebench
from core.benchmarks.gold import Gold
from core.benchmarks.max_coverage import optimal
from core.errors import DatasetError
from core.evidence.model import EvidenceQuery
from core.paper import Paper

Scores = Mapping[str, float]  # metric -> 0 to 1


@dataclass(frozen=True, slots=True)
class Item:
    """One question to an engine. `score` takes the chosen sentences' indices, best first."""

    id: str
    group: str  # the paper: items of one group are not independent
    paper: Paper
    query: EvidenceQuery
    score: Callable[[Sequence[int]], Scores]


@dataclass(frozen=True, slots=True)
class Task:
    """A named task. `source` finds its file in the data a user names, `items` reads up to a number of items from it."""

    name: str
    metrics: tuple[str, ...]
    source: Callable[[Path], Path]
    items: Callable[[Path, int | None], Iterator[Item]]


def task_named(name: str, *, beside: Iterable[str] = ()) -> Task:
    """The task of this name. Raises `DatasetError` if there is none; `beside` are tasks of other kinds to name then."""
    if name not in TASKS:
        raise DatasetError(f"There is no task called “{name}”. Choose one of: {', '.join([*TASKS, *beside])}.")
    return TASKS[name]


def _evidencebench(name: str, *, k: int | None, results_only: bool) -> Task:
    """Aspect recall at `k`, or at the fewest sentences that cover everything (EvidenceBench, section 4)."""

    def items(path: Path, limit: int | None) -> Iterator[Item]:
        file = read_evidencebench(path.read_bytes(), name=path.name)
        if file.broken:
            raise DatasetError(f"{file.broken[0]} {len(file.broken)} records are broken: a score needs every one.")
        # Result-ER has no item for a paper without results (288 of the 293 in Table 1).
        golds = ((i, i.gold.results_only if results_only else i.gold) for i in file.instances)
        for instance, gold in islice(((i, gold) for i, gold in golds if gold.aspects), limit):
            size = k or max(1, optimal(gold.aspects))
            query = EvidenceQuery(instance.hypothesis, k=size, results_only=results_only)
            yield Item(instance.id, instance.paper.id, instance.paper, query, _recall_of(gold, size))

    return Task(name, ("aspect_recall",), partial(data_file, "evidencebench", "evidencebench_*.json"), items)


def _recall_of(gold: Gold, size: int) -> Callable[[Sequence[int]], Scores]:
    return lambda chosen: {"aspect_recall": aspect_recall(chosen[:size], gold.aspects)}


def _evidence_inference(path: Path, limit: int | None) -> Iterator[Item]:
    """Whether one of the first sentences overlaps an annotated span."""
    for prompt in islice(read_evidence_inference(path.parent), limit):
        query = EvidenceQuery(prompt.hypothesis, k=max(_DEPTHS), results_only=True)
        yield Item(prompt.id, prompt.article, prompt.paper, query, _hits_on(prompt.gold))


_DEPTHS = (1, 3, 10)


def _hits_on(gold: frozenset[int]) -> Callable[[Sequence[int]], Scores]:
    return lambda chosen: {f"hit@{depth}": float(not gold.isdisjoint(chosen[:depth])) for depth in _DEPTHS}


def data_file(folder: str, pattern: str, data: Path) -> Path:
    """The dataset's file: `data` itself, or in it, or in its folder of the dataset's name."""
    if data.is_file():
        return data
    found = sorted([*data.glob(pattern), *(data / folder).glob(pattern)])
    if not found:
        raise DatasetError(f"“{data}” holds no {pattern}. Name the file or folder of the data set with --data.")
    return found[0]


TASKS = {
    task.name: task
    for task in (
        _evidencebench("evidencebench/er@10", k=10, results_only=False),
        _evidencebench("evidencebench/er@optimal", k=None, results_only=False),
        _evidencebench("evidencebench/result-er@5", k=5, results_only=True),
        _evidencebench("evidencebench/result-er@optimal", k=None, results_only=True),
        Task(
            "evidence-inference/hit",
            tuple(f"hit@{depth}" for depth in _DEPTHS),
            partial(data_file, "evidence_inference", "items.json"),
            _evidence_inference,
        ),
    )
}
