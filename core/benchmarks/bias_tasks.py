"""The tasks on risk of bias, with the implementation of `bias/from-sentences`."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, Field, ValidationError

from core.benchmarks import bias_papers, consort_tm
from core.benchmarks.bias_papers import PaperGold, PaperQuestion
from core.benchmarks.bootstrap import Interval, estimate, interval
from core.benchmarks.consort_tm import ConsortQuestion, UnseenQuestion
from core.benchmarks.label_metrics import Labelled, macro_f1
from core.benchmarks.model import BrokenRecord, Item, ItemResult, Response
from core.benchmarks.records import first_fault, opened, records
from core.benchmarks.task import EngineChoice, Task, data_file
from core.bias import bias_engine_named
from core.bias.definitions import model as definitions
from core.bias.engine import BiasEngine, suggest_from_sentences
from core.bias.llm.engine import estimate_from_sentences
from core.bias.model import HIGH, LOW, Level
from core.bias.ranker.model import was_trained_on
from core.bias.tools import tool_named
from core.bias.tools.rob1 import UNCLEAR
from core.engines import TaskKind, is_trained
from core.llm import CostEstimate, model_named
from core.progress import Progress

# ---- bias sentences ----
# `bias/from-sentences`: domains judged only from given sentences, against the level that a person gave.
#
# A file is a list of records with an id, a domain of RoB 1, its sentences and their label (low, unclear or high), as in
# RoBBR's two-stage setup (section 6.3). The metric is macro-F1 over the three levels, as in RoBBR's main task. It uses the
# likeliest level even if an engine does not show it. Two more figures are "shown", the share of items given a level, and
# "shown right", the share of given levels that are right.

_LEVELS = (LOW, UNCLEAR, HIGH)


class SentenceRecord(BaseModel):
    """One record of the file."""

    id: str
    domain: str
    sentences: Annotated[list[str], Field(min_length=1)]
    label: Level


@dataclass(frozen=True, slots=True)
class SentencesQuestion:
    """Sentences from which to judge a domain of RoB 1."""

    domain: str
    sentences: tuple[str, ...]


SentencesItem = Item[SentencesQuestion, Level]


@dataclass(frozen=True, slots=True)
class JudgedSentences:
    """A gold label and the engine's level."""

    domain: str
    label: Level
    given: Level | None  # None: it gave no level
    likeliest: Level | None = None  # used if none was given


def read_sentence_items(path: Path) -> list[SentencesItem | BrokenRecord]:
    """The items, and a `BrokenRecord` for each record that does not have the layout described above.

    Raises `DatasetError` if the file is not JSON.
    """
    known = {domain.id for domain in tool_named("rob1").domains}
    found: list[SentencesItem | BrokenRecord] = []
    with opened(path) as stream:
        for number, raw in records(stream, name=path.name, fields=SentenceRecord.model_fields):
            id = str(raw.get("id") or number) if isinstance(raw, dict) else number
            try:
                record = SentenceRecord.model_validate(raw)
            except ValidationError as error:
                found.append(BrokenRecord(path.name, id, *first_fault(error)))
                continue
            if record.domain not in known:
                found.append(BrokenRecord(path.name, id, "domain", "it is none of RoB 1's"))
            elif record.label not in _LEVELS:
                found.append(BrokenRecord(path.name, id, "label", "it is none of RoB 1's levels"))
            else:
                found.append(_item(record))
    return found


def _item(record: SentenceRecord) -> SentencesItem:
    question = SentencesQuestion(record.domain, tuple(record.sentences))
    return Item(record.id, record.id, question, record.label, category=record.domain, labels=(record.label,))


def ask(engine: BiasEngine, question: SentencesQuestion, progress: Progress) -> Response:
    """The engine's level, and then the level that it finds likeliest; each may be None."""
    started = time.perf_counter()
    domain = tool_named("rob1").domain(question.domain)
    found = suggest_from_sentences(domain, question.sentences, engine=engine, progress=progress)
    judgement = found.judgement
    labels = (judgement.level, judgement.likeliest)
    return Response(labels=labels, seconds=time.perf_counter() - started).of_run(found.run)


def estimated(engine: str, question: SentencesQuestion) -> CostEstimate | None:
    """Estimate a language model's cost for a question; None for an engine on this machine."""
    model, domain = model_named(engine), tool_named("rob1").domain(question.domain)
    return estimate_from_sentences(model, domain, question.sentences) if model else None


def correct(item: SentencesItem, response: Response) -> dict[str, float]:
    """Whether the engine's level is the gold label."""
    return {"correct": float(response.labels[:1] == item.labels)}


def metrics(results: Sequence[ItemResult]) -> dict[str, Interval]:
    """The metrics of a run."""
    return summary([_judged(result) for result in results])


def _judged(result: ItemResult) -> JudgedSentences:
    (label,) = result.labels
    given = [None if level is None else Level(level) for level in result.response.answer.labels] or [None]
    return JudgedSentences(result.category, Level(label), given[0], given[-1])


