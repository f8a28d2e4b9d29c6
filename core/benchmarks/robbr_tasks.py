"""RoBBR's tasks (section 4), its two stages with separate engines (section 6.3), and figures by category (section 5.2)."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeVar

from core.benchmarks.bias_tasks import open_engine
from core.benchmarks.bootstrap import Interval, Statistic, estimate, mean, mean_of_parts, of_members
from core.benchmarks.domain_gold import ROBBR_LEVELS
from core.benchmarks.gold import recall_at
from core.benchmarks.label_metrics import Labelled, Measure, accuracy, kappa, macro_f1
from core.benchmarks.model import BrokenRecord, Item, ItemResult, Response
from core.benchmarks.robbr import (
    CATEGORIES,
    ROBOTREVIEWER,
    Case,
    JudgedCase,
    Options,
    SupportGold,
    categories_of,
    count,
    level_named,
    read_main,
    read_selection,
    read_support,
    robotreviewer_domain,
)
from core.benchmarks.task import EngineChoice, Items, Stream, Task, data_file
from core.bias.engine import BiasEngine, must_pick, pick, suggest, suggest_from_sentences
from core.bias.llm.engine import estimate_pick, estimate_run, estimate_support
from core.bias.model import Level
from core.bias.offline import RetrievalBiasEngine
from core.engines import TaskKind, engine_on, stages
from core.errors import DatasetError, EngineError
from core.grounding.questions import Asker
from core.llm import CostEstimate, model_named
from core.progress import Progress

# ---- by category ----
# RoBBR's figures: by category of bias, and their mean over the categories (RoBBR, section 5.2 and tables 3 to 8).
#
# An item whose bias has several categories counts in each of them. The mean includes every category that has an item.

_TWO_LEVELS = {"low": "low", "unclear": "high or unclear", "high": "high or unclear"}


def levels_by_category(
    gold: Sequence[str], given: Sequence[str | None], biases: Sequence[str], papers: Sequence[str]
) -> dict[str, Interval]:
    """Macro-F1 of levels of risk (table 5), accuracy and kappa; and macro-F1 on RobotReviewer's subset.

    RobotReviewer has four domains and two levels: "low", and "high or unclear" (table 8).
    """
    three = Labelled(gold, given, ROBBR_LEVELS)
    found = {
        **_of_groups("macro-F1", three, macro_f1, _categories(biases)),
        "macro-F1 of all": three.statistic(macro_f1),
        "accuracy": three.statistic(accuracy),
        "kappa": three.statistic(kappa),
    }
    domains = [robotreviewer_domain(bias) for bias in biases]
    groups = {name: [domain == name for domain in domains] for name in ROBOTREVIEWER if name in domains}
    two = Labelled(_two_levels(gold), [None if level is None else _TWO_LEVELS[level] for level in given], _TWO)
    found |= _of_groups("two-level macro-F1", two, macro_f1, groups)
    return _estimated(found, papers)


def means_by_category(
    name: str, scores: Sequence[float], biases: Sequence[str], papers: Sequence[str]
) -> dict[str, Interval]:
    """The mean of a score: averaged over the categories (tables 3 and 4), in each category, and over all items."""
    parts = {group: of_members(mean(scores), members) for group, members in _categories(biases).items()}
    found: dict[str, Statistic] = {name: mean_of_parts(list(parts.values()))} if parts else {}
    found |= {f"{name} {group}": part for group, part in parts.items()}
    return _estimated({**found, f"{name} of all": mean(scores)}, papers)


_TWO = tuple(dict.fromkeys(_TWO_LEVELS.values()))


def _two_levels(levels: Sequence[str]) -> list[str]:
    return [_TWO_LEVELS[level] for level in levels]


def _of_groups(
    name: str, items: Labelled, measure: Measure, groups: Mapping[str, Sequence[bool]]
) -> dict[str, Statistic]:
    """The measure averaged over the groups, and in each group."""
    parts = {f"{name} {group}": of_members(items.statistic(measure), members) for group, members in groups.items()}
    return {name: mean_of_parts(list(parts.values())), **parts} if parts else {}


def _categories(biases: Sequence[str]) -> dict[str, list[bool]]:
    """For each category with items, which items belong to it."""
    own = [categories_of(bias) for bias in biases]
    groups = {category: [category in found for found in own] for category in CATEGORIES}
    return {category: members for category, members in groups.items() if any(members)}


def _estimated(statistics: Mapping[str, Statistic], papers: Sequence[str]) -> dict[str, Interval]:
    """Each statistic with its interval, without those that are undefined on the data."""
    found = {name: estimate(statistic, papers) for name, statistic in statistics.items()}
    return {name: interval for name, interval in found.items() if interval is not None}


# ---- robbr tasks ----
# RoBBR's tasks: levels of risk, support sentences and support judgements (RoBBR, section 4).
#
# An item's category is the bias as its review calls it; the metrics map these names to the six categories.

T = TypeVar("T")
Q = TypeVar("Q")
G = TypeVar("G")


@dataclass(frozen=True, slots=True)
class SupportQuestion:
    """Find at most k sentences that a judgement would be based on."""

    case: Case
    k: int


@dataclass(frozen=True, slots=True)
class SelectionQuestion:
    """Choose the support judgement that fits."""

    case: Case
    options: tuple[str, ...]


def judging(choice: EngineChoice) -> BiasEngine:
    """Open the engine. Raises `EngineError` if it only finds sentences and cannot judge."""
    return _judge(open_engine(choice))


def _judge(engine: BiasEngine) -> BiasEngine:
    if isinstance(engine, RetrievalBiasEngine):
        raise EngineError(
            f"The engine {engine.name} finds sentences and gives no level of risk. "
            "Choose offline or a language model, as openai:MODEL."
        )
    return engine


# Levels of risk


def _main_items(path: Path) -> Items[Case, Level]:
    def item(judged: JudgedCase[Level]) -> Item[Case, Level]:
        return Item(judged.id, judged.doi, judged.case, judged.gold, judged.case.bias, (judged.gold,))

    return streamed(path, read_main, item)


def _ask_level(engine: BiasEngine, case: Case, progress: Progress) -> Response:
    started = time.perf_counter()
    found = suggest(case.domain, case.paper, case.study, engine=engine, progress=progress)
    sentences = tuple(support.index for support in found.judgement.support)
    answer = Response(sentences, (label(found.judgement.level),), time.perf_counter() - started)
    return answer.of_run(found.run)


def label(level: Level | None) -> str | None:
    """RoBBR's name for a level."""
    return None if level is None else level_named(level)


