"""The types of statements for graders, and of their grades."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from core.errors import QueryError

Origin = Literal["article", "other"]


class Grade(StrEnum):
    """A grade of how well a statement's citations support it, not of whether it is true."""

    SUPPORTED = "cited and supported"
    UNCITED = "missing citation"
    UNSUPPORTED = "cited and unsupported"
    NOT_APPLICABLE = "not applicable"  # it states nothing, or the works that it cites cannot be checked


@dataclass(frozen=True, slots=True)
class GradedStatement:
    """A sentence of an article without its citation marks, and the works that it cites."""

    id: str  # does not reveal its origin
    origin: Origin
    text: str
    sources: tuple[str, ...] = ()  # in the form of a list of references


def grade_from(text: str) -> Grade | None:
    """The grade in a cell that a person filled in; None for an empty cell. Raises `QueryError` for any other word."""
    word = " ".join(text.split()).lower()
    if not word:
        return None
    if word not in set(Grade):
        raise QueryError(f"“{text}” is no grade. Write one of: {', '.join(Grade)}; or leave the cell empty.")
    return Grade(word)


def without_gaps(order: Iterable[str], grades: Mapping[str, Grade]) -> dict[str, Grade]:
    """The grades before the first statement without one, because skipping hard statements would bias the figures."""
    found: dict[str, Grade] = {}
    for id in order:
        if id not in grades:
            break
        found[id] = grades[id]
    return found
