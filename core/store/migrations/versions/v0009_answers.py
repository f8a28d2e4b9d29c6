"""Answers from a project's library: when they were asked, by whom, and their evidence."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "answers",
        sa.Column("project", sa.String, sa.ForeignKey("projects.id"), primary_key=True),
        sa.Column("id", sa.String, primary_key=True),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("asked_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("asked_by", sa.String, nullable=False),
        sa.Column("question", sa.String, nullable=False),
        sa.Column("engine", sa.String, nullable=False),
        sa.Column("searched", sa.Integer, nullable=False),
        sa.Column("reporting", sa.Integer, nullable=False),
        sa.Column("answered", sa.Boolean, nullable=False),
        sa.Column("body", sa.JSON, nullable=False),
    )
    op.create_index("answers_in_order", "answers", ["project", "number"], unique=True)
