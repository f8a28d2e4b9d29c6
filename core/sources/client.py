"""The HTTP client of all literature services: cached replies, rates, retries, a limit of calls, allowed addresses.

A reply is cached by its address before it is used, so that nothing is asked twice even if the program is killed. The
person's mail address and keys are added below the cache, so they are never stored. Redirects are followed by hand, and
each one is checked.
"""

from __future__ import annotations

import ipaddress
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from hashlib import sha256
from typing import Any, Self, TypeVar
from urllib.parse import SplitResult, quote, urlencode, urljoin, urlsplit

import httpcore2
import httpx2
import stamina
from hishel import SqliteStorage
from hishel.httpx2 import CacheTransport
from pyrate_limiter import Limiter, Rate

from core import __version__
from core.errors import (
    CallsUsedUp,
    DamagedFile,
    ForbiddenAddress,
    NotThatService,
    SourceBusy,
    SourceDown,
    SourceError,
    SourceRefused,
    SourceUnreachable,
)
from core.paper.xml import Element, local_name, parse_xml
from core.settings import Settings
from core.sources.services import Kind, Service, address_of, stand_in_of
from core.untrusted_json import parsed

TRIES = 4
LARGEST_REPLY = 60_000_000  # bytes
LARGEST_FILE = 100_000_000
MOST_CALLS = 5_000  # for one piece of work, unless the caller says otherwise
_LONGEST_WAIT = 60.0  # seconds: a longer Retry-After is not waited for; the question fails
_TIMEOUT = httpx2.Timeout(30, connect=15)
_MOST_REDIRECTS = 5
_KEPT_S = 60 * 60 * 24 * 30  # a month
_REDIRECTS = (301, 302, 303, 307, 308)
_LONG = 400  # letters: a longer question is sent as a form to services that take one

Value = TypeVar("Value")


class _Again(Exception):
    """A fault that may be gone at the next try. `wait`: the seconds that the service asks to wait."""

    def __init__(self, error: SourceError, wait: float | None = None) -> None:
        super().__init__(str(error))
        self.error, self.wait = error, wait


FILES = Service("files", "the file's own site", "", Kind.LOOK_UP, 2, 1, "open copies of papers")


