"""Alembic's entry: runs the scripts in `versions/` on the connection and in the transaction of `core.store.store`."""

from alembic import context

from core.store.store import REVISIONS

context.configure(connection=context.config.attributes["connection"], version_table=REVISIONS, transactional_ddl=True)
context.run_migrations()
