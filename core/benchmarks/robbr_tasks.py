"""RoBBR's tasks: levels of risk, support sentences and support judgements (RoBBR, section 4).

An item's category is the bias as its review calls it; the metrics file such names into the six categories.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeVar

from core.benchmarks.aspect_recall import recall_at
from core.benchmarks.bias_tasks import open_engine
from core.benchmarks.bootstrap import Interval
from core.benchmarks.metrics.by_category import levels_by_category, means_by_category
from core.benchmarks.model import BrokenRecord, Item, ItemResult, Response
from core.benchmarks.robbr import Case, Judged, Options, SupportGold, count, read_main, read_selection, read_support
from core.benchmarks.task import EngineChoice, Items, Kind, Stream, Task, data_file
from core.bias.engine import BiasEngine, must_pick, pick, suggest
from core.bias.llm.engine import strategy_of
from core.bias.llm.estimating import estimate_pick, estimate_run, estimate_support
from core.bias.model import Level
from core.bias.retrieval import RetrievalEngine
from core.errors import EngineError
from core.llm import Estimate, model_named
from core.progress import Progress

T = TypeVar("T")
Q = TypeVar("Q")
G = TypeVar("G")


@dataclass(frozen=True, slots=True)
class SupportQuestion:
    """Find at most k sentences that a judgement would rest on."""

    case: Case
    k: int


@dataclass(frozen=True, slots=True)
class SelectionQuestion:
    """Choose the support judgement that fits."""

    case: Case
    options: tuple[str, ...]


def judging(choice: EngineChoice) -> BiasEngine:
    """The engine, if it can judge. Raises `EngineError` if it only finds sentences."""
    engine = open_engine(choice)
    if isinstance(engine, RetrievalEngine):
        raise EngineError(
            f"The engine {engine.name} finds sentences and gives no level of risk. "
            "Choose offline or a language model, as openai:MODEL."
        )
    return engine


# Levels of risk


def _main_items(path: Path) -> Items[Case, Level]:
    def item(judged: Judged[Level]) -> Item[Case, Level]:
        return Item(judged.id, judged.doi, judged.case, judged.gold, judged.case.bias, (judged.gold.value,))

    return streamed(path, read_main, item)


def _ask_level(engine: BiasEngine, case: Case, progress: Progress) -> Response:
    started = time.perf_counter()
    found = suggest(case.domain, case.paper, case.study, engine=engine, progress=progress)
    sentences = tuple(support.index for support in found.judgement.support)
    answer = Response(sentences, (label(found.judgement.level),), time.perf_counter() - started)
    return answer.of_run(found.run)


def label(level: Level | None) -> str | None:
    """RoBBR's word for a level."""
    return None if level is None else (Level.UNCLEAR if level is Level.SOME_CONCERNS else level).value


def correct(item: Item[Q, G], response: Response) -> dict[str, float]:
    return {"correct": float(response.labels == item.labels)}


def level_metrics(results: Sequence[ItemResult]) -> dict[str, Interval]:
    return levels_by_category(
        [result.labels[0] for result in results],
        [next(iter(result.response.answer.labels), None) for result in results],
        [result.category for result in results],
        [result.group for result in results],
    )


def _accurate(item: Item[Q, G], response: Response) -> dict[str, float]:
    return {"accuracy": float(response.labels == item.labels)}


# Support sentences


def _support_items(path: Path) -> Items[SupportQuestion, SupportGold]:
    def item(judged: Judged[SupportGold]) -> Item[SupportQuestion, SupportGold]:
        question = SupportQuestion(judged.case, judged.gold.optimal)
        return Item(judged.id, judged.doi, question, judged.gold, judged.case.bias)

    return streamed(path, read_support, item)


def _ask_support(engine: BiasEngine, question: SupportQuestion, progress: Progress) -> Response:
    started = time.perf_counter()
    case = question.case
    found = engine.support(case.domain, case.paper, case.study, k=question.k, progress=progress)
    chosen = tuple(support.index for support in found.support)
    return Response(chosen, seconds=time.perf_counter() - started).of_run(found.run)