@dataclass(slots=True)
class SourceClient:
    """Asks literature services, and no other host. Close it with `close`, or use it in `with`.

    `mail` identifies the person who has agreed to the questions; `most_calls` limits real calls, not cached replies.
    Raises `SourceError`s, each one sentence.
    """

    settings: Settings
    mail: str | None = None
    most_calls: int = MOST_CALLS
    asked_anew: str = ""  # a stamp; with `keep=False`, replies kept under another stamp are not used
    calls: int = 0
    _http: httpx2.Client = field(init=False, repr=False)
    _storage: SqliteStorage = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self.mail = self.mail or self.settings.mail
        path = self.settings.source_replies
        path.parent.mkdir(parents=True, exist_ok=True)
        self._storage = SqliteStorage(database_path=path, default_ttl=_KEPT_S)
        wire = _Wire(
            _transport(allow_loopback=self.settings.sources_url is not None), self._before_call, self._identify
        )
        self._http = httpx2.Client(
            transport=CacheTransport(wire, storage=self._storage), timeout=_TIMEOUT, trust_env=False
        )

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # What services are asked.

    def json(
        self,
        service: Service,
        path: str,
        params: Mapping[str, str] | None = None,
        *,
        read: Callable[[Any], Value],
        keep: bool = True,
        missing: Value | None = None,
    ) -> Value:
        """What `read` makes of a reply in JSON.

        `read` raises `LookupError`, `TypeError` or `ValueError` if the reply does not have the documented form.

        `keep`: if False, the question is asked anew under each stamp. `missing`: what a 404 means, if it is an answer.
        """
        return self._asked(service, path, params, lambda body: read(parsed(body)), keep=keep, missing=missing)

    def xml(
        self,
        service: Service,
        path: str,
        params: Mapping[str, str] | None = None,
        *,
        read: Callable[[Element], Value],
        keep: bool = True,
        missing: Value | None = None,
    ) -> Value:
        """What `read` makes of a reply in XML; else like `json`."""
        return self._asked(
            service, path, params, lambda body: read(parse_xml(body, name=service.name)), keep=keep, missing=missing
        )

    def article(self, service: Service, path: str) -> bytes | None:
        """An article in XML, unchanged, once it is known to be whole; None for a 404."""

        def read(body: bytes) -> bytes:
            if local_name(parse_xml(body, name=service.name)) != "article":
                raise ValueError("no article")
            return body

        return self._asked(service, path, None, read, keep=True, missing=b"") or None

    def file(self, url: str, check: Callable[[bytes, str], None]) -> bytes:
        """The bytes of a file at a location that a service named; `check` gets them and their content type.

        Only https and public addresses are allowed, also after a redirect. `check` raises `NotThatService`.
        """

        def read(body: bytes, kind: str) -> bytes:
            check(body, kind)
            return body

        return self._with_retries(lambda: self._once(FILES, url, read, keep=True, most=LARGEST_FILE))

    def _asked(
        self,
        service: Service,
        path: str,
        params: Mapping[str, str] | None,
        read: Callable[[bytes], Value],
        *,
        keep: bool,
        missing: Value | None,
    ) -> Value:
        url = f"{address_of(service, self.settings)}/{path.lstrip('/')}"
        form = dict(params or {})
        if form and not (service.takes_forms and sum(map(len, form.values())) > _LONG):
            try:
                url, form = str(httpx2.URL(url, params=form)), {}
            except httpx2.InvalidURL:
                raise SourceRefused(
                    f"{service.name} takes no question as long as this. Shorten it, or ask in parts."
                ) from None
        return self._with_retries(
            lambda: self._once(
                service, url, lambda body, _: read(body), form=form, keep=keep, most=LARGEST_REPLY, missing=missing
            ),
        )

    # How they are asked.

    def _with_retries(self, ask: Callable[[], Value]) -> Value:
        def again(error: Exception) -> bool | float:
            if not isinstance(error, _Again):
                return False
            return True if error.wait is None else error.wait

        try:
            for attempt in stamina.retry_context(
                on=again, attempts=TRIES, timeout=None, wait_initial=1, wait_max=20, wait_jitter=1
            ):
                with attempt:
                    return ask()
        except _Again as last:
            raise last.error from None
        raise AssertionError  # the loop returns or raises

    def _once(
        self,
        service: Service,
        url: str,
        read: Callable[[bytes, str], Value],
        *,
        keep: bool,
        most: int,
        form: Mapping[str, str] | None = None,
        missing: Value | None = None,
    ) -> Value:
        for _ in range(_MOST_REDIRECTS + 1):
            self._check_address(service, url)
            asked = f"POST {url} {urlencode(form)}" if form else f"GET {url}"
            key = sha256(f"{'' if keep else self.asked_anew} {asked}".encode()).hexdigest()
            try:
                status, headers, body = self._get(service, url, key, most, form or {})
            except httpx2.TimeoutException:
                raise _Again(
                    SourceUnreachable(f"{_at(service, url)} did not answer in time. Try again later.")
                ) from None
            except (httpx2.RemoteProtocolError, httpx2.DecodingError):
                self._forget(key)
                raise _Again(NotThatService(f"{_at(service, url)} broke off in the middle. Try again later.")) from None
            except httpx2.TransportError:
                raise _Again(
                    SourceUnreachable(
                        f"{_at(service, url)} cannot be reached. Check this computer's connection and try again."
                    )
                ) from None
            if status in _REDIRECTS and headers.get("location"):
                target = _joined(url, headers["location"])
                if service is not FILES and urlsplit(target).hostname != urlsplit(url).hostname:
                    raise ForbiddenAddress(
                        f"{service.name} sent Vouch on to {_host(target)}, which is not one of the services that Vouch asks. "
                        "A login page may stand before it: look at the connection in a browser."
                    )
                url = target
                continue
            self._check_status(service, url, status, headers, body, tolerate=missing is not None)
            if status == 404:
                assert missing is not None  # noqa: S101
                return missing
            return self._value(_at(service, url), headers.get("content-type", ""), body, read, key)
        raise NotThatService(f"{_at(service, url)} redirects too many times.")

    def _get(
        self, service: Service, url: str, key: str, most: int, form: Mapping[str, str]
    ) -> tuple[int, Mapping[str, str], bytes]:
        # The cache keeps answers to GET only, so a question with a form becomes a POST below the cache.
        extensions = {"caching": {"key": key}, "service": service, "form": form}
        with self._http.stream("GET", url, extensions=extensions) as reply:
            body = bytearray()
            for part in reply.iter_bytes():
                body += part
                if len(body) > most:
                    raise NotThatService(
                        f"{_at(service, url)} sends more than {most // 1_000_000} MB. Nothing was taken."
                    )
            return reply.status_code, reply.headers, bytes(body)

    def _check_status(
        self, service: Service, url: str, status: int, headers: Mapping[str, str], body: bytes, *, tolerate: bool
    ) -> None:
        """Raise an error for every reply that is no answer. `tolerate`: a 404 is one."""
        who, wait = _at(service, url), _seconds(headers.get("retry-after"))
        if status == 404 and tolerate:
            return
        if (status == 429 or status >= 500) and wait is not None and wait > _LONGEST_WAIT:
            raise SourceBusy(f"{who} takes no more questions for {_in_words(wait)}. What was answered is kept.")
        if status == 429:
            error = SourceBusy(f"{who} takes no more questions for now. Try again later; what was answered is kept.")
            raise _Again(error, wait)
        if status >= 500:
            raise _Again(SourceDown(f"{who} has a fault of its own ({status}). Try again later."), wait)
        if status in (401, 403):
            raise SourceRefused(f"{who} does not let Vouch in ({status}). It may want a key or a login.")
        if status >= 400:
            told = self._told(body)
            raise SourceRefused(f"{who} cannot take this question ({status}){told}. Change it and try again.")

    def _value(self, who: str, kind: str, body: bytes, read: Callable[[bytes, str], Value], key: str) -> Value:
        """The value of a reply. A reply that cannot be used is removed from the cache."""
        try:
            return read(body, kind)
        except SourceError:
            self._forget(key)
            raise
        except (LookupError, TypeError, ValueError, AttributeError, DamagedFile):
            self._forget(key)
            if body.lstrip()[:200].lower().startswith((b"<!doctype html", b"<html")):
                raise NotThatService(
                    f"{who} sent a web page in place of its reply: a login page may stand before it. "
                    "Open the site in a browser, then try again."
                ) from None
            raise _Again(
                NotThatService(f"{who} sent a reply that breaks off or is not in its documented form. Try again later.")
            ) from None

    def _forget(self, key: str) -> None:
        """Remove a reply that cannot be used from the cache."""
        for entry in self._storage.get_entries(key):
            self._storage.remove_entry(entry.id)

    def _told(self, body: bytes) -> str:
        """What a service says about a question that it refuses, shortened, without the key or address it may repeat."""
        text = " ".join(body[:10_000].decode("utf-8", "replace").split())
        for secret in filter(None, (self.mail, *self.settings.source_keys.values())):
            text = text.replace(secret, "…").replace(quote(secret, safe=""), "…")
        return f": “{text[:160]}”" if text and not text.startswith("<") else ""

    # Where it may go, and as whom.

    def _check_address(self, service: Service, url: str) -> None:
        parts, port = _parts(url)
        if service is not FILES:
            wanted = urlsplit(address_of(service, self.settings))
            if (parts.scheme, parts.netloc) != (wanted.scheme, wanted.netloc):
                raise ForbiddenAddress(
                    f"{service.name} points at {_host(url)}, which is not one of the services that Vouch asks."
                )
            return
        if self.settings.sources_url is not None:
            if not url.startswith(f"{stand_in_of(self.settings)}/"):
                raise ForbiddenAddress(f"{_host(url)} is not asked while a stand-in takes the services' place.")
            return
        if parts.scheme != "https" or parts.username or parts.password:
            raise ForbiddenAddress(
                f"The file is at {_host(url)} without a secure connection (https): it is not fetched."
            )
        _public_address(parts.hostname or "", port or 443)

    def _before_call(self, service: Service) -> None:
        if self.calls >= self.most_calls:
            raise CallsUsedUp(
                f"The limit of {self.most_calls:,} calls is reached. What was answered is kept; start again to go on."
            )
        self.calls += 1
        if self.settings.sources_url is None:  # a stand-in has no published rate
            keyed = service.id in self.settings.source_keys
            _limiter(service, service.most_calls(mail=bool(self.mail), key=keyed)).try_acquire(service.id)

    def _identify(self, service: Service, request: httpx2.Request) -> httpx2.Request:
        """The request, with who asks added as each service's documentation wants it."""
        contact = f"; mailto:{quote(self.mail, safe='@+')}" if self.mail and service is not FILES else ""
        headers = {
            "User-Agent": f"Vouch/{__version__} (systematic reviews{contact})",
            "Accept-Encoding": "gzip, deflate",
        }
        key = self.settings.source_keys.get(service.id)
        added: dict[str, str] = {}
        if service.id == "pubmed":
            added = {"tool": "vouch"} | ({"email": self.mail} if self.mail else {}) | ({"api_key": key} if key else {})
        elif service.id == "unpaywall" and self.mail:
            added = {"email": self.mail}
        elif service.id == "openalex" and key:
            added = {"api_key": key}
        elif service.id == "semanticscholar" and key:
            headers["x-api-key"] = key
        if form := request.extensions["form"]:
            data = {**form, **added}
            return httpx2.Request("POST", request.url, headers=headers, data=data, extensions=request.extensions)
        url = request.url.copy_merge_params(added) if added else request.url
        return httpx2.Request(request.method, url, headers=headers, extensions=request.extensions)


