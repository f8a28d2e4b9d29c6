"""Searches of literature services, open full texts to fetch, notices on papers, and registrations of trials."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """Make the tables. A reference has a new field, which older ones do not need."""
    for name, key in (("searches", "id"), ("notices", "item"), ("registrations", "number")):
        op.create_table(
            name,
            sa.Column("project", sa.String, sa.ForeignKey("projects.id"), primary_key=True),
            sa.Column(key, sa.String, primary_key=True),
            sa.Column("body", sa.JSON, nullable=False),
            sa.Column("version", sa.Integer, nullable=False),
            sa.Column("removed", sa.Boolean, nullable=False),
            sa.Column("added_at", sa.DateTime(timezone=True), nullable=False),
            sa.Column("changed_at", sa.DateTime(timezone=True), nullable=False),
            sa.Column("changed_by", sa.String, nullable=False),
        )
    op.create_table(
        "retrievals",
        sa.Column("project", sa.String, sa.ForeignKey("projects.id"), primary_key=True),
        sa.Column("item", sa.String, primary_key=True),
        sa.Column("state", sa.String, nullable=False),
        sa.Column("wanted_by", sa.String, nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("why", sa.String, nullable=False),
        sa.Column("service", sa.String, nullable=False),
        sa.Column("location", sa.String, nullable=False),
        sa.Column("sha256", sa.String),
    )
