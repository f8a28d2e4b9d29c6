"""Migrations: what they make, one that fails, a database from the future, two that open at once."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import inspect, text

from core.errors import NewerStore, WrongAddress
from core.settings import Settings
from core.store import Store, open_store
from core.store.address import address_of, connect, transaction
from core.store.migrating import REVISIONS, SCRIPTS, migrate
from core.store.tables import metadata
from run import ROOT
from tests.core.store.review import PROJECT, begin

HEAD = """
import sqlalchemy as sa
from alembic import op
revision, down_revision = {revision!r}, {before!r}
def upgrade():
"""
GOOD = "    op.create_table('good', sa.Column('id', sa.Integer, primary_key=True))\n"
FAILS = """
    op.create_table('bad', sa.Column('id', sa.Integer, primary_key=True))
    op.execute("UPDATE projects SET version = 99")
    op.add_column('projects', sa.Column('colour', sa.String))
    raise RuntimeError("in the middle")
"""


@pytest.fixture
def scripts(tmp_path: Path) -> Path:
    """Our migrations, and after them one that works and one that fails."""
    folder = tmp_path / "scripts 100%"
    shutil.copytree(SCRIPTS, folder, ignore=shutil.ignore_patterns("__pycache__"))
    newest = sorted(re.search(r"\d+", path.name)[0] for path in SCRIPTS.glob("versions/v*.py"))[-1]
    (folder / "versions" / "a_good.py").write_text(HEAD.format(revision="good", before=newest) + GOOD)
    (folder / "versions" / "b_bad.py").write_text(HEAD.format(revision="bad", before="good") + FAILS)
    return folder


def test_the_migrations_make_the_tables_that_the_code_knows(store: Store) -> None:
    with transaction(store.engine, reading=True) as connection:
        context = MigrationContext.configure(connection, opts={"version_table": REVISIONS, "compare_type": True})
        assert compare_metadata(context, metadata) == []


def test_the_migrations_follow_one_another() -> None:
    """Two of one number, made side by side, would both be the newest."""
    numbers = [path.name[1:5] for path in sorted(SCRIPTS.glob("versions/v*.py"))]
    assert numbers == [f"{number:04}" for number in range(1, len(numbers) + 1)]


def test_a_migration_that_fails_leaves_nothing_behind(store: Store, scripts: Path) -> None:
    begin(store)
    with pytest.raises(RuntimeError, match="in the middle"):
        migrate(store.engine, scripts)
    with transaction(store.engine, reading=True) as connection:
        assert connection.scalar(text(f"SELECT version_num FROM {REVISIONS}")) == "good", "the one before it is kept"
        assert connection.scalar(text("SELECT max(version) FROM projects")) == 1
        tables = inspect(connection).get_table_names()
        assert "good" in tables
        assert "bad" not in tables
        assert "colour" not in {column["name"] for column in inspect(connection).get_columns("projects")}


def test_opening_again_changes_nothing(settings: Settings, store: Store) -> None:
    begin(store)
    again = open_store(settings)
    with again.reading() as now:
        assert len(now.projects()) == 1
    again.close()


def test_a_database_from_a_newer_vouch_is_refused(settings: Settings, store: Store) -> None:
    with transaction(store.engine) as connection:
        connection.execute(text(f"UPDATE {REVISIONS} SET version_num = '9999'"))
    with pytest.raises(NewerStore, match="update Vouch on this machine"):
        open_store(settings)


def test_another_programs_database_is_left_alone(settings: Settings) -> None:
    engine = connect(address_of(settings))
    with transaction(engine) as connection:
        connection.execute(text("CREATE TABLE papers (id integer)"))
    with pytest.raises(WrongAddress, match="name an empty database"):
        open_store(settings)
    assert inspect(engine).get_table_names() == ["papers"]
    engine.dispose()


OPEN = """
import sys
from pathlib import Path
from core.settings import Settings
from core.store import open_store
print("ready", flush=True)
sys.stdin.readline()
open_store(Settings(home=Path(sys.argv[1]), data=None, database_url=sys.argv[2] or None))
"""


def test_threads_that_open_a_new_database_at_once_all_succeed(settings: Settings) -> None:
    with ThreadPoolExecutor(4) as pool:
        stores = list(pool.map(lambda _: open_store(settings), range(4)))
    begin(stores[0])
    for opened in stores:
        with opened.reading() as now:
            assert [saved.record for saved in now.projects()] == [PROJECT]
        assert set(metadata.tables) <= set(inspect(opened.engine).get_table_names())
        opened.close()


def test_processes_that_open_a_new_database_at_once_all_succeed(settings: Settings) -> None:
    command = [sys.executable, "-c", OPEN, str(settings.home), settings.database_url or ""]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    running = [subprocess.Popen(command, cwd=ROOT, **pipes) for _ in range(2)]
    assert [process.stdout.readline() for process in running if process.stdout] == [b"ready\n"] * 2
    for process in running:
        assert process.stdin is not None
        process.stdin.close()
    assert [process.wait(timeout=60) for process in running] == [0, 0]
    engine = connect(address_of(settings))
    assert set(metadata.tables) <= set(inspect(engine).get_table_names())
    engine.dispose()
