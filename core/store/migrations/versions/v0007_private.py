"""A person's own papers: private projects, what is open on a paper's page, and summaries with a reviewer's labels."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Make the tables. A project without the field `private` is not private."""
    op.create_table(
        "summaries",
        *(sa.Column(column, sa.String, primary_key=True) for column in ("project", "paper", "id", "reviewer")),
        sa.Column("body", sa.JSON, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("removed", sa.Boolean, nullable=False),
        sa.Column("added_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("changed_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("changed_by", sa.String, nullable=False),
        sa.ForeignKeyConstraint(["project", "paper"], ["papers.project", "papers.id"]),
    )
    op.create_table(
        "desks",
        *(sa.Column(column, sa.String, primary_key=True) for column in ("project", "paper", "reviewer")),
        sa.Column("body", sa.JSON, nullable=False),
        sa.Column("seen_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["project"], ["projects.id"]),
    )
