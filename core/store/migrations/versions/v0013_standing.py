"""A reviewer's standing consent that papers are checked for retractions."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "standing",
        sa.Column("project", sa.String, sa.ForeignKey("projects.id"), primary_key=True),
        sa.Column("agreed_by", sa.String, nullable=False),
        sa.Column("agreed_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("services", sa.JSON, nullable=False),
        sa.Column("problem", sa.String, nullable=False),
        sa.Column("failed_at", sa.DateTime(timezone=True)),
    )
