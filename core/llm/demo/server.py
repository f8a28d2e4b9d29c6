"""The demo server's HTTP, on the loopback interface and nowhere else.

OpenAI's base URL is `http://127.0.0.1:PORT/v1`, Anthropic's `http://127.0.0.1:PORT`. `GET /demo/statistics` counts calls.
"""

from __future__ import annotations

import contextlib
import json
import socket
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self, cast

from core.errors import QueryError
from core.llm.demo.questions import Fault, FaultOrder, order_named
from core.llm.demo.service import Batches, DemoService, NoReply
from core.llm.demo.wires import CHAT, MESSAGES, RESPONSES, Wire
from core.llm.wire import Json

LOOPBACK = "127.0.0.1"
_CALLS = {"/v1/responses": RESPONSES, "/v1/chat/completions": CHAT, "/v1/messages": MESSAGES}
_PAGE = b"<!doctype html><title>Welcome</title><p>This is a web page."
_HOUR = 3600.0
_POLL = 0.02  # seconds until `stop` is noticed


class DemoServer:
    """Serves in threads of its own between `start` and `stop`, or inside `with`."""

    def __init__(
        self, *, port: int = 0, latency: float = 0.0, fault: FaultOrder | None = None, context: int | None = None
    ) -> None:
        """Port 0 is any free one. `latency`: seconds before each answer. `context`: tokens of a question and its answer, as
        its list of models tells; longer ones are refused. Raises `OSError` if the port is taken.
        """
        self.desk = DemoService(fault, context)
        self._http = _Http((LOOPBACK, port), _Handler)
        self._http.desk, self._http.batches, self._http.latency = self.desk, Batches(self.desk), latency
        self._thread = threading.Thread(target=self._http.serve_forever, args=(_POLL,), name="demo server", daemon=True)

    @property
    def address(self) -> str:
        """The base URL for Anthropic's client; OpenAI's has `/v1` at its end."""
        return self._http.address

    @property
    def environment(self) -> dict[str, str]:
        """The variables that make Vouch, and both providers' clients, ask this server."""
        return {
            "OPENAI_BASE_URL": f"{self.address}/v1",
            "OPENAI_API_KEY": "demo",
            "ANTHROPIC_BASE_URL": self.address,
            "ANTHROPIC_API_KEY": "demo",
            "VOUCH_COMPATIBLE_URL": f"{self.address}/v1",
        }

    def start(self) -> Self:
        """Begin to serve."""
        self._thread.start()
        return self

    def stop(self) -> None:
        """End, hanging calls and open connections too."""
        self._http.stopping.set()
        self._http.shutdown()
        self._http.server_close()
        self._http.hang_up()

    def wait(self) -> None:
        """Serve until it is stopped."""
        self._thread.join()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()


class _Http(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 256
    desk: DemoService
    batches: Batches
    latency: float

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.stopping = threading.Event()
        self._connections: set[Any] = set()

    def process_request(self, request: Any, client_address: Any) -> None:
        """Serve a connection in a thread of its own, and remember it."""
        self._connections.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        """A connection is over."""
        self._connections.discard(request)
        super().shutdown_request(request)

    def hang_up(self) -> None:
        """Close what clients keep open for their next call."""
        for connection in list(self._connections):
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    @property
    def address(self) -> str:
        return f"http://{LOOPBACK}:{self.server_address[1]}"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that went away in mid-call is no error here."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1  # head and body leave in one piece

    @property
    def _http(self) -> _Http:
        return cast(_Http, self.server)

    def do_POST(self) -> None:
        """A call, a file or a batch."""
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        path = self.path.partition("?")[0]
        if path in _CALLS:
            self._call(_CALLS[path], body)
        elif path == "/v1/files":
            self._send_json(200, self._http.batches.add_file(self.headers.get("Content-Type", ""), body))
        elif path == "/v1/batches":
            self._found(self._http.batches.add_batch(json.loads(body), self._key))
        elif path == "/v1/messages/batches":
            self._found(self._http.batches.add_message_batch(json.loads(body), self._key, self._http.address))
        else:
            self._found(None)

    def do_GET(self) -> None:
        """Models, batches, their results, and the counts of calls."""
        match self.path.partition("?")[0].strip("/").split("/"):
            case ["demo", "statistics"]:
                self._send_json(200, self._http.desk.statistics())
            case ["v1", "models"]:
                self._send_json(200, _models(self._http.desk, anthropic="x-api-key" in self.headers))
            case ["v1", "files", file_id, "content"]:
                self._found_bytes(self._http.batches.file(file_id))
            case ["v1", "messages", "batches", batch_id, "results"]:
                self._found_bytes(self._http.batches.results(batch_id))
            case ["v1", "batches", batch_id] | ["v1", "messages", "batches", batch_id]:
                self._found(self._http.batches.batch(batch_id))
            case _:
                self._found(None)

    @property
    def _key(self) -> str:
        return self.headers.get("x-api-key") or self.headers.get("Authorization", "").removeprefix("Bearer ").strip()

    def _call(self, wire: Wire, body: bytes) -> None:
        named = self.headers.get("x-demo-fault")
        with self._http.desk.busy():
            time.sleep(self._http.latency)
            try:
                served = self._http.desk.serve(wire, json.loads(body), self._key, order_named(named) if named else None)
            except (ValueError, QueryError) as error:
                self._send_json(400, wire.error(400, "invalid_request_error", str(error)))
            except NoReply as gone:
                self._act_out(gone.fault)
            else:
                self._send_json(served.status, served.body, served.headers)

    def _act_out(self, fault: Fault) -> None:
        """The faults that leave no reply of the interface's form."""
        match fault:
            case Fault.WEB_PAGE:
                self._send(200, _PAGE, "text/html")
            case Fault.OTHER_JSON:
                self._send_json(200, {"status": "ok"})
            case _:
                if fault is Fault.HANG:
                    self._http.stopping.wait(_HOUR)
                self.close_connection = True

    def _found(self, document: Json | None) -> None:
        missing = {"error": {"message": "Not found.", "type": "not_found_error", "code": "not_found"}}
        self._send_json(200 if document is not None else 404, missing if document is None else document)

    def _found_bytes(self, content: bytes | None) -> None:
        if content is None:
            self._found(None)
        else:
            self._send(200, content, "application/x-jsonl")

    def _send_json(self, status: int, document: Json, headers: dict[str, str] | None = None) -> None:
        self._send(status, json.dumps(document).encode(), "application/json", headers)

    def _send(self, status: int, body: bytes, kind: str, headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in ({"Content-Type": kind, "Content-Length": str(len(body))} | (headers or {})).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *arguments: object) -> None:
        """Nothing: a call's headers hold a key."""


def _models(desk: DemoService, *, anthropic: bool) -> Json:
    names, told = desk.models(), {} if desk.context is None else {"max_model_len": desk.context}
    if anthropic:
        listed = [
            {"type": "model", "id": name, "display_name": name, "created_at": "2026-01-01T00:00:00Z"} for name in names
        ]
        return {"data": listed, "has_more": False, "first_id": names[0], "last_id": names[-1]}
    return {
        "object": "list",
        "data": [{"id": name, "object": "model", "created": 0, "owned_by": "demo"} | told for name in names],
    }
