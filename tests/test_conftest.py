"""The guards that all other tests rely on."""

from __future__ import annotations

import contextlib
import os
import socket
import urllib.request
from pathlib import Path

import pytest


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
