"""The demo server's HTTP, on the loopback interface only.

OpenAI's base URL is `http://127.0.0.1:PORT/v1`, Anthropic's `http://127.0.0.1:PORT`. `GET /demo/statistics` counts calls.
"""

from __future__ import annotations

import json
import time
from typing import cast

from core.errors import QueryError
from core.llm.demo.questions import Fault, FaultOrder, order_named
from core.llm.demo.service import Batches, DemoService, NoReply
from core.llm.demo.wires import CHAT, MESSAGES, RESPONSES, Wire
from core.llm.provider import Json
from core.loopback import LoopbackHandler, LoopbackServer

_CALLS = {"/v1/responses": RESPONSES, "/v1/chat/completions": CHAT, "/v1/messages": MESSAGES}
_PAGE = b"<!doctype html><title>Welcome</title><p>This is a web page."
_HOUR = 3600.0


class DemoServer(LoopbackServer):
    """The server. Its address is the base URL for Anthropic's client; OpenAI's client needs `/v1` added."""

    def __init__(
        self, *, port: int = 0, latency: float = 0.0, fault: FaultOrder | None = None, context: int | None = None
    ) -> None:
        """Port 0 takes any free port. `latency` is the delay before each answer, in seconds. `context` is the most
        tokens of a question and its answer: the list of models reports it, and longer requests are refused.
        Raises `OSError` if the port is taken.
        """
        super().__init__(_Handler, port=port, name="demo server")
        self.desk, self.latency = DemoService(fault, context), latency
        self.batches = Batches(self.desk)

    @property
    def environment(self) -> dict[str, str]:
        """The environment variables that make Vouch and both providers' clients use this server."""
        return {
            "OPENAI_BASE_URL": f"{self.address}/v1",
            "OPENAI_API_KEY": "demo",
            "ANTHROPIC_BASE_URL": self.address,
            "ANTHROPIC_API_KEY": "demo",
            "VOUCH_COMPATIBLE_URL": f"{self.address}/v1",
        }


class _Handler(LoopbackHandler):
    @property
    def _demo(self) -> DemoServer:
        return cast(DemoServer, self.server)

    def post(self) -> None:
        """Serve a call, a file or a batch."""
        body = self.body()
        path = self.path.partition("?")[0]
        if path in _CALLS:
            self._call(_CALLS[path], body)
        elif path == "/v1/files":
            self.send_json(200, self._demo.batches.add_file(self.headers.get("Content-Type", ""), body))
        elif path == "/v1/batches":
            self._found(self._demo.batches.add_batch(json.loads(body), self._key))
        elif path == "/v1/messages/batches":
            self._found(self._demo.batches.add_message_batch(json.loads(body), self._key, self._demo.address))
        else:
            self._found(None)

    def get(self) -> None:
        """Serve the list of models, batches, their results, and the counts of calls."""
        match self.path.partition("?")[0].strip("/").split("/"):
            case ["demo", "statistics"]:
                self.send_json(200, self._demo.desk.statistics())
            case ["v1", "models"]:
                self.send_json(200, _models(self._demo.desk, anthropic="x-api-key" in self.headers))
            case ["v1", "files", file_id, "content"]:
                self._found_bytes(self._demo.batches.file(file_id))
            case ["v1", "messages", "batches", batch_id, "results"]:
                self._found_bytes(self._demo.batches.results(batch_id))
            case ["v1", "batches", batch_id] | ["v1", "messages", "batches", batch_id]:
                self._found(self._demo.batches.batch(batch_id))
            case _:
                self._found(None)

    @property
    def _key(self) -> str:
        return self.headers.get("x-api-key") or self.headers.get("Authorization", "").removeprefix("Bearer ").strip()

    def _call(self, wire: Wire, body: bytes) -> None:
        named = self.headers.get("x-demo-fault")
        with self._demo.desk.busy():
            time.sleep(self._demo.latency)
            try:
                served = self._demo.desk.serve(wire, json.loads(body), self._key, order_named(named) if named else None)
            except (ValueError, QueryError) as error:
                self.send_json(400, wire.error(400, "invalid_request_error", str(error)))
            except NoReply as gone:
                self._act_out(gone.fault)
            else:
                self.send_json(served.status, served.body, served.headers)

    def _act_out(self, fault: Fault) -> None:
        """Simulate the faults that leave no reply in the API's format."""
        match fault:
            case Fault.WEB_PAGE:
                self.send(200, _PAGE, "text/html")
            case Fault.OTHER_JSON:
                self.send_json(200, {"status": "ok"})
            case _:
                if fault is Fault.HANG:
                    self._demo.stopping.wait(_HOUR)
                self.close_connection = True

    def _found(self, document: Json | None) -> None:
        missing = {"error": {"message": "Not found.", "type": "not_found_error", "code": "not_found"}}
        self.send_json(200 if document is not None else 404, missing if document is None else document)

    def _found_bytes(self, content: bytes | None) -> None:
        if content is None:
            self._found(None)
        else:
            self.send(200, content, "application/x-jsonl")


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