def _recall(item: Item[SupportQuestion, SupportGold], response: Response) -> dict[str, float]:
    return {"aspect_recall": recall_at(response.sentences, item.gold.gold.aspects, item.gold.optimal)}


# Support judgements


def _selection_items(path: Path) -> Items[SelectionQuestion, Options]:
    def item(judged: Judged[Options]) -> Item[SelectionQuestion, Options]:
        question = SelectionQuestion(judged.case, judged.gold.texts)
        return Item(judged.id, judged.doi, question, judged.gold, judged.case.bias, (str(judged.gold.right),))

    return streamed(path, read_selection, item)


def _picking(choice: EngineChoice) -> BiasEngine:
    engine = open_engine(choice)
    must_pick(engine)
    return engine


def _ask_selection(engine: BiasEngine, question: SelectionQuestion, progress: Progress) -> Response:
    started = time.perf_counter()
    case = question.case
    picked = pick(case.domain, case.paper, case.study, question.options, engine=engine, progress=progress)
    label = None if picked.place is None else str(picked.place)
    return Response(labels=(label,), seconds=time.perf_counter() - started).of_run(picked.run)


# All of them


def streamed(
    path: Path, read: Callable[[Path], Iterator[Judged[G] | BrokenRecord]], item: Callable[[Judged[G]], T]
) -> Stream[T | BrokenRecord]:
    """The records as items, and how many there are."""

    def items() -> Iterator[T | BrokenRecord]:
        for entry in read(path):
            yield entry if isinstance(entry, BrokenRecord) else item(entry)

    return Stream(count(path), items)


def _score_metrics(name: str, results: Sequence[ItemResult]) -> dict[str, Interval]:
    return means_by_category(
        name,
        [result.scores[name] for result in results],
        [result.category for result in results],
        [result.group for result in results],
    )


# What a language model will use


def _level_estimate(engine: str, case: Case) -> Estimate | None:
    model = model_named(engine)
    return estimate_run(model, strategy_of(model), [case.domain], case.paper, case.study) if model else None


def _support_estimate(engine: str, question: SupportQuestion) -> Estimate | None:
    model, case = model_named(engine), question.case
    return estimate_support(model, case.domain, case.paper, case.study, question.k) if model else None


def _selection_estimate(engine: str, question: SelectionQuestion) -> Estimate | None:
    model, case = model_named(engine), question.case
    return estimate_pick(model, case.domain, case.paper, case.study, question.options) if model else None


MAIN: Task[BiasEngine, Case, Level] = Task(
    name="robbr/main",
    kind=Kind.BIAS,
    open=judging,
    source=partial(data_file, "robbr", "Main_task_*.json"),
    items=_main_items,
    ask=_ask_level,
    estimate=_level_estimate,
    score=correct,
    metrics=level_metrics,
)
SUPPORT_SENTENCES: Task[BiasEngine, SupportQuestion, SupportGold] = Task(
    name="robbr/ssr",
    kind=Kind.BIAS,
    open=open_engine,
    source=partial(data_file, "robbr", "SSR_*.json"),
    items=_support_items,
    ask=_ask_support,
    estimate=_support_estimate,
    score=_recall,
    metrics=partial(_score_metrics, "aspect_recall"),
)
SUPPORT_JUDGEMENTS: Task[BiasEngine, SelectionQuestion, Options] = Task(
    name="robbr/sjs",
    kind=Kind.BIAS,
    open=_picking,
    source=partial(data_file, "robbr", "SJS_*.json"),
    items=_selection_items,
    ask=_ask_selection,
    estimate=_selection_estimate,
    score=_accurate,
    metrics=partial(_score_metrics, "accuracy"),
)
ROBBR_TASKS = (MAIN, SUPPORT_SENTENCES, SUPPORT_JUDGEMENTS)
