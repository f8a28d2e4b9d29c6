"""What is asked of the papers of a project, and what came back."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # the library is loaded when somebody asks
    from core.answering import Answer


@dataclass(frozen=True, slots=True)
class AskRequest:
    """A question to the papers of a project."""

    project: str
    question: str


@dataclass(frozen=True, slots=True)
class ProjectAnswer:
    """An answer, and the papers of the project that could not be asked."""

    question: str
    answer: Answer
    unread: tuple[str, ...]  # names


@dataclass(slots=True)
class AskChoices:
    """What the reviewer chose on the page, and the last answer of each project."""

    project: str | None = None  # None: the one open on the page of the review, or else the newest
    question: str = ""
    leaves: bool = False  # a paper was pressed on, and goes on the desk next
    answers: dict[str, ProjectAnswer] = field(default_factory=dict)
