"""The stand-in's HTTP server, on the loopback interface only. Each service is a folder: `/europepmc/search?query=`.

It counts what it was asked, and can misbehave: `fault("pubmed", SourceFault.BUSY, times=2)`. Over HTTP,
`GET /stand-in/statistics` gives `asked`, and `POST /stand-in/publish` calls `publish`.
"""

from __future__ import annotations

import json
import threading
import time
from collections import Counter
from enum import StrEnum
from typing import cast
from urllib.parse import parse_qsl, unquote, urlsplit

from core.loopback import LoopbackHandler, LoopbackServer
from core.sources.stand_in.literature import invented
from core.sources.stand_in.wires import WIRES, Missing, Refused, Shelf, Unknown


class SourceFault(StrEnum):
    """How a service may misbehave."""

    BUSY = "429"  # with Retry-After
    BUSY_FOR_HOURS = "429-hours"
    DOWN = "500"
    CUT_OFF = "cut-off"  # half of the reply, as if that were all
    HANG_UP = "hang-up"  # half of the reply, and the connection ends
    WEB_PAGE = "web-page"
    LOGIN = "login"  # a redirect to a login page elsewhere
    PRIVATE = "private"  # a redirect to a private address
    REFUSED = "403"


class StandIn(LoopbackServer):
    """All services at one address. `largest_page` and `longest_list`: see `Shelf`."""

    def __init__(
        self,
        works: int = 24,
        *,
        port: int = 0,
        latency: float = 0.0,
        largest_page: int = 1000,
        longest_list: int = 9_999,
    ) -> None:
        """Port 0 is any free one. Raises `OSError` if the port is taken."""
        super().__init__(_Handler, port=port, name="stand-in")
        self.shelf = Shelf([invented(number) for number in range(works)], self.address, largest_page, longest_list)
        self.asked: Counter[str] = Counter()  # addresses that were answered, without the asker's details
        self.forms = 0  # questions that came as forms
        self.agents: set[str] = set()
        self.latency = latency
        self.lock = threading.Lock()
        self._faults: dict[str, list[SourceFault]] = {}

    def fault(self, service: str, fault: SourceFault, *, times: int = 1_000) -> None:
        """Misbehave at the next calls of a service."""
        with self.lock:
            self._faults[service] = [fault] * times

    def behave(self) -> None:
        """Stop misbehaving."""
        with self.lock:
            self._faults.clear()

    def publish(self, more: int) -> None:
        """Publish this many new papers."""
        begin = max(self.shelf.works, default=-1) + 1
        for number in range(begin, begin + more):
            self.shelf.add(invented(number))

    def next_fault(self, service: str) -> SourceFault | None:
        """The fault that is due, if any."""
        with self.lock:
            due = self._faults.get(service)
            return due.pop(0) if due else None


class _Handler(LoopbackHandler):
    @property
    def _stand_in(self) -> StandIn:
        return cast(StandIn, self.server)

    def post(self) -> None:
        """Answer a question that was sent as a form, or publish papers or set a fault.

        `/stand-in/publish?number=2` publishes; `/stand-in/fault?service=pubmed&fault=429&times=2` sets a fault.
        """
        parts = urlsplit(self.path)
        params = dict(parse_qsl(parts.query))
        if not parts.path.startswith("/stand-in/"):
            with self._stand_in.lock:
                self._stand_in.forms += 1
            self._serve(parts.path, dict(parse_qsl(self.body().decode(), keep_blank_values=True)))
            return
        if parts.path == "/stand-in/publish":
            self._stand_in.publish(int(params.get("number", "1")))
        elif parts.path == "/stand-in/fault":
            self._stand_in.fault(
                params["service"], SourceFault(params["fault"]), times=int(params.get("times", "1000"))
            )
        self.send(200, b"{}", "application/json")

    def get(self) -> None:
        """Answer a call to a service, or give the counts of calls."""
        parts = urlsplit(self.path)
        if parts.path.startswith("/stand-in/"):
            self.send_json(200, self._stand_in.asked)
        else:
            self._serve(parts.path, dict(parse_qsl(parts.query, keep_blank_values=True)))

    def _serve(self, asked: str, params: dict[str, str]) -> None:
        _, service, *rest = asked.split("/")
        time.sleep(self._stand_in.latency)
        fault = self._stand_in.next_fault(service)
        if fault in (None, SourceFault.CUT_OFF, SourceFault.HANG_UP):
            self._answer(service, unquote("/".join(rest)), params, fault)
        else:
            self._misbehave(cast(SourceFault, fault))

    def _answer(self, service: str, path: str, params: dict[str, str], fault: SourceFault | None) -> None:
        wire = WIRES.get(service)
        try:
            if wire is None:
                raise Missing(service)
            body = wire[0](self._stand_in.shelf, path, params)
        except Missing:
            self._count(service, path, params)
            self.send(404, b'{"error": "not found"}', "application/json")
            return
        except Refused as error:
            self.send(422, json.dumps({"error": True, "message": str(error)}).encode(), "application/json")
            return
        except Unknown as error:
            self.send(401, json.dumps({"error": str(error)}).encode(), "application/json")
            return
        kind = "application/xml" if body.startswith(b"<?xml") else "text/html" if body.startswith(b"<!doc") else wire[1]
        if fault is None:
            self._count(service, path, params)
            self.send(200, body, kind)
        elif fault is SourceFault.CUT_OFF:
            self.send(200, body[: len(body) // 2], kind)
        else:
            self.send(200, body[: len(body) // 2], kind, {"Content-Length": str(len(body))})
            self.close_connection = True

    def _count(self, service: str, path: str, params: dict[str, str]) -> None:
        private = {"email", "mailto", "tool", "api_key"}
        shown = "&".join(f"{name}={value}" for name, value in sorted(params.items()) if name not in private)
        with self._stand_in.lock:
            self._stand_in.asked[f"{service}/{path}?{shown}"] += 1
            self._stand_in.agents.add(self.headers.get("User-Agent", ""))

    def _misbehave(self, fault: SourceFault) -> None:
        match fault:
            case SourceFault.BUSY:
                self.send(429, b"slow down", "text/plain", {"Retry-After": "0"})
            case SourceFault.BUSY_FOR_HOURS:
                self.send(429, b"slow down", "text/plain", {"Retry-After": "36000"})
            case SourceFault.DOWN:
                self.send(500, b"fault", "text/plain")
            case SourceFault.WEB_PAGE:
                self.send(200, b"<!doctype html><title>Welcome</title><p>Please sign in.", "text/html")
            case SourceFault.LOGIN:
                self.send(302, b"", "text/html", {"Location": "https://login.invalid/signin?from=library"})
            case SourceFault.PRIVATE:
                self.send(302, b"", "text/html", {"Location": "http://10.0.0.7/admin"})
            case _:
                self.send(403, b"who are you?", "text/plain")
