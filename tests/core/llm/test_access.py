"""Names, keys, addresses and servers; a key is nowhere but in memory and in a call's header."""

from __future__ import annotations

import os
import pickle
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path

import pytest

from core.errors import EngineError, KeyRefused, ModelError, NoKey, ServerUnreachable
from core.llm import (
    ModelName,
    ModelRunner,
    Provider,
    Typed,
    access_to,
    model_named,
    models_of,
    open_model,
    servers_here,
    strategy_among,
    why_not,
)
from core.llm.access import ProviderAccess
from core.llm.compatible import CompatibleModel
from core.llm.demo import DemoServer
from run import ROOT

# ---- names ----
# The grammar of engines that ask a model.


@pytest.mark.parametrize(
    ("name", "provider", "model", "strategy"),
    [
        ("openai:gpt-x", Provider.OPENAI, "gpt-x", None),
        (" Anthropic:claude-x@Whole ", Provider.ANTHROPIC, "claude-x", "whole"),
        ("compatible:llama3:8b@sections", Provider.COMPATIBLE, "llama3:8b", "sections"),
        ("compatible:org/model@sha256:0a1b", Provider.COMPATIBLE, "org/model@sha256:0a1b", None),
        ("compatible:org/model@2026-01@examples", Provider.COMPATIBLE, "org/model@2026-01", "examples"),
    ],
)
def test_a_name_is_read(name: str, provider: Provider, model: str, strategy: str | None) -> None:
    assert model_named(name) == ModelName(provider, model, strategy)


@pytest.mark.parametrize("name", ["bm25", "", "offline@whole", "mistral:large", ":x"])
def test_other_names_are_not_ours(name: str) -> None:
    assert model_named(name) is None


@pytest.mark.parametrize(
    "name", ["openai:", "openai:@whole", "anthropic: claude", "compatible:two words", "openai:a\nb"]
)
def test_a_name_without_a_model_says_how_to_write_it(name: str) -> None:
    with pytest.raises(EngineError, match=r"(openai|anthropic|compatible):MODEL"):
        model_named(name)


def test_a_name_prints_as_it_is_written() -> None:
    assert str(ModelName(Provider.OPENAI, "gpt-x", "whole")) == "openai:gpt-x@whole"
    assert str(ModelName(Provider.COMPATIBLE, "a:b")) == "compatible:a:b"


class Way(StrEnum):
    SECTIONS = "sections"
    WHOLE = "whole"


def test_a_strategy_is_one_that_the_task_knows() -> None:
    assert strategy_among(Way, ModelName(Provider.OPENAI, "x", "whole")) is Way.WHOLE
    assert strategy_among(Way, ModelName(Provider.OPENAI, "x")) is Way.SECTIONS
    other = ModelName(Provider.OPENAI, "x", "parts")
    with pytest.raises(EngineError, match=r"^There is no strategy called “parts”\. Choose one of: sections, whole\.$"):
        strategy_among(Way, other)
    with pytest.raises(EngineError, match="called “parts” for summaries"):
        strategy_among(Way, other, "for summaries")


# ---- access ----
# Keys and addresses.

KEY = "sk-test-4f9d0c7e2b81a6535f70"


@pytest.mark.parametrize(
    ("provider", "variable"),
    [(Provider.OPENAI, "OPENAI_API_KEY"), (Provider.ANTHROPIC, "ANTHROPIC_API_KEY")],
)
def test_without_a_key_the_cure_is_named(provider: Provider, variable: str) -> None:
    with pytest.raises(NoKey, match=f"Set {variable}, or type in a key"):
        access_to(provider, environment={})
    assert variable in (why_not(provider, environment={}) or "")
    assert why_not(provider, environment={variable: KEY}) is None
    assert why_not(provider, key=KEY, environment={}) is None


def test_a_compatible_server_needs_an_address_and_no_key() -> None:
    with pytest.raises(ServerUnreachable, match="Set VOUCH_COMPATIBLE_URL"):
        access_to(Provider.COMPATIBLE, environment={"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": "http://a/v1"})
    access = access_to(Provider.COMPATIBLE, environment={"VOUCH_COMPATIBLE_URL": "http://localhost:8000/v1/"})
    assert access == ProviderAccess("http://localhost:8000/v1", None)


def test_a_typed_key_goes_before_the_environments() -> None:
    access = access_to(Provider.OPENAI, key=f" {KEY}\n", environment={"OPENAI_API_KEY": "other"})
    assert access.key is not None
    assert access.key.get_secret_value() == KEY


@pytest.mark.parametrize("key", ["sk two words", "sk-é", "sk-a\nb", "“sk-quoted”"])
def test_a_key_that_cannot_be_one_is_refused_before_it_is_sent(key: str) -> None:
    with pytest.raises(KeyRefused, match="Copy it again") as error:
        access_to(Provider.ANTHROPIC, key=key, environment={})
    assert key not in str(error.value)


@pytest.mark.parametrize(
    "address", ["localhost:8000", "ftp://a", "http://", "http://a b", "http://a:99999", "http://[a"]
)
def test_an_address_that_is_none_is_told(address: str) -> None:
    with pytest.raises(ServerUnreachable, match="OPENAI_BASE_URL holds no web address"):
        access_to(Provider.OPENAI, environment={"OPENAI_BASE_URL": address, "OPENAI_API_KEY": KEY})


@pytest.mark.parametrize("provider", list(Provider))
def test_no_object_shows_the_key(provider: Provider) -> None:
    environment = {"VOUCH_COMPATIBLE_URL": f"http://user:{KEY}@localhost:9/v1"}
    model = open_model(ModelName(provider, "m"), key=KEY, environment=environment)
    runner = ModelRunner(model, cache=None)
    access = access_to(provider, key=KEY, environment=environment)
    shown = [repr(model), str(vars(model)), repr(runner), str(vars(runner)), repr(access), access.shown_address]
    assert all(KEY not in text for text in shown)


