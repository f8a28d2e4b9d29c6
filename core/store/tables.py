"""The tables as the newest migration leaves them, and which record is kept in which table."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    ColumnElement,
    Connection,
    DateTime,
    Dialect,
    Float,
    ForeignKeyConstraint,
    Identity,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    TypeDecorator,
    insert,
)
from sqlalchemy.exc import IntegrityError

from core.store.article_model import StatementGrades, StoredArticle, StoredGrading
from core.store.claim_model import ContradictionDecision, StoredClaim
from core.store.model import (
    Consensus,
    Project,
    Record,
    ReviewerJudgement,
    Scope,
    SentenceDecisions,
    StoredPaper,
    StoredSuggestion,
    StoredSummary,
)
from core.store.review_model import (
    Pairing,
    QueueRun,
    ReviewerVerdict,
    ScreeningConsensus,
    ScreeningDecision,
    StoredCriterion,
    StoredFinding,
    StoredReference,
    VerdictConsensus,
)
from core.store.source_model import StoredNotices, StoredRegistration, StoredSearch


class Utc(TypeDecorator[datetime]):
    """A moment in UTC. SQLite keeps no time zone, and PostgreSQL returns the session's."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        return value and value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


metadata = MetaData()


def _records(name: str, *key: str, parent: Table | None = None) -> Table:
    """A table of records: the columns of its key, which begins with its parent's, and the columns all records have."""
    above = [column.name for column in parent.primary_key] if parent is not None else []
    constraints = [ForeignKeyConstraint(key[: len(above)], [f"{parent}.{column}" for column in above])] if above else []
    return Table(
        name,
        metadata,
        *(Column(column, String, primary_key=True) for column in key),
        Column("body", JSON, nullable=False),
        Column("version", Integer, nullable=False),
        Column("removed", Boolean, nullable=False),
        Column("added_at", Utc, nullable=False),
        Column("changed_at", Utc, nullable=False),
        Column("changed_by", String, nullable=False),
        *constraints,
    )


def _of_project(name: str, *columns: Column[Any] | Index) -> Table:
    """A table of what belongs to a project but is not a record. Its key begins with the project."""
    project = Column("project", String, primary_key=True)
    return Table(name, metadata, project, *columns, ForeignKeyConstraint(["project"], ["projects.id"]))


def _keys(*names: str) -> list[Column[Any]]:
    """The columns of a key, all of them strings."""
    return [Column(name, String, primary_key=True) for name in names]


def _filled(**kinds: Any) -> list[Column[Any]]:
    """Columns that are never null."""
    return [Column(name, kind, nullable=False) for name, kind in kinds.items()]


projects = _records("projects", "id")
papers = _records("papers", "project", "id", parent=projects)
judgements = _records("judgements", "project", "paper", "tool", "outcome", "domain", "reviewer", parent=papers)
suggestions = _records("suggestions", "project", "paper", "tool", "outcome", "domain", "engine", parent=papers)
consensus = _records("consensus", "project", "paper", "tool", "outcome", "domain", parent=papers)
decisions = _records("decisions", "project", "paper", "question", "reviewer", parent=papers)
summaries = _records("summaries", "project", "paper", "id", "reviewer", parent=papers)
findings = _records("findings", "project", "paper", "question", "engine", parent=papers)
verdicts = _records("verdicts", "project", "paper", "question", "reviewer", parent=papers)
verdict_consensus = _records("verdict_consensus", "project", "paper", "question", parent=papers)
claims = _records("claims", "project", "paper", "claim", parent=papers)
contradictions = _records("contradictions", "project", "paper", "claim", "other", "reviewer", parent=papers)
bibliography = _records("bibliography", "project", "id", parent=projects)
pairings = _records("pairings", "project", "first", "second", parent=projects)
screenings = _records("screenings", "project", "item", "reviewer", parent=projects)
screening_consensus = _records("screening_consensus", "project", "item", parent=projects)
criteria = _records("criteria", "project", "item", "criterion", "engine", parent=projects)
sittings = _records("sittings", "project", "id", parent=projects)
searches = _records("searches", "project", "id", parent=projects)
notices = _records("notices", "project", "item", parent=projects)
registrations = _records("registrations", "project", "number", parent=projects)
articles = _records("articles", "project", "id", parent=projects)
gradings = _records("gradings", "project", "id", parent=projects)
grades = _records("grades", "project", "grading", "reviewer", parent=gradings)

files = _of_project("files", Column("sha256", String, primary_key=True), Column("data", LargeBinary, nullable=False))