def correct(item: Item[Q, G], response: Response) -> dict[str, float]:
    return {"correct": float(response.labels == item.labels)}


def level_metrics(results: Sequence[ItemResult]) -> dict[str, Interval]:
    return levels_by_category(
        [result.labels[0] for result in results],
        [result.label for result in results],
        [result.category for result in results],
        [result.group for result in results],
    )


def _accurate(item: Item[Q, G], response: Response) -> dict[str, float]:
    return {"accuracy": float(response.labels == item.labels)}


# Support sentences


def _support_items(path: Path) -> Items[SupportQuestion, SupportGold]:
    def item(judged: JudgedCase[SupportGold]) -> Item[SupportQuestion, SupportGold]:
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
    def item(judged: JudgedCase[Options]) -> Item[SelectionQuestion, Options]:
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
    path: Path, read: Callable[[Path], Iterator[JudgedCase[G] | BrokenRecord]], item: Callable[[JudgedCase[G]], T]
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


# Cost estimates


def _level_estimate(engine: str, case: Case) -> CostEstimate | None:
    model = model_named(engine)
    return estimate_run(model, [case.domain], case.paper, case.study) if model else None


def _support_estimate(engine: str, question: SupportQuestion) -> CostEstimate | None:
    model, case = model_named(engine), question.case
    return estimate_support(model, case.domain, case.paper, case.study, question.k) if model else None


def _selection_estimate(engine: str, question: SelectionQuestion) -> CostEstimate | None:
    model, case = model_named(engine), question.case
    return estimate_pick(model, case.domain, case.paper, case.study, question.options) if model else None


MAIN: Task[BiasEngine, Case, Level] = Task(
    name="robbr/main",
    about="A level of risk of bias, for a whole paper.",
    kind=TaskKind.BIAS,
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
    about="The sentences that a judgement of bias rests on.",
    kind=TaskKind.BIAS,
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
    about="The support judgement that fits, among several. For language models.",
    kind=TaskKind.BIAS,
    open=_picking,
    source=partial(data_file, "robbr", "SJS_*.json"),
    items=_selection_items,
    ask=_ask_selection,
    estimate=_selection_estimate,
    score=_accurate,
    metrics=partial(_score_metrics, "accuracy"),
)
ROBBR_TASKS = (MAIN, SUPPORT_SENTENCES, SUPPORT_JUDGEMENTS)


