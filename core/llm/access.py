"""Names of models, keys and addresses of their servers, and the servers on this machine."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from enum import StrEnum
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from types import MappingProxyType
from typing import Any, TypeVar
from urllib.parse import urlsplit, urlunsplit

from pydantic import BaseModel, SecretStr, ValidationError

from core.errors import EngineError, KeyRefused, ModelError, NoKey, ServerUnreachable
from core.untrusted_json import parsed

# ---- names ----
# Engines that ask a language model are named `PROVIDER:MODEL@STRATEGY`. These names are parsed here only.

S = TypeVar("S", bound=StrEnum)

_STRATEGY = re.compile(r"[a-z][a-z-]*")


class Provider(StrEnum):
    """The provider whose API a server implements."""

    OPENAI = "openai"
    ANTHROPIC = "anthropic"
    COMPATIBLE = "compatible"  # any server with OpenAI's chat completions, at an address given by the user


@dataclass(frozen=True, slots=True)
class ModelName:
    """A model as the user names it. A model's name is free text: only the server knows which ones exist."""

    provider: Provider
    model: str
    strategy: str | None = None  # how the model is asked; each task defines its own. None: the task's default

    def __str__(self) -> str:
        return f"{self.provider}:{self.model}" + (f"@{self.strategy}" if self.strategy else "")


def model_named(name: str) -> ModelName | None:
    """The model in an engine's name; None if the name is not of this kind (`bm25`).

    An `@` in a model's name (`llama@sha256:0a1b`) belongs to the name unless a single word, the strategy, follows it.
    Raises `EngineError` if no model is named, or one with spaces.
    """
    first, colon, rest = name.strip().partition(":")
    if not colon or first.lower() not in set(Provider):
        return None
    provider = Provider(first.lower())
    model, at, last = rest.rpartition("@")
    strategy = last.lower() if at and _STRATEGY.fullmatch(last.lower()) else None
    if strategy is None:
        model = rest
    if not model or not model.isprintable() or " " in model:
        raise EngineError(
            f"“{name.strip()}” names no model. Write it as {provider}:MODEL, or {provider}:MODEL@STRATEGY."
        )
    return ModelName(provider, model, strategy)


def strategy_among(known: type[S], model: ModelName, task: str = "") -> S:
    """The strategy in an engine's name, or the first of `known` if it has none.

    Raises `EngineError` if the strategy is unknown; `task` is added to the message, such as “for summaries”.
    """
    if model.strategy is None:
        return next(iter(known))
    if model.strategy not in set(known):
        called = f"“{model.strategy}” {task}".rstrip()
        raise EngineError(f"There is no strategy called {called}. Choose one of: {', '.join(known)}.")
    return known(model.strategy)


# ---- access ----
# The address and the key of a provider's server: from the environment, or typed in for this session.
#
# Keys are kept in memory only, wrapped so that printing or logging them shows asterisks.


@dataclass(frozen=True, slots=True)
class _Source:
    """A provider's title, and the environment variables for its key and address."""

    title: str
    key: str
    address: str
    default_address: str | None
    needs_key: bool


_SOURCES = {
    Provider.OPENAI: _Source("OpenAI", "OPENAI_API_KEY", "OPENAI_BASE_URL", "https://api.openai.com/v1", True),
    Provider.ANTHROPIC: _Source(
        "Anthropic", "ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", "https://api.anthropic.com", True
    ),
    Provider.COMPATIBLE: _Source(
        "a compatible server", "VOUCH_COMPATIBLE_KEY", "VOUCH_COMPATIBLE_URL", None, needs_key=False
    ),
}


class Typed(str):
    """A key typed in for this session, with an address if the server is a compatible one.

    It is passed wherever a key is. Only `access_to` reads the address; other code sees a plain string.
    """

    address: str | None

    def __new__(cls, key: str = "", address: str | None = None) -> Typed:
        """Without an address, the one from the environment is used."""
        made = super().__new__(cls, key)
        made.address = address
        return made


@dataclass(frozen=True, slots=True)
class ProviderAccess:
    """A server's base URL, and its key; None if none is needed."""

    address: str = field(repr=False)  # it may contain a password
    key: SecretStr | None = None

    @property
    def shown_address(self) -> str:
        """The address without user name and password, for messages."""
        parts = urlsplit(self.address)
        return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))

    def without_secrets(self, text: str) -> str:
        """A server's text, without the words that repeat a part of the key or of the address's password."""
        secrets = [secret for secret in (self._key, urlsplit(self.address).password) if secret]
        return re.sub(
            r"\S+", lambda word: "…" if any(_echoes(word[0], secret) for secret in secrets) else word[0], text
        )

    @property
    def _key(self) -> str | None:
        return self.key.get_secret_value() if self.key else None


