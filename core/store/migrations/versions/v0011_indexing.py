"""Papers that are to be indexed for questions; and a name for the store, by which its indexes are told from others'."""

from uuid import uuid4

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    """Make the tables, and the name."""
    op.create_table(
        "indexing",
        sa.Column("project", sa.String, sa.ForeignKey("projects.id"), primary_key=True),
        sa.Column("papers", sa.Integer, nullable=False),
    )
    identity = op.create_table("identity", sa.Column("id", sa.String, primary_key=True))
    op.bulk_insert(identity, [{"id": uuid4().hex}])
