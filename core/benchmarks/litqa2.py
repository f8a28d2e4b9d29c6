"""LitQA2 as published: multiple choice over full texts, with "insufficient information" as an option of its own.

PaperQA2, sections 2 and 8.2. `litqa-v2-public.jsonl` has one question per line (`id`, `question`, `ideal`, `distractors`,
`sources`: links to DOIs). The user provides the papers in the folder `papers` next to the file; they are matched by DOI.
As in the paper (section 8.2.2), each question is asked three times, each time with the options in another order. A failed
item counts as wrong, except in `precision`, which leaves it out. Figures:

- `accuracy`: right answers of all; `precision`: right answers of those with an option other than "insufficient". If the
  ideal answer is "null", "insufficient" is right.
- `recall`: the answer is based on the source; a source that is not among the papers counts as not found.
- `source there`: the source is among the papers. `insufficient`: how often that option was chosen.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from core.answering import AnswerEngine, Question
from core.benchmarks.bootstrap import Interval, estimate
from core.benchmarks.library_tasks import (
    ABLATIONS,
    INSUFFICIENT,
    LibraryQuestion,
    Passages,
    ask_library,
    fewer,
    open_answers,
    share_among,
)
from core.benchmarks.model import BrokenRecord, Item, ItemResult, Response, Scores
from core.benchmarks.records import count_records, first_fault, opened, records
from core.benchmarks.task import Stream, Task, data_file
from core.engines import TaskKind
from core.library import library_of_folder
from core.library.folder import PAPER_SUFFIXES
from core.paper.identifiers import bare_doi

REPETITIONS = 3
_NULL = "null"  # the ideal answer of a question that cannot be answered
_PAPERS = "papers"


class QuestionRecord(BaseModel):
    """A line of the file; other fields are ignored."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    id: str = Field(min_length=1)
    question: str = Field(min_length=1)
    ideal: str = Field(min_length=1)
    distractors: list[str]
    sources: list[str]


@dataclass(frozen=True, slots=True)
class SourceGold:
    """Where the answer is."""

    papers: frozenset[str]  # ids; empty: none of the sources is among the papers


LitQAItem = Item[LibraryQuestion, SourceGold]


def _items(passages: Passages, path: Path) -> Stream[LitQAItem | BrokenRecord]:
    """Each question, once per repetition. All papers are indexed before the first one."""

    def read() -> Iterator[LitQAItem | BrokenRecord]:
        library, by_doi = papers_beside(path)
        with opened(path) as stream:
            for number, raw in records(stream, name=path.name, fields=QuestionRecord.model_fields):
                try:
                    record = QuestionRecord.model_validate(raw)
                except ValidationError as error:
                    yield BrokenRecord(path.name, number, *first_fault(error))
                    continue
                for repetition in range(REPETITIONS):
                    yield item_of(record, repetition, library, by_doi, passages=passages)

    return Stream(count_records(path, fields=QuestionRecord.model_fields) * REPETITIONS, read)


def papers_beside(path: Path) -> tuple[str, Mapping[str, str]]:
    """Index the papers in the folder next to a file. Returns the library's name, and the papers' ids by DOI."""
    library = library_of_folder(path.parent / _PAPERS).library
    return library.name, {doi: paper.id for paper in library.papers() if (doi := bare_doi(paper.doi or ""))}


def item_of(
    record: QuestionRecord,
    repetition: int,
    library: str,
    by_doi: Mapping[str, str],
    *,
    passages: Passages = ABLATIONS[""],
) -> LitQAItem:
    """A question as an item, with its options shuffled by a seed of its id and the repetition."""
    answerable = record.ideal.strip().lower() != _NULL
    options = [*([record.ideal] if answerable else []), *record.distractors]
    random.Random(f"{record.id} {repetition}").shuffle(options)  # noqa: S311  not for security
    question = Question(record.question, passages.k, sources=passages.sources, options=tuple(options))
    sources = filter(None, map(bare_doi, record.sources))
    gold = SourceGold(frozenset(by_doi[doi] for doi in sources if doi in by_doi))
    labels = (record.ideal if answerable else INSUFFICIENT,)
    return Item(f"{record.id}#{repetition + 1}", record.id, LibraryQuestion(library, question), gold, labels=labels)


def files(path: Path) -> list[Path]:
    """The questions, and the papers in the folder next to them."""
    papers = (path.parent / _PAPERS).rglob("*")
    return [path, *sorted(file for file in papers if file.suffix.lower() in PAPER_SUFFIXES and file.is_file())]


def score(item: LitQAItem, response: Response) -> Scores:
    """Whether the answer is right, and whether it is based on the source."""
    given = response.answer
    return {
        "accuracy": float(given.labels == item.labels),
        "recall": float(bool(item.gold.papers & set(given.papers))),
        "source there": float(bool(item.gold.papers)),
        "insufficient": float(given.labels == (INSUFFICIENT,)),
    }


def metrics(results: Sequence[ItemResult]) -> Mapping[str, Interval]:
    """The figures of this module's docstring, with intervals from resampling questions."""
    groups = [result.group for result in results]
    every = [True] * len(results)
    told = [result.response.answer.labels not in ((), (INSUFFICIENT,)) for result in results]
    statistics = {
        name: share_among(every, [one.scores[name] for one in results])
        for name in (results[0].scores if results else ())
    }
    statistics["precision"] = share_among(told, [one.scores["accuracy"] for one in results])
    found = {name: estimate(statistic, groups) for name, statistic in statistics.items()}
    return {name: figure for name, figure in found.items() if figure is not None}


LITQA2_TASKS: tuple[Task[AnswerEngine, LibraryQuestion, SourceGold], ...] = tuple(
    Task(
        name=f"litqa2/answer{name}",
        about="Multiple choice over full texts, each question three times, with “insufficient information” as an option."
        + fewer(passages),
        kind=TaskKind.ANSWERS,
        open=open_answers,
        source=partial(data_file, "litqa2", "litqa*.jsonl"),
        items=partial(_items, passages),
        ask=ask_library,
        score=score,
        metrics=metrics,
        files=files,
    )
    for name, passages in ABLATIONS.items()
)
