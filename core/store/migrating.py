"""Ordered migrations (Alembic), run when a database is opened, each in one transaction of its own.

The revision is read in that transaction too, behind a lock, so that of two processes that open a new database at once
the second finds it made. One that fails leaves the database as it was before it.
"""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, inspect, text

from core.errors import NewerStore, WrongAddress
from core.store.address import in_words, transaction
from core.store.tables import metadata

SCRIPTS = Path(__file__).parent / "migrations"
REVISIONS = "vouch_revision"  # the table that says which migration was the last
_LOCK = 0x566F756368  # of PostgreSQL's advisory locks, by a number of our own


def migrate(engine: Engine, scripts: Path = SCRIPTS) -> None:
    """Bring the database to the newest revision. Raises `NewerStore` if it is beyond it.

    Raises `WrongAddress` if it is another program's.
    """
    config = Config()
    config.set_main_option("script_location", str(scripts).replace("%", "%%"))
    order = [script.revision for script in ScriptDirectory.from_config(config).walk_revisions()][::-1]
    with transaction(engine, reading=True) as connection:
        missing = len(_missing(connection, order))
    for _ in range(missing):
        with transaction(engine) as connection:
            if connection.dialect.name == "postgresql":
                connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
            if to_run := _missing(connection, order):
                config.attributes["connection"] = connection
                command.upgrade(config, to_run[0])


def _missing(connection: Connection, order: list[str]) -> list[str]:
    """The revisions that the database has yet to go through."""
    current = MigrationContext.configure(connection, opts={"version_table": REVISIONS}).get_current_revision()
    database = in_words(connection.engine.url)
    if current is None:
        if set(metadata.tables) & set(inspect(connection).get_table_names()):
            raise WrongAddress(f"Another program has tables of the same names in {database}: name an empty database.")
        return order
    if current not in order:
        raise NewerStore(f"A newer version of Vouch made {database}: update Vouch on this machine to open it.")
    return order[order.index(current) + 1 :]
