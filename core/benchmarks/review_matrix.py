"""Read a review matrix: papers by hypotheses, each cell labelled by somebody who read the paper.

JSON Lines, a cell a line: `cluster`, `paper`, `hypothesis`, `label` (supports, refutes, mixed, not reported), `evidence`
(the sentences that decide, letter by letter), `effect`, `near` (what is nearest, where nothing is reported), `sure`, and
`intervention` (named or class: how the hypothesis speaks of the treatment; not in every file). Papers are files named
so, in `papers` beside the file or in `evidence_inference/xml` of the data folder.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, ValidationError, field_validator

from core.benchmarks.articles import articles_of, files_of
from core.benchmarks.json_records import count_records, opened, records
from core.benchmarks.model import BrokenRecord
from core.benchmarks.record_fields import Text, first_fault
from core.errors import QueryError
from core.evidence.model import EvidenceQuery, PaperVerdict
from core.paper import Paper


class Intervention(StrEnum):
    """How a hypothesis speaks of the treatment."""

    NAMED = "named"  # by its own name
    CLASS = "class"  # as one of a kind, such as "oral drug treatment"


class _Cell(BaseModel):
    model_config = ConfigDict(frozen=True)

    cluster: str = ""  # papers and hypotheses that one review would meet
    paper: Text  # the name of a file, without its ending
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
    """A paper and a hypothesis, with what a reader made of them."""

    id: str  # the paper's name and the record's number
    name: str  # the paper's
    paper: Paper
    hypothesis: str
    verdict: PaperVerdict
    gold: frozenset[int]  # sentences that share a letter with a deciding one; a number of no sentence where none does
    intervention: Intervention | None  # None: the file does not say


def read_review_matrix(path: Path) -> Iterator[MatrixCell | BrokenRecord]:
    """Every cell in the file's order, and what is wrong with those that are none, or have no paper to read.

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
    """How many records there are; no paper is read. Raises `DatasetError` as `read_review_matrix` does."""
    return count_records(path, fields=_Cell.model_fields)


def matrix_files(path: Path) -> list[Path]:
    """The file, and every paper that its cells are on."""
    return files_of(path, (cell.paper for _, cell in _cells(path) if isinstance(cell, _Cell)))


def _cells(path: Path) -> Iterator[tuple[str, _Cell | BrokenRecord]]:
    with opened(path) as stream:
        for number, raw in records(stream, name=path.name, fields=_Cell.model_fields):
            try:
                yield number, _Cell.model_validate(raw)
            except ValidationError as error:
                yield number, BrokenRecord(path.name, number, *first_fault(error))
