"""The figures that the benchmarks' papers report, to show beside the user's own runs; they are in `published.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from math import isnan
from pathlib import Path

from pydantic import BaseModel, ConfigDict

NOTE = "Other papers of the same benchmark and other models: the published figures show the order of size."
_FILE = Path(__file__).with_name("published.toml")


@dataclass(frozen=True, slots=True)
class PublishedFigure:
    """A figure of a paper's table, as a share."""

    paper: str
    table: str  # its number, or its location in the paper
    task: str
    model: str
    metric: str  # by the name that our runs use
    value: float
    margin: float | None  # None: the table gives none
    margin_is: str  # such as "standard error"
    data: str  # what it was measured on


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid")

    paper: str
    table: str
    task: str
    metrics: list[str]
    unit: int
    margin: str = ""
    data: str
    models: dict[str, list[float | tuple[float, float]]]


class _Tables(BaseModel):
    table: list[_Table]


def published(task: str) -> tuple[PublishedFigure, ...]:
    """The published figures of a task, in the order of the tables; () if there are none."""
    return tuple(figure for figure in all_published() if figure.task == task)


@cache
def all_published() -> tuple[PublishedFigure, ...]:
    """Every published figure."""
    tables = _Tables.model_validate(tomllib.loads(_FILE.read_text(encoding="utf-8"))).table
    return tuple(figure for table in tables for figure in _figures(table))


def _figures(table: _Table) -> Iterator[PublishedFigure]:
    for model, row in table.models.items():
        for metric, cell in zip(table.metrics, row, strict=True):
            value, margin = cell if isinstance(cell, tuple) else (cell, None)
            if not isnan(value):  # NaN marks a figure that the table omits
                yield PublishedFigure(
                    paper=table.paper,
                    table=table.table,
                    task=table.task,
                    model=model,
                    metric=metric,
                    value=value / table.unit,
                    margin=None if margin is None else margin / table.unit,
                    margin_is=table.margin,
                    data=table.data,
                )
