"""What people mark in a made benchmark: two annotators blind to each other and to the pipeline, and what they settle.

Marks are lines of a file beside the benchmark, and the last of an annotator on an aspect counts. What the pipeline found
stays in the file of what is done; the benchmark's files are written from both (`core.making.output`).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from core.benchmarks.evidencebench import read_evidencebench
from core.benchmarks.gold import Gold
from core.benchmarks.robbr import paper_of_elements
from core.errors import QueryError
from core.export.gold import support_fields
from core.making.journal import lines, mend_tail, whole_lines
from core.making.sets import instance_of, published_record

NAME = "annotations.jsonl"
LAYOUTS = ("evidencebench", "SSR")  # those with aspects and their sentences
PIPELINE = "pipeline"
PEOPLE = 2
MOST_RECORDS = 200  # that a screen lists
Key = tuple[str, str, str]  # record, layout, aspect


@dataclass(frozen=True, slots=True)
class AspectTask:
    """An aspect to be held against its paper."""

    record: str
    layout: str
    aspect: str
    text: str
    about: str  # the hypothesis, or the bias
    paper: str
    sentences: tuple[str, ...]
    pipeline: frozenset[int]

    @property
    def key(self) -> Key:
        return self.record, self.layout, self.aspect


@dataclass(frozen=True, slots=True)
class AspectView:
    """An aspect as one annotator may see it. `others` has everybody's marks once two people's are in; before, nobody's."""

    task: AspectTask
    own: frozenset[int] | None
    others: Mapping[str, frozenset[int]]  # by annotator, the pipeline's as well
    settled: frozenset[int] | None

    @property
    def blind(self) -> bool:
        """Whether others' marks are still hidden."""
        return not self.others


class Annotations:
    """The marks on a made benchmark."""

    def __init__(self, folder: Path, *, most: int = MOST_RECORDS) -> None:
        """Raises `DatasetError` if the folder holds no benchmark that was made here, or one of its files is broken."""
        self.folder = folder
        made = list(islice((line for line in lines(folder) if not line["dropped"]), most + 1))
        self.more = len(made) > most  # records than the tasks are of
        self.tasks = tuple(_tasks(made[:most]))
        self._marks: dict[Key, dict[str, frozenset[int]]] = {}
        self._settled: dict[Key, frozenset[int]] = {}
        for row in _rows(folder):
            self._note(row)

    def view(self, task: AspectTask, annotator: str) -> AspectView:
        """The aspect as this annotator may see it."""
        marks = self._marks.get(task.key, {})
        shown = {**marks, PIPELINE: task.pipeline} if len(marks) >= PEOPLE and annotator in marks else {}
        return AspectView(task, marks.get(annotator), shown, self._settled.get(task.key))

    def mark(self, task: AspectTask, annotator: str, sentences: Iterable[int]) -> None:
        """Keep an annotator's marks. Raises `QueryError` where it is too late, or a third person's turn."""
        marks, name = self._marks.get(task.key, {}), annotator.strip()
        if not name or name == PIPELINE:
            raise QueryError("Who are you? Type the name by which your marks are kept.")
        if name not in marks and len(marks) >= PEOPLE:
            raise QueryError(f"{' and '.join(marks)} have marked this aspect already. Choose another one.")
        if len(marks) >= PEOPLE:
            raise QueryError("Both have marked this aspect and seen each other's marks. Settle it instead.")
        self._keep({"annotator": name, "sentences": _checked(task, sentences)}, task)

    def settle(self, task: AspectTask, annotator: str, sentences: Iterable[int]) -> None:
        """Keep what counts from now on. Raises `QueryError` unless the aspect was marked by two, one of them this one."""
        marks = self._marks.get(task.key, {})
        if len(marks) < PEOPLE or annotator not in marks:
            raise QueryError("An aspect is settled by one of the two who marked it, once both have.")
        self._keep({"settled_by": annotator, "sentences": _checked(task, sentences)}, task)

    def standing(self, task: AspectTask, annotator: str) -> str:
        """How far an aspect is, in a word or two that give nothing away."""
        marks = self._marks.get(task.key, {})
        if task.key in self._settled:
            return "settled"
        if len(marks) >= PEOPLE:
            return "both in"
        return "yours is in" if annotator in marks else "one is in" if marks else "open"

    def labels(self) -> Iterator[tuple[str, str, str, bool]]:
        """(paper, item, annotator, label) of every sentence of the aspects that two people have marked."""
        for task in self.tasks:
            marks = self._marks.get(task.key, {})
            if len(marks) >= PEOPLE:
                for who, chosen in ({**marks, PIPELINE: task.pipeline}).items():
                    for index in range(len(task.sentences)):
                        yield task.paper, f"{task.record} {task.aspect} {index}", who, index in chosen

    def _keep(self, said: dict[str, Any], task: AspectTask) -> None:
        row = {"record": task.record, "layout": task.layout, "aspect": task.aspect, **said}
        try:
            mend_tail(self.folder / NAME)
            with (self.folder / NAME).open("a", encoding="utf-8") as file:
                file.write(json.dumps(row, ensure_ascii=False) + "\n")
        except OSError as error:
            raise QueryError(f"“{self.folder}” cannot be written ({error.strerror}). Check the folder.") from error
        self._note(row)

    def _note(self, row: Mapping[str, Any]) -> None:
        key, chosen = (row["record"], row["layout"], row["aspect"]), frozenset(row["sentences"])
        if "settled_by" in row:
            self._settled[key] = chosen
        else:
            self._marks.setdefault(key, {})[row["annotator"]] = chosen