# ---- robbr stages ----
# RoBBR's two stages: one engine finds sentences, another judges only by them (RoBBR, section 6.3 and table 6).

GOLD = "gold"  # in place of a first engine: use the annotated sentences


@dataclass(frozen=True, slots=True)
class TwoStageQuestion:
    """Find at most k sentences, and judge only by them. `known` are the annotated sentences, used for `gold` only."""

    case: Case
    k: int
    known: tuple[int, ...]


@dataclass(frozen=True)
class TwoStages:
    """One engine that finds sentences, and another that judges by them."""

    finder: BiasEngine | None  # None: the annotated sentences are used
    judge: BiasEngine

    @property
    def name(self) -> str:
        return f"{self.finder.name if self.finder else GOLD}+{self.judge.name}"


def _open(choice: EngineChoice) -> TwoStages:
    """Open `FINDER+JUDGE`, such as `bm25+offline` or `gold+openai:MODEL`; a single name is used for both."""
    first, *second = stages(choice.name)
    finder = None if first.strip().lower() == GOLD else open_engine(_named(choice, first))
    return TwoStages(finder, judging(_named(choice, "+".join(second) or first)))


def two_stages_on(name: str, asker: Asker) -> TwoStages:
    """The engines of `FINDER+JUDGE`; those that ask a language model send their requests through `asker`."""

    def on(part: str) -> BiasEngine:
        model = model_named(part)
        engine: BiasEngine = engine_on(TaskKind.BIAS, model, asker) if model else open_engine(EngineChoice(part))
        return engine

    first, *second = stages(name)
    finder = None if first.strip().lower() == GOLD else on(first)
    return TwoStages(finder, _judge(on("+".join(second) or first)))


def _named(choice: EngineChoice, name: str) -> EngineChoice:
    return EngineChoice(name, choice.seed, choice.budget, choice.key)


def _items(path: Path) -> Items[TwoStageQuestion, Level]:
    """Items for the SSR records that have a level in the main task's file, as in RoBBR's table 6; others are broken."""
    levels = {_key(judged): judged.gold for judged in read_main(main_file(path)) if isinstance(judged, JudgedCase)}

    def item(judged: JudgedCase[SupportGold]) -> Item[TwoStageQuestion, Level] | BrokenRecord:
        level = levels.get(_key(judged))
        if level is None:
            return BrokenRecord(path.name, judged.id, "bias", "the main task's file has no level for it")
        question = TwoStageQuestion(judged.case, judged.gold.optimal, judged.gold.selection)
        return Item(judged.id, judged.doi, question, level, judged.case.bias, (level,))

    return streamed(path, read_support, item)


def _key(judged: JudgedCase[G]) -> tuple[object, ...]:
    """The key of a judgement in both files: paper, bias, and the review's and study's context."""
    return judged.doi, judged.case.bias.lower(), judged.case.study


def main_file(path: Path) -> Path:
    """The main task's file beside the SSR file. Raises `DatasetError` if there is none."""
    beside = path.with_name(path.name.replace("SSR", "Main_task"))
    if beside == path or not beside.is_file():
        raise DatasetError(f"“{path}” has no file of the main task beside it. Put “{beside.name}” into its folder.")
    return beside


def _ask(engine: TwoStages, question: TwoStageQuestion, progress: Progress) -> Response:
    started = time.perf_counter()
    case, found, finding = question.case, question.known, None
    if engine.finder is not None:
        retrieved = engine.finder.support(case.domain, case.paper, case.study, k=question.k, progress=progress)
        found, finding = tuple(one.index for one in retrieved.support)[: question.k], retrieved.run
    level, judging_run = None, None
    if found:
        texts = [case.paper.sentences[index].text for index in found]
        judged = suggest_from_sentences(case.domain, texts, engine=engine.judge, progress=progress)
        level, judging_run = judged.judgement.level, judged.run
    answer = Response(found, (label(level),), time.perf_counter() - started)
    return answer.of_run(finding).of_run(judging_run)


TWO_STAGES: Task[TwoStages, TwoStageQuestion, Level] = Task(
    name="robbr/two-stages",
    about="One engine finds sentences, another judges by them: name them as bm25+offline or gold+offline.",
    kind=TaskKind.BIAS,
    open=_open,
    source=partial(data_file, "robbr", "SSR_*.json"),
    items=_items,
    ask=_ask,
    score=correct,
    metrics=level_metrics,
    files=lambda path: (path, main_file(path)),
)
