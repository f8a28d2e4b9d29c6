"""A server on the loopback interface and nowhere else, in threads of its own: what stand-ins for others are made of."""

from __future__ import annotations

import contextlib
import json
import socket
import sys
import threading
from abc import ABC, abstractmethod
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

LOOPBACK = "127.0.0.1"
_POLL = 0.02  # seconds until `stop` is noticed


class LoopbackServer(ThreadingHTTPServer):
    """Serves between `start` and `stop`, or inside `with`."""

    daemon_threads = True
    request_queue_size = 256

    def __init__(self, handler: type[LoopbackHandler], *, port: int = 0, name: str) -> None:
        """Port 0 is any free one. Raises `OSError` if the port is taken."""
        super().__init__((LOOPBACK, port), handler)
        self.stopping = threading.Event()
        self._connections: set[Any] = set()
        self._thread = threading.Thread(target=self.serve_forever, args=(_POLL,), name=name, daemon=True)

    @property
    def address(self) -> str:
        """Where it is: http://127.0.0.1:PORT."""
        return f"http://{LOOPBACK}:{self.server_address[1]}"

    def start(self) -> Self:
        """Begin to serve."""
        self._thread.start()
        return self

    def stop(self) -> None:
        """End, hanging calls and open connections too."""
        self.stopping.set()
        self.shutdown()
        self.server_close()
        for connection in list(self._connections):  # those that clients keep open for their next call
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def wait(self) -> None:
        """Serve until it is stopped."""
        self._thread.join()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()

    def process_request(self, request: Any, client_address: Any) -> None:
        """Serve a connection in a thread of its own, and remember it."""
        self._connections.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        """A connection is over."""
        self._connections.discard(request)
        super().shutdown_request(request)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that went away in mid-call is no error here."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


class LoopbackHandler(BaseHTTPRequestHandler, ABC):
    """Answers one connection. Those of servers have `get` and `post`."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1  # head and body leave in one piece

    def do_GET(self) -> None:
        """A question by its address."""
        self.get()

    def do_POST(self) -> None:
        """A question with a body."""
        self.post()

    @abstractmethod
    def get(self) -> None:
        """Answer it."""

    @abstractmethod
    def post(self) -> None:
        """Answer it."""

    def body(self) -> bytes:
        """What came with the call."""
        return self.rfile.read(int(self.headers.get("Content-Length") or 0))

    def send(self, status: int, body: bytes, kind: str, headers: dict[str, str] | None = None) -> None:
        """Answer; `headers` are more, or others."""
        self.send_response(status)
        for name, value in ({"Content-Type": kind, "Content-Length": str(len(body))} | (headers or {})).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def send_json(self, status: int, document: Any, headers: dict[str, str] | None = None) -> None:
        """Answer with JSON."""
        self.send(status, json.dumps(document).encode(), "application/json", headers)

    def log_message(self, format: str, *arguments: object) -> None:
        """Nothing: a call's headers may hold a key."""
