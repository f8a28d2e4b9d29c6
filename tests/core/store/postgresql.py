"""A PostgreSQL server of the tests' own, on loopback, in a folder that is thrown away."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

import psycopg
import pytest

USER, PASSWORD = "vouch", "not/a:secret@all"
REQUIRE = "VOUCH_REQUIRE_POSTGRESQL"


def programs() -> Path | None:
    """The folder of initdb and pg_ctl; Debian keeps it off the PATH."""
    found = shutil.which("initdb")
    folders = [Path(found).parent] if found else sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return next((folder for folder in folders if (folder / "pg_ctl").exists()), None)


@contextmanager
def server() -> Iterator[int]:
    """Run a server, and give its port."""
    folder = programs()
    if folder is None:
        reason = "no PostgreSQL server here (on Debian: apt-get install postgresql)"
        pytest.fail(f"{reason}, and {REQUIRE} asks for one") if os.environ.get(REQUIRE) else pytest.skip(reason)
    home = Path(tempfile.mkdtemp(prefix="vouch-pg-"))
    # The server refuses to run as root; there it runs as the user that its package made.
    runs_as = {"user": "postgres", "group": "postgres", "extra_groups": []} if os.geteuid() == 0 else {}
    if runs_as:
        shutil.chown(home, "postgres", "postgres")

    def call(program: str, *arguments: str) -> None:
        command = [str(folder / program), *arguments]
        subprocess.run(command, check=True, cwd=home, stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL, **runs_as)

    data, port = home / "data", _free_port()
    (home / "password").write_text(PASSWORD)
    (home / "password").chmod(0o644)
    try:
        call(
            "initdb", "-D", str(data), "-U", USER, "--auth=scram-sha-256", f"--pwfile={home / 'password'}", "--no-sync"
        )
        options = f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={home} -c fsync=off"
        call("pg_ctl", "-D", str(data), "-w", "-l", str(home / "log"), "-o", options, "start")
        try:
            yield port
        finally:
            call("pg_ctl", "-D", str(data), "-w", "-m", "immediate", "stop")
    finally:
        shutil.rmtree(home)


def connect(port: int) -> psycopg.Connection:
    """A connection to the server, as its owner."""
    return psycopg.connect(
        host="127.0.0.1", port=port, user=USER, password=PASSWORD, dbname="postgres", autocommit=True
    )


def address(port: int, schema: str) -> str:
    """The address of an empty database: a schema of its own, which is made faster than a database."""
    with connect(port) as connection:
        connection.execute(f'CREATE SCHEMA "{schema}"')
    return f"{database(port, 'postgres')}?options=-csearch_path%3D{schema}"


@contextmanager
def copied(port: int, name: str, template: str) -> Iterator[str]:
    """The address of a database that is a copy of `template`, which nobody may be connected to."""
    with connect(port) as connection:
        connection.execute(f'CREATE DATABASE "{name}" TEMPLATE "{template}"')
        yield database(port, name)
        connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


def database(port: int, name: str) -> str:
    """The address of a database on the server."""
    return f"postgresql://{USER}:{quote(PASSWORD, safe='')}@127.0.0.1:{port}/{name}"


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port
