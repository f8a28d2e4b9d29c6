"""Which database is opened, and what is said when it cannot be."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from sqlalchemy import URL, text

from core.errors import StoreUnreachable, WrongAddress
from core.settings import Settings, load_settings
from core.store import open_store
from core.store.address import address_of, connect, in_words, transaction
from tests.core.store import postgresql
from tests.core.store.review import begin, judgement, save


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
