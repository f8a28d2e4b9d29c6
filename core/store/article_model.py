"""What a project keeps of articles: what they consist of, their statements for blind grading, and the grades."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from core.grading.model import Grade, GradedStatement


@dataclass(frozen=True, slots=True)
class StoredArticle:
    """An article. Its text is in the project's answers."""

    project: str
    id: str
    title: str
    topic: str
    template: str
    template_hash: str
    engine: str
    sections: tuple[tuple[str, str], ...]  # the heading, and the answer's id
    overview: str | None = None  # the id of the answer that holds it
    unread: tuple[str, ...] = ()  # papers that could not be asked, by name

    @property
    def answers(self) -> tuple[str, ...]:
        """The ids of all answers that it consists of."""
        return (*(id for _, id in self.sections), *filter(None, (self.overview,)))


@dataclass(frozen=True, slots=True)
class StoredGrading:
    """The statements of an article and of another one, in the order in which every grader sees them."""

    project: str
    id: str
    title: str  # the article's
    statements: tuple[GradedStatement, ...]


@dataclass(frozen=True, slots=True)
class StatementGrades:
    """The grades of one grader: a reviewer or a model."""

    project: str
    grading: str
    reviewer: str  # the reviewer's name, or the model's
    grades: Mapping[str, Grade]  # by statement
    by_model: bool = False
    cost_usd: float | None = 0.0  # None: unknown

    def is_whole(self, grading: StoredGrading) -> bool:
        """Whether every statement is graded."""
        return all(one.id in self.grades for one in grading.statements)