class _Wire(httpx2.BaseTransport):
    """Below the cache: what applies to real calls only."""

    def __init__(
        self,
        wire: httpx2.BaseTransport,
        before: Callable[[Service], None],
        identify: Callable[[Service, httpx2.Request], httpx2.Request],
    ) -> None:
        self._wire, self._before, self._identify = wire, before, identify

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """Count the call, wait for its turn, add who asks, and send it."""
        service: Service = request.extensions["service"]
        self._before(service)
        return self._wire.handle_request(self._identify(service, request))

    def close(self) -> None:
        """Close the connections."""
        self._wire.close()


class _PublicOnly(httpcore2.SyncBackend):
    """Connects to public addresses only. A name is looked up once, so the address that was checked is the one used."""

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore2.NetworkStream:
        """Raises `ForbiddenAddress` for a private address."""
        return super().connect_tcp(_public_address(host, port), port, timeout, local_address, socket_options)


def _transport(*, allow_loopback: bool) -> httpx2.BaseTransport:
    transport = httpx2.HTTPTransport(trust_env=False)
    if not allow_loopback:  # the library has no other way to control how names are looked up
        transport._pool = httpcore2.ConnectionPool(
            ssl_context=ssl.create_default_context(), max_connections=8, network_backend=_PublicOnly()
        )
    return transport


