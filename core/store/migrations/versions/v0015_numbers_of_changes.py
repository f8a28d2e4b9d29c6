"""The number of a change is never given again, not even after the newest changes were erased."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    """Copy the history into a table that counts on. PostgreSQL's does already."""
    if op.get_bind().dialect.name != "sqlite":
        return
    op.rename_table("history", "history_before")
    op.drop_index("history_of_item", "history_before")
    op.create_table(
        "history",
        sa.Column("id", sa.Integer, primary_key=True),
        *(sa.Column(name, sa.String, nullable=False) for name in ("project", "kind", "item", "action")),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("who", sa.String, nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("before", sa.JSON(none_as_null=True)),
        sa.Column("after", sa.JSON(none_as_null=True)),
        sa.ForeignKeyConstraint(["project"], ["projects.id"]),
        sqlite_autoincrement=True,
    )
    names = "id, project, kind, item, action, version, who, at, before, after"
    op.execute(f"INSERT INTO history ({names}) SELECT {names} FROM history_before")  # noqa: S608 - no input
    op.drop_table("history_before")
    op.create_index("history_of_item", "history", ["project", "kind", "item"])
