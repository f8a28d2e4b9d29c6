"""What all providers share: a call with its retries, and their errors as ours."""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import time
import weakref
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from pydantic import ValidationError

from core.errors import (
    KeyRefused,
    ModelError,
    ModelTimeout,
    NoCredit,
    NotAModelServer,
    RateLimited,
    RequestRefused,
    ServerDown,
    ServerUnreachable,
    UnknownModel,
)
from core.llm.access import ModelName, Provider, ProviderAccess
from core.llm.model import Form, Reply, Request
from core.llm.wire import Json, RawReply, reply_from

# ---- failures ----
# What went wrong with a call, in one sentence that names the cure. No text of a refused key's reply is repeated.

_NO_MONEY = re.compile(r"insufficient_quota|billing|credit balance|exceeded your current quota", re.IGNORECASE)
_LONGEST_QUOTE = 200


def status_failure(status: int, body: object, name: ModelName, access: ProviderAccess) -> ModelError:
    """The failure that an HTTP status stands for; `body` is what the server said with it."""
    said = access.without_secrets(_message(body))
    quoted = f" The server says: {said}" if said else ""
    if status == 402 or (status in (400, 403, 429) and _NO_MONEY.search(str(body))):
        return NoCredit(f"The account behind the key for {name.provider} has no credit left. Add credit, or wait.")
    if status in (401, 403):
        return KeyRefused(
            f"The key for {name.provider} was refused for {name.model}. Check the key, and that it may use this model."
        )
    if status == 404:
        return UnknownModel(
            f"{access.shown_address} has no model “{name.model}”. Check the model's name, and the address.{quoted}"
        )
    if status == 429:
        return RateLimited(f"{name} takes no more requests for now. Wait a little, or allow fewer requests at once.")
    if status in (408, 504):
        return no_answer(name)
    if status >= 500:
        return ServerDown(f"The server of {name} failed ({status}). Try again later.")
    return RequestRefused(
        f"{name} cannot take this request ({status}). Choose another model or a shorter paper.{quoted}"
    )


def no_answer(name: ModelName) -> ModelTimeout:
    """The failure of a call that took too long."""
    return ModelTimeout(f"{name} did not answer in time. Try again, or allow more time.")


def unreachable(access: ProviderAccess) -> ServerUnreachable:
    """The failure of a call that reached no server."""
    return ServerUnreachable(
        f"Nothing answers at {access.shown_address}. Check the address, that the server runs, and the network."
    )


def not_a_model(access: ProviderAccess) -> NotAModelServer:
    """The failure of a call that something else answered."""
    return NotAModelServer(
        f"What answers at {access.shown_address} is not the model server that was expected. Check the address."
    )


def no_access(name: ModelName) -> KeyRefused:
    """The failure of a client that could not make up its credentials."""
    return KeyRefused(f"The client of {name.provider} cannot use the key. Check the key.")


def _message(body: object) -> str:
    """The words in an error's body, on one line and not too many."""
    match body:
        case {"error": {"message": str(words)}} | {"message": str(words)} | {"error": str(words)} | str(words):
            line = " ".join(words.split())
            return line if len(line) <= _LONGEST_QUOTE else line[:_LONGEST_QUOTE].rsplit(" ", 1)[0] + " …"
    return ""


# ---- server model ----
# What the models of all providers have in common: a client for each event loop, a time limit, replies and failures.

T = TypeVar("T")

TIMEOUT = 300.0  # seconds for one call with its retries; a model that thinks can take minutes
RETRIES = 4  # the client's own, for 408, 409, 429 and 5xx, with growing pauses or as long as the server asks


