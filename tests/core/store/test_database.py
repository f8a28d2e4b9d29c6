"""Which database is opened, and what is said when it cannot be."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import URL, inspect, text

from core.errors import NewerStore, StoreUnreachable, WrongAddress
from core.settings import Settings, load_settings
from core.store import Store, open_store
from core.store.store import REVISIONS, SCRIPTS, address_of, connect, in_words, migrate, transaction
from core.store.tables import metadata
from run import ROOT
from tests.core.store import postgresql
from tests.core.store.review import PROJECT, begin, judgement, save


def settings(url: str | None, home: Path = Path("home")) -> Settings:
    return Settings(home=home, data=None, database_url=url)


def test_a_file_in_the_home_unless_the_environment_names_a_database() -> None:
    assert load_settings({"VOUCH_HOME": "/data/vouch"}).database == Path("/data/vouch/vouch.sqlite")
    named = load_settings({"VOUCH_DATABASE_URL": "postgresql://ann:secret@db.example/vouch"})
    assert named.database_url == "postgresql://ann:secret@db.example/vouch"
    assert "secret" not in repr(named)
    assert load_settings({"VOUCH_DATABASE_URL": ""}).database_url is None


@pytest.mark.parametrize("scheme", ["postgres", "postgresql", "postgresql+psycopg2"])
def test_every_way_to_write_postgresql_means_one_client(scheme: str) -> None:
    url = address_of(settings(f"{scheme}://ann:secret@db.example:6543/vouch?sslmode=require&password=secret"))
    assert url.drivername == "postgresql+psycopg"
    assert in_words(url) == "the PostgreSQL database “vouch” at db.example:6543"


def test_a_home_with_odd_characters_is_one_file(tmp_path: Path) -> None:
    home = tmp_path / "a?b=c#100% é"
    open_store(settings(None, home)).close()
    assert (home / "vouch.sqlite").exists()


@pytest.mark.parametrize(
    "url",
    [
        "secret",
        "postgresql://ann:secret@db.example:port/vouch",
        "postgresql://ann:secret@db.example",
        "mysql://ann:secret@db.example/vouch",
        "sqlite://",
        "sqlite:///:memory:",
    ],
)
def test_a_wrong_address_is_one_sentence_without_the_password(url: str) -> None:
    with pytest.raises(WrongAddress, match="VOUCH_DATABASE_URL") as caught:
        open_store(settings(url))
    assert "secret" not in str(caught.value)
    assert caught.value.__suppress_context__ or caught.value.__context__ is None


def test_an_option_that_the_client_does_not_know() -> None:
    with pytest.raises(StoreUnreachable, match=r"invalid connection option .* VOUCH_DATABASE_URL") as caught:
        open_store(settings("postgresql://ann:top-secret@127.0.0.1:1/vouch?colour=red"))
    assert "top-secret" not in str(caught.value)


def test_a_server_that_is_not_there() -> None:
    with pytest.raises(StoreUnreachable, match=r"“vouch” at 127\.0\.0\.1:1 .*Check that it is there") as caught:
        open_store(settings("postgresql://ann:top-secret@127.0.0.1:1/vouch"))
    assert "top-secret" not in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("user", "password", "database", "reason"),
    [
        (postgresql.USER, "top-secret", "postgres", "password authentication failed"),
        (postgresql.USER, "not%2Fa%3Asecret%40all", "nowhere", "does not exist"),
    ],
)
def test_a_server_that_refuses(postgresql_port: int, user: str, password: str, database: str, reason: str) -> None:
    with pytest.raises(StoreUnreachable, match=reason) as caught:
        open_store(settings(f"postgresql://{user}:{password}@127.0.0.1:{postgresql_port}/{database}"))
    assert "secret" not in str(caught.value)


def test_a_user_who_may_not_make_tables(postgresql_port: int) -> None:
    with postgresql.connect(postgresql_port) as connection:
        connection.execute("CREATE ROLE guest LOGIN PASSWORD 'top-secret'")
    with pytest.raises(StoreUnreachable, match="permission denied for schema public"):
        open_store(settings(f"postgresql://guest:top-secret@127.0.0.1:{postgresql_port}/postgres"))


def test_a_connection_that_is_lost_loses_the_change_in_hand_and_nothing_else(postgresql_port: int) -> None:
    store = open_store(settings(postgresql.address(postgresql_port, "lost")))
    begin(store)

    def lose_it() -> None:
        with store.writing("Ann") as change:
            change.save(judgement("Ann"))
            own = change.connection.scalar(text("SELECT pg_backend_pid()"))
            with postgresql.connect(postgresql_port) as owner:
                owner.execute("SELECT pg_terminate_backend(%s)", (own,))
            change.save(judgement("Ann", domain="D2"))

    with pytest.raises(StoreUnreachable, match="Check that it is there"):
        lose_it()
    save(store, judgement("Ann"))  # by a new connection
    store.close()


def test_a_file_that_is_no_database(tmp_path: Path) -> None:
    (tmp_path / "vouch.sqlite").write_bytes(b"no database at all" * 100)
    with pytest.raises(StoreUnreachable, match=r"vouch\.sqlite \(file is not a database\)"):
        open_store(settings(None, tmp_path))


@pytest.mark.slow
def test_connections_that_make_a_new_file_at_once_wait_for_each_other(tmp_path: Path) -> None:
    """SQLite itself does not wait while a file is turned to write-ahead logging."""

    def use(file: Path) -> str:
        engine = connect(URL.create("sqlite", database=str(file)))
        with transaction(engine) as connection:
            mode = connection.scalar(text("PRAGMA journal_mode"))
        engine.dispose()
        return str(mode)

    with ThreadPoolExecutor(4) as pool:
        modes = [mode for n in range(200) for mode in pool.map(use, [tmp_path / f"{n}.sqlite"] * 4)]
    assert modes == ["wal"] * 800


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("a file")
    with pytest.raises(StoreUnreachable, match=r"vouch\.sqlite"):
        open_store(settings(None, tmp_path / "home"))


@pytest.mark.parametrize(("required", "outcome"), [("", pytest.skip.Exception), ("1", pytest.fail.Exception)])
def test_without_a_server_tests_are_skipped_unless_they_are_required(
    monkeypatch: pytest.MonkeyPatch, required: str, outcome: type[BaseException]
) -> None:
    monkeypatch.setattr(postgresql, "programs", lambda: None)
    monkeypatch.setenv(postgresql.REQUIRE, required)
    with pytest.raises(outcome, match="no PostgreSQL server here"), postgresql.server():
        pass


# Migrations: what they make, one that fails, a database from the future, two that open at once.

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


def test_the_history_is_numbered_on_and_kept(settings: Settings, tmp_path: Path) -> None:
    """The migration copies it on SQLite."""
    before = tmp_path / "before"
    shutil.copytree(SCRIPTS, before, ignore=shutil.ignore_patterns("__pycache__", "v0015*"))
    engine = connect(address_of(settings))
    migrate(engine, before)
    store = Store(engine)
    begin(store)
    save(store, judgement("Ann"))
    with store.reading() as now:
        history = now.changes(PROJECT.id)
    migrate(engine)
    with store.reading() as now:
        assert now.changes(PROJECT.id) == history
    with transaction(engine) as connection:
        newest = connection.scalar(text("SELECT max(id) FROM history"))
        connection.execute(text("DELETE FROM history"))
    with store.writing("Ann") as change:
        saved = change.project(PROJECT.id)
        change.save(replace(saved.record, name="Another"), seen=saved.version)
        assert change.changes_made(PROJECT.id) == (1, newest + 1)
    engine.dispose()


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


@pytest.mark.slow
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