def access_to(
    provider: Provider, *, key: str | None = None, environment: Mapping[str, str] = os.environ, sends: bool = True
) -> ProviderAccess:
    """How to reach a provider. A `key` or an address typed in for this session overrides the environment's.

    Without `sends` (files are only written and read), neither key nor address is needed.

    Raises `NoKey`, `KeyRefused` for a key with invalid characters, `ServerUnreachable` for a missing or invalid
    address.
    """
    source = _SOURCES[provider]
    typed = key.address if isinstance(key, Typed) and provider is Provider.COMPATIBLE else None
    address = (typed or environment.get(source.address) or source.default_address or "").strip().rstrip("/")
    if not sends:
        return ProviderAccess(address)
    if not address:
        raise ServerUnreachable(
            f"No address of a compatible server is set. Set {source.address}, for example to "
            "http://localhost:11434/v1, or type it in on the page Engines & data."
        )
    if not _is_address(address):
        raise ServerUnreachable(
            f"{'The field' if typed else source.address} holds no web address. Write it like {source.default_address or 'http://localhost:11434/v1'}."
        )
    # The environment's key is never sent to a server whose address was typed in.
    secret = (key or ("" if typed else environment.get(source.key)) or "").strip()
    if source.needs_key and not secret:
        raise NoKey(f"No key for {source.title} is set. Set {source.key}, or type in a key for this session.")
    if not re.fullmatch(r"[!-~]*", secret):
        raise KeyRefused(f"The key for {source.title} has spaces or characters that no key has. Copy it again, whole.")
    return ProviderAccess(address, SecretStr(secret) if secret else None)


def why_not(provider: Provider, *, key: str | None = None, environment: Mapping[str, str] = os.environ) -> str | None:
    """Why a provider cannot be asked, and what to do; None if it can be tried. Nothing is sent."""
    try:
        access_to(provider, key=key, environment=environment)
    except ModelError as error:
        return str(error)
    return None


def key_variable(provider: Provider) -> str:
    """The environment variable for a provider's key."""
    return _SOURCES[provider].key


def _is_address(text: str) -> bool:
    try:
        parts = urlsplit(text)
        _ = parts.port  # raises `ValueError` for an invalid port
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.hostname) and re.fullmatch(r"[!-~]+", text) is not None


def _echoes(word: str, secret: str, length: int = 6) -> bool:
    """Whether a word repeats the secret, or a part of a long one: servers quote parts of a key that they refuse."""
    if len(secret) <= length:
        return word.strip(".,;:!?\"'()") == secret
    return "***" in word or any(secret[start : start + length] in word for start in range(len(secret) - length + 1))


# ---- servers ----
# The models of a compatible server, and the compatible servers that run on this machine.
#
# Only addresses that the user named and this machine are asked. No redirect is followed, and no proxy is used.

USUAL_PORTS = MappingProxyType({"Ollama": 11434, "LM Studio": 1234, "vLLM": 8000, "llama.cpp": 8080})
_PATIENCE_HERE = 0.5  # timeout in seconds: a server on this machine answers at once or not at all
_PATIENCE = 5.0  # timeout in seconds for a server that the user named
_MOST = 1_000_000  # bytes that are read of an answer
_NO_MODELS = "What answers at {} tells no models. Give the address that ends in /v1."


@dataclass(frozen=True, slots=True)
class Server:
    """A server that answered, named after the program that usually listens on its port."""

    name: str
    address: str
    models: tuple[str, ...]


class _Model(BaseModel):
    id: str


class _Models(BaseModel):
    data: list[_Model]


def models_of(access: ProviderAccess, *, patience: float = _PATIENCE) -> tuple[str, ...]:
    """The names of a server's models, in its order. Raises `ServerUnreachable` if it does not list them."""
    try:
        listed = _Models.model_validate(server_document(access, "/models", patience=patience)).data
    except ValidationError:
        raise ServerUnreachable(_NO_MODELS.format(access.shown_address)) from None
    return tuple(dict.fromkeys(model.id for model in listed if model.id.isprintable() and " " not in model.id))


def server_document(
    access: ProviderAccess, path: str, asked: object = None, *, root: bool = False, patience: float = _PATIENCE
) -> dict[str, Any]:
    """The JSON object at a path below a server's address; with `root`, below the address without its `/v1`.

    Sends a GET, or a POST if there is a document in `asked`. Raises `ServerUnreachable` if no JSON object comes back.
    """
    parts = urlsplit(access.address)
    base = parts.path.rstrip("/").removesuffix("/v1") if root else parts.path.rstrip("/")
    kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
    key = access.key.get_secret_value() if access.key else ""
    connection = kind(parts.hostname or "", parts.port, timeout=patience)
    try:
        headers = {"Accept": "application/json"} | ({"Authorization": f"Bearer {key}"} if key else {})
        if asked is None:
            connection.request("GET", base + path, headers=headers)
        else:
            headers["Content-Type"] = "application/json"
            connection.request("POST", base + path, json.dumps(asked), headers)
        answer = connection.getresponse()
        body = answer.read(_MOST)
        if answer.status != 200:
            raise ServerUnreachable(f"The server at {access.shown_address} tells no models: it says {answer.status}.")
        document = parsed(body)
    except (OSError, HTTPException) as error:
        raise ServerUnreachable(f"No server answers at {access.shown_address}. Is it started? ({error})") from None
    except ValueError:
        document = None
    finally:
        connection.close()
    if not isinstance(document, dict):
        raise ServerUnreachable(_NO_MODELS.format(access.shown_address))
    return document


def servers_here(ports: Mapping[str, int] = USUAL_PORTS, *, patience: float = _PATIENCE_HERE) -> tuple[Server, ...]:
    """The servers that answer on this machine at these ports, which are asked in parallel."""

    def look(name: str, port: int) -> Server | None:
        address = f"http://127.0.0.1:{port}/v1"
        try:
            return Server(name, address, models_of(ProviderAccess(address), patience=patience))
        except ServerUnreachable:
            return None

    with ThreadPoolExecutor(max(1, len(ports))) as pool:
        return tuple(found for found in pool.map(look, ports.keys(), ports.values()) if found is not None)
