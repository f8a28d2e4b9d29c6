"""A statement for graders, and what they say of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from core.errors import QueryError

Origin = Literal["article", "other"]


class Grade(StrEnum):
    """What a grader says of a statement, as it is cited: not whether it is true."""

    SUPPORTED = "cited and supported"
    UNCITED = "missing citation"
    UNSUPPORTED = "cited and unsupported"
    NOT_APPLICABLE = "not applicable"  # it states nothing, or nobody can look into what it cites


@dataclass(frozen=True, slots=True)
class GradedStatement:
    """A sentence of an article without its marks, and the works that it cites."""

    id: str  # tells nothing of its origin
    origin: Origin
    text: str
    sources: tuple[str, ...] = ()  # as a list of references has them


def grade_from(text: str) -> Grade | None:
    """A grade as people write it; None for an empty cell. Raises `QueryError` for any other word."""
    word = " ".join(text.split()).lower()
    if not word:
        return None
    if word not in set(Grade):
        raise QueryError(f"“{text}” is no grade. Write one of: {', '.join(Grade)}; or leave the cell empty.")
    return Grade(word)


def without_gaps(order: Iterable[str], grades: Mapping[str, Grade]) -> dict[str, Grade]:
    """The grades before the first statement without one: whoever leaves out what is hard would make the rest look better."""
    found: dict[str, Grade] = {}
    for id in order:
        if id not in grades:
            break
        found[id] = grades[id]
    return found
