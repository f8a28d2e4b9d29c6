"""`bias/from-sentences`: domains judged from given sentences alone, against the level that a person gave.

A file is a list of records with an id, a domain of RoB 1, its sentences and their label (low, unclear or high): the
two-stage set-up of RoBBR (section 6.3). The metric is macro-F1 over the three levels, as in RoBBR's main task, of the
likeliest level, also where an engine does not show it; beside it stand "shown", the share that is given a level, and
"shown right", the share of the levels given that are right.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, Field, ValidationError

from core.benchmarks.bootstrap import Interval, estimate, interval
from core.benchmarks.json_records import opened, records
from core.benchmarks.metrics.labels import Labelled, macro_f1
from core.benchmarks.model import BrokenRecord, Item, ItemResult, Response
from core.benchmarks.record_fields import first_fault
from core.bias.engine import BiasEngine, suggest_from_sentences
from core.bias.llm.estimating import estimate_from_sentences
from core.bias.model import Level
from core.bias.registry import tool_named
from core.llm import Estimate, model_named
from core.progress import Progress

_LEVELS = (Level.LOW, Level.UNCLEAR, Level.HIGH)


class SentenceRecord(BaseModel):
    """One judgement to make."""

    id: str
    domain: str
    sentences: Annotated[list[str], Field(min_length=1)]
    label: Level


@dataclass(frozen=True, slots=True)
class SentencesQuestion:
    """Sentences to judge a domain of RoB 1 by."""

    domain: str
    sentences: tuple[str, ...]


SentencesItem = Item[SentencesQuestion, Level]


@dataclass(frozen=True, slots=True)
class Judged:
    """A label and what an engine gave instead; None where it gave no level."""

    domain: str
    label: Level
    given: Level | None
    likeliest: Level | None = None  # where none was given


def read_sentence_items(path: Path) -> list[SentencesItem | BrokenRecord]:
    """Every record, and what is wrong with those that do not have the layout told above.

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
    return Item(record.id, record.id, question, record.label, category=record.domain, labels=(record.label.value,))


def ask(engine: BiasEngine, question: SentencesQuestion, progress: Progress) -> Response:
    """The engine's level, None where it gave none, and then the likeliest one, None where it knows none."""
    started = time.perf_counter()
    domain = tool_named("rob1").domain(question.domain)
    found = suggest_from_sentences(domain, question.sentences, engine=engine, progress=progress)
    judgement = found.judgement
    labels = [level and level.value for level in (judgement.level, judgement.likeliest)]
    return Response(labels=tuple(labels), seconds=time.perf_counter() - started).of_run(found.run)


def estimated(engine: str, question: SentencesQuestion) -> Estimate | None:
    """What a language model will use for a question; None for an engine on this machine."""
    model, domain = model_named(engine), tool_named("rob1").domain(question.domain)
    return estimate_from_sentences(model, domain, question.sentences) if model else None


def correct(item: SentencesItem, response: Response) -> dict[str, float]:
    """Whether the level is the label."""
    return {"correct": float(response.labels[:1] == item.labels)}


def metrics(results: Sequence[ItemResult]) -> dict[str, Interval]:
    """Those of a run."""
    return summary([_judged(result) for result in results])


def _judged(result: ItemResult) -> Judged:
    (label,) = result.labels
    given = [None if level is None else Level(level) for level in result.response.answer.labels] or [None]
    return Judged(result.category, Level(label), given[0], given[-1])


def summary(judged: Sequence[Judged]) -> dict[str, Interval]:
    """Each figure over all items and for each domain and level that has them, with intervals from resampling items."""
    domains = dict.fromkeys(item.domain for item in judged)
    parts = {f" {d}": [item for item in judged if item.domain == d] for d in domains} | {"": judged}
    levels = {f" {level}": [item for item in judged if item.given is level] for level in _LEVELS}
    found = {f"macro-F1{part}": _macro_f1(own) for part, own in parts.items()}
    found |= {f"shown{part}": _share([item.given is not None for item in own]) for part, own in parts.items()}
    found |= {f"shown right{part}": _share(_right_ones(own)) for part, own in (parts | levels).items()}
    return {name: figure for name, figure in found.items() if figure is not None}


def _macro_f1(judged: Sequence[Judged]) -> Interval | None:
    labelled = Labelled([item.label for item in judged], [item.given or item.likeliest for item in judged], _LEVELS)
    return estimate(labelled.statistic(macro_f1), _each(judged))


def _right_ones(judged: Sequence[Judged]) -> list[bool]:
    return [item.given is item.label for item in judged if item.given is not None]


def _share(values: Sequence[bool]) -> Interval | None:
    return interval([float(value) for value in values], _each(values)) if values else None


def _each(items: Sequence[object]) -> list[str]:
    """Items are drawn one by one: nothing tells which belong together."""
    return [str(number) for number in range(len(items))]
