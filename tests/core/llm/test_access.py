"""Keys and addresses."""

from __future__ import annotations

import pickle

import pytest

from core.errors import KeyRefused, ModelError, NoKey, ServerUnreachable
from core.llm import ModelName, ModelRunner, Provider, open_model, why_not
from core.llm.access import Access, access_to

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
    assert access == Access("http://localhost:8000/v1", None)


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
