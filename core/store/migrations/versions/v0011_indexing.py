"""Papers to be indexed for questions; and an id for the store, which tells its indexes from those of other stores."""

from uuid import uuid4

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    """Make the tables, and the store's id."""
    op.create_table(
        "indexing",
        sa.Column("project", sa.String, sa.ForeignKey("projects.id"), primary_key=True),
        sa.Column("papers", sa.Integer, nullable=False),
    )
    identity = op.create_table("identity", sa.Column("id", sa.String, primary_key=True))
    op.bulk_insert(identity, [{"id": uuid4().hex}])