class ServerModel(ABC):
    """A `LanguageModel` behind a provider's client library."""

    def __init__(
        self, name: ModelName, access: ProviderAccess, *, timeout: float = TIMEOUT, retries: int = RETRIES
    ) -> None:
        self._name = name
        self._access = access
        self._timeout = timeout
        self._retries = retries
        self._clients: WeakKeyDictionary[asyncio.AbstractEventLoop, Any] = WeakKeyDictionary()

    @property
    def name(self) -> str:
        """Such as `openai:MODEL`, without a strategy."""
        return f"{self._name.provider}:{self._name.model}"

    @property
    def address(self) -> str:
        """The server's base URL."""
        return self._access.address

    async def fitted(self, request: Request) -> tuple[Request, int]:
        """See `LanguageModel`. Models of providers read whole papers: nothing is left out."""
        return request, 0

    async def complete(self, request: Request) -> Reply:
        """See `LanguageModel`."""
        form = Form.SCHEMA if request.schema else Form.TEXT
        return await self._ask(request, form, self.body(request))

    def prepare(self) -> None:
        """Import the client's library, which takes about half a second; else the first call does."""
        _ = self._client_error

    async def close(self) -> None:
        """Close this event loop's client."""
        client = self._clients.pop(asyncio.get_running_loop(), None)
        if client is not None:
            await client.close()

    @property
    def provider(self) -> Provider:
        """Whose interface it speaks."""
        return self._name.provider

    def reply_to(self, request: Request, form: Form, document: object, seconds: float) -> Reply:
        """The provider's answer as a reply. Raises `NotAModelServer` if it is no such answer."""
        said: RawReply | None = None
        if isinstance(document, dict):
            with contextlib.suppress(ValidationError):
                said = self.said(document)
        if said is None:
            raise not_a_model(self._access)
        return reply_from(said, request, form, seconds)

    def refusal(self, status: int, body: object) -> ModelError:
        """The failure that an HTTP status stands for; `body` is what the server said with it."""
        return status_failure(status, body, self._name, self._access)

    @abstractmethod
    def body(self, request: Request) -> Json:
        """The request as the provider's interface writes it."""

    @abstractmethod
    def said(self, document: Json) -> RawReply:
        """What the provider's answer says. Raises `ValidationError` if it is no such answer."""

    @abstractmethod
    def _open(self, access: ProviderAccess) -> Any:
        """A new client."""

    @abstractmethod
    async def _send(self, client: Any, body: Json) -> bytes:
        """The body of the provider's answer."""

    @abstractmethod
    def failure(self, error: Exception) -> ModelError:
        """What an exception of the provider's client means."""

    @property
    @abstractmethod
    def _client_error(self) -> type[Exception]:
        """The root of the client's exceptions."""

    async def _ask(self, request: Request, form: Form, body: Json) -> Reply:
        self._client()  # the first one imports its library, which is not the server's time
        started = time.perf_counter()
        answer = await self.call(lambda client: self._send(client, body))
        seconds = time.perf_counter() - started
        try:
            document = json.loads(answer)
        except ValueError:
            document = None
        return self.reply_to(request, form, document, seconds)

    async def call(self, use: Callable[[Any], Awaitable[T]]) -> T:
        """Use the provider's client, within the time limit. Raises `ModelError` for whatever the client raises."""
        failure: ModelError
        client = self._client()
        try:
            async with asyncio.timeout(self._timeout):
                return await use(client)
        except TimeoutError:
            failure = no_answer(self._name)
        except self._client_error as error:
            failure = self.failure(error)
        raise failure  # outside `except`, for the client's exceptions may hold the key

    def _client(self) -> Any:
        loop = asyncio.get_running_loop()
        if loop not in self._clients:
            client = self._clients[loop] = self._open(self._access)
            # A client that is collected as garbage gives its sockets back at once, and then, if that happens in the loop's
            # thread, closes them once more by their numbers, which new connections may have by now: these would never
            # hear an answer. So a client outlives its model, and is closed in order.
            weakref.finalize(self, _close_later, loop, client).atexit = False
        return self._clients[loop]


def _close_later(loop: asyncio.AbstractEventLoop, client: Any) -> None:
    """Close a client in its loop, from whatever thread; one that was closed before, or whose loop has ended, is left."""
    if client.is_closed() or not loop.is_running():
        return
    asyncio.run_coroutine_threadsafe(client.close(), loop)
