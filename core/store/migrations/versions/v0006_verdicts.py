"""Reviewers' own verdicts on papers and hypotheses. Findings get a probability; those stored earlier have none."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Make the tables."""
    for name, *key in (
        ("verdicts", "project", "paper", "question", "reviewer"),
        ("verdict_consensus", "project", "paper", "question"),
    ):
        op.create_table(
            name,
            *(sa.Column(column, sa.String, primary_key=True) for column in key),
            sa.Column("body", sa.JSON, nullable=False),
            sa.Column("version", sa.Integer, nullable=False),
            sa.Column("removed", sa.Boolean, nullable=False),
            sa.Column("added_at", sa.DateTime(timezone=True), nullable=False),
            sa.Column("changed_at", sa.DateTime(timezone=True), nullable=False),
            sa.Column("changed_by", sa.String, nullable=False),
            sa.ForeignKeyConstraint(["project", "paper"], ["papers.project", "papers.id"]),
        )