def settled_marks(folder: Path) -> dict[tuple[str, str], dict[str, frozenset[int]]]:
    """(record, layout) -> aspect -> the sentences that people have settled on."""
    found: dict[tuple[str, str], dict[str, frozenset[int]]] = {}
    for row in _rows(folder):
        if "settled_by" in row:
            found.setdefault((row["record"], row["layout"]), {})[row["aspect"]] = frozenset(row["sentences"])
    return found


def with_settled(
    key: str, layout: str, record: Mapping[str, Any], settled: Mapping[str, frozenset[int]]
) -> dict[str, Any] | None:
    """A record with what people have settled, its sets and figures anew; None where no sentence covers an aspect any more."""
    marks = {id: frozenset(indices) for id, indices in record["aspect2sentence_indices"].items()} | dict(settled)
    if layout == "SSR":
        aspects = {id: marks[id] for id in record["aspects"] if marks.get(id)}
        paper = paper_of_elements(record["paper_as_candidate_pool"], name=record["paper_doi"])
        labels = {id: record["aspects"][id] for id in aspects}
        return {**record, **support_fields(paper, Gold(aspects, labels=labels))} if aspects else None
    (known,) = read_evidencebench(json.dumps({key: record}).encode(), name=key).instances
    instance = instance_of(
        key, known.hypothesis, known.paper, aspects=record["aspect_labels"], aligned=marks, results=known.gold.results
    )
    return None if instance is None else published_record(instance, paper_id=record["paper_id"])


def _tasks(made: Iterable[Mapping[str, Any]]) -> Iterator[AspectTask]:
    """The aspects of these records, as the pipeline made them."""
    for line in made:
        for layout in LAYOUTS:
            record = line["records"].get(layout)
            if record is None:
                continue
            labels = record["aspect_labels"] if layout == "evidencebench" else record["aspects"]
            for aspect, indices in record["aspect2sentence_indices"].items():
                yield AspectTask(
                    line["key"], layout, aspect, labels[aspect], record.get("hypothesis") or record["bias"], line["paper"],
                    tuple(record["paper_as_candidate_pool"]), frozenset(indices),
                )  # fmt: skip


def _rows(folder: Path) -> Iterator[dict[str, Any]]:
    file = folder / NAME
    if file.exists():
        with file.open(encoding="utf-8") as stream:
            yield from whole_lines(stream, file)


def _checked(task: AspectTask, sentences: Iterable[int]) -> list[int]:
    chosen = sorted(set(sentences))
    if any(index not in range(len(task.sentences)) for index in chosen):
        raise ValueError("a mark is on no sentence of the paper")
    return chosen
