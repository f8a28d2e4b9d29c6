"""Writes to the store: one writer's changes are saved together with their rows in the history, or not at all."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

from sqlalchemy import Row, Table, insert, select, update
from sqlalchemy.exc import IntegrityError

from core.errors import NotStorable
from core.paper import Paper
from core.store.answers import StoreAnswers
from core.store.article_model import StatementGrades
from core.store.claim_model import ContradictionDecision, StoredClaim
from core.store.model import (
    Action,
    Conflict,
    Consensus,
    Project,
    ProjectState,
    R,
    Record,
    RecordChange,
    ReviewerJudgement,
    Saved,
    SentenceDecisions,
    StoredPaper,
    StoredSuggestion,
    StoredSummary,
)
from core.store.queue import StoreQueue, keep_bytes, replace_row
from core.store.reader import StoreReader
from core.store.retrievals import StoreRetrievals, retrieval_values
from core.store.review_model import (
    Pairing,
    ReviewerVerdict,
    ScreeningConsensus,
    ScreeningDecision,
    StoredCriterion,
    StoredFinding,
    VerdictConsensus,
)
from core.store.rows import (
    LONGEST_NAME,
    body_of,
    change_values,
    failure_values,
    incoming_values,
    is_name,
    packed,
    require_storable,
    saved_of,
    select_records,
    values_of,
)
from core.store.source_model import RetrievalState, StoredNotices
from core.store.standing import StoreStanding
from core.store.tables import TABLES, failures, files, history, incoming, key_of, names_in, projects, retrievals, texts

_BY_ONE = (
    ReviewerJudgement | SentenceDecisions | StoredSummary | ScreeningDecision | ReviewerVerdict | ContradictionDecision
)


@dataclass(frozen=True, slots=True)
class StoreWriter(StoreReader):
    """A change to the store by one person. Get one from `Store.writing`.

    Its reads see its own changes, because they are in the same transaction.
    """

    who: str

    @property
    def queue(self) -> StoreQueue:
        """The queues of projects, in the same transaction."""
        return StoreQueue(self.connection, self.who)

    @property
    def answers(self) -> StoreAnswers:
        """The answers from the libraries of projects, in the same transaction."""
        return StoreAnswers(self.connection, self.who)

    @property
    def retrievals(self) -> StoreRetrievals:
        """The open full texts to fetch for projects, in the same transaction."""
        return StoreRetrievals(self.connection, self.who)

    @property
    def standing(self) -> StoreStanding:
        """The reviewers' standing consents, in the same transaction."""
        return StoreStanding(self.connection, self.who)

    def save(self, record: R, *, seen: int = 0, came: datetime | None = None) -> Saved[R]:
        """Save a record over the version that the writer has seen; 0: it is new.

        `came`: when a new record came in (UTC), if not now. Records are ordered by it.

        Raises `Conflict` with the present state if there is another version, `NotStored` if the project or paper does
        not exist, `NotStorable` if the record is incomplete or another reviewer's, and `StillBlind` for a consensus on
        a domain that the writer may not see yet.
        """
        return self._write(record, Action.SAVED, seen, came)

    def put(self, record: R) -> Saved[R]:
        """Save what an engine made, replacing its earlier result. Raises as `save` does, except for `Conflict`."""
        try:
            return self._put(record)
        except Conflict:  # another machine has just written it; from now on the row is locked for us
            return self._put(record)

    def _put(self, record: R) -> Saved[R]:
        row = self._row(record)
        if row is None:
            return self._write(record, Action.SAVED, 0)
        there = saved_of(type(record), row)
        same = there.record == record and not there.removed
        return there if same else self._write(record, Action.SAVED, there.version)

    def remove(self, saved: Saved[R]) -> Saved[R]:
        """Delete a record, which hides it and what belongs to it. `restore` undoes it. Raises as `save` does."""
        return self._write(saved.record, Action.REMOVED, saved.version)

    def restore(self, removed: Saved[R]) -> Saved[R]:
        """Undo a deletion. Raises as `save` does."""
        return self._write(removed.record, Action.RESTORED, removed.version)

    def keep_file(self, saved: Saved[StoredPaper], data: bytes) -> Saved[StoredPaper]:
        """Keep the bytes of a paper's file. Raises as `save` does."""
        digest = sha256(data).hexdigest()
        kept = self.save(replace(saved.record, file=digest), seen=saved.version)
        keep_bytes(self.connection, saved.record.project, digest, data)
        return kept

    def keep_text(self, project: str, item: str, paper: Paper) -> None:
        """Keep a paper as it was read, replacing what was kept before."""
        replace_row(self.connection, texts, {"project": project, "item": item}, {"body": packed(paper)})

    def import_project(self, state: ProjectState) -> None:
        """Store a complete project with its history, as it is.

        Raises `NotStorable` if it is in the store already, or holds what a database cannot keep.
        """
        project = state.project.record.id
        _check_project(state.project.record)
        for here in select_records(self.connection, Project, projects.c.id == project):
            where = "among the deleted projects: restore it there" if here.removed else "in the list: open it there"
            raise NotStorable(f"The project “{here.record.name}” is here already, {where}.")
        others = (files, history, incoming, failures, retrievals)
        rows: dict[Table, list[dict[str, Any]]] = {table: [] for table in (*TABLES.values(), *others)}
        records: list[Saved[Any]] = [
            state.project, *state.papers, *state.of_papers, *state.of_items, *state.of_project
        ]  # fmt: skip
        for saved in records:
            rows[TABLES[type(saved.record)]].append(key_of(saved.record) | values_of(saved))
        rows[files] = [{"project": project, "sha256": digest, "data": data} for digest, data in state.files.items()]
        rows[history] = [change_values(change, project) for change in state.history]
        rows[incoming] = [incoming_values(one, project) for one in state.incoming]
        rows[failures] = [failure_values(one, project) for one in state.failures]
        rows[retrievals] = [
            retrieval_values(one, project)
            for one in state.retrievals
            if one.state is not RetrievalState.WANTED  # nobody here has consented to asking services
        ]
        for table, values in rows.items():
            if table is not files:
                require_storable(values)
            if values:
                self.connection.execute(insert(table), values)
        self.answers.bring(project, state.answers)

    def _write(self, record: R, action: Action, seen: int, came: datetime | None = None) -> Saved[R]:
        self._check(record)
        kind, table, key = type(record), TABLES[type(record)], key_of(record)
        row = self._row(record)
        present = row.version if row is not None else 0
        anew = row is not None and row.removed and action is Action.SAVED and seen == 0
        if seen != present and not anew:
            raise _conflict(None if row is None else saved_of(kind, row))
        now = datetime.now(UTC)
        added = came or now if row is None else row.added_at
        saved = Saved(record, present + 1, self.who, now, added, removed=action is Action.REMOVED)
        if row is not None and action is not Action.SAVED:
            saved = replace(saved, record=saved_of(kind, row).record)
        values = values_of(saved)
        if row is None:
            try:
                with self.connection.begin_nested():
                    self.connection.execute(insert(table).values(**key, **values))
            except IntegrityError:
                if (row := self._row(record)) is None:
                    raise
                raise _conflict(saved_of(kind, row)) from None  # somebody else has just inserted it
        else:
            self.connection.execute(update(table).where(*_at(record)).values(**values))
        before = None if row is None or row.removed else row.body
        after = None if saved.removed else values["body"]
        items = tuple(key.values())
        change = RecordChange(self.who, now, action, table.name, items, saved.version, before, after)
        self.connection.execute(insert(history).values(**change_values(change, items[0])))
        return saved

    def _row(self, record: Record) -> Row[Any] | None:
        """The row of a record, locked until this transaction ends."""
        return self.connection.execute(select(TABLES[type(record)]).where(*_at(record)).with_for_update()).one_or_none()

    def _check(self, record: Record) -> None:
        if not all(map(is_name, (self.who, *names_in(key_of(record))))):
            raise NotStorable(f"A name is missing, or longer than {LONGEST_NAME} characters.")
        require_storable(self.who)
        body_of(record)
        if isinstance(record, Project):
            return _check_project(record)
        project = self.project(record.project).record
        if isinstance(record, StoredPaper):
            return None
        self._check_place(record)
        if isinstance(record, _BY_ONE) or (isinstance(record, StatementGrades) and not record.by_model):
            if record.reviewer != self.who:
                raise NotStorable(f"Only {record.reviewer} can change what {record.reviewer} decided.")
            if record.reviewer not in project.reviewers:
                raise NotStorable(f"{record.reviewer} is not a reviewer of this project: add the name to it first.")
        elif isinstance(record, Consensus | ScreeningConsensus | VerdictConsensus):
            self._refuse_blind(record, self.who)
            if not (record.reason if isinstance(record, Consensus) else record.why).strip():
                raise NotStorable("A consensus needs its reason, in a few words.")
        return None

    def _check_place(self, record: Record) -> None:
        """Raises `NotStored` if the record's place does not exist, `NotStorable` for grades of other statements."""
        match record:
            case ScreeningDecision() | ScreeningConsensus() | StoredCriterion() | StoredNotices():
                self.require_item(record.project, record.item)
            case Pairing():
                self.require_item(record.project, record.first)
                self.require_item(record.project, record.second)
            case StatementGrades():
                known = {one.id for one in self.grading(record.project, record.grading).record.statements}
                if not record.grades.keys() <= known:
                    raise NotStorable("A grade is of none of these statements. Load the page again.")
            case (
                ReviewerJudgement() | StoredSuggestion() | Consensus() | SentenceDecisions() | StoredSummary() | StoredFinding() | ReviewerVerdict()
                | VerdictConsensus() | StoredClaim() | ContradictionDecision()
            ):  # fmt: skip
                self.paper(record.project, record.paper)


def _check_project(project: Project) -> None:
    names = [" ".join(name.split()).casefold() for name in project.reviewers]
    if not all(map(is_name, filter(None, project.outcomes))) or len(set(project.outcomes)) < len(project.outcomes):
        raise NotStorable(f"Name each outcome once, in no more than {LONGEST_NAME} characters.")
    if not project.name.strip():
        raise NotStorable("The project has no name. Give it one.")
    if not names or "" in names or len(set(names)) < len(names):
        raise NotStorable("Name the project's reviewers, each once.")


def _at(record: Record) -> list[Any]:
    columns = TABLES[type(record)].c
    return [columns[name] == value for name, value in key_of(record).items()]


def _conflict(other: Saved[Any] | None) -> Conflict:
    if other is None:
        return Conflict("This is not in the store any more, so it cannot be changed. Load the page again.", None)
    did = "deleted" if other.removed else "changed"
    when = f"{other.changed:%Y-%m-%d %H:%M} UTC"
    return Conflict(f"{other.by} {did} this on {when}, after it was read here. Look at both, then save again.", other)
