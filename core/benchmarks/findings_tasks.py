"""The task on the evidence table: a matrix of papers by hypotheses, most of which a paper does not answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from math import inf
from pathlib import Path
from typing import Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, ValidationError, field_validator

from core.benchmarks.articles import articles_of, files_of
from core.benchmarks.bootstrap import Interval, Statistic, estimate, ratio
from core.benchmarks.evidence_tasks import EvidenceQuestion, estimated, open_engine, unread
from core.benchmarks.label_metrics import auroc
from core.benchmarks.model import BrokenRecord, Item, ItemResult, Response, Scores
from core.benchmarks.records import Text, count_records, first_fault, opened, records
from core.benchmarks.seen import seen_by_reader
from core.benchmarks.selection_metrics import hit
from core.benchmarks.task import Stream, Task, data_file
from core.engines import TaskKind
from core.errors import QueryError
from core.evidence.model import Evidence, EvidenceEngine, EvidenceQuery
from core.findings import find
from core.findings.finding import K
from core.grounding.model import PaperVerdict
from core.paper import Paper
from core.progress import Progress, silent

# ---- review matrix ----
# Read a review matrix: papers by hypotheses, each cell labelled by a person who read the paper.
#
# JSON Lines, one cell per line: `cluster`, `paper`, `hypothesis`, `label` (supports, refutes, mixed, not reported),
# `evidence` (the deciding sentences, verbatim), `effect`, `near` (the nearest sentences, if nothing is reported), `sure`, and
# `intervention` (named or class: how the hypothesis refers to the treatment; not in every file). A paper is a file of that
# name, in `papers` next to the file or in `evidence_inference/xml` of the data folder.


class Intervention(StrEnum):
    """How a hypothesis refers to the treatment."""

    NAMED = "named"  # by its own name
    CLASS = "class"  # by its class, such as "oral drug treatment"


class _Cell(BaseModel):
    model_config = ConfigDict(frozen=True)

    cluster: str = ""  # papers and hypotheses that belong to one review
    paper: Text  # the name of a file, without its extension
    hypothesis: Text
    label: Literal["supports", "refutes", "mixed", "not reported"]
    evidence: tuple[str, ...] = ()
    intervention: Intervention | None = None

    @field_validator("hypothesis")
    @classmethod
    def _can_be_asked(cls, words: str) -> str:
        try:
            EvidenceQuery(words)
        except QueryError as error:
            raise ValueError(str(error)) from None
        return words


@dataclass(frozen=True, slots=True)
class MatrixCell:
    """A paper and a hypothesis, with a person's verdict."""

    id: str  # the paper's name and the record's number
    name: str  # of the paper
    paper: Paper
    hypothesis: str
    verdict: PaperVerdict
    gold: frozenset[int]  # sentences that overlap with a deciding one; an invalid index if none does
    intervention: Intervention | None  # None: the file does not say


def read_review_matrix(path: Path) -> Iterator[MatrixCell | BrokenRecord]:
    """Yield every cell in the file's order, and a `BrokenRecord` for records that are broken or whose paper is missing.

    Each paper is read once. Raises `DatasetError` if the file is missing or not JSON Lines.
    """
    article_named = articles_of(path)
    for number, cell in _cells(path):
        if isinstance(cell, BrokenRecord):
            yield cell
            continue
        article = article_named(cell.paper)
        if article is None:
            yield BrokenRecord(path.name, number, "paper", f"the paper “{cell.paper}” is missing or cannot be read")
            continue
        id, verdict = f"{cell.paper}/{number}", PaperVerdict(cell.label)
        gold = article.quoted(cell.evidence)
        yield MatrixCell(id, cell.paper, article.paper, cell.hypothesis, verdict, gold, cell.intervention)


def count_cells(path: Path) -> int:
    """Count the records without reading papers. Raises `DatasetError` as `read_review_matrix` does."""
    return count_records(path, fields=_Cell.model_fields)


def matrix_files(path: Path) -> list[Path]:
    """The file, and the paper of every cell."""
    return files_of(path, (cell.paper for _, cell in _cells(path) if isinstance(cell, _Cell)))


def _cells(path: Path) -> Iterator[tuple[str, _Cell | BrokenRecord]]:
    with opened(path) as stream:
        for number, raw in records(stream, name=path.name, fields=_Cell.model_fields):
            try:
                yield number, _Cell.model_validate(raw)
            except ValidationError as error:
                yield number, BrokenRecord(path.name, number, *first_fault(error))


# ---- findings tasks ----
# The task on the evidence table: cells of a review matrix as in a real review, most of which a paper does not answer.
#
# A cell is *reported* if the gold verdict is supports, refutes or mixed. A *firm* verdict is supports or refutes. Figures:
#
# - `firm right`: of the firm verdicts, how many equal the gold's; `firm expected`: the mean of their probabilities, which
#   equals `firm right` if they are calibrated.
# - `decided`: of the reported cells, how many have a firm verdict; `decided rightly`: how many have the gold's verdict,
#   including mixed.
# - `not reported left`: of the cells that are not reported, how many have no firm verdict; `not reported told`: how many
#   have the verdict "not reported".
# - `reported AUROC`: how well `Finding.reported` separates reported cells from the others, for engines that give it.
# - `sentence in three`: of the reported cells, how many have a deciding sentence among the finding's first three.
#
# Each figure is also given for the hypotheses that name the treatment, and for those that name its class. A failed cell
# counts against the engine: it is neither decided, left nor right, and gets the worst possible score.

