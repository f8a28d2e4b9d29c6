"""The keys of judgements, suggestions and consensus get a tool and an outcome. Projects list the outcomes to judge."""

import json
from typing import Any

import sqlalchemy as sa
from alembic import op

from core.store.older import JUDGED, body_with_tool, key_with_tool, task_with_tool, tool_judged_with

revision = "0008"
down_revision = "0007"

_JSON = sa.JSON(none_as_null=True)
_LAST_OF_KEY = {"judgements": ("reviewer",), "suggestions": ("engine",), "consensus": ()}


def upgrade() -> None:
    """Recreate the tables with their rows, and change the keys in the history and the failures to match."""
    connection = op.get_bind()
    projects = sa.table("projects", sa.column("id"), sa.column("body", _JSON))
    bodies = {row.id: row.body for row in connection.execute(sa.select(projects))}
    for name in JUDGED:
        _make_anew(connection, name, bodies)
    history = sa.table(
        "history",
        *(sa.column(name) for name in ("id", "project", "kind", "item")),
        *(sa.column(name, _JSON) for name in ("before", "after")),
    )
    for row in connection.execute(sa.select(history).where(history.c.kind.in_(JUDGED))).all():
        project = bodies[row.project]
        states = {"before": row.before, "after": row.after}
        values = {name: body and body_with_tool(body, project) for name, body in states.items()}
        values["item"] = json.dumps(key_with_tool(json.loads(row.item), project))
        connection.execute(sa.update(history).where(history.c.id == row.id).values(**values))
    failures = sa.table("failures", *(sa.column(name) for name in ("project", "item", "task")))
    for row in connection.execute(sa.select(failures)).all():
        at = (failures.c.project == row.project, failures.c.item == row.item, failures.c.task == row.task)
        task = task_with_tool(row.task, bodies[row.project])
        connection.execute(sa.update(failures).where(*at).values(task=task))


def _make_anew(connection: sa.Connection, name: str, projects: dict[str, dict[str, object]]) -> None:
    key = ("project", "paper", "tool", "outcome", "domain", *_LAST_OF_KEY[name])
    columns: tuple[sa.Column[Any], ...] = (
        *(sa.Column(column, sa.String, primary_key=True) for column in key),
        sa.Column("body", _JSON, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("removed", sa.Boolean, nullable=False),
        sa.Column("added_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("changed_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("changed_by", sa.String, nullable=False),
    )
    before = sa.table(name, *(sa.column(one.name, one.type) for one in columns if one.name not in {"tool", "outcome"}))
    rows = [dict(row) for row in connection.execute(sa.select(before)).mappings()]
    op.drop_table(name)
    of_paper = sa.ForeignKeyConstraint(["project", "paper"], ["papers.project", "papers.id"])
    table = op.create_table(name, *columns, of_paper)
    for row in rows:
        project = projects[row["project"]]
        row |= {
            "tool": tool_judged_with(row["domain"], project),
            "outcome": "",
            "body": body_with_tool(row["body"], project),
        }
    if rows:
        connection.execute(sa.insert(table), rows)
