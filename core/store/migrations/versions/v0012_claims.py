"""Claims of papers, and reviewers' decisions on those that other papers contradict."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    """Make the tables."""
    for name, key in (("claims", ("claim",)), ("contradictions", ("claim", "other", "reviewer"))):
        op.create_table(
            name,
            sa.Column("project", sa.String, primary_key=True),
            sa.Column("paper", sa.String, primary_key=True),
            *(sa.Column(column, sa.String, primary_key=True) for column in key),
            sa.Column("body", sa.JSON, nullable=False),
            sa.Column("version", sa.Integer, nullable=False),
            sa.Column("removed", sa.Boolean, nullable=False),
            sa.Column("added_at", sa.DateTime(timezone=True), nullable=False),
            sa.Column("changed_at", sa.DateTime(timezone=True), nullable=False),
            sa.Column("changed_by", sa.String, nullable=False),
            sa.ForeignKeyConstraint(["project", "paper"], ["papers.project", "papers.id"]),
        )
