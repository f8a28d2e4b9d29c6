"""Projects, their papers, judgements, suggestions, consensus and decisions; files; the history."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make the first tables."""
    _records("projects", "id")
    _records("papers", "project", "id", parent="projects")
    for name, *rest in (
        ("judgements", "domain", "reviewer"),
        ("suggestions", "domain", "engine"),
        ("consensus", "domain"),
        ("decisions", "question", "reviewer"),
    ):
        _records(name, "project", "paper", *rest, parent="papers")
    op.create_table(
        "files",
        sa.Column("project", sa.String, sa.ForeignKey("projects.id"), primary_key=True),
        sa.Column("sha256", sa.String, primary_key=True),
        sa.Column("data", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "history",
        sa.Column("id", sa.Integer, sa.Identity(), primary_key=True),
        sa.Column("project", sa.String, sa.ForeignKey("projects.id"), nullable=False),
        sa.Column("kind", sa.String, nullable=False),
        sa.Column("item", sa.String, nullable=False),
        sa.Column("action", sa.String, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("who", sa.String, nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("before", sa.JSON),
        sa.Column("after", sa.JSON),
    )
    op.create_index("history_of_item", "history", ["project", "kind", "item"])


def _records(name: str, *key: str, parent: str | None = None) -> None:
    above = {"projects": ["id"], "papers": ["project", "id"]}.get(parent or "", [])
    op.create_table(
        name,
        *(sa.Column(column, sa.String, primary_key=True) for column in key),
        sa.Column("body", sa.JSON, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("removed", sa.Boolean, nullable=False),
        sa.Column("added_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("changed_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("changed_by", sa.String, nullable=False),
        *([sa.ForeignKeyConstraint(key[: len(above)], [f"{parent}.{column}" for column in above])] if above else []),
    )
