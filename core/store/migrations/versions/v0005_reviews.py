"""Reviews of many papers: references, duplicates, screening, findings, and the queue that works on them."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Make the tables."""
    _records("findings", "project", "paper", "question", "engine", parent="papers")
    for name, *key in (
        ("bibliography", "id"),
        ("pairings", "first", "second"),
        ("screenings", "item", "reviewer"),
        ("screening_consensus", "item"),
        ("criteria", "item", "criterion", "engine"),
        ("sittings", "id"),
    ):
        _records(name, "project", *key, parent="projects")
    _of_project(
        "incoming",
        sa.Column("sha256", sa.String, primary_key=True),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("added_by", sa.String, nullable=False),
        sa.Column("added_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("error", sa.String),
    )
    _of_project(
        "texts",
        sa.Column("item", sa.String, primary_key=True),
        sa.Column("body", sa.LargeBinary, nullable=False),
    )
    _of_project(
        "failures",
        sa.Column("item", sa.String, primary_key=True),
        sa.Column("task", sa.String, primary_key=True),
        sa.Column("error", sa.String, nullable=False),
        sa.Column("tries", sa.Integer, nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
    )
    _of_project(
        "queues",
        sa.Column("mode", sa.String, nullable=False),
        sa.Column("workers", sa.Integer, nullable=False),
        sa.Column("cluster", sa.String),
        sa.Column("holder", sa.String),
        sa.Column("seen_at", sa.DateTime(timezone=True)),
    )


def _of_project(name: str, *columns: sa.Column[object]) -> None:
    project = sa.Column("project", sa.String, sa.ForeignKey("projects.id"), primary_key=True)
    op.create_table(name, project, *columns)


def _records(name: str, *key: str, parent: str) -> None:
    above = {"projects": ["id"], "papers": ["project", "id"]}[parent]
    op.create_table(
        name,
        *(sa.Column(column, sa.String, primary_key=True) for column in key),
        sa.Column("body", sa.JSON, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("removed", sa.Boolean, nullable=False),
        sa.Column("added_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("changed_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("changed_by", sa.String, nullable=False),
        sa.ForeignKeyConstraint(key[: len(above)], [f"{parent}.{column}" for column in above]),
    )
