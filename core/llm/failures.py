"""What went wrong with a call, in one sentence that names the cure. No text of a refused key's reply is repeated."""

from __future__ import annotations

import re

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
from core.llm.access import Access
from core.llm.names import ModelName

_NO_MONEY = re.compile(r"insufficient_quota|billing|credit balance|exceeded your current quota", re.IGNORECASE)
_LONGEST_QUOTE = 200


def status_failure(status: int, body: object, name: ModelName, access: Access) -> ModelError:
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


def unreachable(access: Access) -> ServerUnreachable:
    """The failure of a call that reached no server."""
    return ServerUnreachable(
        f"Nothing answers at {access.shown_address}. Check the address, that the server runs, and the network."
    )


def not_a_model(access: Access) -> NotAModelServer:
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
