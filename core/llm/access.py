"""Where a provider's server is and which key opens it: from the environment, or typed in for this session.

Keys live here, in memory, wrapped so that printing or logging them shows stars. Nothing else in Vouch sees one.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit, urlunsplit

from pydantic import SecretStr

from core.errors import KeyRefused, ModelError, NoKey, ServerUnreachable
from core.llm.names import Provider


@dataclass(frozen=True, slots=True)
class _Source:
    """What a provider is called, and the environment's names for its key and address."""

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
    """What was typed in for this session: a key, and for a compatible server its address.

    It goes wherever a key goes, and is the key itself to all but `access_to`.
    """

    address: str | None

    def __new__(cls, key: str = "", address: str | None = None) -> Typed:
        """Without an address, the environment's counts."""
        made = super().__new__(cls, key)
        made.address = address
        return made


@dataclass(frozen=True, slots=True)
class Access:
    """A server's base URL, and the key to it; None where none is needed."""

    address: str = field(repr=False)  # it may hold a password
    key: SecretStr | None = None

    @property
    def shown_address(self) -> str:
        """The address without a user name or password in it, for messages."""
        parts = urlsplit(self.address)
        return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))

    def without_secrets(self, text: str) -> str:
        """A server's words, without any that echo a part of the key or the address's password."""
        secrets = [secret for secret in (self._key, urlsplit(self.address).password) if secret]
        return re.sub(
            r"\S+", lambda word: "…" if any(_echoes(word[0], secret) for secret in secrets) else word[0], text
        )

    @property
    def _key(self) -> str | None:
        return self.key.get_secret_value() if self.key else None


def access_to(
    provider: Provider, *, key: str | None = None, environment: Mapping[str, str] = os.environ, sends: bool = True
) -> Access:
    """How to reach a provider. A `key`, or an address, typed in for this session goes before the environment's.

    Who never `sends` anything, and only writes and reads files, needs neither key nor address.

    Raises `NoKey`, `KeyRefused` for a key that no server would take, `ServerUnreachable` for an unusable address.
    """
    source = _SOURCES[provider]
    typed = key.address if isinstance(key, Typed) and provider is Provider.COMPATIBLE else None
    address = (typed or environment.get(source.address) or source.default_address or "").strip().rstrip("/")
    if not sends:
        return Access(address)
    if not address:
        raise ServerUnreachable(
            f"No address of a compatible server is set. Set {source.address}, for example to "
            "http://localhost:11434/v1, or type it in on the page Engines & data."
        )
    if not _is_address(address):
        raise ServerUnreachable(
            f"{'The field' if typed else source.address} holds no web address. Write it like {source.default_address or 'http://localhost:11434/v1'}."
        )
    # The environment's key is for the environment's server, and for no other that somebody types in.
    secret = (key or ("" if typed else environment.get(source.key)) or "").strip()
    if source.needs_key and not secret:
        raise NoKey(f"No key for {source.title} is set. Set {source.key}, or type in a key for this session.")
    if not re.fullmatch(r"[!-~]*", secret):
        raise KeyRefused(f"The key for {source.title} has spaces or characters that no key has. Copy it again, whole.")
    return Access(address, SecretStr(secret) if secret else None)


def why_not(provider: Provider, *, key: str | None = None, environment: Mapping[str, str] = os.environ) -> str | None:
    """Why a provider cannot be asked, and what to do; None if it can be tried. Nothing is sent."""
    try:
        access_to(provider, key=key, environment=environment)
    except ModelError as error:
        return str(error)
    return None


def key_variable(provider: Provider) -> str:
    """The environment's name for a provider's key."""
    return _SOURCES[provider].key


def _is_address(text: str) -> bool:
    try:
        parts = urlsplit(text)
        _ = parts.port  # raises for a port that is no port
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.hostname) and re.fullmatch(r"[!-~]+", text) is not None


def _echoes(word: str, secret: str, length: int = 6) -> bool:
    """Whether a word repeats the secret, or a run of a long one; servers quote the ends of a refused key."""
    if len(secret) <= length:
        return word.strip(".,;:!?\"'()") == secret
    return "***" in word or any(secret[start : start + length] in word for start in range(len(secret) - length + 1))
