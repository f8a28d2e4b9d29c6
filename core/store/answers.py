"""The answers of projects in the store: what was asked of a project's library, and what was answered.

An answer is not a reviewer's judgement and does not tell who included what, so every reviewer of its project may read
it, blind or not. Answers are not records: an answer is kept as it was given, or deleted, and has no history.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from sqlalchemy import ColumnElement, Connection, delete, func, insert, select

from core.errors import NotStorable, NotStored
from core.store.review_model import KeptAnswer, ListedAnswer
from core.store.rows import LONGEST_NAME, is_name, project_of, require_storable
from core.store.tables import answers, projects

if TYPE_CHECKING:  # loads the library's index, which takes longer than loading the whole store
    from core.answering.model import Answer

_NOT_THERE = "This answer is not in the project, or was deleted from it. Choose another one."
_LISTED = (
    answers.c.id, answers.c.number, answers.c.asked_at, answers.c.asked_by, answers.c.question, answers.c.engine,
    answers.c.searched, answers.c.reporting, answers.c.answered,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class StoreAnswers:
    """The answers as one transaction sees them. Get it from a `StoreReader`, or a `StoreWriter` to change anything."""

    connection: Connection
    who: str | None = None  # who writes; None: a reader

    def listed(self, project: str) -> tuple[ListedAnswer, ...]:
        """The answers of a project, newest first, without their evidence. Raises `NotStored` without the project."""
        project_of(self.connection, project)
        query = select(*_LISTED).where(answers.c.project == project).order_by(answers.c.number.desc())
        return tuple(ListedAnswer(*row) for row in self.connection.execute(query))

    def one(self, project: str, id: str) -> KeptAnswer:
        """An answer with its evidence. Raises `NotStored` if the answer or its project does not exist."""
        project_of(self.connection, project)
        found = self._kept(project, answers.c.id == id)
        if not found:
            raise NotStored(_NOT_THERE)
        return found[0]

    def all(self, project: str) -> tuple[KeptAnswer, ...]:
        """Every answer with its evidence, oldest first, for an export of the project."""
        return self._kept(project)

    def keep(self, project: str, answer: Answer) -> KeptAnswer:
        """Keep an answer that the writer has just got. Raises `NotStored` without the project.

        Raises `NotStorable` for what a database cannot keep.
        """
        from core.answering.record import answer_record  # noqa: PLC0415 - as above

        connection, who = self._changing
        if not is_name(who):
            raise NotStorable(f"A name is missing, or longer than {LONGEST_NAME} characters.")
        # Lock the project's row, so that two people who ask at once do not get the same number.
        connection.execute(select(projects.c.id).where(projects.c.id == project).with_for_update(key_share=True))
        project_of(self.connection, project)
        last = connection.execute(select(func.max(answers.c.number)).where(answers.c.project == project)).scalar()
        kept = KeptAnswer(uuid4().hex, (last or 0) + 1, datetime.now(UTC), who, answer_record(answer))
        self.bring(project, (kept,))
        return kept

    def bring(self, project: str, kept: Iterable[KeptAnswer]) -> None:
        """Insert answers that were kept elsewhere, unchanged. Raises `NotStorable` for what a database cannot keep."""
        connection, _ = self._changing
        rows = [_values(one, project) for one in kept]
        require_storable(rows)
        if rows:
            connection.execute(insert(answers), rows)

    def remove(self, project: str, id: str) -> None:
        """Delete an answer for good. Raises `NotStored` if the answer or its project does not exist."""
        connection, _ = self._changing
        project_of(connection, project)
        gone = delete(answers).where(answers.c.project == project, answers.c.id == id)
        if not connection.execute(gone).rowcount:
            raise NotStored(_NOT_THERE)

    def forget_paper(self, project: str, paper: str) -> None:
        """Delete every answer that quotes a paper."""
        for one in self.all(project):
            if _quotes(one.record, paper):
                self.remove(project, one.id)

    def _kept(self, project: str, *where: ColumnElement[bool]) -> tuple[KeptAnswer, ...]:
        columns = (answers.c.id, answers.c.number, answers.c.asked_at, answers.c.asked_by, answers.c.body)
        query = select(*columns).where(answers.c.project == project, *where).order_by(answers.c.number)
        return tuple(KeptAnswer(*row) for row in self.connection.execute(query))

    @property
    def _changing(self) -> tuple[Connection, str]:
        if self.who is None:
            raise RuntimeError("These answers were got for reading: take them from `Store.writing` to change them.")
        return self.connection, self.who


def _values(kept: KeptAnswer, project: str) -> dict[str, Any]:
    """The columns of an answer. A list reads all but the last one, the body, which is a thousand times as long."""
    record = kept.record
    answered = not record["cannot_answer"] and record["problem"] is None
    return {
        "project": project,
        "id": kept.id,
        "number": kept.number,
        "asked_at": kept.asked,
        "asked_by": kept.by,
        "question": record["question"]["text"],
        "engine": record["engine"],
        "searched": record["searched"],
        "reporting": len(record["papers"]) if answered else 0,
        "answered": answered,
        "body": record,
    }


def _quotes(record: Mapping[str, Any], paper: str) -> bool:
    """Whether an answer quotes a paper. A damaged answer counts as one that does, because it may."""
    try:
        quoted = {one["passage"]["paper"] for one in record["evidence"]}
        return paper in quoted | {one["paper"]["id"] for one in record["papers"]}
    except (LookupError, TypeError):
        return True