def _public_address(host: str, port: int) -> str:
    """An address of a host. Raises `ForbiddenAddress` if any of its addresses is not public."""
    try:
        found = [entry[4][0] for entry in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]
    except (OSError, UnicodeError) as error:  # the latter for a name that no host can have
        raise SourceUnreachable(f"{host} is not found. Check this computer's connection and try again.") from error
    if not found or not all(ipaddress.ip_address(str(one).partition("%")[0]).is_global for one in found):
        raise ForbiddenAddress(f"{host} is an address of a private network: it is not asked.")
    return str(found[0])


stamina.instrumentation.set_on_retry_hooks([])  # else every retry would be logged
_limiters: dict[str, Limiter] = {}
_limiters_lock = threading.Lock()


def _limiter(service: Service, calls: int) -> Limiter:
    """The limiter that all clients of this process share, because a service counts calls by network address."""
    name = f"{service.id} {calls}"
    with _limiters_lock:
        if name not in _limiters:
            _limiters[name] = Limiter(Rate(calls, int(service.seconds * 1000)))
        return _limiters[name]


def quoted(part: str) -> str:
    """A DOI or the like, quoted for use in a path."""
    return quote(part, safe="")


def _seconds(header: str | None) -> float | None:
    """The seconds that Retry-After asks for; it holds seconds or a moment."""
    if not header:
        return None
    if header.strip().isdecimal():
        return float(header)
    try:
        return max(0.0, parsedate_to_datetime(header).timestamp() - time.time())
    except (TypeError, ValueError):
        return None


def _in_words(seconds: float) -> str:
    return f"{seconds / 60:.0f} minutes" if seconds < 7200 else f"{seconds / 3600:.0f} hours"


def _host(url: str) -> str:
    return urlsplit(url).hostname or url[:60]


def _at(service: Service, url: str) -> str:
    return _host(url) if service is FILES else service.name


def _parts(url: str) -> tuple[SplitResult, int | None]:
    """An address and its port. Raises `ForbiddenAddress` if the address is not valid."""
    try:
        httpx2.URL(url)
        parts = urlsplit(url)
        return parts, parts.port
    except (ValueError, httpx2.InvalidURL):
        raise ForbiddenAddress(f"“{url[:60]}” is no address that can be asked.") from None


def _joined(url: str, location: str) -> str:
    """The target of a redirect. Raises `ForbiddenAddress` if it is not valid."""
    try:
        target = urljoin(url, location)
    except ValueError:
        target = location
    _parts(target)
    return target
