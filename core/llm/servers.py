"""Which models a compatible server has, and which such servers answer on this machine.

Only what a user names is asked, and for the search this machine itself: no redirection is followed, and no proxy asked.
"""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from types import MappingProxyType
from urllib.parse import urlsplit

from pydantic import BaseModel, ValidationError

from core.errors import ServerUnreachable
from core.llm.access import Access
from core.untrusted_json import parsed

USUAL_PORTS = MappingProxyType({"Ollama": 11434, "LM Studio": 1234, "vLLM": 8000})
_PATIENCE_HERE = 0.5  # seconds: a server on this machine answers at once, or is none
_PATIENCE = 5.0  # for one that a user has named
_MOST = 1_000_000  # bytes of a list of models


@dataclass(frozen=True, slots=True)
class Server:
    """A server that answered, by the name of the program that usually listens there."""

    name: str
    address: str
    models: tuple[str, ...]


class _Model(BaseModel):
    id: str


class _Models(BaseModel):
    data: list[_Model]


def models_of(access: Access, *, patience: float = _PATIENCE) -> tuple[str, ...]:
    """The names of a server's models, in its order. Raises `ServerUnreachable` if it does not tell them."""
    parts = urlsplit(access.address)
    kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
    key = access.key.get_secret_value() if access.key else ""
    connection = kind(parts.hostname or "", parts.port, timeout=patience)
    try:
        headers = {"Accept": "application/json"} | ({"Authorization": f"Bearer {key}"} if key else {})
        connection.request("GET", f"{parts.path.rstrip('/')}/models", headers=headers)
        answer = connection.getresponse()
        body = answer.read(_MOST)
        if answer.status != 200:
            raise ServerUnreachable(f"The server at {access.shown_address} tells no models: it says {answer.status}.")
        listed = _Models.model_validate(parsed(body)).data
    except (OSError, HTTPException) as error:
        raise ServerUnreachable(f"No server answers at {access.shown_address}. Is it started? ({error})") from None
    except (ValueError, ValidationError):
        raise ServerUnreachable(
            f"What answers at {access.shown_address} tells no models. Give the address that ends in /v1."
        ) from None
    finally:
        connection.close()
    return tuple(dict.fromkeys(model.id for model in listed if model.id.isprintable() and " " not in model.id))


def servers_here(ports: Mapping[str, int] = USUAL_PORTS, *, patience: float = _PATIENCE_HERE) -> tuple[Server, ...]:
    """The servers that answer on this machine at these ports, asked all at once."""

    def look(name: str, port: int) -> Server | None:
        address = f"http://127.0.0.1:{port}/v1"
        try:
            return Server(name, address, models_of(Access(address), patience=patience))
        except ServerUnreachable:
            return None

    with ThreadPoolExecutor(max(1, len(ports))) as pool:
        return tuple(found for found in pool.map(look, ports.keys(), ports.values()) if found is not None)