_SHOWN = 3  # sentences of a cell that are shown
_FIRM = {PaperVerdict.SUPPORTS.value, PaperVerdict.REFUTES.value}
_NOT_REPORTED = PaperVerdict.NOT_REPORTED.value

MatrixItem = Item[EvidenceQuestion, frozenset[int]]


class _Witness:
    """Wraps an engine to keep its answer, because a finding has neither the tokens nor the parts that were not read."""

    def __init__(self, engine: EvidenceEngine) -> None:
        self.name = engine.name
        self.evidence: Evidence | None = None
        self._engine = engine

    def find(self, paper: Paper, query: EvidenceQuery, *, progress: Progress = silent) -> Evidence:
        self.evidence = self._engine.find(paper, query, progress=progress)
        return self.evidence


def _items(path: Path) -> Stream[MatrixItem | BrokenRecord]:
    """The cells as items; a paper is read at its first cell."""

    def read() -> Iterator[MatrixItem | BrokenRecord]:
        for cell in read_review_matrix(path):
            if isinstance(cell, BrokenRecord):
                yield cell
                continue
            question = EvidenceQuestion(cell.paper, EvidenceQuery(cell.hypothesis, k=K, results_only=True))
            kind = cell.intervention or ""
            yield Item(cell.id, cell.name, question, cell.gold, category=kind, labels=(cell.verdict.value,))

    return Stream(count_cells(path), read)


def ask(engine: EvidenceEngine, question: EvidenceQuestion, progress: Progress) -> Response:
    """The finding's verdict and first sentences. If parts of the paper were not read, the item has failed."""
    witness = _Witness(engine)
    found = find(question.paper, question.query.hypothesis, engine=witness, k=question.query.k, progress=progress)
    made = Response(
        tuple(one.index for one in found.sentences[:_SHOWN]),
        (found.verdict.value if found.verdict else None,),
        found.seconds,
        found.cost_usd,
        error=unread(witness.evidence) if witness.evidence else None,
        probability=found.probability,
        reported=found.reported,
    )
    return made.of_run(witness.evidence.run if witness.evidence else None)


def score(item: MatrixItem, response: Response) -> Scores:
    """Whether the verdict equals the gold's and, for a reported cell, whether a deciding sentence is shown."""
    right = {"right": float(response.labels == item.labels)}
    if item.labels == (_NOT_REPORTED,):
        return right
    return right | {"sentence in three": hit(response.sentences, item.gold, _SHOWN)}


def metrics(results: Sequence[ItemResult]) -> dict[str, Interval]:
    """The figures described above, over all cells and by how the hypothesis refers to the treatment."""
    parts: Mapping[str, Sequence[ItemResult]] = {"": results} | {
        f", {kind.value}": [result for result in results if result.category == kind] for kind in Intervention
    }
    found: dict[str, Interval] = {}
    for part, own in parts.items():
        papers = [result.group for result in own]
        for name, statistic in _statistics(own).items() if own else ():
            if (figure := estimate(statistic, papers)) is not None:
                found[f"{name}{part}"] = figure
    return found


def _statistics(results: Sequence[ItemResult]) -> dict[str, Statistic]:
    given = [result.label for result in results]
    firm = [label in _FIRM for label in given]
    right = [(label,) == result.labels for label, result in zip(given, results, strict=True)]
    reported = [result.labels != (_NOT_REPORTED,) for result in results]
    unreported = [not one for one in reported]
    left = [result.error is None and not one for result, one in zip(results, firm, strict=True)]
    told = [result.response.answer.probability for result in results]
    expected = [sure and p is not None for sure, p in zip(firm, told, strict=True)]
    in_three = [result.scores.get("sentence in three", 0.0) for result in results]
    found = {
        "firm right": _share(right, firm),
        "firm expected": _share([p or 0.0 for p in told], expected),
        "decided": _share(firm, reported),
        "decided rightly": _share(right, reported),
        "not reported left": _share(left, unreported),
        "not reported told": _share(right, unreported),
        "sentence in three": _share(in_three, reported),
    }
    scores = [result.response.answer.reported for result in results]
    if any(score is not None for score in scores):
        worst = [-inf if one else inf for one in reported]
        found["reported AUROC"] = auroc(
            reported, [bad if score is None else score for score, bad in zip(scores, worst, strict=True)]
        )
    return found


def _share(values: Sequence[float], among: Sequence[bool]) -> Statistic:
    """The mean of the values over the items of which `among` is true."""
    column, members = np.asarray(values, dtype=np.float64), np.asarray(among, dtype=np.float64)
    return lambda weights: ratio(weights @ (column * members), weights @ members)


MATRIX: Task[EvidenceEngine, EvidenceQuestion, frozenset[int]] = Task(
    name="findings/matrix",
    about="Whether a paper supports a hypothesis, refutes it, or reports nothing on it: the evidence table.",
    kind=TaskKind.EVIDENCE,  # evidence engines are asked, and the evidence page shows its items
    open=open_engine,
    source=partial(data_file, "review_matrix", "dev.jsonl"),
    items=_items,
    ask=ask,
    score=score,
    metrics=metrics,
    files=matrix_files,
    notes=seen_by_reader,
    estimate=estimated,
)