def summary(judged: Sequence[JudgedSentences]) -> dict[str, Interval]:
    """Each figure over all items, and by domain and level if defined, with intervals from resampling items."""
    domains = dict.fromkeys(item.domain for item in judged)
    parts = {f" {d}": [item for item in judged if item.domain == d] for d in domains} | {"": judged}
    levels = {f" {level}": [item for item in judged if item.given == level] for level in _LEVELS}
    found = {f"macro-F1{part}": _macro_f1(own) for part, own in parts.items()}
    found |= {f"shown{part}": _share([item.given is not None for item in own]) for part, own in parts.items()}
    found |= {f"shown right{part}": _share(_right_ones(own)) for part, own in (parts | levels).items()}
    return {name: figure for name, figure in found.items() if figure is not None}


def _macro_f1(judged: Sequence[JudgedSentences]) -> Interval | None:
    labelled = Labelled([item.label for item in judged], [item.given or item.likeliest for item in judged], _LEVELS)
    return estimate(labelled.statistic(macro_f1), _each(judged))


def _right_ones(judged: Sequence[JudgedSentences]) -> list[bool]:
    return [item.given == item.label for item in judged if item.given is not None]


def _share(values: Sequence[bool]) -> Interval | None:
    return interval([float(value) for value in values], _each(values)) if values else None


def _each(items: Sequence[object]) -> list[str]:
    """A group per item, because the file does not say which items belong together."""
    return [str(number) for number in range(len(items))]


# ---- bias tasks ----
# The tasks on risk of bias.

SEEN = (
    "The engine offline was trained on this very file, so that its figures here say nothing of new papers. "
    "docs/bias.md gives those on papers that it had not seen; python -m core.training bias --check measures them."
)

SEEN_PAPERS = (
    "The engine offline is asked without what it learned of each domain, but has learned of other items from these very papers. "
    "docs/bias-definitions.md gives its figures on papers left out too; python -m core.training definitions --check measures them."
)


def open_engine(choice: EngineChoice) -> BiasEngine:
    """Open the chosen risk-of-bias engine."""
    return bias_engine_named(choice.name, key=choice.key, budget=choice.budget, seed=choice.seed)


def seen(engine: str, sha256: str) -> tuple[str, ...]:
    """A note for engines that were trained on the file."""
    return (SEEN,) if is_trained(engine) and was_trained_on(sha256) else ()


def seen_unlabelled(engine: str, sha256: str) -> tuple[str, ...]:
    """A note for engines that were trained on other domains from the same papers."""
    return (SEEN_PAPERS,) if is_trained(engine) and definitions.was_trained_on(sha256) else ()


SUPPORT: Task[BiasEngine, ConsortQuestion, frozenset[int]] = Task(
    name="consort/support",
    about="Whether the first sentences for a domain of bias are those that report on it.",
    kind=TaskKind.BIAS,
    open=open_engine,
    source=partial(data_file, "consort_tm", "t*.json"),
    items=consort_tm.read_support_items,
    ask=consort_tm.ask,
    score=consort_tm.hits,
    metrics=consort_tm.metrics,
    estimate=consort_tm.estimated,
    notes=seen,
)
UNSEEN: Task[BiasEngine, UnseenQuestion, frozenset[int]] = Task(
    name="consort/unseen",
    about="The same by definitions of bias that nothing was trained for: how well an own definition is followed.",
    kind=TaskKind.BIAS,
    open=open_engine,
    source=partial(data_file, "consort_tm", "t*.json"),
    items=consort_tm.read_unseen_items,
    ask=consort_tm.ask_unseen,
    score=consort_tm.hits,
    metrics=consort_tm.metrics,
    files=consort_tm.unseen_files,
    estimate=consort_tm.estimated_unseen,
    notes=seen_unlabelled,
)
FROM_SENTENCES: Task[BiasEngine, SentencesQuestion, Level] = Task(
    name="bias/from-sentences",
    about="A level of risk, from sentences alone.",
    kind=TaskKind.BIAS,
    open=open_engine,
    source=partial(data_file, "bias", "sentences*.json"),
    items=read_sentence_items,
    ask=ask,
    score=correct,
    metrics=metrics,
    estimate=estimated,
)
PAPERS: Task[BiasEngine, PaperQuestion, PaperGold] = Task(
    name="bias/papers",
    about="A level of risk for whole trials, where one can be told, and the sentences that it rests on.",
    kind=TaskKind.BIAS,
    open=open_engine,
    source=partial(data_file, "rob1_papers", "*.jsonl"),
    items=bias_papers.read_paper_items,
    ask=bias_papers.ask,
    score=bias_papers.score,
    metrics=bias_papers.metrics,
    files=bias_papers.paper_files,
    notes=seen,
    estimate=bias_papers.estimated,
)
BIAS_TASKS = (SUPPORT, UNSEEN, FROM_SENTENCES, PAPERS)