history = Table(
    "history",
    metadata,
    Column("id", Integer, Identity(), primary_key=True),
    *_filled(project=String, kind=String),
    Column("item", String, nullable=False),  # the record's key, as a JSON array
    *_filled(action=String, version=Integer, who=String, at=Utc),
    Column("before", JSON(none_as_null=True)),
    Column("after", JSON(none_as_null=True)),
    ForeignKeyConstraint(["project"], ["projects.id"]),
    Index("history_of_item", "project", "kind", "item"),
    sqlite_autoincrement=True,  # numbers are not given again after `forget`: `changes_made` would repeat
)

answers = _of_project(
    "answers",
    *_keys("id"),
    *_filled(
        number=Integer,
        asked_at=Utc,
        asked_by=String,
        question=String,
        engine=String,
        searched=Integer,
        reporting=Integer,
        answered=Boolean,
        body=JSON,
    ),
    Index("answers_in_order", "project", "number", unique=True),
)

# Below: the queue's work, consents, and what is open on the page of a paper. These have neither versions nor a history.
incoming = _of_project(
    "incoming",
    *_keys("sha256"),
    *_filled(name=String, added_by=String, added_at=Utc),
    Column("error", String),
)

texts = _of_project(
    "texts",
    *_keys("item"),
    Column("body", LargeBinary, nullable=False),  # the paper as it was read, as compressed JSON
)

desks = _of_project(
    "desks",
    *_keys("paper", "reviewer"),
    *_filled(body=JSON),
    Column("seen_at", Utc, nullable=False),  # when the paper was last opened
)

failures = _of_project(
    "failures",
    *_keys("item", "task"),
    *_filled(error=String, tries=Integer, at=Utc),
)

retrievals = _of_project(
    "retrievals",
    *_keys("item"),
    *_filled(state=String, wanted_by=String, at=Utc, why=String, service=String, location=String),
    Column("sha256", String),
)

queues = _of_project(
    "queues",
    *_filled(mode=String, workers=Integer),
    Column("cluster", String),
    Column("holder", String),
    Column("seen_at", Utc),
)

indexing = _of_project("indexing", Column("papers", Integer, nullable=False))  # how many are still to be indexed

standing = _of_project(
    "standing",
    *_filled(agreed_by=String, agreed_at=Utc, services=JSON, problem=String),
    Column("failed_at", Utc),
)

identity = Table("identity", metadata, Column("id", String, primary_key=True))  # one row: the id of the store

runs = Table(
    "runs",
    metadata,
    *_keys("id"),
    *_filled(setup=JSON, origin=JSON, started_at=Utc, seconds=Float),
    Column("finished_at", Utc),
    Column("outcome", JSON(none_as_null=True)),
)

run_items = Table(
    "run_items",
    metadata,
    *_keys("run", "item"),
    Column("place", Integer, nullable=False),  # in the data's order
    *_filled(failed=Boolean, result=JSON),
    ForeignKeyConstraint(["run"], ["runs.id"]),
)

TABLES: Mapping[type[Any], Table] = {
    Project: projects,
    StoredPaper: papers,
    ReviewerJudgement: judgements,
    StoredSuggestion: suggestions,
    Consensus: consensus,
    SentenceDecisions: decisions,
    StoredSummary: summaries,
    StoredReference: bibliography,
    Pairing: pairings,
    ScreeningDecision: screenings,
    ScreeningConsensus: screening_consensus,
    StoredCriterion: criteria,
    StoredFinding: findings,
    ReviewerVerdict: verdicts,
    VerdictConsensus: verdict_consensus,
    QueueRun: sittings,
    StoredSearch: searches,
    StoredNotices: notices,
    StoredRegistration: registrations,
    StoredClaim: claims,
    ContradictionDecision: contradictions,
    StoredArticle: articles,
    StoredGrading: gradings,
    StatementGrades: grades,
}


def within(table: Table, scope: Scope) -> tuple[ColumnElement[bool], ...]:
    """The conditions under which a judgement, suggestion or consensus is in this scope."""
    columns = table.c
    return (columns.tool == scope.tool, columns.domain.in_(scope.domains), columns.outcome.in_(scope.outcomes))


def key_of(record: Record) -> dict[str, str]:
    """The key of a record: the columns of its table's primary key, in order."""
    return {column.name: getattr(record, column.name) for column in TABLES[type(record)].primary_key}


def names_in(key: Mapping[str, str]) -> list[str]:
    """The parts of a record's key that may not be empty: all but an empty outcome, the study as a whole."""
    return [value for column, value in key.items() if value or column != "outcome"]


def insert_once(connection: Connection, table: Table, values: Mapping[str, Any]) -> bool:
    """Insert a row; False if there is one with this key, because somebody else has just inserted it."""
    try:
        with connection.begin_nested():
            connection.execute(insert(table).values(**values))
    except IntegrityError:
        return False
    return True
