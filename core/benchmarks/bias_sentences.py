"""`bias/from-sentences`: domains judged from given sentences alone, against the level that a person gave.

A file is a list of records with an id, a domain of RoB 1, its sentences and their label (low, unclear or high): the
two-stage set-up of RoBBR (section 6.3). The metric is macro-F1 over the three levels, as in RoBBR's main task.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, Field, TypeAdapter, ValidationError

from core.benchmarks.bootstrap import Interval, estimate
from core.benchmarks.metrics.labels import Labelled, macro_f1
from core.benchmarks.runner import ItemResult, Run
from core.bias.engine import BiasEngine, judge_from_sentences
from core.bias.model import Level
from core.bias.registry import tool_named
from core.errors import DatasetError, VouchError
from core.progress import Progress, silent

TASK = "bias/from-sentences"
_LEVELS = (Level.LOW, Level.UNCLEAR, Level.HIGH)


class SentenceItem(BaseModel):
    """One judgement to make."""

    id: str
    domain: str
    sentences: Annotated[list[str], Field(min_length=1)]
    label: Level


@dataclass(frozen=True, slots=True)
class Judged:
    """A label and what an engine gave instead; None where it gave no level."""

    domain: str
    label: Level
    given: Level | None


def read_sentence_items(path: Path, limit: int | None = None) -> list[SentenceItem]:
    """The first `limit` records. Raises `DatasetError` if the file does not have the layout told above."""
    try:
        items = TypeAdapter(list[SentenceItem]).validate_json(path.read_bytes())
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(map(str, first["loc"])) or "file"
        raise DatasetError(
            f"“{path}”, {place}: {first['msg'].lower()}. It needs id, domain, sentences, label."
        ) from error
    known = {domain.id for domain in tool_named("rob1").domains}
    for item in items:
        if item.domain not in known or item.label not in _LEVELS:
            raise DatasetError(f"“{path}”, {item.id}: its domain or label is none of RoB 1. Use its ids and levels.")
    return list(islice(items, limit))


def run_sentences(engine: BiasEngine, items: Sequence[SentenceItem], *, progress: Progress = silent) -> Run:
    """Judge every item. Raises `DatasetError` if there is none."""
    if not items:
        raise DatasetError(f"The data holds no item for {TASK}.")
    started = time.perf_counter()
    rob1 = tool_named("rob1")
    results, judged = [], []
    for number, item in enumerate(items):
        progress(number / len(items), f"{number:,} of {len(items):,} done")
        begun, error, given = time.perf_counter(), None, None
        try:
            given = judge_from_sentences(rob1.domain(item.domain), item.sentences, engine=engine).level
        except VouchError as failure:
            error = str(failure)
        judged.append(Judged(item.domain, item.label, given))
        scores = {"correct": float(given is item.label)}
        results.append(ItemResult(item.id, item.id, (), scores, time.perf_counter() - begun, 0.0, error))
    progress(1.0, "Done")
    return Run(TASK, engine.name, tuple(results), summary(judged), time.perf_counter() - started)


def summary(judged: Sequence[Judged]) -> dict[str, Interval]:
    """Macro-F1 for each domain that has items, and over all of them, with intervals from resampling items."""
    domains = dict.fromkeys(item.domain for item in judged)
    parts = {f"macro-F1 {d}": [item for item in judged if item.domain == d] for d in domains} | {"macro-F1": judged}
    return {name: found for name, part in parts.items() if (found := _macro_f1(part)) is not None}


def _macro_f1(judged: Sequence[Judged]) -> Interval | None:
    labelled = Labelled([item.label for item in judged], [item.given for item in judged], _LEVELS)
    return estimate(labelled.statistic(macro_f1), [str(number) for number in range(len(judged))])
