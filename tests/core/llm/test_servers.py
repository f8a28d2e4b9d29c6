"""Servers on this machine, and the models that a server has."""

from __future__ import annotations

import pickle
import socket
import time
from collections.abc import Iterator

import pytest

from core.errors import ServerUnreachable
from core.llm import Provider, Typed, access_to, models_of, servers_here
from core.llm.access import Access
from core.llm.demo import DemoServer


@pytest.fixture
def silent() -> Iterator[int]:
    """A port where something listens, and never answers."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        yield int(listening.getsockname()[1])


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


def test_what_answers_here_is_found_and_nothing_is_waited_for(silent: int) -> None:
    with DemoServer() as server:
        port = int(server.address.rpartition(":")[2])
        begun = time.monotonic()
        (found,) = servers_here({"Silent": silent, "None": free_port(), "Ollama": port}, patience=0.3)
        assert time.monotonic() - begun < 2
        assert (found.name, found.address) == ("Ollama", f"{server.address}/v1")
        assert found.models
        assert found.models == models_of(Access(f"{server.address}/v1"))


def test_an_address_without_models_is_one_clear_sentence() -> None:
    with DemoServer() as server, pytest.raises(ServerUnreachable, match="tells no models: it says 404"):
        models_of(Access(f"{server.address}/v2"))
    with pytest.raises(ServerUnreachable, match="Is it started"):
        models_of(Access(f"http://127.0.0.1:{free_port()}/v1"))


def test_a_typed_address_goes_before_the_environments_and_never_gets_its_key() -> None:
    environment = {"VOUCH_COMPATIBLE_URL": "http://a/v1", "VOUCH_COMPATIBLE_KEY": "of-the-environment"}
    typed = pickle.loads(pickle.dumps(Typed("", "http://localhost:1234/v1/")))
    access = access_to(Provider.COMPATIBLE, key=typed, environment=environment)
    assert access == Access("http://localhost:1234/v1", None)
    with_key = access_to(Provider.COMPATIBLE, key=Typed("own", typed.address), environment=environment)
    assert with_key.key is not None
    assert with_key.key.get_secret_value() == "own"
    assert access_to(Provider.COMPATIBLE, key=Typed("own"), environment=environment).address == "http://a/v1"
    with pytest.raises(ServerUnreachable, match="The field holds no web address"):
        access_to(Provider.COMPATIBLE, key=Typed("", "localhost"), environment=environment)
    assert (
        access_to(Provider.OPENAI, key=Typed("k", "http://a/v1"), environment={}).address == "https://api.openai.com/v1"
    )