def test_a_servers_words_lose_what_echoes_the_key() -> None:
    access = access_to(Provider.OPENAI, key=KEY, environment={})
    said = f"Key {KEY}, or {KEY[:7]}…{KEY[-6:]}; or sk-***; model gpt-5 is too small."
    assert access.without_secrets(said) == "Key … or … or … model gpt-5 is too small."


def test_a_short_key_is_taken_out_as_a_word_only() -> None:
    access = access_to(Provider.OPENAI, key="demo", environment={})
    assert access.without_secrets("The key demo, for demo-large.") == "The key … for demo-large."


def test_errors_survive_another_process() -> None:
    error = pickle.loads(pickle.dumps(NoKey("No key.")))
    assert isinstance(error, ModelError)
    assert str(error) == "No key."


# ---- servers ----
# Servers on this machine, and the models that a server has.


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


@pytest.mark.alone
def test_what_answers_here_is_found_and_nothing_is_waited_for(silent: int) -> None:
    with DemoServer() as server:
        port = int(server.address.rpartition(":")[2])
        begun = time.monotonic()
        (found,) = servers_here({"Silent": silent, "None": free_port(), "Ollama": port}, patience=0.3)
        assert time.monotonic() - begun < 2
        assert (found.name, found.address) == ("Ollama", f"{server.address}/v1")
        assert found.models
        assert found.models == models_of(ProviderAccess(f"{server.address}/v1"))


def test_an_address_without_models_is_one_clear_sentence() -> None:
    with DemoServer() as server, pytest.raises(ServerUnreachable, match="tells no models: it says 404"):
        models_of(ProviderAccess(f"{server.address}/v2"))
    with pytest.raises(ServerUnreachable, match="Is it started"):
        models_of(ProviderAccess(f"http://127.0.0.1:{free_port()}/v1"))


def test_a_typed_address_goes_before_the_environments_and_never_gets_its_key() -> None:
    environment = {"VOUCH_COMPATIBLE_URL": "http://a/v1", "VOUCH_COMPATIBLE_KEY": "of-the-environment"}
    typed = pickle.loads(pickle.dumps(Typed("", "http://localhost:1234/v1/")))
    access = access_to(Provider.COMPATIBLE, key=typed, environment=environment)
    assert access == ProviderAccess("http://localhost:1234/v1", None)
    with_key = access_to(Provider.COMPATIBLE, key=Typed("own", typed.address), environment=environment)
    assert with_key.key is not None
    assert with_key.key.get_secret_value() == "own"
    assert access_to(Provider.COMPATIBLE, key=Typed("own"), environment=environment).address == "http://a/v1"
    with pytest.raises(ServerUnreachable, match="The field holds no web address"):
        access_to(Provider.COMPATIBLE, key=Typed("", "localhost"), environment=environment)
    assert (
        access_to(Provider.OPENAI, key=Typed("k", "http://a/v1"), environment={}).address == "https://api.openai.com/v1"
    )


# ---- secrets ----
# A key is nowhere but in memory and in the header of a call.

RUN = """
import logging, sys, traceback
logging.basicConfig(level=logging.DEBUG, filename=sys.argv[1])
from core.llm import ModelName, Provider, open_runner
from core.llm.demo import Fault
from tests.core.llm.questions import question
for provider in Provider:
    for model in ["demo", *(f"demo-{fault}" for fault in Fault if fault not in ("hang", "500", "529", "429", "drop"))]:
        try:
            reply = open_runner(ModelName(provider, model)).ask(question())
            print(repr(reply), reply.problem)
            if reply.problem:
                raise reply.problem
        except Exception:
            traceback.print_exc()
"""


@pytest.mark.slow
def test_a_run_leaves_no_trace_of_the_key(demo: DemoServer, tmp_path: Path) -> None:
    """With every log of the clients on, whether calls succeed or fail, a grep finds no part of the key."""
    keys = dict.fromkeys(("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "VOUCH_COMPATIBLE_KEY"), KEY)
    environment = os.environ | demo.environment | keys
    environment |= {"VOUCH_HOME": str(tmp_path / "home"), "OPENAI_LOG": "debug", "ANTHROPIC_LOG": "debug"}
    done = subprocess.run(
        [sys.executable, "-c", RUN, str(tmp_path / "log.txt")],
        cwd=ROOT, env=environment, capture_output=True, check=True, timeout=120,
    )  # fmt: skip
    (tmp_path / "stdout.txt").write_bytes(done.stdout)
    (tmp_path / "stderr.txt").write_bytes(done.stderr)
    written = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert len(written) > 10, "logs, output and the cache"
    assert (tmp_path / "log.txt").stat().st_size > 10_000
    for path in written:
        content = path.read_text(encoding="utf-8") + path.name
        found = [KEY[start : start + 8] for start in range(len(KEY) - 7) if KEY[start : start + 8] in content]
        assert not found, f"{path.name} holds {found}"


def test_a_compatible_server_is_not_told_of_an_account_at_openai(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_ORG_ID", "OPENAI_PROJECT_ID", "OPENAI_API_KEY"):
        monkeypatch.setenv(name, "ours-alone")
    model = CompatibleModel(ModelName(Provider.COMPATIBLE, "demo"), ProviderAccess("http://127.0.0.1:1/v1"))
    client = model._open(model._access)
    assert "ours-alone" not in str({**client.default_headers, **client.auth_headers})
