"""The guards that all other tests rely on."""

from __future__ import annotations

import ast
import contextlib
import os
import re
import socket
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from run import ROOT
from tests.conftest import is_in_turn, repetitions

FILES = {path.relative_to(ROOT).as_posix(): path for path in sorted((ROOT / "tests").rglob("*.py"))}
PRIVATE_CONSTANT = re.compile(r"""setattr\([^()]*["'](?:[\w.]+\.)?_[A-Z][A-Z\d_]*["']""")


@pytest.mark.parametrize("host", ["192.0.2.1", "2001:db8::1"])  # addresses reserved for documentation
def test_connections_to_other_machines_are_blocked(host: str, no_network: list[str]) -> None:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as stream, pytest.raises(RuntimeError, match=host):
        stream.connect((host, 80))
    with socket.socket(family, socket.SOCK_DGRAM) as datagram, pytest.raises(RuntimeError, match=host):
        datagram.sendto(b"hello", (host, 53))
    assert no_network == [host, host]
    no_network.clear()


def test_names_are_not_looked_up(no_network: list[str]) -> None:
    with pytest.raises(RuntimeError, match=r"example\.org"):
        urllib.request.urlopen("http://example.org", timeout=1)
    assert no_network == ["example.org"]
    no_network.clear()


def test_an_attempt_is_remembered_when_the_code_under_test_swallows_it(no_network: list[str]) -> None:
    with contextlib.suppress(Exception):
        socket.create_connection(("192.0.2.1", 80), timeout=1)
    assert no_network
    no_network.clear()


def test_loopback_is_open() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        with socket.create_connection(("localhost", port), timeout=5) as client:
            assert client.getpeername()[1] == port


def test_the_environment_is_the_tests_own() -> None:
    assert "vouch-home" in os.environ["VOUCH_HOME"]
    assert not [name for name in os.environ if name.endswith("_API_KEY")]


def test_shared_data_is_a_folder(shared_data: Path, request: pytest.FixtureRequest) -> None:
    assert shared_data.is_dir()
    assert request.node.get_closest_marker("data")


def test_a_repetition_brings_no_new_value() -> None:
    def case(name: str, mark: pytest.MarkDecorator | None, **values: object) -> SimpleNamespace:
        return SimpleNamespace(
            nodeid=name,
            callspec=SimpleNamespace(params=values),
            get_closest_marker=lambda _: mark.mark if mark else None,
        )

    any_pair, one_paper = pytest.mark.repetition, pytest.mark.repetition("paper")
    items = [
        case("pairs[a-x]", any_pair, paper="a", way="x"),
        case("pairs[a-y]", any_pair, paper="a", way="y"),
        case("pairs[b-x]", any_pair, paper="b", way="x"),
        case("pairs[b-y]", any_pair, paper="b", way="y"),
        case("papers[a-x]", one_paper, paper="a", way="x"),
        case("papers[b-x]", one_paper, paper="b", way="x"),
        case("papers[b-y]", one_paper, paper="b", way="y"),
        case("whole[a]", None, paper="a"),
        case("whole[b]", None, paper="b"),
    ]
    assert [item.nodeid for item in repetitions(items)] == ["pairs[b-y]", "papers[b-x]"]
    with pytest.raises(pytest.UsageError, match="size"):
        list(repetitions([case("wrong[a]", pytest.mark.repetition("size"), paper="a")]))


def test_every_repetition_has_one_turn() -> None:
    names = [f"tests/test_a.py::test_b[{number}]" for number in range(100)]
    turns = [[name for name in names if is_in_turn(name, f"{turn}/4")] for turn in (1, 2, 3, 4)]
    assert sorted(name for turn in turns for name in turn) == sorted(names)
    assert min(map(len, turns)) > 10
    assert all(is_in_turn(name, "all") and not is_in_turn(name, "none") for name in names)


def marked_as_repetitions() -> Iterator[str]:
    """A line for each test whose mark says that it repeats itself."""
    for name, path in FILES.items():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            for mark in getattr(node, "decorator_list", ()):
                if ast.unparse(mark).startswith("pytest.mark.repetition"):
                    named = [f"any `{ast.literal_eval(one)}`" for one in getattr(mark, "args", ())]
                    yield f"- `{name}`: `{node.name}`" + (f", {' and '.join(named)}" if named else "")


def test_the_documentation_lists_what_is_not_in_every_run() -> None:
    listed = (ROOT / "docs" / "tests.md").read_text(encoding="utf-8").splitlines()
    assert [line for line in listed if line.startswith("- `tests/")] == list(marked_as_repetitions())


def test_no_test_changes_a_private_constant() -> None:
    """What a test has to set is an argument, or a field."""
    found = {name: PRIVATE_CONSTANT.findall(path.read_text(encoding="utf-8")) for name, path in FILES.items()}
    assert {name: sites for name, sites in found.items() if sites} == {}
