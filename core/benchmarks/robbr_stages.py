"""RoBBR's two stages apart: one engine finds sentences, another judges by them alone (RoBBR, section 6.3 and table 6)."""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeVar

from core.benchmarks.bias_tasks import open_engine
from core.benchmarks.model import BrokenRecord, Item, Response
from core.benchmarks.robbr import Case, Judged, SupportGold, read_main, read_support
from core.benchmarks.robbr_tasks import correct, judging, label, level_metrics, streamed
from core.benchmarks.task import EngineChoice, Items, Kind, Task, data_file
from core.bias.engine import BiasEngine, suggest_from_sentences
from core.bias.model import Level
from core.errors import DatasetError
from core.progress import Progress

GOLD = "gold"  # in place of a first engine: the sentences that the annotation found
G = TypeVar("G")


@dataclass(frozen=True, slots=True)
class TwoStageQuestion:
    """Find at most k sentences, and judge by them alone. `known` are for the first engine `gold` only."""

    case: Case
    k: int
    known: tuple[int, ...]


@dataclass(frozen=True)
class TwoStages:
    """One engine that finds sentences, and another that judges by them."""

    finder: BiasEngine | None  # None: the annotation's own sentences
    judge: BiasEngine

    @property
    def name(self) -> str:
        return f"{self.finder.name if self.finder else GOLD}+{self.judge.name}"


def _open(choice: EngineChoice) -> TwoStages:
    """`FINDER+JUDGE`, such as `bm25+offline` or `gold+openai:MODEL`; one name alone is both."""
    first, _, second = choice.name.partition("+")
    finder = None if first.strip().lower() == GOLD else open_engine(_named(choice, first))
    return TwoStages(finder, judging(_named(choice, second or first)))


def _named(choice: EngineChoice, name: str) -> EngineChoice:
    return EngineChoice(name, choice.seed, choice.budget, choice.key)


def _items(path: Path) -> Items[TwoStageQuestion, Level]:
    """The records of SSR that have a level of risk in the main task's file, as in RoBBR's table 6."""
    levels = {_key(judged): judged.gold for judged in read_main(main_file(path)) if isinstance(judged, Judged)}

    def item(judged: Judged[SupportGold]) -> Item[TwoStageQuestion, Level] | BrokenRecord:
        level = levels.get(_key(judged))
        if level is None:
            return BrokenRecord(path.name, judged.id, "bias", "the main task's file has no level for it")
        question = TwoStageQuestion(judged.case, judged.gold.optimal, judged.gold.selection)
        return Item(judged.id, judged.doi, question, level, judged.case.bias, (level.value,))

    return streamed(path, read_support, item)


def _key(judged: Judged[G]) -> tuple[object, ...]:
    """What tells a judgement in both files: the paper, the bias, and the review and study that it is for."""
    return judged.doi, judged.case.bias.lower(), judged.case.study


def main_file(path: Path) -> Path:
    """The main task's file beside SSR's. Raises `DatasetError` if there is none."""
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
    kind=Kind.BIAS,
    open=_open,
    source=partial(data_file, "robbr", "SSR_*.json"),
    items=_items,
    ask=_ask,
    score=correct,
    metrics=level_metrics,
    files=lambda path: (path, main_file(path)),
)
