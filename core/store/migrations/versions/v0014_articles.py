"""Articles, their statements for blind grading, and the graders' grades."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    """Make the tables."""
    for name, key, parent in (
        ("articles", ("id",), (["project"], ["projects.id"])),
        ("gradings", ("id",), (["project"], ["projects.id"])),
        ("grades", ("grading", "reviewer"), (["project", "grading"], ["gradings.project", "gradings.id"])),
    ):
        op.create_table(
            name,
            sa.Column("project", sa.String, primary_key=True),
            *(sa.Column(column, sa.String, primary_key=True) for column in key),
            sa.Column("body", sa.JSON, nullable=False),
            sa.Column("version", sa.Integer, nullable=False),
            sa.Column("removed", sa.Boolean, nullable=False),
            sa.Column("added_at", sa.DateTime(timezone=True), nullable=False),
            sa.Column("changed_at", sa.DateTime(timezone=True), nullable=False),
            sa.Column("changed_by", sa.String, nullable=False),
            sa.ForeignKeyConstraint(*parent),
        )
