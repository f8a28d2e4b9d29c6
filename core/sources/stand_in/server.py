"""The stand-in's HTTP, on the loopback interface and nowhere else: each service is a folder, `/europepmc/search?query=`.

It counts what it was asked, and can misbehave: `fault("pubmed", SourceFault.BUSY, times=2)`. `GET /stand-in/statistics`
and `POST /stand-in/publish` do over HTTP what `asked` and `publish` do.
"""

from __future__ import annotations

import json
import sys
import threading
import time
from collections import Counter
from enum import StrEnum
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self, cast
from urllib.parse import parse_qsl, unquote, urlsplit

from core.sources.stand_in.literature import invented
from core.sources.stand_in.wires import WIRES, Missing, Refused, Shelf

LOOPBACK = "127.0.0.1"


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


class StandIn:
    """Serves in threads of its own between `start` and `stop`, or inside `with`."""

    def __init__(self, works: int = 24, *, port: int = 0, latency: float = 0.0, largest_page: int = 1000) -> None:
        """Port 0 is any free one. Raises `OSError` if the port is taken."""
        self._http = _Http((LOOPBACK, port), _Handler)
        self.address = f"http://{LOOPBACK}:{self._http.server_address[1]}"
        self.shelf = Shelf([invented(number) for number in range(works)], self.address, largest_page)
        self.asked: Counter[str] = Counter()  # addresses that were answered, without who asked
        self.agents: set[str] = set()
        self.latency = latency
        self.lock = threading.Lock()
        self._faults: dict[str, list[SourceFault]] = {}
        self._http.stand_in = self
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.02,), name="stand-in", daemon=True)

    def fault(self, service: str, fault: SourceFault, *, times: int = 1_000) -> None:
        """Misbehave at the next calls of a service."""
        with self.lock:
            self._faults[service] = [fault] * times

    def behave(self) -> None:
        """No faults any more."""
        with self.lock:
            self._faults.clear()

    def publish(self, more: int) -> None:
        """So many new papers appear."""
        begin = max(self.shelf.works, default=-1) + 1
        for number in range(begin, begin + more):
            self.shelf.add(invented(number))

    def next_fault(self, service: str) -> SourceFault | None:
        """The fault that is due, if any."""
        with self.lock:
            due = self._faults.get(service)
            return due.pop(0) if due else None

    def start(self) -> Self:
        """Begin to serve."""
        self._thread.start()
        return self

    def stop(self) -> None:
        """End."""
        self._http.shutdown()
        self._http.server_close()

    def wait(self) -> None:
        """Until somebody stops it."""
        self._thread.join()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()


class _Http(ThreadingHTTPServer):
    daemon_threads = True
    stand_in: StandIn

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that went away in mid-call is no error here."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1

    @property
    def _stand_in(self) -> StandIn:
        return cast(_Http, self.server).stand_in

    def do_POST(self) -> None:
        """More papers: `/stand-in/publish?number=2`. A fault: `/stand-in/fault?service=pubmed&fault=429&times=2`."""
        parts = urlsplit(self.path)
        params = dict(parse_qsl(parts.query))
        if parts.path == "/stand-in/publish":
            self._stand_in.publish(int(params.get("number", "1")))
        elif parts.path == "/stand-in/fault":
            self._stand_in.fault(
                params["service"], SourceFault(params["fault"]), times=int(params.get("times", "1000"))
            )
        self._send(200, b"{}", "application/json")

    def do_GET(self) -> None:
        """A call to a service, or the counts of calls."""
        parts = urlsplit(self.path)
        _, service, *rest = parts.path.split("/")
        if service == "stand-in":
            self._send(200, json.dumps(self._stand_in.asked).encode(), "application/json")
            return
        params = dict(parse_qsl(parts.query, keep_blank_values=True))
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
            self._send(404, b'{"error": "not found"}', "application/json")
            return
        except Refused as error:
            self._send(422, json.dumps({"error": True, "message": str(error)}).encode(), "application/json")
            return
        kind = "application/xml" if body.startswith(b"<?xml") else "text/html" if body.startswith(b"<!doc") else wire[1]
        if fault is None:
            self._count(service, path, params)
            self._send(200, body, kind)
        elif fault is SourceFault.CUT_OFF:
            self._send(200, body[: len(body) // 2], kind)
        else:
            self._send(200, body[: len(body) // 2], kind, {"Content-Length": str(len(body))})
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
                self._send(429, b"slow down", "text/plain", {"Retry-After": "0"})
            case SourceFault.BUSY_FOR_HOURS:
                self._send(429, b"slow down", "text/plain", {"Retry-After": "36000"})
            case SourceFault.DOWN:
                self._send(500, b"fault", "text/plain")
            case SourceFault.WEB_PAGE:
                self._send(200, b"<!doctype html><title>Welcome</title><p>Please sign in.", "text/html")
            case SourceFault.LOGIN:
                self._send(302, b"", "text/html", {"Location": "https://login.invalid/signin?from=library"})
            case SourceFault.PRIVATE:
                self._send(302, b"", "text/html", {"Location": "http://10.0.0.7/admin"})
            case _:
                self._send(403, b"who are you?", "text/plain")

    def _send(self, status: int, body: bytes, kind: str, headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in ({"Content-Type": kind, "Content-Length": str(len(body))} | (headers or {})).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *arguments: object) -> None:
        """Nothing."""
