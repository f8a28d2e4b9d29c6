"""A server on the loopback interface only, in its own threads. Stand-ins for other servers are built on it."""

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
        """The server's address: http://127.0.0.1:PORT."""
        return f"http://{LOOPBACK}:{self.server_address[1]}"

    def start(self) -> Self:
        """Begin to serve."""
        self._thread.start()
        return self

    def stop(self) -> None:
        """Stop serving, and end hanging calls and open connections too."""
        self.stopping.set()
        self.shutdown()
        self.server_close()
        for connection in list(self._connections):  # connections that clients keep open for their next call
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
        """Forget a connection that is over."""
        self._connections.discard(request)
        super().shutdown_request(request)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignore clients that disconnect during a call."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


class LoopbackHandler(BaseHTTPRequestHandler, ABC):
    """Answers the calls of one connection. Each server's handler defines `get` and `post`."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1  # send head and body together

    def do_GET(self) -> None:
        """Answer a GET request."""
        self.get()

    def do_POST(self) -> None:
        """Answer a POST request."""
        self.post()

    @abstractmethod
    def get(self) -> None:
        """Answer a GET request."""

    @abstractmethod
    def post(self) -> None:
        """Answer a POST request."""

    def body(self) -> bytes:
        """The body of the request."""
        return self.rfile.read(int(self.headers.get("Content-Length") or 0))

    def send(self, status: int, body: bytes, kind: str, headers: dict[str, str] | None = None) -> None:
        """Send a response. `headers` are added to the default ones or replace them."""
        self.send_response(status)
        for name, value in ({"Content-Type": kind, "Content-Length": str(len(body))} | (headers or {})).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def send_json(self, status: int, document: Any, headers: dict[str, str] | None = None) -> None:
        """Answer with JSON."""
        self.send(status, json.dumps(document).encode(), "application/json", headers)

    def log_message(self, format: str, *arguments: object) -> None:
        """Log nothing, because a call's headers may hold a key."""
